import { identifiedReport } from "../../../audit/entry-edits.ts";
import { runInWorker } from "../../../audit/tasks.ts";
import { checkWorks } from "../../../audit/works.ts";
import { readConfig } from "../../../config/files.ts";
import { digest } from "../../../model/digest.ts";
import { builtIn } from "../../../model/firing.ts";
import {
  type Pull,
  type RepositoryConfig,
  type RepositoryFile,
  type RepositoryState,
  refusals,
  type SetUp,
  tolerate,
} from "../../../model/ports/index.ts";
import { draftFrom } from "../../../onboard/report-files.ts";
import { offeredTables } from "../../../onboard/summary.ts";
import { dropBranch } from "../../../recheck/answer/pulls.ts";
import { noUpdate, type StoreUpdate } from "../../../recheck/answer/repository.ts";
import { waitIfItExists } from "../../../recheck/answer/write-pull.ts";
import { placesIn } from "../../../recheck/correct.ts";
import { type Creation, contentsAnHour, createOnce } from "../../../recheck/create-once.ts";
import { maxBodyCharacters } from "../../../recheck/issue/layout.ts";
import { boxLine, markOf, newMarker, splitAtSection, tickedBoxes, withSection } from "../../../recheck/issue/marker.ts";
import { isKnown } from "../../../recheck/issue/question.ts";
import { repositorySettings } from "../../../recheck/refusals.ts";
import type { DraftedReport } from "../../../report/index.ts";
import { parsedOrProblem } from "../config/trial.ts";
import type { AppRepository } from "../sandbox.ts";
import { unlessGitHubRefuses } from "./claims.ts";
import { renderBroken, renderOvertaken, renderSetUp, setUpTitle, tableBox } from "./text.ts";

const usualBranch = "recheck/set-up";

/** The config that the set-up proposes: its sources are checked, but no questions are asked. */
export function proposedSetUp({ config, setUp }: RepositoryState): RepositoryState["config"] {
  return config === undefined && setUp?.optedOut === undefined ? setUp?.config : undefined;
}

/**
 * Drafts a config from a repository's report and puts it on a branch, or reads people's edits of it there. The pull
 * request follows after the first checks. @throws GitHubProblem
 */
export async function prepareSetUp(repository: AppRepository): Promise<void> {
  const { state, store, github } = repository;
  const { setUp, defaultBranch = "" } = state;
  if (state.config || state.broken || setUp?.optedOut !== undefined) return;
  const keep = (change: SetUp) => store.commit((tx) => tx.updateRepository({ setUp: change }));
  const base = await github.commit(defaultBranch);
  if (!base) return;
  if (setUp?.redraft === "due") return await draftAgain({ ...repository, state: { ...state, setUp } }, setUp, base.sha);
  if (setUp?.found || setUp?.config) {
    const head = await github.commit(setUp.branch);
    const config = head && (await readConfig(github, head.sha, setUp.config));
    if (config && config.commit !== setUp.config?.commit) await keep({ ...setUp, config });
    if (head) return;
  }
  if (setUp?.searched === base.sha && !setUp.found) return;
  const earlier = setUp?.head === undefined ? await earlierSetUp(repository) : undefined;
  const marker = setUp?.marker ?? earlier?.marker ?? newMarker();
  const { unread, files = [], ...drafted } = await draftAt(base.sha, repository);
  const { branch = setUp?.branch ?? usualBranch, ...known } = earlier ?? {};
  const searched = {
    ...known,
    marker,
    branch,
    searched: base.sha,
    ...unread,
    ...drafted,
  };
  if (earlier?.config) return await keep({ ...searched, ...(isAsDrafted(earlier.config, files) && headOf(earlier)) });
  if (earlier?.optedOut !== undefined || earlier?.pull !== undefined) return await keep(searched);
  const { found: _, ...none } = searched;
  if (!drafted.found) return await keep(none);
  const note = (commit: string) => keep({ ...searched, head: commit, config: { commit, folder: "", files } });
  const edit = { branch, parent: base.sha, message: `${setUpTitle}\n`, files, note };
  const commit = await unlessGitHubRefuses(github.push(edit), repository);
  if (commit === undefined) await keep(none);
}

/** Drafts again with the tables that people chose. A branch that people edited is kept. @throws GitHubProblem */
async function draftAgain(repository: AppRepository, setUp: SetUp, base: string): Promise<void> {
  const { store, github } = repository;
  const keep = (change: Partial<SetUp>) =>
    store.commit((tx) => tx.updateRepository({ setUp: { ...setUp, redraft: undefined, ...change } }));
  const head = await github.commit(setUp.branch);
  if (!head || head.sha !== setUp.head) return await keep({});
  const chosen = (setUp.tables ?? []).flatMap(({ id, isChosen }) => (isChosen ? id : []));
  const { unread: _, files, ...drafted } = await draftAt(base, repository, chosen);
  if (!files) return await keep({});
  const change = { searched: base, ...drafted, claims: undefined, asked: undefined };
  const note = (commit: string) =>
    keep({ ...change, redraft: "done", head: commit, config: { commit, folder: "", files } });
  const message = `${setUpTitle}: rate by the tables that were chosen\n`;
  const edit = { branch: setUp.branch, parent: base, over: [setUp.head], message, files, note };
  const commit = await unlessGitHubRefuses(github.push(edit), repository);
  if (commit === undefined) await keep({});
}

