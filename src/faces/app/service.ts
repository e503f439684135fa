import { createTask } from "node-cron";
import type { Logger } from "pino";
import { sync } from "../../recheck/sync.ts";
import { scan } from "../../scan.ts";
import type { Program } from "../../wire.ts";

/** The scheduled part: every minute, whatever is due. */
export interface Service {
  start(): Promise<void>;
  /** Looks and writes now, or joins the run that is under way. */
  run(): Promise<void>;
  /** Lets the looks under way end, starts no other, and closes. */
  stop(): Promise<void>;
  /** When the last run ended, and whether it went well. */
  health(): { readonly ok: boolean; readonly lastRun?: string; readonly says?: string };
}

/** A run later than this means that the schedule has stopped. */
const late = 15 * 60_000;

export function createService({ world, outbox }: Pick<Program, "world" | "outbox">, log: Logger): Service {
  let stopped = false;
  let running: Promise<void> | undefined;
  let ended: number | undefined;
  let problem: string | undefined;
  const begun = world.clock.now();

  async function once(): Promise<void> {
    const done = await scan(world, { stopped: () => stopped });
    if (done.looks.length > 0) {
      const unknown = done.looks
        .filter(({ outcome }) => outcome === "unknown")
        .map(({ source, failure }) => `${source}: ${failure?.says}`);
      log.info({ looks: done.looks.length, fired: done.firings.length, outage: done.outage, unknown }, "scanned");
    }
    const { problems, opened, updated } = await sync(outbox);
    if (opened.length + updated.length > 0)
      log.info({ opened: opened.length, updated: updated.length }, "wrote to GitHub");
    for (const one of problems) log.warn({ problem: one }, "GitHub did not take everything");
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
