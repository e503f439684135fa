import type { Logger } from "pino";
import type { Parsed } from "../../config/index.ts";
import type { Config, Duration, Instant } from "../../model/model.ts";
import { GitHubProblem, type RepositoryConfig, type RepositoryState } from "../../model/ports/index.ts";
import { anHour } from "../../model/time.ts";
import { gather } from "../../recheck/answer/gather.ts";
import { sync } from "../../recheck/sync.ts";
import { scan } from "../../watch/scan.ts";
import type { Instance } from "../../wire.ts";
import { createBackoff, createTroubles } from "./backoff.ts";
import { refresh } from "./config/refresh.ts";
import type { ServedHome } from "./config/trial.ts";
import { type Aside, Unread } from "./config/trial.ts";
import { teller } from "./log.ts";
import { tellSilence } from "./own-issues/notices.ts";
import { endOverview, writeOverview } from "./own-issues/overview.ts";
import { createLanes } from "./queue.ts";
import { proposed, writeSetUp } from "./set-up/set-up.ts";
import { hear, writeMisplaced } from "./webhooks/hear.ts";
import { afterNews } from "./webhooks/lifecycle.ts";
import type { Heard } from "./webhooks/news.ts";
import { isDue, sweep } from "./webhooks/sweep.ts";

/** The work on one repository at a time; on several side by side. */
export interface Tender {
  /**
   * What becomes of the repositories that are known, told by a pure rule: each is kept as it then stands, while nothing
   * else is done to it. Who is called otherwise by then is not looked at meanwhile either: its rows move. Those that changed.
   */
  learn(rule: Rule, only?: number): Promise<number[]>;
  /** Works off one delivery. The repositories that it is about. @throws GitHubProblem, Unread where it has to wait */
  handle(heard: Heard): Promise<readonly number[]>;
  /** Reads its config where that may have changed, and brings GitHub up to date with what is stored. */
  attend(repository: number): Promise<void>;
  /**
   * Looks at whatever is due, and attends to the repository where something was looked at, waits, or was not compared
   * with GitHub for an hour. Who asks while a look, or work, is under way does not wait for it.
   */
  look(repository: number): Promise<void>;
  /** Once nothing is under way. */
  idle(): Promise<void>;
}

/** What is known → those that change, as they stand from then on. */
type Rule = (known: readonly RepositoryState[]) => readonly RepositoryState[];

/** Without news nothing is compared with GitHub for so long. */
const calm: Duration = anHour;

