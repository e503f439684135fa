import { createTask } from "node-cron";
import type { Logger } from "pino";
import type { Duration, Instant } from "../../model/model.ts";
import type { Clock } from "../../model/ports/index.ts";
import { aMinute } from "../../model/time.ts";
import { sync } from "../../recheck/sync.ts";
import { sendMessages } from "../../status/messages/send.ts";
import { scan } from "../../watch/scan.ts";
import type { Program } from "../../wire.ts";
import { createRunLog } from "./log.ts";

/** A server's work: every minute a round of whatever is due. */
export interface Service {
  start(): Promise<void>;
  /** Begins a round now, or joins the one that is under way. */
  run(): Promise<void>;
  /** Resolves once all that webhooks told so far has been worked off, and what came of it is written. */
  settled(): Promise<void>;
  /** Lets the looks under way end, starts no other, and closes. */
  stop(): Promise<void>;
  /** When the last round ended, and whether it went well. */
  health(): Health;
}

export interface Health {
  readonly ok: boolean;
  readonly lastRun?: string;
  readonly says?: string;
}

/** The part in which services differ. */
export interface Rounds {
  readonly clock: Clock;
  readonly log: Logger;
  /** Aborted as the service stops: from then on nothing new is begun. */
  readonly stopping: AbortController;
  /** Does whatever is due. */
  round(): Promise<void>;
  /** Resolves once nothing is under way beside the rounds; without it a round is all that there is. */
  settled?(): Promise<void>;
  /** A sentence on what went wrong in a round that succeeded as a whole. */
  says?(): string | undefined;
}

/** A round later than this means that the schedule has stopped. */
const maxSinceRound: Duration = 15 * aMinute;

export function createService({ clock, log, stopping, round, settled, says }: Rounds): Service {
  const created = clock.now();
  let running: Promise<void> | undefined;
  let ended: Instant | undefined;
  let problem: string | undefined;

  async function oneRound(): Promise<void> {
    try {
      await round();
      problem = undefined;
    } catch (error) {
      problem = error instanceof Error ? error.message : "unknown";
      log.error({ err: error }, "a run failed");
    } finally {
      ended = clock.now();
      running = undefined;
    }
  }

  function run(): Promise<void> {
    running ??= oneRound();
    return running;
  }

  const everyMinute = createTask("* * * * *", () => (stopping.signal.aborted ? undefined : run()), {
    noOverlap: true,
    name: "round",
  });
  return {
    run,
    settled: settled ?? (async () => running),
    async start() {
      await everyMinute.start();
      void run();
    },
    async stop() {
      stopping.abort();
      await everyMinute.destroy();
      await running;
      await settled?.();
    },
    health() {
      const isOnTime = running !== undefined || clock.now() - (ended ?? created) < maxSinceRound;
      return {
        ok: problem === undefined && isOnTime,
        lastRun: ended === undefined ? undefined : new Date(ended).toISOString(),
        says: problem ?? says?.(),
      };
    },
  };
}

/** Serves the one report whose config is in local files. */
export function createReportService(
  { world, outbox, messages }: Pick<Program, "world" | "outbox" | "messages">,
  log: Logger,
): Service {
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  const runLog = createRunLog(log);
  /** GitHub asks to be left alone until then. */
  let resumeAt: Instant = 0;

  async function round(): Promise<void> {
    runLog.scanned(await scan(world, { stopped }));
    if (stopped() || world.clock.now() < resumeAt) return;
    const synced = await sync({ ...outbox, stopped });
    resumeAt = Math.max(0, ...synced.problems.flatMap((one) => one.resumeAt ?? []));
    runLog.synced(synced);
    runLog.told(await sendMessages({ ...messages, stopped }));
  }

  return createService({ clock: world.clock, log, stopping, round });
}
