import type { Logger } from "pino";
import type { Duration, Instant } from "../../model/model.ts";
import { GitHubProblem } from "../../model/ports/index.ts";
import { sideBySide } from "../../model/side-by-side.ts";
import { aDay } from "../../model/time.ts";
import type { Instance } from "../../wire.ts";
import { createBackoff } from "./backoff.ts";
import { createQueue } from "./queue.ts";
import { createRepositories, type Repositories } from "./repositories.ts";
import type { Sandbox } from "./sandbox.ts";
import { createService, type Service } from "./service.ts";
import { createTurns } from "./turns.ts";
import { afterSweep, expired, type Listed } from "./webhooks/lifecycle.ts";

/** Serves every repository of an App's installations, by schedule and by what webhooks tell of them. */
export interface AppService extends Service {
  /** Keeps what a webhook tells, to be worked off at once. Resolves once it is kept. */
  receive(id: string, event: string, payload: unknown): Promise<void>;
}

/** Repositories that are worked on side by side. */
const atOnce = 4;

export function createAppService(instance: Instance, sandbox: Sandbox, log: Logger): AppService {
  const { registry, clock } = instance;
  const stopping = new AbortController();
  const stopped = () => stopping.signal.aborted;
  const queue = createQueue(registry, clock, log, stopped);
  const turns = createTurns(atOnce);
  const repositories = createRepositories({ instance, sandbox, log, stopped });
  const list = createList(instance, repositories, log);
  let working: Promise<void> = Promise.resolve();

  function failed(error: unknown): void {
    log.error({ err: error }, "a repository could not be attended to");
  }

  /** Works off the deliveries that wait, and what came of them. */
  function work(): void {
    if (stopped()) return;
    const mine = queue.work({ handle: repositories.handle, after }).catch((error: unknown) => {
      log.error({ err: error }, "working off deliveries failed");
    });
    working = Promise.all([working, mine]).then(() => {});
  }

  async function after(touched: readonly number[]): Promise<void> {
    const attend = (id: number) => repositories.attend(id).catch(failed);
    // Those of an installation may wait for news of their own: they take no other's turn.
    if (touched.length > 1) await sideBySide(touched, atOnce, stopped, attend);
    else await Promise.all(touched.map((id) => turns(() => attend(id))));
    // A first look, or one that was asked for, takes its time: what comes meanwhile does not wait for it.
    for (const id of touched) void repositories.look(id).catch(failed);
  }

  async function round(): Promise<void> {
    await list.compareIfDue();
    // The looks of this round do not wait for what anybody's news take.
    work();
    const active = (await registry.repositories()).filter(({ standing }) => standing === "active");
    await sideBySide(active, atOnce, stopped, ({ id }) => repositories.look(id).catch(failed));
  }

  async function settled(): Promise<void> {
    for (let known: unknown; known !== working; ) {
      known = working;
      await working;
    }
    await repositories.idle();
  }

  return {
    ...createService({ clock, log, stopping, round, settled, says: list.says }),
    async receive(id, event, payload) {
      if (await queue.receive(id, event, payload)) work();
    },
  };
}

/** GitHub's own list of what the App may reach: it makes up for webhooks that got lost. */
interface List {
  /** Every day. */
  compareIfDue(): Promise<void>;
  /** Why it could not be read. */
  says(): string | undefined;
}

/** Deliveries that are done are known for so long: GitHub sends one again within three days. */
const deliveriesKnownFor: Duration = 7 * aDay;

function createList(
  { registry, installations: app, clock }: Instance,
  { learn }: Pick<Repositories, "learn">,
  log: Logger,
): List {
  const backoff = createBackoff<"list">(clock);
  let compared: Instant | undefined;
  let refusal: string | undefined;

  async function compare(): Promise<void> {
    const begun = clock.now();
    const listed: Listed[] = [];
    for (const { id, suspended } of await app.installations()) {
      listed.push({ id, ...(!suspended && { reaches: await app.repositories(id) }) });
    }
    const now = clock.now();
    await learn((known) => afterSweep(listed, known, { begun, now }));
    for (const { id } of expired(await registry.repositories(), now)) await registry.erase(id);
    await registry.forgetDeliveries(now - deliveriesKnownFor);
    compared = now;
  }

  return {
    says: () => refusal,
    async compareIfDue() {
      const isDue = compared === undefined || clock.now() - compared >= aDay;
      if (!isDue || clock.now() < backoff.until("list")) return;
      try {
        await compare();
        backoff.succeeded("list");
        refusal = undefined;
      } catch (error) {
        if (!(error instanceof GitHubProblem)) throw error;
        backoff.failed("list", error.resumeAt);
        if (refusal !== error.message) log.warn(`GitHub's list of repositories was not read: ${error.message}`);
        refusal = error.message;
      }
    },
  };
}
