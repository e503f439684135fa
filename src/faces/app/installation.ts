import { createTask } from "node-cron";
import type { Logger } from "pino";
import type { Duration, Instant } from "../../model/model.ts";
import { GitHubProblem } from "../../model/ports/index.ts";
import { sideBySide } from "../../model/side-by-side.ts";
import { aDay, aMinute } from "../../model/time.ts";
import type { Instance } from "../../wire.ts";
import { createBackoff } from "./backoff.ts";
import type { Aside } from "./config/trial.ts";
import { createQueue, createTurns } from "./queue.ts";
import { createTender } from "./repository.ts";
import type { Service } from "./single.ts";
import { afterSweep, expired, type Listed } from "./webhooks/lifecycle.ts";

/** The service of a whole App: every repository of its installations, and what webhooks tell of them. */
export interface Keeper extends Service {
  /** Keeps what a webhook tells, to be worked off at once. Resolves once it is kept. */
  receive(id: string, event: string, payload: unknown): Promise<void>;
}

/** Deliveries that are done are known for so long: GitHub sends one again within three days. */
const remembered: Duration = 7 * aDay;
/** A run later than this means that the schedule has stopped. */
const late: Duration = 15 * aMinute;
/** Repositories that are tended side by side. */
const atOnce = 4;

export function createKeeper(instance: Instance, aside: Aside, log: Logger): Keeper {
  const { registry, clock } = instance;
  let stopped = false;
  const queue = createQueue(registry, clock, log, () => stopped);
  const turns = createTurns(atOnce);
  const tender = createTender(instance, aside, log, () => stopped);
  const begun = clock.now();
  let swept: Instant | undefined;
  const listing = createBackoff<"list">(clock);
  /** Why GitHub's list could not be read. */
  let unlisted: string | undefined;
  let running: Promise<void> | undefined;
  let working: Promise<void> = Promise.resolve();
  let ended: Instant | undefined;
  let problem: string | undefined;

  /** Works off what waits, and what came of it. */
  function work(): void {
    if (stopped) return;
    const mine = queue.work({ handle: tender.handle, after }).catch((error: unknown) => {
      log.error({ err: error }, "working off deliveries failed");
    });
    working = Promise.all([working, mine]).then(() => {});
  }

  async function after(touched: readonly number[]): Promise<void> {
    const attend = (id: number) => tender.attend(id).catch(failed);
    // Those of an installation may wait for news of their own: they take no other's turn.
    await (touched.length > 1 ? eachOf(touched, attend) : Promise.all(touched.map((id) => turns(() => attend(id)))));
    // A first look, or one that was asked for, takes its time: what comes meanwhile does not wait for it.
    for (const id of touched) void tender.look(id).catch(failed);
  }

  function failed(error: unknown): void {
    log.error({ err: error }, "a repository could not be attended to");
  }

  /** What GitHub itself lists, for what webhooks missed. */
  async function sweep(): Promise<void> {
    const { installations, repositories } = instance.installations;
    const begun = clock.now();
    const listed: Listed[] = [];
    for (const { id, suspended } of await installations()) {
      listed.push({ id, ...(!suspended && { reaches: await repositories(id) }) });
    }
    const now = clock.now();
    await tender.learn((known) => afterSweep(listed, known, { begun, now }));
    for (const { id } of expired(await registry.repositories(), now)) await registry.erase(id);
    await registry.forgetDeliveries(now - remembered);
    swept = now;
  }

  function succeeded(): void {
    listing.succeeded("list");
    unlisted = undefined;
  }

  function refused(error: unknown): void {
    if (!(error instanceof GitHubProblem)) throw error;
    listing.failed("list", error.resumeAt);
    if (unlisted !== error.message) log.warn(`GitHub's list of repositories was not read: ${error.message}`);
    unlisted = error.message;
  }

  async function once(): Promise<void> {
    const isDue = swept === undefined || clock.now() - swept >= aDay;
    if (isDue && clock.now() >= listing.until("list")) await sweep().then(succeeded, refused);
    // Nothing waits for what somebody's news take.
    work();
    const active = (await registry.repositories()).filter(({ standing }) => standing === "active");
    await eachOf(
      active.map(({ id }) => id),
      (id) => tender.look(id).catch(failed),
    );
  }

  function eachOf(ids: readonly number[], what: (id: number) => Promise<void>): Promise<void> {
    return sideBySide(ids, atOnce, () => stopped, what);
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
        ended = clock.now();
        running = undefined;
      });
    return running;
  }

  async function settled(): Promise<void> {
    for (let known: unknown; known !== working; ) {
      known = working;
      await working;
    }
    await tender.idle();
  }

  const task = createTask("* * * * *", () => (stopped ? undefined : run()), { noOverlap: true, name: "tend" });
  return {
    run,
    settled,
    async receive(id, event, payload) {
      if (await queue.receive(id, event, payload)) work();
    },
    async start() {
      await task.start();
      void run();
    },
    async stop() {
      stopped = true;
      await task.destroy();
      await running;
      await settled();
    },
    health() {
      const ok = problem === undefined && (running !== undefined || clock.now() - (ended ?? begun) < late);
      return {
        ok,
        lastRun: ended === undefined ? undefined : new Date(ended).toISOString(),
        says: problem ?? unlisted,
      };
    },
  };
}