type EarlierSetUp = Pick<SetUp, "branch" | "config" | "pull" | "optedOut"> & { readonly marker?: string };

/**
 * Finds a set-up that the store lacks: its pull request, whose end is an answer, and its branch, perhaps with edits of people.
 * A branch of that name without config is not ours, so another name is used. Undefined if there is none. @throws GitHubProblem
 */
async function earlierSetUp(repository: AppRepository): Promise<EarlierSetUp | undefined> {
  const { github, clock } = repository;
  const newest = await tolerate(github.pullOf(usualBranch), ...refusals);
  const mark = markOf(newest?.body ?? "");
  const pull = mark?.trigger === "set-up" ? newest : undefined;
  const ours = pull && { ...(mark && { marker: mark.marker }), pull: pull.number };
  if (pull && pull.state === "closed") return { branch: usualBranch, ...ours, optedOut: clock.now() };
  const head = await github.commit(usualBranch);
  const config = head && (await readConfig(github, head.sha));
  if (ours || config) return { branch: usualBranch, ...ours, ...(config && { config }) };
  return head && { branch: await freeBranch(github) };
}

/** @throws GitHubProblem */
async function freeBranch(github: AppRepository["github"]): Promise<string> {
  for (let number = 2; ; number++) {
    const name = `${usualBranch}-${number}`;
    if ((await github.commit(name)) === undefined) return name;
  }
}

/** Whether a branch holds exactly our files: then it is ours. */
function isAsDrafted({ folder, files }: RepositoryConfig, drafted: readonly RepositoryFile[]): boolean {
  const texts = new Map(drafted.map(({ path, text }) => [path, text]));
  return folder === "" && files.length === texts.size && files.every(({ path, text }) => texts.get(path) === text);
}

const headOf = ({ config }: EarlierSetUp): Pick<SetUp, "head"> => (config ? { head: config.commit } : {});

/** Writes the set-up pull request if its text changed. @throws GitHubProblem */
export async function writeSetUp(repository: AppRepository): Promise<void> {
  const { state, store, github, clock } = repository;
  const { setUp, defaultBranch: base = "" } = state;
  const config = proposedSetUp(state);
  if (!setUp || !config) return;
  const preview = await shownIn(repository, setUp, config);
  const written = digest([preview(), base]);
  if (setUp.written === written) return;
  const knownPull = setUp.pull === undefined ? await github.pullOf(setUp.branch) : await github.pull(setUp.pull);
  const openPull = knownPull?.state === "open" ? knownPull : undefined;
  const keep = (change: Partial<SetUp>) =>
    store.commit((tx) => tx.updateRepository({ setUp: { ...setUp, ...change } }));
  if (knownPull && !openPull && knownPull.number === setUp.pull) return await keep({ optedOut: clock.now() });
  if (openPull) {
    const body = withSection(openPull.body, preview);
    const change = { ...(body !== openPull.body && { body }), ...(openPull.base !== base && { base }) };
    if (Object.keys(change).length > 0) await github.updatePull(openPull.number, change);
    return await keep({ pull: openPull.number, written });
  }
  const creation: Creation<Pull> = {
    attempted: setUp.attempted,
    find: async () => {
      const pull = await github.pullOf(setUp.branch);
      return pull?.state === "open" ? pull : undefined;
    },
    note: (attempted) => keep({ attempted }),
    create: (sending) => github.createPull({ title: setUpTitle, body: preview(), branch: setUp.branch, base }, sending),
  };
  const cap = contentsAnHour((await repository.sandbox.parseProposed(config))?.config);
  const published = await unlessGitHubRefuses(waitIfItExists(createOnce(creation, { store, clock, cap })), repository);
  if (published?.kind === "waits") return;
  await keep({ attempted: undefined, written, ...(published && { pull: published.made.number }) });
}

/** Characters left after the warning, which comes first. */
const less = (room = maxBodyCharacters): number => room - maxWarningCharacters;
const maxWarningCharacters = 600;

/** Warns, below the hidden first line, if issues are switched off: merging would be useless. */
function withIssuesWarning(body: string, { withoutIssues, web }: RepositoryState): string {
  if (!withoutIssues) return body;
  const warning = `> [!WARNING]\n> Issues are switched off here, and Recheck asks its questions in issues. Switch them on in ${repositorySettings({ web })}, under *Features*, before you merge this.`;
  return body.replace("\n", () => `\n\n${warning}\n`);
}

