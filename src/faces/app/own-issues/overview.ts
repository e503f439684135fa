import { pathIn } from "../../../config/files.ts";
import { builtIn } from "../../../model/firing.ts";
import { code } from "../../../model/markdown.ts";
import { isAsking, type OwnIssue, type RepositoryState } from "../../../model/ports/index.ts";
import { aDay, type Duration, day, type Instant } from "../../../model/time.ts";
import { figures, historyOf } from "../../../recheck/answer/figures.ts";
import type { ServedRepository, WatchedRepository } from "../../../recheck/answer/repository.ts";
import { placesIn } from "../../../recheck/correct.ts";
import { issueNotices, settingsLink } from "../../../recheck/refusals.ts";
import type { Outbox } from "../../../recheck/run.ts";
import { type Overview, renderOverview } from "../../../status/overview.ts";
import { readStored, type StoredRows, status } from "../../../status/status.ts";
import { closeOwnIssue, writeOwnIssue } from "./own-issue.ts";

/**
 * Updates the overview issue if there is news, and creates it the first time. Closes it if the config turns it off. `lastScan`:
 * when the last scan ended; `files`: reads the report, because the overview names its lines. @throws GitHubProblem
 */
export async function writeOverview(
  repository: WatchedRepository,
  lastScan?: Instant,
  files?: Outbox["files"],
): Promise<void> {
  const { overview, config: { folder = "" } = {} } = repository.state;
  const keep = (own: OwnIssue | undefined) => repository.store.commit((tx) => tx.updateRepository({ overview: own }));
  if (!repository.config.overview) {
    if (!overview) return;
    const off = `This overview is switched off: \`overview: no\` is set in ${code(pathIn(folder, "sources.yaml"))}.`;
    await closeOwnIssue(overview, `${off} Remove that line to get a new one.`, repository.github);
    return await keep(undefined);
  }
  const now = repository.clock.now();
  const stored = await readStored(repository.store);
  const notices = [
    ...refusals(repository.state),
    ...recentNotices(repository.state, now),
    ...issueNotices(stored.rechecks, repository.config, now),
  ];
  const present = await shownIn(repository, stored, lastScan);
  const isAsked = present.status.open.some(({ trigger }) => trigger === builtIn.notFound);
  const places = isAsked ? placesIn((await files?.())?.text, repository.link) : undefined;
  const shown = { ...present, notices, folder, ...(places && { places }) };
  const { title, hash } = renderOverview({ ...shown, marker: "" });
  const answered = wasChecked(repository, shown);
  if (overview?.number !== undefined && overview.written === hash && !answered) return;
  const body = (marker: string, room?: number) => renderOverview({ ...shown, marker }, room).body;
  const own = answered && overview ? { ...overview, written: undefined } : overview;
  const wait = await writeOwnIssue(repository, own, { title, body, hash }, keep);
  if (answered && !wait) await repository.store.commit((tx) => tx.updateRepository({ asked: undefined }));
}

function wasChecked(
  { state: { asked }, config }: WatchedRepository,
  { lastScan, status, watches }: Omit<Overview, "marker">,
) {
  if (asked === undefined || (lastScan ?? status.lastCheck ?? 0) < asked) return false;
  return watches.every(({ source, next }) => next > asked || !config.sources.has(source));
}

async function shownIn(
  { config, store, clock, link }: WatchedRepository,
  stored: StoredRows,
  lastScan?: Instant,
): Promise<Omit<Overview, "marker">> {
  const { watches, rechecks, firings, answers } = stored;
  const history = (trigger: string) => figures(historyOf(trigger, rechecks, firings, answers));
  return {
    config,
    status: await status(config, store, clock.now(), stored),
    watches,
    rechecks: rechecks.filter(isAsking),
    figures: new Map([...config.triggers.keys()].map((trigger) => [trigger, history(trigger)])),
    commands: true,
    link,
    lastScan,
  };
}

/** Closes the overview of a repository whose config is gone, and says so in it. @throws GitHubProblem */
export async function endOverview(repository: ServedRepository): Promise<void> {
  const { overview, defaultBranch = "the default branch" } = repository.state;
  if (!overview) return;
  const gone = `Nothing is watched any more: ${code(defaultBranch, 100)} has had no \`sources.yaml\` since ${day(repository.clock.now())}.`;
  const again = "Once the file is back, the watch continues, with a new overview.";
  await closeOwnIssue(overview, `${gone} ${again}`, repository.github);
  await repository.store.commit((tx) => tx.updateRepository({ overview: undefined }));
}

const noticesLast: Duration = 7 * aDay;

function refusals(state: RepositoryState): string[] {
  return Object.entries(state.refused ?? {}).map(([permission, since]) => {
    const loss = without.get(permission);
    const what = `**GitHub has not granted ${code(permission)} since ${day(since)}**${loss ? `: ${loss}` : ""}.`;
    return `${what} An administrator of the repository's owner can grant it in ${settingsLink(state)}.`;
  });
}

const without: ReadonlyMap<string, string> = new Map([
  ["contents: write", "answers come as a patch in the issue, and not as a pull request"],
  ["pull_requests: write", "answers come as a patch in the issue, and not as a pull request"],
  ["checks: write", "no check run shows mistakes of the config, or figures that the cited pages do not have"],
  ["issues: write", "no issues can be opened"],
  ["contents: read", "config cannot be read"],
]);

function recentNotices(
  { rested, formerly, branchedFrom, defaultBranch = "" }: RepositoryState,
  now: Instant,
): string[] {
  const isNews = (at: Instant | undefined) => at !== undefined && now - at < noticesLast;
  const notices = [
    rested &&
      isNews(rested.to) &&
      `Nothing was checked from ${day(rested.from)} to ${day(rested.to)}: ${wasSays(rested.standing)}. Changes since then are reported as they are found.`,
    formerly &&
      isNews(formerly.until) &&
      `This repository was ${code(formerly.name)} until ${day(formerly.until)}. Its history was kept.`,
    branchedFrom &&
      isNews(branchedFrom.until) &&
      `The default branch is ${code(defaultBranch)}, and was ${code(branchedFrom.branch)} until ${day(branchedFrom.until)}. Config is read from there now, and open pull requests of Recheck go there.`,
  ];
  return notices.flatMap((notice) => notice || []);
}

function wasSays(standing: RepositoryState["standing"]): string {
  if (standing === "suspended") return "the App was suspended";
  if (standing === "archived") return "the repository was archived";
  return "the App was not installed here";
}
