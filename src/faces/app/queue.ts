import type { Logger } from "pino";
import { LostJobLease } from "../../adapters/store/postgres/job-lease.ts";
import { type Clock, GitHubProblem, laneOf, type Registry, type WaitingDelivery } from "../../model/ports/index.ts";
import { StoreProblem } from "../../model/problem.ts";
import { aDay } from "../../model/time.ts";
import { ConfigNotRead } from "./config/trial.ts";
import { deliveryIds, runWithIds } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { isOfAll } from "./troubles.ts";
import { createBackoff, createRepeats } from "./turns.ts";
import { newsOf, type QueuedNews, type WebhookNews } from "./webhooks/news.ts";

export type Queue = ReturnType<typeof createQueue>;

export type DeliveryLane = Pick<WaitingDelivery, "repository" | "installation">;

export interface Work {
  /** Finishes a delivery in the transaction that stores its outcome. Returns the repositories that it is about. */
  handle(news: QueuedNews): Promise<readonly number[]>;
  after(touched: readonly number[], lane: DeliveryLane): Promise<void>;
}

/** Consecutive failures after which the rest of a lane waits for the next round: GitHub as a whole may be down. */
const maxFailuresInARow = 5;

export interface QueueParts {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly log: Logger;
  readonly stopped?: () => boolean;
  readonly metrics?: Pick<Metrics, "delivery">;
}

export function createQueue(parts: QueueParts) {
  const { registry, clock, log, stopped = () => false, metrics } = parts;
  const lanes = createRepeats<string>(stopped);
  const attempts = createAttempts(parts);

  async function workOff(lane: DeliveryLane, { handle, after }: Work): Promise<void> {
    const touched = new Set<number>();
    const finished: string[] = [];
    let failed = 0;
    for (const delivery of attempts.due(await registry.deliveries(lane))) {
      if (delivery.repository !== undefined) await lanes.end(laneOf({ installation: delivery.installation }));
      if (stopped()) return;
      const outcome = await attempts.attempt(delivery, async (news) => {
        for (const id of await handle(news)) touched.add(id);
        finished.push(delivery.id);
      });
      failed = outcome === "done" ? 0 : failed + 1;
      if (outcome === "all-wait" || failed >= maxFailuresInARow) break;
    }
    await runWithIds(deliveryIds(finished), () => after([...touched], lane));
  }

  return {
    /** Stores the news of a webhook. Undefined if it concerns no repository here, or is already stored. */
    async receive(id: string, event: string, payload: unknown): Promise<DeliveryLane | undefined> {
      const news = newsOf(event, payload);
      if (!news) return undefined;
      const { installation, repository } = news;
      const lane: DeliveryLane = { installation, repository: repository?.id };
      const isNew = await registry.receive({ id, ...lane, news: JSON.stringify(news), received: clock.now() });
      if (isNew) metrics?.delivery("received");
      runWithIds({ delivery: id }, () => log.debug({ event, isNew }, "a webhook came"));
      return isNew ? lane : undefined;
    },
    /**
     * Processes the deliveries of a lane or, without one, of all lanes: first those of an installation, then those of
     * each of its repositories in order. Repositories run in parallel, and so do installations. A failed delivery is
     * tried again after a pause, and later ones overtake it. Resolves when all running work of these lanes is done,
     * including work that other calls started.
     */
    async work(work: Work, lane?: DeliveryLane) {
      const ofEach = new Map<string, DeliveryLane>();
      for (const one of lane ? [lane] : await registry.deliveries()) ofEach.set(laneOf(one), one);
      const isWhole = ([, { repository }]: [string, DeliveryLane]) => repository === undefined;
      // The lane of an installation exists before the lanes that wait for it.
      const inOrder = [...[...ofEach].filter(isWhole), ...[...ofEach].filter((one) => !isWhole(one))];
      await Promise.all(inOrder.map(([name, one]) => lanes.ask(name, () => workOff(one, work))));
    },
  };
}

/** Limit of tries of a delivery that GitHub refuses or that fails by our defect. */
const maxTries = 5;
/** A delivery is given up after this time without an answer from GitHub: by then the daily sweep has replaced it. */
const maxWait = aDay;

/** `rests`: only this delivery waits. `all-wait`: so do all others of its lane. */
type Outcome = "done" | "rests" | "all-wait";

/** Whether the failure is not the delivery's fault: all others in its lane would fail, too. */
function waitsFor(error: unknown): error is Error {
  if (error instanceof GitHubProblem) return isOfAll(error);
  return error instanceof ConfigNotRead || error instanceof StoreProblem || error instanceof LostJobLease;
}

function createAttempts({ registry, clock, log, metrics }: QueueParts) {
  const pauses = createBackoff<string>(clock);
  const waiting = new Set<string>();

  function forget(id: string): void {
    pauses.succeeded(id);
    waiting.delete(id);
  }

  function sayOnce(id: string, why: string): void {
    if (!waiting.has(id)) log.warn(`a delivery waits: ${why}`);
    waiting.add(id);
  }

  async function giveUp(id: string, why: string): Promise<Outcome> {
    log.warn(`a delivery is given up: ${why}`);
    await registry.finish(id);
    forget(id);
    metrics?.delivery("given up");
    return "done";
  }

  async function afterFailure({ id, received }: WaitingDelivery, error: unknown): Promise<Outcome> {
    metrics?.delivery("failed");
    if (waitsFor(error)) {
      sayOnce(id, error.message);
      return "all-wait";
    }
    const count = pauses.failed(id);
    if (error instanceof GitHubProblem) {
      const isOver = error.uncertain ? clock.now() - received >= maxWait : count >= maxTries;
      if (isOver) return await giveUp(id, error.message);
      sayOnce(id, error.message);
      return "rests";
    }
    log.error({ err: error, count }, "a delivery failed");
    return count < maxTries ? "rests" : await giveUp(id, "internal error");
  }

  async function attempt(delivery: WaitingDelivery, handle: (news: QueuedNews) => Promise<void>): Promise<Outcome> {
    const { id, received } = delivery;
    const text = await registry.news(id);
    if (text === undefined) return "done";
    try {
      const news = JSON.parse(text) as WebhookNews;
      await handle({ ...news, delivery: id, at: received });
      log.info({ news: news.news.kind }, "a delivery was processed");
      forget(id);
      metrics?.delivery("done");
      return "done";
    } catch (error) {
      return await afterFailure(delivery, error);
    }
  }

  return {
    /** The waiting deliveries that may be tried now; those without failures first. */
    due(all: readonly WaitingDelivery[]) {
      const now = clock.now();
      const due = all.filter(({ id }) => pauses.until(id) <= now);
      return due.toSorted((a, b) => pauses.failures(a.id) - pauses.failures(b.id));
    },
    attempt: (...given: Parameters<typeof attempt>) => runWithIds({ delivery: given[0].id }, () => attempt(...given)),
  };
}