export function createTender(instance: Instance, aside: Aside, log: Logger, stopped: () => boolean): Tender {
  const { registry, clock, readers } = instance;
  const lanes = createLanes<number>();
  const looks = createLanes<number>();
  const tellers = new Map<number, ReturnType<typeof teller>>();
  const parsed = new Map<number, { readonly commit: string; readonly config?: Config }>();
  const unread = createBackoff<number>(clock);
  const proposals = new Map<number, { readonly commit: string; readonly read: Promise<Parsed | undefined> }>();
  /** When it is to be compared with GitHub again by itself. */
  const again = new Map<number, Instant>();
  const troubles = createTroubles(clock, log);
  /** When the last scan ended. */
  const scans = new Map<number, Instant>();

  /** What is in use, and could be read once: where it cannot be now, it is tried again, ever more seldom. */
  async function inUse({ id, name, config }: RepositoryState): Promise<Config | undefined> {
    if (!config) return undefined;
    const known = parsed.get(id);
    if (known?.commit === config.commit) return known.config;
    if (clock.now() < unread.until(id)) throw new Unread(config.commit);
    const read = await aside.parse(config);
    if (!read) {
      unread.failed(id);
      const problem = new Unread(config.commit);
      log.warn({ repository: name }, problem.message);
      throw problem;
    }
    unread.succeeded(id);
    proposals.delete(id);
    parsed.set(id, { commit: config.commit, config: read.config });
    return read.config;
  }

  /** Each is read once, and given up once: people mend one that does not end by another commit. */
  async function readProposed(id: number, config: RepositoryConfig): Promise<Parsed | undefined> {
    const known = proposals.get(id);
    if (known?.commit === config.commit) return await known.read;
    const read = aside.parseProposed(config);
    const proposal = { commit: config.commit, read };
    proposals.set(id, proposal);
    // That the thread failed says nothing about it.
    read.catch(() => proposals.get(id) === proposal && proposals.delete(id));
    return await read;
  }

  async function homeOf(state: RepositoryState): Promise<ServedHome> {
    const config = await inUse(state);
    const { link } = instance;
    const [store, github] = [instance.store(state), instance.github(state)];
    const own = { ...aside, parseProposed: (config: RepositoryConfig) => readProposed(state.id, config) };
    return { state, store, github, clock, readers, link, aside: own, ...(config && { config }) };
  }

  async function awake(id: number): Promise<ServedHome | undefined> {
    const state = await registry.repository(id);
    return state?.standing === "active" ? await homeOf(state) : undefined;
  }

  /** Undefined too while its config cannot be read, which was told. */
  async function ready(id: number): Promise<ServedHome | undefined> {
    try {
      return await awake(id);
    } catch (error) {
      if (error instanceof Unread) return undefined;
      throw error;
    }
  }

  /** Alone with one repository. What GitHub will not do waits for the next time. */
  function alone(id: number, work: (home: ServedHome) => Promise<void>): Promise<void> {
    return lanes.run(id, async () => {
      const home = await ready(id);
      if (!home || stopped() || clock.now() < troubles.restsUntil(home.state.installation)) return;
      try {
        await work(home);
      } catch (error) {
        if (!(error instanceof GitHubProblem)) throw error;
        await troubles.note(home, error);
        again.set(id, troubles.triesAt(id));
      }
    });
  }

  function tellerOf({ id, name }: RepositoryState): ReturnType<typeof teller> {
    const known = tellers.get(id) ?? teller(log.child({ repository: name }));
    tellers.set(id, known);
    return known;
  }

  async function speak(home: ServedHome): Promise<void> {
    const { config, state, store, github, link } = home;
    const lastScan = scans.get(state.id);
    await writeMisplaced(home);
    if (!state.config) await endOverview(home);
    if (!config) return lastScan === undefined && !state.setUp?.pull ? undefined : await writeSetUp(home);
    const catchUp = state.setUp?.catchUp;
    // What happened before the watch began is told at once, when all of it was seen.
    if (catchUp && lastScan === undefined) return;
    await gather({ ...home, config });
    const synced = await sync({
      ...{ config, store, clock, github, link, catchUp, stopped },
      ...{ commands: true, paced: true, folder: state.config?.folder },
    });
    tellerOf(state).synced(synced);
    for (const problem of synced.problems) if (await troubles.met(home, problem)) return;
    again.set(state.id, troubles.triesAt(state.id));
    // Who could not be read a moment ago is not well yet.
    if (synced.problems.length === 0 && !state.stale) {
      troubles.wentWell(state);
      const now = clock.now();
      again.set(state.id, Math.min(now + calm, ...synced.waiting.map(({ until = now }) => until)));
    }
    await tellSilence(home, synced.problems);
    if (state.setUp && catchUp) {
      const { catchUp: _, ...setUp } = state.setUp;
      await store.commit((tx) => tx.updateRepository({ setUp }));
    }
    // Before the first scan there is nothing to show.
    if (synced.problems.length > 0 || (lastScan === undefined && !state.overview)) return;
    // What was refused just now is told at once.
    const now = await awake(state.id);
    if (now) await writeOverview({ ...now, config }, lastScan);
  }

  /** How many were looked at. */
  async function lookNow(id: number): Promise<number> {
    const home = await ready(id);
    const proposal = home && proposed(home.state);
    const config = home?.config ?? (proposal && (await home.aside.parseProposed(proposal))?.config);
    if (!home || !config || stopped()) return 0;
    const scanned = await scan(instance.world(home.state, config), { stopped });
    tellerOf(home.state).scanned(scanned);
    scans.set(id, scanned.ended);
    return scanned.looks.length;
  }

  async function attend(id: number): Promise<void> {
    await alone(id, async (home) => {
      if (isDue(home)) await sweep(home);
    });
    await alone(id, async (home) => {
      if (!home.state.stale) return;
      await refresh(home);
      const now = await registry.repository(id);
      const isNews = now?.standing !== home.state.standing || now.empty !== home.state.empty;
      if (now && isNews) troubles.tell(now);
    });
    await alone(id, speak);
  }

  async function learn(rule: Rule, only?: number): Promise<number[]> {
    const known = only === undefined ? await registry.repositories() : [await registry.repository(only)];
    const before = known.filter((state) => state !== undefined);
    const changed = rule(before);
    for (const { id, name } of changed) {
      const was = before.find((one) => one.id === id);
      const revise = () =>
        registry.revise(id, (known) => {
          const state = rule(known ? [known] : []).find((one) => one.id === id);
          if (state && (state.standing !== known?.standing || state.name !== known.name)) troubles.tell(state);
          return state;
        });
      const isRenamed = was !== undefined && was.name !== name;
      await (isRenamed ? looks.run(id, () => lanes.run(id, revise)) : lanes.run(id, revise));
    }
    return changed.map(({ id }) => id);
  }

  async function handle(heard: Heard): Promise<readonly number[]> {
    const { delivery, repository, installation, at } = heard;
    const changed = await learn((known) => afterNews(heard, known, at), repository?.id);
    if (!repository) {
      await registry.finish(delivery);
      return changed;
    }
    await lanes.run(repository.id, async () => {
      const home = await awake(repository.id);
      if (!home) return await registry.finish(delivery);
      const wait = troubles.restsUntil(installation);
      if (clock.now() < wait) throw new GitHubProblem("slow-down", "GitHub refused just now", { resumeAt: wait });
      const keep = await hear(home, heard).catch(async (error: unknown) => {
        if (error instanceof GitHubProblem && error.kind === "unauthorized") await troubles.met(home, error);
        throw error;
      });
      await home.store.commit(async (tx) => {
        await keep(tx);
        await tx.finish(delivery);
      });
    });
    return [repository.id];
  }

  return {
    learn,
    attend,
    handle,
    async look(id) {
      const isTime = () => clock.now() >= (again.get(id) ?? 0);
      if (isTime() && !lanes.isBusy(id) && (await registry.repository(id))?.stale) await attend(id);
      if (looks.isBusy(id)) return;
      const count = await looks.run(id, () => lookNow(id));
      // Whatever is under way may take long: what was seen is told by the next.
      if (count > 0) again.delete(id);
      if (isTime() && !lanes.isBusy(id)) await attend(id);
    },
    async idle() {
      await looks.idle();
      await lanes.idle();
    },
  };
}
