import { scanAndAudit, UnreadReport } from "../../audit/first-scan.ts";
import type { Config } from "../../model/config.ts";
import { digest } from "../../model/digest.ts";
import { GitHubProblem, type RepositoryState, type Visit } from "../../model/ports/index.ts";
import { anHour, hasCome, hasPassed, type Instant } from "../../model/time.ts";
import { chaptersAround } from "../../onboard/report-files.ts";
import type { ReportFile } from "../../report/index.ts";
import type { World } from "../../watch/check.ts";
import { refresh } from "./config/refresh.ts";
import { followedChecks } from "./log.ts";
import { recoverOwnIssues } from "./own-issues/recover.ts";
import { checkReport, type ReportCheck } from "./report/check-run.ts";
import {
  createServer,
  keepPast,
  open,
  openIfReadable,
  repositoryRecord,
  runAlone,
  runLogOf,
  type Server,
  type ServerParts,
} from "./repository.ts";
import type { AppRepository } from "./sandbox.ts";
import { isUnclaimed, pastOfSetUp } from "./set-up/claims.ts";
import { proposedSetUp } from "./set-up/set-up.ts";
import { isOfAll } from "./troubles.ts";
import { bringUpToDate } from "./up-to-date.ts";
import { checkOf, handleNews, isDue, sweep } from "./webhooks/handle.ts";
import { afterNews } from "./webhooks/lifecycle.ts";
import type { QueuedNews } from "./webhooks/news.ts";

export type Repositories = ReturnType<typeof createRepositories>;

/** Returns the changed repositories in their new state. `only`: no other one is passed or changed. */
type Rule = (known: readonly RepositoryState[], only?: number) => readonly RepositoryState[];

/** A repository without its texts. They are read when its turn comes, because all of them together would fill the memory. */
const outline = ({ config: _, setUp: __, ...rest }: RepositoryState): RepositoryState => rest;

/** The order of work: a repository has one job and one check at a time; repositories run side by side. */
export function createRepositories(parts: ServerParts) {
  const server = createServer(parts);
  return {
    learn: (rule: Rule) => applyRule(rule, undefined, server),
    handle: (news: QueuedNews) => handle(news, server),
    attend: (id: number) => attend(id, server),
    check: (id: number, state?: RepositoryState) => check(id, server, state),
    takeOver: (id: number) => takeOver(id, server),
    async idle() {
      await server.reportChecks.idle();
      await server.checks.idle();
      await server.work.idle();
    },
  };
}

/**
 * Changes stored repositories by a pure rule. Each new state is stored while no other work on the repository runs. A
 * repository that is renamed is not checked meanwhile either, because its rows move. Returns the changed ones.
 * `only`: the rule concerns this one.
 */
async function applyRule(rule: Rule, only: number | undefined, server: Server): Promise<number[]> {
  const { registry } = server.instance;
  const onlyState = only === undefined ? undefined : await registry.repository(only);
  const states =
    only === undefined ? await Array.fromAsync(registry.repositories(), outline) : onlyState ? [onlyState] : [];
  const changed = rule(states, only);
  const formerly = new Map(states.map(({ id, name }) => [id, name]));
  const names = Map.groupBy(states, ({ name }) => name);
  // Old names are released before they are taken.
  const isTaken = ({ id, name }: RepositoryState) => names.get(name)?.some((one) => one.id !== id) ?? false;
  for (const state of changed.toSorted((a, b) => Number(isTaken(a)) - Number(isTaken(b)))) {
    const { id, name } = state;
    const was = formerly.get(id);
    const isRenamed = was !== undefined && was !== name;
    const change = () => server.work.run(id, () => applyRuleTo(id, rule, server));
    await (isRenamed ? server.checks.run(id, change) : change());
  }
  return changed.map(({ id }) => id);
}

async function applyRuleTo(id: number, rule: Rule, { instance, troubles, records, past }: Server): Promise<void> {
  let last: { readonly known?: RepositoryState | undefined; readonly state?: RepositoryState | undefined } = {};
  await instance.registry.revise(id, (known) => {
    const state = rule(known ? [known] : [], id).find((one) => one.id === id);
    last = { known, state };
    return state;
  });
  const { known, state } = last;
  // Its data may have been erased meanwhile.
  if (!known) {
    records.delete(id);
    past.delete(id);
  }
  if (state && (state.standing !== known?.standing || state.name !== known.name)) troubles.logStanding(state);
}

/** Processes one delivery. Returns its repositories. @throws GitHubProblem, ConfigNotRead if it has to wait */
async function handle(news: QueuedNews, server: Server): Promise<readonly number[]> {
  const { delivery, repository, at } = news;
  const { registry } = server.instance;
  const changed = await applyRule((known, only) => afterNews(news, known, at, only), repository?.id, server);
  if (!repository) {
    await registry.finish(delivery);
    return changed;
  }
  await server.work.run(repository.id, () => handleOf(repository.id, news, server));
  const head = headToCheck(news);
  if (head) checkReportLater(repository.id, head, server);
  return [repository.id];
}

