import type { Logger } from "pino";
import type { Instance } from "../../wire/instance.ts";
import { createGitHubList } from "./github-list.ts";
import type { Metrics } from "./metrics.ts";
import { createQueue, type DeliveryLane } from "./queue.ts";
import { createRepositories } from "./repositories.ts";
import type { Sandbox } from "./sandbox.ts";
import { createService, createStalledChecks, type Service } from "./service.ts";

/** Serves every repository of an App's installations, by schedule and by webhooks. */
export interface AppService extends Service {
  /** Stores a webhook's news, and starts to process it. Resolves once it is stored. */
  receive(id: string, event: string, payload: unknown): Promise<void>;
}

/** Limit of repositories per round. After an outage the most overdue ones come first, the others in later rounds. */
const begunAtOnce = 1_000;

/** A round only starts due work: no repository waits for checks, webhooks or GitHub requests of another one. */
export function createAppService(instance: Instance, sandbox: Sandbox, log: Logger, metrics?: Metrics): AppService {
  const { registry, clock } = instance;
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  const queue = createQueue({ registry, clock, log, stopped, metrics });
  const repositories = createRepositories({ instance, sandbox, log, stopped, missed: () => list.hurry(), metrics });
  const list = createGitHubList(instance, repositories, log);
  const stalled = createStalledChecks(instance, "the log says why");
  const underWay = new Set<Promise<void>>();

  function begin(work: Promise<void>, failed: string): void {
    const mine = work.catch((error: unknown) => log.error({ err: error }, failed));
    underWay.add(mine);
    void mine.then(() => underWay.delete(mine));
  }

  const notAttended = "processing a repository failed";
  const check = (id: number) => begin(checkThenRest(id), notAttended);

  async function checkThenRest(id: number): Promise<void> {
    const by = await repositories.check(id);
    if (by !== undefined) await registry.rest(id, clock.now(), by);
  }

  function work(lane?: DeliveryLane): void {
    if (!stopped()) begin(queue.work({ handle: repositories.handle, after }, lane), "processing deliveries failed");
  }

  async function after(touched: readonly number[], lane: DeliveryLane): Promise<void> {
    const attended = touched.map((id) => repositories.attend(id));
    // News of one repository wait until the outcome of earlier ones is written; an installation has too many
    // repositories for that.
    if (lane.repository === undefined) for (const one of attended) begin(one, notAttended);
    else await Promise.all(attended);
    // A first or a requested check may take long, so later webhooks do not wait for it.
    for (const id of touched) check(id);
  }

  async function round(): Promise<void> {
    work();
    begin(
      list.compareIfDue().then((changed) => changed.forEach(check)),
      "comparing with GitHub's list of repositories failed",
    );
    for (const id of await registry.plan(clock.now(), begunAtOnce)) check(id);
  }

  async function settled(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
    await repositories.idle();
  }

  return {
    ...createService({ clock, log, stopping, round, settled, stalled, says: list.says }),
    async receive(id, event, payload) {
      const lane = await queue.receive(id, event, payload);
      if (lane) work(lane);
    },
  };
}
