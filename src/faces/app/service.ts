import { createTask } from "node-cron";
import type { Logger } from "pino";
import { scanAndAudit } from "../../audit/first-scan.ts";
import type { Clock, Registry } from "../../model/ports/index.ts";
import { aMinute, anHour, type Duration, hasCome, hasPassed, type Instant, isoTime } from "../../model/time.ts";
import { sync } from "../../recheck/sync.ts";
import { sendMessages } from "../../status/messages/send.ts";
import type { Program } from "../../wire/program.ts";
import { createRunLog, followedChecks } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { createRepeats } from "./turns.ts";

export type Service = ReturnType<typeof createService>;

type OnRound = (went: "well" | "badly", at: Instant) => void;

export interface Health {
  readonly ok: boolean;
  readonly lastRun?: string;
  readonly says?: string;
}

export interface Rounds {
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted when the service stops: no new work begins then. */
  readonly stopping: AbortController;
  round(): Promise<void>;
  /** Resolves once nothing runs besides the rounds; absent if a round is everything. */
  settled?(): Promise<void>;
  /** A sentence if checks are overdue although the round succeeded; then it counts as failed. */
  stalled?(): Promise<string | undefined>;
  /** Other processes do the checks, so the service is ready without any. */
  readonly isFront?: boolean;
  /** A sentence about failures in a round that succeeded as a whole. */
  says?(): string | undefined;
}

/** Time without a round after which the schedule counts as stopped. */
const maxSinceRound: Duration = 15 * aMinute;

/** The service of a server: a round of work every minute. */
export function createService(rounds: Rounds) {
  const { clock, log, stopping, round, settled, stalled, isFront = false, says } = rounds;
  const created = clock.now();
  const repeats = createRepeats<"round">(() => stopping.signal.aborted);
  let lastEnd: Instant | undefined;
  let problem: string | undefined;
  let stall: string | undefined;
  const listeners: OnRound[] = [];

  async function oneRound(): Promise<void> {
    try {
      await round();
      const stallNow = await stalled?.();
      if (stallNow !== undefined && stall === undefined) log.error(stallNow);
      stall = stallNow;
      problem = undefined;
    } catch (error) {
      problem = error instanceof Error ? error.message : "unknown";
      log.error({ err: error }, "a run failed");
    } finally {
      lastEnd = clock.now();
      for (const listener of listeners)
        listener(problem === undefined && stall === undefined ? "well" : "badly", lastEnd);
    }
  }

  /** The running round, and those that news requested after it. */
  const running = () => repeats.end("round");
  /** Starts a round for news: now, or again after the running one, which may have missed it. */
  const runForNews = () => repeats.ask("round", oneRound);
  /** Starts a round now, or waits for the running one. */
  const run = () => running() ?? runForNews();

  const everyMinute = createMinuteTimer(() => {
    if (running()) log.debug("the round takes longer than a minute: the next one waits for it");
    else void run();
  });

  return {
    run,
    runForNews,
    /** Resolves once all present news is processed, and the outcome is written. */
    settled: settled ?? (async () => await running()),
    async start() {
      everyMinute.start();
      void run();
    },
    async stop() {
      stopping.abort();
      await everyMinute.stop();
      await running();
      await settled?.();
    },
    /** Calls this after each round, with its outcome and the time. */
    onRound: (added: OnRound) => void listeners.push(added),
    health(): Health {
      const isOnTime = running() !== undefined || clock.now() - (lastEnd ?? created) < maxSinceRound;
      return {
        ok: problem === undefined && (stall === undefined || isFront) && isOnTime,
        lastRun: lastEnd === undefined ? undefined : isoTime(lastEnd),
        says: problem ?? stall ?? says?.(),
      };
    },
  };
}

export function createReportService(
  { world, outbox, messages, report }: Pick<Program, "world" | "outbox" | "messages" | "report">,
  log: Logger,
  metrics?: Metrics,
): Service {
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  const runLog = createRunLog(log, metrics);
  /** GitHub asked us to wait until then. */
  let resumeAt: Instant = 0;

  const checks = followedChecks(world, log);

  async function round(): Promise<void> {
    runLog.scanned(await scanAndAudit(checks.world, { prompt: true, stopped, report, ...checks.options }));
    if (stopped() || !hasCome(resumeAt, world.clock.now(), anHour)) return;
    const synced = await sync({ ...outbox, stopped });
    resumeAt = Math.max(0, ...synced.problems.flatMap((one) => one.resumeAt ?? []));
    runLog.synced(synced);
    if (messages) runLog.messagesSent(await sendMessages({ ...messages, stopped }));
  }

  return createService({ clock: world.clock, log, stopping, round });
}

/** Checks have stalled if one has been due for this long without any stored check meanwhile. */
const longestWait: Duration = anHour;

/** The interval of counts while there are no problems: counting visits every repository. */
const countedEvery: Duration = 10 * aMinute;

/** Makes the test for overdue checks that runs after each round. `see`: where a person finds the reason. */
export function createStalledChecks(
  { registry, clock }: { readonly registry: Pick<Registry, "backlog">; readonly clock: Clock },
  see: string,
): () => Promise<string | undefined> {
  let before: { readonly last: Instant | undefined } | undefined;
  let counted: Instant | undefined;
  return async () => {
    const now = clock.now();
    if (before === undefined && counted !== undefined && !hasPassed(countedEvery, counted, now)) return undefined;
    counted = now;
    const { since, last } = (await registry.backlog(now)).checks;
    const isLate = since !== undefined && now - Math.max(since, last ?? 0) > longestWait;
    const isAsBefore = before !== undefined && before.last === last;
    before = isLate ? { last } : undefined;
    // Checks that became due while no server ran, or its machine slept, only start now.
    if (!isLate || !isAsBefore) return undefined;
    const hours = Math.floor((now - since) / anHour);
    return `the most overdue check has waited for ${hours} h, and none succeeded for an hour: ${see}`;
  };
}

/** Timers may fire early by less than this. */
const aMoment: Duration = 500;

/**
 * Fires each minute, and once after the machine slept. node-cron only computes the times: its own timer fires for each
 * missed minute (ten thousand after a week), and waits for hours after the clock was set back.
 */
function createMinuteTimer(onMinute: () => void) {
  const schedule = createTask("* * * * *", () => {}, { name: "round" });
  let timer: NodeJS.Timeout | undefined;

  function waitForNext(): void {
    const now = Date.now();
    const left = (schedule.getNextRuns(1)[0]?.getTime() ?? now) - now;
    // Timers fire slightly early, so the next minute counts as reached.
    timer = setTimeout(onTimer, Math.min(left < aMoment ? left + aMinute : left, 2 * aMinute));
  }

  function onTimer(): void {
    waitForNext();
    onMinute();
  }

  return {
    start() {
      // In the repeated hour in autumn, the schedule would confuse now with an hour ago. Its own `timezone` does not
      // help: it still uses the process's zone.
      Object.assign(process.env, { TZ: "UTC" });
      waitForNext();
    },
    async stop() {
      clearTimeout(timer);
      await schedule.destroy();
    },
  };
}
