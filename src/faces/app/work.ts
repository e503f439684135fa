import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { StoreProblem } from "../../adapters/store/problem.ts";
import type { JobLane } from "../../model/ports/index.ts";
import { aMinute } from "../../model/time.ts";
import type { Instance, SharedWork } from "../../wire/instance.ts";
import type { AppService } from "./app-service.ts";
import { createGitHubList } from "./github-list.ts";
import type { Metrics } from "./metrics.ts";
import { createQueue, type DeliveryLane } from "./queue.ts";
import { createRepositories } from "./repositories.ts";
import type { Sandbox } from "./sandbox.ts";
import { createService } from "./service.ts";
import { createStalledLooks } from "./stalled-looks.ts";

/** One of many workers: it does what the queue of the database gives it. */
export interface Worker {
  start(): Promise<void>;
  /** Lets what is under way end soon, and leaves what it has not come to for others. */
  stop(): Promise<void>;
}

/** Repositories that are put into the queue in a minute at most: it stays short, and the longest due come first. */
const plannedAtOnce = 1_000;
/** How often news of a repository are asked for while it is looked at, in ms. */
const newsEvery = 2_000;

export function createWorker(
  {
    instance,
    shared,
    sandbox,
  }: { readonly instance: Instance; readonly shared: SharedWork; readonly sandbox: Sandbox },
  log: Logger,
): Worker {
  const { registry, clock } = instance;
  const { jobs, succeed } = shared;
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  const queue = createQueue({ registry, clock, log, stopped });
  const missed = () =>
    void jobs.ask("list").catch((error: unknown) => log.warn({ err: error }, "GitHub's list was not asked for"));
  const repositories = createRepositories({ instance, sandbox, log, stopped, missed });
  const list = createGitHubList(instance, repositories, log);

  const after = async (touched: readonly number[], lane: DeliveryLane): Promise<void> => {
    if (lane.repository === undefined) for (const id of touched) await jobs.ask(`repository ${id}`);
    else for (const id of touched) await repositories.attend(id);
  };
  const news = (lane: DeliveryLane) => queue.work({ handle: repositories.handle, after }, lane);

  /** Serves a repository, which is one worker's at a time: works off its news, in order, beside its looks. */
  async function serve(id: number): Promise<void> {
    const waiting = () => registry.deliveries({ repository: id, installation: 0 });
    const [first] = await waiting();
    const installation = first?.installation ?? (await registry.repository(id))?.installation;
    if (installation !== undefined && (await isNewsOf(installation))) {
      await jobs.ask(`installation ${installation}`);
      return await jobs.ask(`repository ${id}`, 1);
    }
    await succeed(id);
    const lane = { repository: id, installation: installation ?? 0 };
    await news(lane);
    // Without news its time has come, which the worker that had it last may have set, to try again what failed.
    const looking = repositories.look(id, first === undefined);
    while ((await Promise.race([looking, sleep(newsEvery, "still" as const)])) === "still") {
      if ((await waiting()).length > 0) await news(lane);
    }
    // Work that was left goes to another worker.
    if (stopped()) await jobs.ask(`repository ${id}`);
    await registry.rest(id, clock.now(), await looking);
  }

  /**
   * Whether news of the installation as a whole wait, which come before its repositories: not those that wait in vain, nor
   * those that came by a clock so far from ours that nobody knows.
   */
  async function isNewsOf(installation: number): Promise<boolean> {
    const waiting = await registry.deliveries({ installation });
    return waiting.some(({ received }) => Math.abs(clock.now() - received) < aMinute);
  }

  async function work(lane: JobLane): Promise<void> {
    if (stopped()) return await jobs.ask(lane);
    if (lane === "plan") {
      const planned = await registry.plan(clock.now(), plannedAtOnce);
      if (planned.length > 0) log.debug({ planned: planned.length }, "repositories are due");
      return;
    }
    if (lane === "list") {
      const { changed, again } = await list.compareNow();
      for (const id of changed) await jobs.ask(`repository ${id}`);
      if (again !== undefined) await jobs.ask("list", Math.ceil((again - clock.now()) / 1_000));
      return;
    }
    const [kind, number] = lane.split(" ");
    if (kind === "installation") await news({ installation: Number(number) });
    else await serve(Number(number));
  }

  return {
    async start() {
      await jobs.ask("list");
      await jobs.ask("plan");
      await jobs.begin(work);
    },
    async stop() {
      stopping.abort();
      await jobs.end();
      await repositories.idle();
    },
  };
}

/** A webhook is kept in spite of a connection that ends: GitHub sends none twice by itself. */
const maxTries = 3;

/** A server whose work is done by workers: it keeps what webhooks tell, in the transaction that asks for the work. */
export function createFront(
  { instance, shared }: { readonly instance: Instance; readonly shared: SharedWork },
  log: Logger,
  metrics?: Metrics,
): AppService {
  const { registry, clock } = instance;
  const stopping = new AbortController();
  const queue = createQueue({ registry, clock, log, metrics });
  /** Tells whether the database takes what webhooks tell. */
  const round = (): Promise<void> => registry.mayWrite();
  const stalled = createStalledLooks(instance, "does a worker run?");
  // It takes webhooks, whether workers run or not.
  const service = createService({ clock, log, stopping, round, stalled, isFront: true });
  return {
    ...service,
    async start() {
      // Webhooks that came while there was no server got lost.
      await shared.jobs.ask("list");
      await service.start();
    },
    async receive(id, event, payload) {
      for (let tries = 1; ; tries++) {
        try {
          await queue.receive(id, event, payload);
          return;
        } catch (error) {
          if (tries >= maxTries || !(error instanceof StoreProblem)) throw error;
        }
      }
    },
  };
}
