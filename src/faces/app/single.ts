import { createTask } from "node-cron";
import type { Logger } from "pino";
import type { Instant } from "../../model/model.ts";
import { aMinute } from "../../model/time.ts";
import { sync } from "../../recheck/sync.ts";
import { scan } from "../../watch/scan.ts";
import type { Program } from "../../wire.ts";
import { teller } from "./log.ts";

/** The scheduled part: every minute, whatever is due. */
export interface Service {
  start(): Promise<void>;
  /** Looks and writes now, or joins the run that is under way. */
  run(): Promise<void>;
  /** Once all that webhooks told so far has been worked off, and what came of it is written. */
  settled(): Promise<void>;
  /** Lets the looks under way end, starts no other, and closes. */
  stop(): Promise<void>;
  /** When the last run ended, and whether it went well. */
  health(): { readonly ok: boolean; readonly lastRun?: string; readonly says?: string };
}

/** A run later than this means that the schedule has stopped. */
const late = 15 * aMinute;

export function createService({ world, outbox }: Pick<Program, "world" | "outbox">, log: Logger): Service {
  let stopped = false;
  let running: Promise<void> | undefined;
  let ended: number | undefined;
  let problem: string | undefined;
  /** GitHub asks to be left alone until then. */
  let resumeAt: Instant = 0;
  const tell = teller(log);
  const begun = world.clock.now();

  async function once(): Promise<void> {
    tell.scanned(await scan(world, { stopped: () => stopped }));
    if (stopped || world.clock.now() < resumeAt) return;
    const synced = await sync({ ...outbox, stopped: () => stopped });
    resumeAt = Math.max(0, ...synced.problems.flatMap((one) => one.resumeAt ?? []));
    tell.synced(synced);
  }

  function run(): Promise<void> {
    running ??= once()
      .then(
        () => {
          problem = undefined;
        },
        (error: unknown) => {
          problem = error instanceof Error ? error.message : "unknown";
          log.error({ err: error }, "a run failed");
        },
      )
      .finally(() => {
        ended = world.clock.now();
        running = undefined;
      });
    return running;
  }

  const task = createTask("* * * * *", () => (stopped ? undefined : run()), { noOverlap: true, name: "scan" });
  return {
    run,
    settled: async () => running,
    async start() {
      await task.start();
      void run();
    },
    async stop() {
      stopped = true;
      await task.destroy();
      await running;
    },
    health() {
      const ok = problem === undefined && (running !== undefined || world.clock.now() - (ended ?? begun) < late);
      return { ok, lastRun: ended === undefined ? undefined : new Date(ended).toISOString(), says: problem };
    },
  };
}
