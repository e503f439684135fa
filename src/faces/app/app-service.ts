import type { Logger } from "pino";
import type { Duration, Instant } from "../../model/model.ts";
import { GitHubProblem } from "../../model/ports/index.ts";
import { aDay, hasPassed } from "../../model/time.ts";
import type { Instance } from "../../wire/instance.ts";
import { createBackoff } from "./backoff.ts";
import { createLooksGoOn } from "./looks-go-on.ts";
import type { Metrics } from "./metrics.ts";
import { createQueue, type DeliveryLane } from "./queue.ts";
import { createRepositories, type Repositories } from "./repositories.ts";
import type { Sandbox } from "./sandbox.ts";
import { createService, type Service } from "./service.ts";
import { afterSweep, expired, type Listed } from "./webhooks/lifecycle.ts";

/** Serves every repository of an App's installations, by schedule and by what webhooks tell of them. */
export interface AppService extends Service {
  /** Keeps what a webhook tells, to be worked off at once. Resolves once it is kept. */
  receive(id: string, event: string, payload: unknown): Promise<void>;
}

/** Repositories that a round begins to look at: after an outage the longest due come first, the others in the next rounds. */
const begunAtOnce = 1_000;

/** A round only begins what is due: no repository waits for another's looks, news or answers of GitHub. */
export function createAppService(instance: Instance, sandbox: Sandbox, log: Logger, metrics?: Metrics): AppService {
  const { registry, clock } = instance;
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  const queue = createQueue({ registry, clock, log, stopped, metrics });
  const repositories = createRepositories({ instance, sandbox, log, stopped, missed: () => list.hurry(), metrics });
  const list = createList(instance, repositories, log);
  const looksGoOn = createLooksGoOn(instance, "the log says why");
  const underWay = new Set<Promise<void>>();

  /** Lets work go on beside all other. */
  function begin(work: Promise<void>, failed: string): void {
    const mine = work.catch((error: unknown) => log.error({ err: error }, failed));
    underWay.add(mine);
    void mine.then(() => underWay.delete(mine));
  }

  const notAttended = "a repository could not be attended to";
  const look = (id: number) => begin(lookThenRest(id), notAttended);

  /** Whoever looks beside another leaves it to him to say when the next time is. */
  async function lookThenRest(id: number): Promise<void> {
    const by = await repositories.look(id);
    if (by !== undefined) await registry.rest(id, clock.now(), by);
  }

  /** Works off the deliveries that wait, and what came of them. */
  function work(lane?: DeliveryLane): void {
    if (!stopped()) begin(queue.work({ handle: repositories.handle, after }, lane), "working off deliveries failed");
  }

  async function after(touched: readonly number[], lane: DeliveryLane): Promise<void> {
    const attended = touched.map((id) => repositories.attend(id));
    // News of one repository wait until what came of those before is written; those of an installation are many.
    if (lane.repository === undefined) for (const one of attended) begin(one, notAttended);
    else await Promise.all(attended);
    // A first look, or one that was asked for, takes its time: what comes meanwhile does not wait for it.
    for (const id of touched) look(id);
  }

  async function round(): Promise<void> {
    work();
    begin(
      list.compareIfDue().then((changed) => changed.forEach(look)),
      "comparing with GitHub's list of repositories failed",
    );
    for (const id of await registry.plan(clock.now(), begunAtOnce)) look(id);
  }

  async function settled(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
    await repositories.idle();
  }

  return {
    ...createService({ clock, log, stopping, round, settled, looksGoOn, says: list.says }),
    async receive(id, event, payload) {
      const lane = await queue.receive(id, event, payload);
      if (lane) work(lane);
    },
  };
}

/** GitHub's own list of what the App may reach: it makes up for webhooks that got lost. */
interface List {
  /** Every day. Returns the repositories that are another than they were known for. */
  compareIfDue(): Promise<number[]>;
  /** Unless GitHub has asked to wait. `again`: when it is to be compared once more, where not all of it was read. */
  compareNow(): Promise<{ readonly changed: number[]; readonly again?: Instant }>;
  /** Has it compared in the next round: ever more seldom, where that finds nothing. */
  hurry(): void;
  /** Why it could not be read. */
  says(): string | undefined;
}

/** Deliveries that are done are known for so long: GitHub sends one again within three days. */
const deliveriesKnownFor: Duration = 7 * aDay;

export function createList(
  { registry, hosts, installations: app, clock }: Instance,
  { learn }: Pick<Repositories, "learn">,
  log: Logger,
): List {
  const backoff = createBackoff<"list" | "hurry">(clock);
  let compared: Instant | undefined;
  let refusal: string | undefined;
  let isBusy = false;

  /** Of an installation that GitHub does not answer for, nothing is known: that says nothing of the others. */
  async function listed(): Promise<{ readonly all: Listed[]; readonly problem?: GitHubProblem }> {
    const all: Listed[] = [];
    let problem: GitHubProblem | undefined;
    for (const { id, suspended } of await app.installations()) {
      try {
        all.push(suspended ? { id, says: "suspended" } : { id, says: await app.repositories(id) });
      } catch (error) {
        if (!(error instanceof GitHubProblem)) throw error;
        problem = error;
        all.push({ id, says: "nothing" });
      }
    }
    return { all, ...(problem && { problem }) };
  }

  async function compare(): Promise<number[]> {
    const begun = clock.now();
    const { all, problem } = await listed();
    const now = clock.now();
    const changed = await learn((known) => afterSweep(all, known, { begun, now }));
    if (changed.length > 0) backoff.succeeded("hurry");
    for (const { id } of expired(await registry.repositories(), now)) await registry.erase(id);
    await registry.forgetDeliveries(now - deliveriesKnownFor);
    await hosts.forget(now);
    if (problem) failed(problem);
    else {
      compared = now;
      backoff.succeeded("list");
      refusal = undefined;
    }
    return changed;
  }

  function failed(problem: GitHubProblem): void {
    backoff.failed("list", problem.resumeAt);
    if (refusal !== problem.message) log.warn(`GitHub's list of repositories was not read: ${problem.message}`);
    refusal = problem.message;
  }

  async function compareNow(): Promise<{ readonly changed: number[]; readonly again?: Instant }> {
    const wait = backoff.until("list");
    if (isBusy || clock.now() < wait) return { changed: [], ...(wait > 0 && { again: wait }) };
    isBusy = true;
    let changed: number[] = [];
    try {
      changed = await compare();
    } catch (error) {
      if (!(error instanceof GitHubProblem)) throw error;
      failed(error);
    } finally {
      isBusy = false;
    }
    return { changed, ...(refusal !== undefined && { again: backoff.until("list") }) };
  }

  return {
    says: () => refusal,
    hurry() {
      if (clock.now() < backoff.until("hurry")) return;
      backoff.failed("hurry");
      compared = undefined;
    },
    async compareIfDue() {
      const isDue = compared === undefined || hasPassed(aDay, compared, clock.now());
      return isDue ? (await compareNow()).changed : [];
    },
    compareNow,
  };
}
