import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { JobLane, Jobs, WaitingDelivery } from "../../model/ports/index.ts";
import { StoreProblem } from "../../model/problem.ts";
import { aMinute } from "../../model/time.ts";
import type { Instance } from "../../wire/instance.ts";
import type { AppService } from "./app-service.ts";
import { createGitHubList } from "./github-list.ts";
import type { Metrics } from "./metrics.ts";
import { createQueue, type DeliveryLane } from "./queue.ts";
import { createRepositories } from "./repositories.ts";
import type { Sandbox } from "./sandbox.ts";
import { createService, createStalledChecks, type Health } from "./service.ts";

/** Limit of repositories that are queued in one minute, so that the queue stays short; the most overdue come first. */
const plannedAtOnce = 1_000;
/** Milliseconds between two queries for news of a repository during its checks. */
const newsEvery = 2_000;

interface WorkerParts {
  readonly instance: Instance;
  readonly jobs: Jobs;
  readonly sandbox: Sandbox;
  readonly metrics?: Metrics;
}

export type Worker = ReturnType<typeof createWorker>;

/** One of many workers, which do the jobs of the database's queue: planning, GitHub's list, news of an installation, one repository. */
export function createWorker({ instance, jobs, sandbox, metrics }: WorkerParts, log: Logger) {
  const { registry, clock } = instance;
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  const missed = () =>
    void jobs.ask("list").catch((error: unknown) => log.warn({ err: error }, "GitHub's list was not asked for"));
  const queue = createQueue({ registry, clock, log, stopped, metrics });
  const repositories = createRepositories({ instance, sandbox, log, stopped, missed, metrics });
  const list = createGitHubList(instance, repositories, log);

  async function work(lane: JobLane): Promise<void> {
    if (stopped()) return await jobs.ask(lane);
    if (lane === "plan") return await plan();
    if (lane === "list") return await compareList();
    const [kind, number] = lane.split(" ");
    if (kind === "installation") await processNews({ installation: Number(number) });
    else await serve(Number(number));
  }

  async function plan(): Promise<void> {
    const planned = await registry.plan(clock.now(), plannedAtOnce);
    if (planned.length > 0) log.debug({ planned: planned.length }, "repositories are due");
  }

  async function compareList(): Promise<void> {
    const { changed, again } = await list.compareNow();
    for (const id of changed) await jobs.ask(`repository ${id}`);
    if (again !== undefined) await jobs.ask("list", Math.ceil((again - clock.now()) / 1_000));
  }

  /** Serves a repository, which one worker has at a time: processes its news in order, also during its checks. */
  async function serve(id: number): Promise<void> {
    const { state, hasNews = true } = (await repositories.takeOver(id)) ?? {};
    const { installation = 0 } = state ?? {};
    const waiting = hasNews ? await registry.deliveries({ repository: id, installation }, { installation }) : [];
    const first = waiting.find(({ repository }) => repository === id);
    const lane = { repository: id, installation: first?.installation ?? installation };
    const isAnother = lane.installation !== installation;
    if (isHeld(isAnother ? await registry.deliveries({ installation: lane.installation }) : waiting)) {
      await jobs.ask(`installation ${lane.installation}`);
      return await jobs.ask(`repository ${id}`, 1);
    }
    if (first) await processNews(lane);
    // Without news, this job was scheduled, perhaps by the last worker to retry a failure.
    const checking = repositories.check(id, first === undefined ? state : undefined);
    while ((await Promise.race([checking, sleep(newsEvery, "still" as const)])) === "still") {
      if ((await registry.deliveries(lane)).length > 0) await processNews(lane);
    }
    // Work that was left goes to another worker.
    if (stopped()) await jobs.ask(`repository ${id}`);
    await registry.rest(id, clock.now(), await checking);
  }

  async function processNews(lane: DeliveryLane): Promise<void> {
    await queue.work({ handle: repositories.handle, after: (touched) => attend(touched, lane) }, lane);
  }

  async function attend(touched: readonly number[], lane: DeliveryLane): Promise<void> {
    for (const id of touched) {
      if (lane.repository === undefined) await jobs.ask(`repository ${id}`);
      else await repositories.attend(id);
    }
  }

  /**
   * Whether news of the whole installation waits: it is processed before its repositories. News received more than a
   * minute before or after now does not count: it is stuck, or was stored by a wrong clock.
   */
  function isHeld(waiting: readonly WaitingDelivery[]): boolean {
    const now = clock.now();
    return waiting.some(({ repository, received }) => repository === undefined && Math.abs(now - received) < aMinute);
  }

  return {
    async start() {
      await jobs.ask("list");
      await jobs.ask("plan");
      await jobs.begin(work);
    },
    health: (): Health => (stopped() ? { ok: false, says: "it is stopping" } : { ok: true }),
    /** Ends running work soon, and leaves the rest to other workers. */
    async stop() {
      stopping.abort();
      await jobs.end();
      await repositories.idle();
    },
  };
}

/** Retries to store a webhook if the connection to the database ends: GitHub does not resend it by itself. */
const maxTries = 3;

/** A server that leaves its work to workers: it stores webhooks, in the transaction that asks for the work. */
export function createFront(
  { instance, jobs }: { readonly instance: Instance; readonly jobs: Jobs },
  log: Logger,
  metrics?: Metrics,
): AppService {
  const { registry, clock } = instance;
  const stopping = new AbortController();
  const queue = createQueue({ registry, clock, log, metrics });
  const round = (): Promise<void> => registry.mayWrite();
  const stalled = createStalledChecks(instance, "does a worker run?");
  // The server accepts webhooks even without running workers.
  const service = createService({ clock, log, stopping, round, stalled, isFront: true });
  return {
    ...service,
    async start() {
      // Webhooks sent while no server ran were lost.
      await jobs.ask("list");
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
