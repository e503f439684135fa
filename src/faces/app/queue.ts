import type { Logger } from "pino";
import { type Clock, type Delivery, GitHubProblem, type Registry } from "../../model/ports/index.ts";
import { ConfigNotRead } from "./config/trial.ts";
import { createRepeats } from "./turns.ts";
import { newsOf, type QueuedNews, type WebhookNews } from "./webhooks/news.ts";

/** Webhooks' news that wait to be worked off, in the order in which they came. */
export interface Queue {
  /** Keeps a webhook's news. False where they concern nobody here, or are known. */
  receive(id: string, event: string, payload: unknown): Promise<boolean>;
  /**
   * Works off all that waits: news of an installation first, then each of its repositories' in order. Repositories go on
   * side by side, and installations do: none waits for another's. Resolves once also what others began is worked off.
   */
  work(work: Work): Promise<void>;
}

export interface Work {
  /** Finishes a delivery in the transaction that keeps what came of it. Returns the repositories that it is about. */
  handle(news: QueuedNews): Promise<readonly number[]>;
  /** Follows a row of deliveries that were worked off one after the other. */
  after(touched: readonly number[]): Promise<void>;
}

export function createQueue(registry: Registry, clock: Clock, log: Logger, stopped = () => false): Queue {
  const lanes = createRepeats<string>(stopped);
  const attempt = createAttempts(registry, log);

  async function workOff(lane: string, repository: number | undefined, { handle, after }: Work): Promise<void> {
    const waiting = await registry.deliveries(repository);
    const touched = new Set<number>();
    for (const delivery of waiting.filter((one) => laneOf(one) === lane)) {
      if (delivery.repository !== undefined) await lanes.end(laneOfInstallation(delivery));
      if (stopped()) return;
      const isDone = await attempt(delivery, async (news) => {
        for (const id of await handle(news)) touched.add(id);
      });
      if (!isDone) break;
    }
    await after([...touched]);
  }

  return {
    async receive(id, event, payload) {
      const told = newsOf(event, payload);
      if (!told) return false;
      const repository = told.repository?.id;
      const news = JSON.stringify(told);
      return await registry.receive({ id, news, received: clock.now(), ...(repository && { repository }) });
    },
    async work(work) {
      const ofEach = new Map((await registry.deliveries()).map((delivery) => [laneOf(delivery), delivery.repository]));
      const isWhole = ([, repository]: [string, number | undefined]) => repository === undefined;
      // An installation's lane is there before those that wait for it.
      const inOrder = [...[...ofEach].filter(isWhole), ...[...ofEach].filter((one) => !isWhole(one))];
      await Promise.all(inOrder.map(([lane, id]) => lanes.ask(lane, () => workOff(lane, id, work))));
    },
  };
}

/** Names where a delivery waits for its turn: behind others of its repository, or of its installation. */
function laneOf(delivery: Delivery): string {
  return delivery.repository === undefined ? laneOfInstallation(delivery) : `repository ${delivery.repository}`;
}

function laneOfInstallation({ news }: Delivery): string {
  return `installation ${(JSON.parse(news) as WebhookNews).installation}`;
}

/** Tries of a delivery that fails by a defect of ours, before it is dropped. */
const maxTries = 5;

/** Handles one delivery. True where those behind it may go on: it is done, or was dropped. */
type Attempt = (delivery: Delivery, handle: (news: QueuedNews) => Promise<void>) => Promise<boolean>;

function createAttempts(registry: Registry, log: Logger): Attempt {
  const tries = new Map<string, number>();
  /** Deliveries that the log says wait. */
  const waiting = new Set<string>();

  async function afterFailure(id: string, error: unknown): Promise<boolean> {
    if (error instanceof GitHubProblem || error instanceof ConfigNotRead) {
      if (!waiting.has(id)) log.warn({ delivery: id }, `a delivery waits: ${error.message}`);
      waiting.add(id);
      return false;
    }
    const count = (tries.get(id) ?? 0) + 1;
    tries.set(id, count);
    log.error({ err: error, delivery: id, count }, "a delivery failed");
    if (count < maxTries) return false;
    tries.delete(id);
    await registry.finish(id);
    return true;
  }

  return async ({ id, news, received }, handle) => {
    try {
      await handle({ ...(JSON.parse(news) as WebhookNews), delivery: id, at: received });
      tries.delete(id);
      waiting.delete(id);
      return true;
    } catch (error) {
      return await afterFailure(id, error);
    }
  };
}
