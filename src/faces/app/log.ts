import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { AuditedScan } from "../../audit/first-scan.ts";
import { Failure } from "../../model/failure.ts";
import type { Fetch } from "../../model/ports/index.ts";
import { firstOf } from "../../model/words.ts";
import type { SyncResult } from "../../recheck/run.ts";
import type { SendReport } from "../../status/messages/send.ts";
import type { World } from "../../watch/check.ts";
import type { ScanOptions } from "../../watch/scan.ts";
import type { Metrics } from "./metrics.ts";

export type RunLog = ReturnType<typeof createRunLog>;

/** Reports the results of runs in the log and in metrics. A result that repeats is logged once. */
export function createRunLog(log: Logger, metrics?: Metrics) {
  let sentences = new Set<string>();
  let unsent = new Set<string>();
  let unaudited: string | undefined;
  return {
    scanned({ checks, firings, outage, unaudited: says }: AuditedScan) {
      metrics?.scanned({ checks });
      if (says !== undefined && says !== unaudited) log.warn(says);
      unaudited = says;
      if (checks.length === 0) return;
      const unknown = checks
        .filter(({ outcome }) => outcome === "unknown")
        .map(({ source, failure }) => `${source}: ${failure?.says}`);
      log.info({ checks: checks.length, fired: firings.length, outage, unknown }, "scanned");
    },
    synced({ problems, left, wouldOpen: _, wouldUpdate: __, waiting, ...done }: SyncResult) {
      const counts = Object.entries(done).flatMap(([what, list]) => (list.length > 0 ? [[what, list.length]] : []));
      if (counts.length > 0) log.info(Object.fromEntries(counts), "GitHub is up to date");
      const now = new Set([
        ...problems.map(({ says }) => says),
        ...done.gone.map((issue) => `#${issue} was deleted or moved: it counts as closed`),
        ...waiting.flatMap(({ trigger, because, until }) =>
          until === undefined ? [] : [`the issue of ${trigger} waits: ${because}`],
        ),
        ...left.map(({ issue, because }) => `#${issue} is unchanged: ${because}`),
      ]);
      for (const says of now) if (!sentences.has(says)) log.warn({ waiting: waiting.length }, says);
      sentences = now;
    },
    messagesSent({ sent, problems }: SendReport) {
      if (sent.length > 0) log.info({ messages: sent.length }, "sent messages");
      const now = new Set(problems.map(({ channel, says }) => `${channel}: ${says}`));
      for (const says of now) if (!unsent.has(says)) log.warn(says);
      unsent = now;
    },
  };
}

/** Ids that link log lines: GitHub's id of a delivery, or of several, and our own id for each check. */
export type Ids = Readonly<Partial<Record<"delivery" | "check", string>>>;

const underWay = new AsyncLocalStorage<Ids>();

/** Runs a job with these ids, added to those that it already has: each of its log lines has them. */
export function runWithIds<T>(ids: Ids, work: () => T): T {
  return underWay.run({ ...underWay.getStore(), ...ids }, work);
}

export function idsHere(): Ids {
  return underWay.getStore() ?? {};
}

const maxDeliveries = 20;

/** Several deliveries as one id, in which each of them can be found. */
export function deliveryIds(deliveries: readonly string[]): Ids {
  return deliveries.length === 0 ? {} : { delivery: firstOf(deliveries, maxDeliveries, " ") };
}

/** Options of a scan that give each check an id, and log its requests and its result. */
export function followedChecks(
  world: World,
  log: Logger,
): { readonly world: World; readonly options: Required<Pick<ScanOptions, "during" | "onCheck" | "onDefect">> } {
  return {
    world: { ...world, fetch: logRequests(world.fetch, log) },
    options: {
      during: (work) => runWithIds({ check: randomUUID() }, work),
      onCheck: ({ source, outcome, failure }) =>
        log.debug({ source, outcome, says: failure?.says }, "checked a source"),
      onDefect: (source, thrown) => log.error({ source, err: thrown }, "a check failed with an internal error"),
    },
  };
}

function logRequests(fetch: Fetch, log: Logger): Fetch {
  return {
    ...fetch,
    async get(request, options) {
      const begun = performance.now();
      const say = (answer: object) =>
        log.debug({ url: request.url, ...answer, ms: Math.round(performance.now() - begun) }, "asked for a source");
      try {
        const fetched = await fetch.get(request, options);
        say({ status: fetched.kind === "not-modified" ? 304 : fetched.response.status });
        return fetched;
      } catch (error) {
        say({ failure: error instanceof Failure ? error.kind : "internal" });
        throw error;
      }
    },
  };
}
