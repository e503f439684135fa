import type { Logger } from "pino";
import { type Clock, type Delivery, GitHubProblem, type Registry } from "../../model/ports/index.ts";
import { Unread } from "./config/trial.ts";
import { type Heard, newsOf, type Told } from "./webhooks/news.ts";

/** What waits to be worked off, in the order in which it came. */
export interface Queue {
  /** Keeps a webhook's news. False for what concerns nobody here, or is known. */
  receive(id: string, event: string, payload: unknown): Promise<boolean>;
  /**
   * Works off what waits: news of an installation first, then each of its repositories' in order. Repositories go on
   * side by side, and installations do: none waits for another's. What is worked off already is waited for.
   */
  work(work: Work): Promise<void>;
}

export interface Work {
  /** Finishes a delivery in the transaction that keeps what came of it. The repositories that it is about. */
  handle(heard: Heard): Promise<readonly number[]>;
  /** What came of those that were worked off one after the other. */
  after(touched: readonly number[]): Promise<void>;
}

/** Tries of a delivery that fails by a defect of ours. */
const mostTries = 5;

export function createQueue(registry: Registry, clock: Clock, log: Logger, stopped = () => false): Queue {
  const tries = new Map<string, number>();
  /** Deliveries that were said to wait. */
  const waits = new Set<string>();

  /** Lanes on which work is under way. */
  const busy = new Map<string, Pass>();

  /** Works off the lane of a delivery until nothing new has come; not beside itself. */
  function lane(of: Delivery, work: Work): Promise<void> {
    const name = laneOf(of);
    const known = busy.get(name);
    if (known) {
      known.more = true;
      return known.end;
    }
    const mine: Pass = { more: true, end: Promise.resolve() };
    const go = async () => {
      try {
        while (mine.more && !stopped()) {
          mine.more = false;
          const all = await registry.deliveries(of.repository);
          await pass(
            all.filter((one) => laneOf(one) === name),
            work,
          );
        }
      } finally {
        busy.delete(name);
      }
    };
    busy.set(name, mine);
    mine.end = go();
    return mine.end;
  }

  async function pass(deliveries: readonly Delivery[], { handle, after }: Work): Promise<void> {
    const touched = new Set<number>();
    for (const delivery of deliveries) {
      if (delivery.repository !== undefined) await busy.get(laneOfInstallation(delivery))?.end;
      if (stopped()) return;
      const isDone = await attempt(delivery, async (heard) => {
        for (const id of await handle(heard)) touched.add(id);
      });
      if (!isDone) break;
    }
    await after([...touched]);
  }

  /** Whether those behind it may go on. */
  async function attempt(delivery: Delivery, handle: (heard: Heard) => Promise<void>): Promise<boolean> {
    const { id, news, received } = delivery;
    try {
      await handle({ ...(JSON.parse(news) as Told), delivery: id, at: received });
      tries.delete(id);
      waits.delete(id);
      return true;
    } catch (error) {
      if (error instanceof GitHubProblem || error instanceof Unread) {
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
    async work(work) {
      const waiting = await registry.deliveries();
      const one = [...new Map(waiting.map((delivery) => [laneOf(delivery), delivery])).values()];
      const isWhole = ({ repository }: Delivery) => repository === undefined;
      // An installation's lane is there before those that wait for it.
      const lanes = [...one.filter(isWhole), ...one.filter((delivery) => !isWhole(delivery))];
      await Promise.all(lanes.map((delivery) => lane(delivery, work)));
    },
  };
}

/** What is under way on a lane. */
interface Pass {
  /** More may have come since it began. */
  more: boolean;
  end: Promise<void>;
}

/** Where a delivery waits for its turn. */
function laneOf(delivery: Delivery): string {
  return delivery.repository === undefined ? laneOfInstallation(delivery) : `repository ${delivery.repository}`;
}

function laneOfInstallation({ news }: Delivery): string {
  return `installation ${(JSON.parse(news) as Told).installation}`;
}

/** Work that must not overlap, by key: each waits for what was asked of the same key before. */
export interface Lanes<K> {
  run<T>(key: K, work: () => Promise<T>): Promise<T>;
  isBusy(key: K): boolean;
  /** Once nothing is under way. */
  idle(): Promise<void>;
}

export function createLanes<K>(): Lanes<K> {
  const last = new Map<K, Promise<unknown>>();
  return {
    run(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      const settled = mine.then(
        () => {},
        () => {},
      );
      last.set(key, settled);
      void settled.then(() => last.get(key) === settled && last.delete(key));
      return mine;
    },
    isBusy: (key) => last.has(key),
    async idle() {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}

/** Work of which no more than so many are under way at once, begun in the order in which it was asked for. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export function createTurns(most: number): Turns {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