async function handleOf(id: number, news: QueuedNews, server: Server): Promise<void> {
  const { instance, troubles } = server;
  const { delivery } = news;
  repositoryRecord(id, server).listed = undefined;
  const home = await open(id, server);
  if (!home) return await instance.registry.finish(delivery);
  const paused = troubles.pausedUntil(home.state.installation);
  if (instance.clock.now() < paused) {
    throw new GitHubProblem("slow-down", "GitHub refused just now", { resumeAt: paused });
  }
  const noted = noteFor(home, server);
  const keep = await handleNews(home, news).catch(noted);
  const failure = await checkOf(home, news).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  await home.store.commit(async (tx) => {
    await keep(tx);
    if (!failure) await tx.finish(delivery);
  });
  if (failure) await noted(failure.error);
}

/** Notes a problem that affects everything for a repository, so that it rests. @throws this problem, and any other */
function noteFor(home: AppRepository, { troubles }: Server): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof GitHubProblem && isOfAll(error)) await troubles.note(home, error);
    throw error;
  };
}

function headToCheck({ news, delivery }: QueuedNews): HeadToCheck | undefined {
  if (news.kind === "pull" && news.action !== "closed") return { ...news, pull: news.number };
  return news.kind === "rerun" && news.checked !== "config"
    ? { commit: news.commit, again: digest(delivery) }
    : undefined;
}

type HeadToCheck = Omit<ReportCheck, "base"> & { readonly base?: string; readonly pull?: number };

/** Starts the check of a report in the background; the daily sweep repeats checks that failed. */
function checkReportLater(id: number, head: HeadToCheck, server: Server): void {
  if (head.pull !== undefined) repositoryRecord(id, server).reportHeads.set(head.pull, head.commit);
  void server.reportChecks
    .run(id, () => checkReportNow(id, head, server))
    .catch((error: unknown) => {
      server.log.warn(
        { err: error, commit: head.commit },
        "the changes of a pull request to the report were not checked",
      );
    });
}

async function checkReportNow(id: number, head: HeadToCheck, server: Server): Promise<void> {
  const { stopped, troubles, instance } = server;
  const { reportHeads } = repositoryRecord(id, server);
  if (head.pull !== undefined) {
    // After a hundred pushes, only the last one is checked.
    if (reportHeads.get(head.pull) !== head.commit) return;
    reportHeads.delete(head.pull);
  }
  const home = stopped() ? undefined : await openIfReadable(id, server);
  if (!home?.config || instance.clock.now() < troubles.pausedUntil(home.state.installation)) return;
  const { state, config } = home;
  const base = head.base ?? state.defaultBranch;
  if (base === undefined) return;
  const check = checkReport({ ...home, config }, { ...head, base }, instance.web(state, config), stopped);
  await check.catch(noteFor(home, server));
}

/** Reads a repository's config if it may have changed, and updates GitHub from the store. */
async function attend(id: number, server: Server): Promise<void> {
  const state = await server.instance.registry.attend(id);
  if (state?.standing === "active") {
    using _turn = await server.attendTurns(state.installation);
    await attendNow(id, server);
  }
  // Running checks may be the requested ones.
  if (server.checks.isBusy(id)) repositoryRecord(id, server).compareAt = undefined;
}

async function attendNow(id: number, server: Server): Promise<void> {
  const { instance, troubles } = server;
  // Each job reads the repository, so jobs without work are left out.
  let mustSweep = false;
  let mayBeStale = false;
  await runAlone(id, server, async (home) => {
    mustSweep = isDue(home);
    mayBeStale = mustSweep || home.state.stale;
    await recoverOwnIssues(home, repositoryRecord(id, server).recovery);
  });
  const sweepNow = async (home: AppRepository) => {
    const log = server.log.child({ repository: home.state.name });
    const left = ({ message }: GitHubProblem) => log.warn(`left out of the daily sweep: ${message}`);
    await sweep(home, (head) => checkReportLater(id, head, server), left);
  };
  if (mustSweep) await runAlone(id, server, sweepNow);
  const refreshNow = async (home: AppRepository) => {
    if (!home.state.stale) return;
    if ((await refresh(home)) === "another") server.missed();
    const now = await instance.registry.repository(id);
    const isNews = now?.standing !== home.state.standing || now.empty !== home.state.empty;
    if (now && isNews) troubles.logStanding(now);
  };
  if (mayBeStale) await runAlone(id, server, refreshNow);
  await runAlone(id, server, (home) => bringUpToDate(home, server));
}

/** Reads a repository, and takes over its next time of comparison with GitHub from the process that had it before. */
async function takeOver(id: number, server: Server): Promise<Visit | undefined> {
  const visit = await server.instance.registry.visit(id);
  if (visit) repositoryRecord(id, server).compareAt = visit.attend;
  return visit;
}

