import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { version } from "../../model/own-version.ts";
import type { Backlog, Clock } from "../../model/ports/index.ts";
import type { Duration, Instant } from "../../model/time.ts";
import type { Scan } from "../../watch/scan.ts";
import { threadFigures } from "../../wire/web.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** A server's figures about itself, without names of repositories, sources or people. */
export function createMetrics(clock: Clock) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name: `recheck_${name}`, help, labelNames, registers: [registry] });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge<L>({ name: `recheck_${name}`, help, labelNames, registers: [registry] });

  const checks = counter("checks_total", "Checks of sources, by outcome.", ["outcome"]);
  const rounds = counter("rounds_total", "Rounds of the schedule, by success.", ["result"]);
  const lastRound = gauge("last_good_round_timestamp_seconds", "End of the last successful round.");
  const deliveries = counter("deliveries_total", "Webhooks, by outcome.", ["event"]);
  const quotas = new Map<string, { readonly left: number; readonly until: Instant }>();
  const now = {
    build: gauge("build_info", "1, with the version of Recheck.", ["version"]),
    lag: gauge("schedule_lag_seconds", "Age of the most overdue check."),
    due: gauge("due_sources", "Sources whose check is due."),
    outbox: gauge("outbox_items", "Entries that wait to be written to GitHub or sent as messages.", ["kind"]),
    outboxAge: gauge("outbox_oldest_age_seconds", "Age of the oldest entry that waits.", ["kind"]),
    queue: gauge("deliveries_waiting", "Webhooks that wait to be processed."),
    queueAge: gauge("deliveries_oldest_age_seconds", "Age of the oldest entry that waits."),
    repositories: gauge("repositories", "Repositories of the App, by state.", ["standing"]),
    quota: gauge("github_quota_remaining_requests", "Lowest number of requests to GitHub that are left this hour."),
    workers: gauge("workers", "Threads that parse responses, busy and idle.", ["state"]),
    tasks: gauge("worker_tasks_waiting", "Responses that wait for a thread."),
  };
  const replaced = counter(
    "workers_replaced_total",
    "Threads that were stopped because a response took too much time or memory.",
    ["limit"],
  );
  now.build.set({ version }, 1);
  // A worker has no rounds: an age since 0 would be a permanent alarm.
  lastRound.remove();
  let lastGood = clock.now();
  for (const outcome of ["first", "unchanged", "changed", "unknown"]) checks.inc({ outcome }, 0);
  for (const result of ["well", "badly"]) rounds.inc({ result }, 0);

  /** The lowest of the quotas whose hour is not over. */
  function setQuota(at: Instant): void {
    for (const [group, { until }] of quotas) if (until <= at) quotas.delete(group);
    now.quota.reset();
    const left = Math.min(...[...quotas.values()].map((one) => one.left));
    if (Number.isFinite(left)) now.quota.set(left);
    else now.quota.remove();
  }

  function setWorkers(): void {
    const { threads = 0, busy = 0, waiting = 0, replaced: ended } = threadFigures() ?? {};
    now.workers.set({ state: "busy" }, busy);
    now.workers.set({ state: "idle" }, threads - busy);
    now.tasks.set(waiting);
    replaced.reset();
    for (const limit of ["processor", "memory"] as const) replaced.inc({ limit }, ended?.[limit] ?? 0);
  }

  function setBacklog({ checks: due, outbox, deliveries: queue, repositories }: Backlog, at: Instant): void {
    now.due.set(due.count);
    now.lag.set(age(due.since, at));
    for (const [kind, { count, since }] of Object.entries(outbox)) {
      now.outbox.set({ kind }, count);
      now.outboxAge.set({ kind }, age(since, at));
    }
    now.queue.set(queue.count);
    now.queueAge.set(age(queue.since, at));
    now.repositories.reset();
    for (const [standing, count] of Object.entries(repositories)) now.repositories.set({ standing }, count);
  }

  return {
    scanned(scan: Pick<Scan, "checks">) {
      for (const { outcome } of scan.checks) checks.inc({ outcome });
    },
    /** Notes the end of a round; `at`: when. */
    round(went: "well" | "badly", at: Instant) {
      rounds.inc({ result: went });
      if (went === "well") lastGood = at;
      lastRound.set(lastGood / 1_000);
    },
    delivery: (event: "received" | "done" | "failed" | "given up") => deliveries.inc({ event }),
    /** Notes the remaining requests of an installation (or of the one token) at GitHub, and when they are renewed. */
    quota: (left: number, until: Instant, group: string) => void quotas.set(group, { left, until }),
    /** All figures in Prometheus' format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
    async text(backlog: () => Promise<Backlog>) {
      const at = clock.now();
      setBacklog(await backlog(), at);
      setQuota(at);
      setWorkers();
      return { type: registry.contentType, body: await registry.metrics() };
    },
  };
}

/** Seconds since then; 0 if the time is unknown or in the future. */
function age(since: Instant | undefined, at: Instant): Duration {
  return since === undefined ? 0 : Math.max(0, (at - since) / 1_000);
}
