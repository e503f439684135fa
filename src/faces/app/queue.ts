import type { Logger } from "pino";
import { type Clock, type Delivery, GitHubProblem, type Registry } from "../../ports.ts";
import { type Heard, newsOf, type Told } from "../../repository/news.ts";

/** What waits to be worked off, in the order in which it came. */
export interface Queue {
  /** Keeps a webhook's news. False for what concerns nobody here, or is known. */
  receive(id: string, event: string, payload: unknown): Promise<boolean>;
  /**
   * Works off what waits: news of installations first, then each repository's in order, the repositories side by side.
   * `handle` finishes a delivery in the transaction that keeps what came of it.
   */
  work(handle: (heard: Heard) => Promise<void>): Promise<void>;
}

/** Tries of a delivery that fails by a defect of ours. */
const mostTries = 5;

export function createQueue(registry: Registry, clock: Clock, log: Logger): Queue {
  const tries = new Map<string, number>();
  /** Deliveries that were said to wait. */
  const waits = new Set<string>();

  /** Whether those behind it may go on. */
  async function attempt(delivery: Delivery, handle: (heard: Heard) => Promise<void>): Promise<boolean> {
    const { id, news, received } = delivery;
    try {
      await handle({ ...(JSON.parse(news) as Told), delivery: id, at: received });
      tries.delete(id);
      waits.delete(id);
      return true;
    } catch (error) {
      if (error instanceof GitHubProblem) {
        if (!waits.has(id)) log.warn({ delivery: id }, `a delivery waits: ${error.message}`);
        waits.add(id);
        return false;
      }
      const count = (tries.get(id) ?? 0) + 1;
      tries.set(id, count);
      log.error({ err: error, delivery: id, count }, "a delivery failed");
      if (count < mostTries) return false;
      tries.delete(id);
      await registry.finish(id);
      return true;
    }
  }

  return {
    async receive(id, event, payload) {
      const told = newsOf(event, payload);
      if (!told) return false;
      const repository = told.repository?.id;
      const news = JSON.stringify(told);
      return await registry.receive({ id, news, received: clock.now(), ...(repository && { repository }) });
    },
    async work(handle) {
      const waiting = await registry.deliveries();
      const lanes = Map.groupBy(waiting, ({ repository }) => repository);
      const lane = async (deliveries: readonly Delivery[]) => {
        for (const delivery of deliveries) if (!(await attempt(delivery, handle))) return;
      };
      await lane(lanes.get(undefined) ?? []);
      lanes.delete(undefined);
      await Promise.all([...lanes.values()].map(lane));
    },
  };
}
