import { createTask } from "node-cron";
import type { Logger } from "pino";
import type { Instant } from "../../model.ts";
import { type Synced, sync } from "../../recheck/sync.ts";
import { type Scan, scan } from "../../scan.ts";
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

/** Says in the log what runs came to: what stays as it is from one run to the next is said once. */
function teller(log: Logger): { scanned(done: Scan): void; synced(done: Synced): void } {
  let said = new Set<string>();
  return {
    scanned({ looks, firings, outage }) {
      if (looks.length === 0) return;
      const unknown = looks
        .filter(({ outcome }) => outcome === "unknown")
        .map(({ source, failure }) => `${source}: ${failure?.says}`);
      log.info({ looks: looks.length, fired: firings.length, outage, unknown }, "scanned");
    },
    synced({ problems, left, wouldOpen: _, wouldUpdate: __, waiting, ...done }) {
      const counts = Object.entries(done).flatMap(([what, list]) => (list.length > 0 ? [[what, list.length]] : []));
      if (counts.length > 0) log.info(Object.fromEntries(counts), "GitHub is up to date");
      const now = new Set([
        ...problems.map(({ says }) => says),
        ...left.map(({ issue, because }) => `#${issue} is left as it is: ${because}`),
      ]);
      for (const says of now) if (!said.has(says)) log.warn({ waiting: waiting.length }, says);
      said = now;
    },
  };
}
