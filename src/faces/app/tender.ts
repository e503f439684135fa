import type { Logger } from "pino";
import { gather } from "../../answer/gather.ts";
import { parseConfig } from "../../config/index.ts";
import type { Config, Duration, Instant } from "../../model.ts";
import { writeOverview } from "../../overview/write.ts";
import { GitHubProblem, type RepositoryState } from "../../ports.ts";
import { sync } from "../../recheck/sync.ts";
import { hear } from "../../repository/hear.ts";
import type { Home, Workshop } from "../../repository/home.ts";
import { afterNews } from "../../repository/lifecycle.ts";
import type { Heard } from "../../repository/news.ts";
import { refresh } from "../../repository/refresh.ts";
import { proposed, writeSetUp } from "../../repository/set-up.ts";
import { isDue, sweep } from "../../repository/sweep.ts";
import { scan } from "../../scan.ts";
import type { Instance } from "../../wire.ts";
import { createLanes } from "./lanes.ts";
import { teller } from "./teller.ts";

/** The work on one repository at a time; on several side by side. */
export interface Tender {
  /**
   * What becomes of the repositories that are known, told by a pure rule: each is kept as it then stands, while nothing
   * else is done to it. Who is called otherwise by then is not looked at meanwhile either: its rows move.
   */
  learn(rule: Rule, only?: number): Promise<void>;
  /** Works off one delivery. @throws GitHubProblem where it has to wait */
  handle(heard: Heard): Promise<void>;
  /** Reads its config where that may have changed, and brings GitHub up to date with what is stored. */
  attend(repository: number): Promise<void>;
  /**
   * Looks at whatever is due, and attends to the repository where something was looked at, waits, or was not compared
   * with GitHub for an hour. Who asks while a look is under way does not wait for it.
   */
  look(repository: number): Promise<void>;
  /** Once nothing is under way. */
  idle(): Promise<void>;
}

/** What is known → those that change, as they stand from then on. */
type Rule = (known: readonly RepositoryState[]) => readonly RepositoryState[];

/** Without news nothing is compared with GitHub for so long. */
const rest: Duration = 3_600_000;

export function createTender(instance: Instance, log: Logger, stopped: () => boolean): Tender {
  const { registry, clock, readers } = instance;
  const lanes = createLanes<number>();
  const looks = createLanes<number>();
  const tellers = new Map<number, ReturnType<typeof teller>>();
  const parsed = new Map<number, { readonly commit: string; readonly config?: Config }>();
  /** When it is to be compared with GitHub again by itself. */
  const again = new Map<number, Instant>();
  /** When the last scan ended. */
  const scans = new Map<number, Instant>();
  /** By installation: GitHub asks to be left alone until then. */
  const resting = new Map<number, Instant>();

  function configOf(id: number, config: RepositoryState["config"]): Config | undefined {
    if (!config) return undefined;
    const known = parsed.get(id);
    if (known?.commit === config.commit) return known.config;
    const read = { commit: config.commit, config: parseConfig(config.files, readers).config };
    parsed.set(id, read);
    return read.config;
  }

  function homeOf(state: RepositoryState): Workshop {
    const config = configOf(state.id, state.config);
    const { link, scratch } = instance;
    const [store, github] = [instance.store(state), instance.github(state)];
    return { state, store, github, clock, readers, link, scratch, ...(config && { config }) };
  }

  async function awake(id: number): Promise<Workshop | undefined> {
    const state = await registry.repository(id);
    return state?.standing === "active" ? homeOf(state) : undefined;
  }

  /** Alone with one repository. What GitHub will not do waits for the next time. */
  function alone(id: number, work: (home: Workshop) => Promise<void>): Promise<void> {
    return lanes.run(id, async () => {
      const home = await awake(id);
      if (!home || stopped() || clock.now() < (resting.get(home.state.installation) ?? 0)) return;
      try {
        await work(home);
      } catch (error) {
        if (!(error instanceof GitHubProblem)) throw error;
        await note(home, error);
      }
    });
  }

  async function note({ state, store }: Home, { kind, message, resumeAt }: GitHubProblem): Promise<void> {
    if (resumeAt !== undefined) resting.set(state.installation, resumeAt);
    if (state.says === message) return;
    log.warn({ repository: state.name, kind }, message);
    if (resumeAt === undefined) await store.commit((tx) => tx.updateRepository({ says: message }));
  }

  function tellerOf({ id, name }: RepositoryState): ReturnType<typeof teller> {
    const known = tellers.get(id) ?? teller(log.child({ repository: name }));
    tellers.set(id, known);
    return known;
  }

  async function speak(home: Home): Promise<void> {
    const { config, state, store, github, link } = home;
    const lastScan = scans.get(state.id);
    if (!config) return lastScan === undefined && !state.setUp?.pull ? undefined : await writeSetUp(home);
    const catchUp = state.setUp?.catchUp;
    // What happened before the watch began is told at once, when all of it was seen.
    if (catchUp && lastScan === undefined) return;
    await gather({ ...home, config });
    const synced = await sync({ config, store, clock, github, link, catchUp, commands: true, paced: true, stopped });
    tellerOf(state).synced(synced);
    again.set(state.id, clock.now() + (synced.waiting.length + synced.problems.length > 0 ? 0 : rest));
    for (const { resumeAt } of synced.problems) if (resumeAt) resting.set(state.installation, resumeAt);
    if (state.setUp && catchUp) {
      const { catchUp: _, ...setUp } = state.setUp;
      await store.commit((tx) => tx.updateRepository({ setUp }));
    }
    // Before the first scan there is nothing to show.
    if (synced.problems.length > 0 || (lastScan === undefined && !state.overview)) return;
    await writeOverview({ ...home, config }, lastScan);
  }

  /** How many were looked at. */
  async function lookNow(id: number): Promise<number> {
    const home = await awake(id);
    const config = home && (home.config ?? configOf(id, proposed(home.state)));
    if (!config || stopped()) return 0;
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
      if (home.state.stale) await refresh(home);
    });
    await alone(id, speak);
  }

  async function learn(rule: Rule, only?: number): Promise<void> {
    const known = only === undefined ? await registry.repositories() : [await registry.repository(only)];
    const before = known.filter((state) => state !== undefined);
    for (const { id, name } of rule(before)) {
      const revise = () => registry.revise(id, (known) => rule(known ? [known] : []).find((state) => state.id === id));
      const isRenamed = before.some((one) => one.id === id && one.name !== name);
      await (isRenamed ? looks.run(id, () => lanes.run(id, revise)) : lanes.run(id, revise));
    }
  }

  return {
    learn,
    attend,
    async look(id) {
      if ((await registry.repository(id))?.stale) await attend(id);
      if (looks.isBusy(id)) return;
      const count = await looks.run(id, () => lookNow(id));
      if (count > 0 || clock.now() >= (again.get(id) ?? 0)) await attend(id);
    },
    async handle(heard) {
      const { delivery, repository, news, at } = heard;
      await learn((known) => afterNews(heard, known, at), repository?.id);
      if (!repository) return await registry.finish(delivery);
      await lanes.run(repository.id, async () => {
        const home = await awake(repository.id);
        if (!home) return await registry.finish(delivery);
        const keep = await hear(home, news, at);
        await home.store.commit(async (tx) => {
          await keep(tx);
          await tx.finish(delivery);
        });
      });
    },
    async idle() {
      await looks.idle();
      await lanes.idle();
    },
  };
}