/** Reads a repository, and whether there is news since this process compared it with GitHub. */
async function readAgain(id: number, server: Server): Promise<RepositoryState | undefined> {
  const visit = await server.instance.registry.visit(id);
  if (visit?.attend === 0) repositoryRecord(id, server).compareAt = undefined;
  return visit?.state;
}

/**
 * Checks the due sources of a repository. Then compares it with GitHub if there were checks or waiting work, and once
 * an hour. Does not wait for running checks or jobs. Returns when to come back, apart from its sources: now, if
 * something is left; undefined if a running check will report that. `read`: the repository as just read.
 */
async function check(id: number, server: Server, read?: RepositoryState): Promise<Instant | undefined> {
  const { work, checks, instance } = server;
  const record = repositoryRecord(id, server);
  let state = read ?? (await readAgain(id, server));
  const isTime = () => hasCome(record.compareAt ?? 0, instance.clock.now(), anHour);
  if (isTime() && !work.isBusy(id) && state?.stale) {
    await attend(id, server);
    state = undefined;
  }
  if (checks.isBusy(id)) return undefined;
  // News is written into issues in their state at that time. Running work may take long: the next job reports its
  // results.
  if (await checks.run(id, () => checkNow(id, server, isTime(), state))) record.compareAt = undefined;
  if (isTime() && !work.isBusy(id)) await attend(id, server);
  const now = instance.clock.now();
  return work.isBusy(id) ? now : (record.compareAt ?? now);
}

/** Checks now, and returns whether there is news for GitHub. `isTime`: also does work that depends on time alone. */
async function checkNow(id: number, server: Server, isTime: boolean, state?: RepositoryState): Promise<boolean> {
  const home = await openIfReadable(id, server, state);
  const proposal = home && proposedSetUp(home.state);
  const config = home?.config ?? (proposal && (await home.sandbox.parseProposed(proposal))?.config);
  const { stopped } = server;
  if (!home || stopped()) return false;
  await noteUnwatched(home, config);
  if (!config) return false;
  const log = server.log.child({ repository: home.state.name });
  const { world, options } = followedChecks(server.instance.world(home.state, config), log);
  const turn = () => server.checkTurns(id);
  const path = home.config ? home.config.report.text : home.state.setUp?.found?.path;
  const report = path === undefined ? undefined : () => reportAt(path, home);
  const record = repositoryRecord(id, server);
  const mustPass = isTime || hasPassed(anHour, record.timePassed ?? 0, world.clock.now());
  const scanned = await scanAndAudit(world, { prompt: true, isTime: mustPass, stopped, turn, report, ...options });
  runLogOf(home.state, server).scanned(scanned);
  if (mustPass) record.timePassed = scanned.started;
  record.lastScan = scanned.ended;
  if (scanned.firings.length > 0) record.listed = undefined;
  await askPast(home, world, server);
  const { asked, setUp } = home.state;
  // Requested checks, a catch-up and a draft also report unchanged sources.
  const isAwaited = asked !== undefined || setUp?.catchUp === true || !home.config;
  return scanned.hasNews || (isAwaited && scanned.checks.length > 0);
}

/** All files of the report of the config in use, or else of the proposed one. @throws UnreadReport */
async function reportAt(path: string, { config, github, state }: AppRepository): Promise<ReportFile[]> {
  const { setUp } = state;
  try {
    const branch = state.defaultBranch ?? (await github.facts()).defaultBranch;
    const commit = config ? (await github.commit(branch))?.sha : setUp?.config?.commit;
    const text = commit === undefined ? undefined : await github.text(path, commit);
    if (commit === undefined || text === undefined) throw new UnreadReport(`${path} is not in the repository`);
    return [{ path, text }, ...(await chaptersAround(path, github, commit))];
  } catch (error) {
    if (error instanceof GitHubProblem) throw new UnreadReport(`${path} could not be read: ${error.message}`);
    throw error;
  }
}

/** Notes whether there is no config: then nothing is due, and the store waits for one. */
async function noteUnwatched({ state, store }: AppRepository, config: Config | undefined): Promise<void> {
  // Before a config was read, it is unknown whether there is one. If the config in use is refused now, it is still
  // watched.
  if (!config && state.stale) return;
  const unwatched = config || state.config ? undefined : true;
  if (unwatched !== state.unwatched) await store.commit((tx) => tx.updateRepository({ unwatched }));
}

/** Fetches archived copies, once, for the claims of a draft. If GitHub refuses its report, the next check tries again. */
async function askPast(home: AppRepository, world: World, server: Server): Promise<void> {
  const { id, setUp } = home.state;
  if (!isUnclaimed(setUp) || server.past.get(id)?.commit === setUp.head) return;
  try {
    const readings = await pastOfSetUp(setUp, home, world, server.stopped);
    keepPast(id, { commit: setUp.head, readings }, server);
  } catch (error) {
    if (!(error instanceof GitHubProblem)) throw error;
  }
}