async function shownIn(
  { state, store, readers, link, sandbox, github }: AppRepository,
  { marker, found, unread, tables, claims, asked, head }: SetUp,
  proposal: NonNullable<RepositoryState["config"]>,
): Promise<(room?: number) => string> {
  const { folder } = proposal;
  const parsed = parsedOrProblem(await sandbox.parseProposed(proposal));
  if (!parsed.config)
    return (room) => withIssuesWarning(renderBroken(parsed.problems, marker, folder, less(room)), state);
  const { config } = parsed;
  const checks = [];
  for (const source of config.sources.keys()) checks.push(...(await store.checks(source, 1)));
  const firings = (await store.firings()).filter(({ trigger }) => isKnown(trigger, config));
  const isOutOfDate = found && head !== undefined && firings.some(({ trigger }) => trigger === builtIn.notFound);
  const report = isOutOfDate ? await github.text(found.path, head) : undefined;
  const places = report === undefined ? undefined : placesIn({ path: found?.path ?? "", text: report }, link);
  const setUp = {
    config,
    places,
    checks,
    firings,
    readers,
    marker,
    folder,
    link,
    found,
    unread,
    claims,
    // Made for the draft, which people may have edited since.
    ...(proposal.commit === head && { asked, tables }),
  };
  return (room) => withIssuesWarning(renderSetUp(setUp, less(room)), state);
}

/** Ends the set-up once there is a config, and closes its pull request. @throws GitHubProblem */
export async function endSetUp(repository: AppRepository): Promise<void> {
  const { github, state } = repository;
  const { setUp } = state;
  if (!setUp) return;
  const pull = setUp.pull === undefined ? undefined : await unlessGitHubRefuses(github.pull(setUp.pull), repository);
  if (pull?.state === "open") {
    const body = withSection(pull.body, () => renderOvertaken(setUp.marker));
    await unlessGitHubRefuses(github.updatePull(pull.number, { state: "closed", body }), repository);
  }
  await unlessGitHubRefuses(dropBranch(github, setUp.branch, pull?.merged ? pull.head : setUp.head), repository);
}

/** Closing the pull request opts out, and reopening it opts in again; its state is read now. @throws GitHubProblem */
export async function handleSetUp(
  { state, github, clock }: AppRepository,
  pull: Pick<Pull, "number" | "branch">,
): Promise<StoreUpdate> {
  const { setUp } = state;
  if (setUp === undefined || pull.branch !== setUp.branch || pull.number !== (setUp.pull ?? pull.number))
    return noUpdate;
  const { number, state: stands, merged, body } = await github.pull(pull.number);
  const optedOut = stands === "closed" && !merged ? (setUp.optedOut ?? clock.now()) : undefined;
  const tables = stands === "open" && setUp.config?.commit === setUp.head ? tablesTicked(setUp, body) : undefined;
  const answer = tables && ({ tables, redraft: "due" } as const);
  return (tx) => tx.updateRepository({ setUp: { ...setUp, pull: number, optedOut, ...answer }, stale: true });
}

/** The tables with people's ticks; undefined if they are unchanged. */
function tablesTicked({ tables = [] }: SetUp, body: string): SetUp["tables"] {
  const { section } = splitAtSection(body);
  const ticked = new Set(tickedBoxes(body));
  if (!tables.every(({ id }) => section.includes(boxLine(tableBox(id), "").slice("- [ ] ".length)))) return undefined;
  const now = tables.map((table) => ({ ...table, isChosen: ticked.has(tableBox(table.id)) }));
  return now.some(({ isChosen }, i) => isChosen !== tables[i]?.isChosen) ? now : undefined;
}

/** The state after a person deleted config: it is not proposed again. */
export function optOut({ state, clock }: AppRepository, searched: string): SetUp {
  const { marker, ...known } = state.setUp ?? { marker: newMarker(), branch: usualBranch, searched };
  return { ...known, marker, optedOut: clock.now() };
}

const minutes = 1;

/**
 * Drafts a config from the report at a commit, with its identifiers of works corrected as far as registries know them.
 * `chosen`: the tables that rate, if people chose them. @throws GitHubProblem
 */
async function draftAt(
  commit: string,
  repository: AppRepository,
  chosen?: readonly string[],
): Promise<Pick<SetUp, "found" | "tables"> & { readonly unread: object; readonly files?: RepositoryFile[] }> {
  const { github, sandbox, clock, state } = repository;
  const around = { at: clock.now(), repository: state.name };
  const { best, report, ...unread } = await draftFrom(github, commit, (one) => sandbox.draft(one, around));
  const identified = report && (await identifiedIn(report, repository));
  const mustDraft = identified && (identified !== report || chosen);
  const again = mustDraft ? await sandbox.draft(identified, around, chosen) : undefined;
  const drafted = again ?? (chosen ? undefined : best);
  if (!drafted) return { unread };
  const files = drafted.files.map(({ path, text }) => ({ path, text }));
  return { unread, files, found: drafted.found, tables: offeredTables(drafted.candidates, chosen) };
}

/** The report with corrected identifiers of works; the same one if nothing changed. */
async function identifiedIn(report: DraftedReport, { web, clock }: AppRepository): Promise<DraftedReport> {
  const through = web?.();
  if (!through) return report;
  const files = [report, ...(report.chapters ?? [])].filter(({ text }) => text !== "");
  const works = (await runInWorker("works", files, through)).filter(({ isEntry }) => isEntry);
  const time = { minutes, stop: async () => {}, onChecked: () => {} };
  const { checked } = await checkWorks(works, through, clock.now(), time);
  return identifiedReport(report, checked);
}
