import { editAll, type File, type ReviewEdits, type ReviewFiles, type ReviewOrigin } from "../../config/edit/index.ts";
import { pathIn } from "../../config/files.ts";
import { correctedKey } from "../../model/claim.ts";
import type { Config } from "../../model/config.ts";
import { digest } from "../../model/digest.ts";
import { code, cut, fence, fold, words } from "../../model/markdown.ts";
import {
  type Edit,
  GitHubProblem,
  type Pull,
  problemIn,
  refusals,
  type StoredAnswer,
  type StoredPull,
  tolerate,
} from "../../model/ports/index.ts";
import { day } from "../../model/time.ts";
import { triggerName } from "../../model/words.ts";
import { linesOfPatch, patchOf } from "../../report/edit/splice.ts";
import { acceptedEdits } from "../correct.ts";
import { type Creation, type CreationBudget, contentsAnHour, createOnce, type Wait, waitOf } from "../create-once.ts";
import { answerLine } from "../issue/answer-help.ts";
import { clip, maxBodyCharacters, type Part } from "../issue/layout.ts";
import { answersMark, sectionEnd, withSection } from "../issue/marker.ts";
import { ratingName } from "../issue/question.ts";
import { title as inTitle } from "../issue/title.ts";
import { idsOf } from "../plan.ts";
import { noteGranted, noteRefusal, settingsLink } from "../refusals.ts";
import type { AnswerStatus, GivenAnswer } from "./answers.ts";
import { correctionCounts, subjectList } from "./names.ts";
import { concludePull, readPull } from "./pulls.ts";
import type { FullRecheck, WatchedRepository } from "./repository.ts";

type Answered = FullRecheck & { readonly issue: number };

/**
 * Writes the answers of one recheck into its pull request, and opens it the first time. If GitHub does not allow that,
 * stores the edit as a patch that the issue shows. Returns why it has to wait, if it does. @throws GitHubProblem
 */
export async function writePull(recheck: Answered, repository: WatchedRepository): Promise<Wait | undefined> {
  const { store, github, clock } = repository;
  const pull = roundOf(recheck);
  if (pull.written === fingerprint(recheck, pull, repository)) return undefined;
  if (pull !== recheck.recheck.pull) await store.updateRecheck(recheck.recheck.id, { pull });
  const live = await liveOf(pull, recheck, repository);
  // It was closed, but the webhook is late or lost: unsettled answers get another pull request.
  if (live?.state === "closed") {
    await store.commit(await concludePull({ ...recheck, pull }, live, repository));
    return undefined;
  }
  const wait = live ? undefined : await waitOf(pull, pullBudget(repository));
  if (wait) return wait;
  const base = repository.state.defaultBranch ?? (await github.facts()).defaultBranch;
  const tip = await github.commit(base);
  if (!tip) return undefined;
  const { unsettled } = recheck.status;
  const { trigger, marker } = recheck.recheck;
  const origin = { issue: recheck.issue, ...acceptedEdits(unsettled, recheck.firings, repository) };
  const edited = editAll(aboutRatings(unsettled), repository.config, await filesAt(repository, tip.sha), origin);
  if (edited.changes.length === 0 && edited.problems.length === 0) {
    await store.commit((tx) => tx.settleAnswers(idsOf(unsettled), clock.now()));
    return undefined;
  }
  const { config } = repository;
  const open = openSubjects(recheck.status);
  const answering = { config, trigger, issue: recheck.issue, answers: unsettled, open, edited, marker };
  const result = await attempt(recheck, { pull, live, tip: tip.sha, base, answering }, repository);
  if (result && "because" in result) return result;
  const because = result instanceof GitHubProblem ? whyNot(result, pull.branch, repository) : [];
  if (result instanceof GitHubProblem) await noteRefusal(repository, result);
  const isDone = result !== undefined && !(result instanceof GitHubProblem);
  if (isDone) await noteGranted(repository, "contents: write", "pull_requests: write");
  const written = isDone
    ? result
    : { ...(await knownPull(recheck, pull, repository)), patch: [...because, renderPatch(answering)].join("\n\n") };
  const known = fingerprint(recheck, written, repository);
  await store.updateRecheck(recheck.recheck.id, { pull: { ...written, written: known } });
  return undefined;
}

/** The ratings without an answer, and the accepted corrections whose source has changed again since. */
function openSubjects({ unsettled, open, accepted }: AnswerStatus): string[] {
  const outdated = unsettled.filter(({ rating }) => {
    const key = correctedKey(rating);
    return key !== undefined && !accepted.has(key);
  });
  return [...open, ...outdated.map(({ rating }) => rating)];
}

function aboutRatings(answers: readonly StoredAnswer[]): StoredAnswer[] {
  return answers.filter(({ rating }) => correctedKey(rating) === undefined);
}

/** The files that a review is written to, at the head of the default branch. @throws GitHubProblem */
export async function presentFiles(repository: WatchedRepository): Promise<ReviewFiles | undefined> {
  const { state, github } = repository;
  const tip = await github.commit(state.defaultBranch ?? (await github.facts()).defaultBranch);
  return tip && (await filesAt(repository, tip.sha));
}

/** The pull request as it is stored now: its branch may exist although the pull request was refused. */
async function knownPull({ recheck }: Answered, pull: StoredPull, { store }: WatchedRepository): Promise<StoredPull> {
  const now = (await store.rechecks()).find(({ id }) => id === recheck.id)?.pull ?? pull;
  return { ...now, attempted: undefined };
}

function roundOf({ recheck, issue }: Answered): StoredPull {
  if (recheck.pull && recheck.pull.ended === undefined) return recheck.pull;
  const round = (recheck.pull?.round ?? 0) + 1;
  return { branch: branchOf(recheck.trigger, issue, round), round };
}

/** Why there is a patch instead of a pull request, for people who can change that. */
function whyNot({ kind, needs = "", message }: GitHubProblem, branch: string, { state }: WatchedRepository): string[] {
  if (kind === "forbidden") {
    return [
      `GitHub has not granted ${code(needs)}. Accept it in ${settingsLink(state)}; Recheck tries again every day.`,
    ];
  }
  const said = message.replace(/^.*?\(422\): /, "");
  return [`A rule of this repository blocks writing to the branch ${code(branch)}. GitHub says: ${code(said, 200)}`];
}

/**
 * A hash that changes when there is something to write. A patch is tried as a pull request again every day, and when
 * permissions change.
 */
function fingerprint({ status }: Answered, { patch }: StoredPull, { state, clock }: WatchedRepository): string {
  const sources = state.config?.files.find(({ path }) => path === "sources.yaml")?.text;
  const again = patch === undefined ? "" : [day(clock.now()), state.granted];
  return digest([status.unsettled, openSubjects(status), sources, state.defaultBranch, again]);
}

/** The pull request on GitHub, even if the response to its creation was lost. */
async function liveOf(
  { number, branch }: StoredPull,
  { recheck }: Answered,
  { github }: WatchedRepository,
): Promise<Pull | undefined> {
  if (number !== undefined) return await readPull(github, number);
  return await tolerate(findPull(branch, recheck.marker, github), ...refusals);
}

async function findPull(
  branch: string,
  marker: string,
  github: WatchedRepository["github"],
): Promise<Pull | undefined> {
  const found = await github.pullOf(branch);
  return found?.body.includes(answersMark(marker)) ? found : undefined;
}

interface Attempt {
  readonly pull: StoredPull;
  readonly live: Pull | undefined;
  /** The commit at the head of the default branch. */
  readonly tip: string;
  readonly base: string;
  readonly answering: PullAnswers;
}

type Attempted = StoredPull | Wait | GitHubProblem | undefined;

/** Undefined if only people can make the edit; a problem if it is not permitted. @throws GitHubProblem */
async function attempt(recheck: Answered, input: Attempt, repository: WatchedRepository): Promise<Attempted> {
  const { pull, live, base, answering } = input;
  if (answering.edited.changes.length === 0) return undefined;
  const { title } = renderPull(answering);
  try {
    const made = await commit(recheck, input, repository);
    if (made === undefined) return await afterForeignPush(recheck, input, repository);
    const { branch, round } = pull;
    const held = { branch, round, ...made, holds: idsOf(recheck.status.unsettled) };
    if (!live) return await openPull(recheck, input, held, repository);
    const updated = withSection(live.body, (room) => renderPull(answering, room).body);
    const change = { ...(updated !== live.body && { title, body: updated }), ...(live.base !== base && { base }) };
    if (Object.keys(change).length > 0) await repository.github.updatePull(live.number, change);
    return { ...held, number: live.number };
  } catch (error) {
    return problemIn(error, ...refusals);
  }
}

/**
 * Used if somebody has just pushed to the branch: the next run builds on their work. If it has no pull request yet, the
 * next run uses another branch.
 */
async function afterForeignPush(
  { recheck, issue }: Answered,
  { pull, live }: Attempt,
  { store }: WatchedRepository,
): Promise<Wait> {
  const round = pull.round + 1;
  if (!live)
    await store.updateRecheck(recheck.id, { pull: { branch: branchOf(recheck.trigger, issue, round), round } });
  return { because: `someone has pushed to the branch ${pull.branch}` };
}

async function openPull(
  { recheck }: Answered,
  { pull, base, answering }: Attempt,
  storedPull: StoredPull,
  repository: WatchedRepository,
): Promise<StoredPull | Wait> {
  const { github, store } = repository;
  const { title, body } = renderPull(answering);
  const creation: Creation<Pull> = {
    attempted: pull.attempted,
    find: () => findPull(pull.branch, recheck.marker, github),
    note: (attempted) => store.updateRecheck(recheck.id, { pull: { ...pull, head: storedPull.head, attempted } }),
    create: (sending) => github.createPull({ title, body, branch: pull.branch, base }, sending),
  };
  const published = await waitIfItExists(createOnce(creation, pullBudget(repository)));
  return published.kind === "waits" ? published : { ...storedPull, number: published.made.number };
}

/** Waits if GitHub already has a pull request for this branch that its list does not show yet. @throws any other error */
export async function waitIfItExists<T>(created: Promise<T>): Promise<T | ({ readonly kind: "waits" } & Wait)> {
  try {
    return await created;
  } catch (error) {
    if (!/already exists/i.test(problemIn(error, "invalid").message)) throw error;
    return { kind: "waits", because: "GitHub already has a pull request for this branch, but does not list it yet" };
  }
}

function pullBudget({ store, clock, config }: WatchedRepository): CreationBudget {
  return { store, clock, cap: contentsAnHour(config) };
}

/** Makes the commit, on top of a person's commits on the branch, if any. Undefined if somebody pushed at the same time. */
async function commit(
  recheck: Answered,
  given: Attempt,
  repository: WatchedRepository,
): Promise<Pick<StoredPull, "head" | "edit" | "shared"> | undefined> {
  const { store, github } = repository;
  const { pull, live, tip, answering } = given;
  const head = live && (await github.commit(pull.branch))?.sha;
  const ourHeads = [pull.head, pull.moving];
  const isTheirs = head !== undefined && (pull.shared || !ourHeads.includes(head));
  const held = recheck.answers.filter(({ id }) => pull.holds?.includes(id));
  const { changes } = isTheirs
    ? editOnTop(recheck, held, { ...answering, link: repository.link }, await filesAt(repository, head))
    : answering.edited;
  const files = changes.map(({ path, after }) => ({ path, text: after }));
  const edit = digest(files);
  const shared = isTheirs && { shared: true as const };
  if (head !== undefined && (files.length === 0 || (!isTheirs && edit === pull.edit))) return { head, edit, ...shared };
  const message = renderPull(answering).commit;
  const next: Edit = {
    branch: pull.branch,
    parent: isTheirs ? head : tip,
    message,
    files,
    ...(!isTheirs && { over: ourHeads }),
    note: (moving) => store.updateRecheck(recheck.recheck.id, { pull: { ...pull, moving } }),
  };
  const made = await github.push(next);
  return made === undefined ? undefined : { head: made, edit, ...shared };
}

/** The files that a review is written to, at a commit. @throws GitHubProblem */
async function filesAt({ github, config, state }: WatchedRepository, commit: string): Promise<ReviewFiles> {
  const path = pathIn(state.config?.folder ?? "", "sources.yaml");
  const { text: report, log } = config.report;
  const paths = [path, report, log].filter((one) => one !== undefined);
  const texts = await github.editable([...new Set(paths)], commit);
  const readFile = (path: string | undefined): File | undefined => {
    const file = path === undefined ? undefined : texts.get(path);
    return path !== undefined && file ? { path, text: "", ...file } : undefined;
  };
  const text = readFile(report);
  return {
    sources: readFile(path) ?? { path, text: "" },
    text,
    ...(log !== undefined && { log: readFile(log) ?? { path: log } }),
  };
}

/** Adds missing answers to a branch on which a person has worked, and keeps their work. */
function editOnTop(
  { status: { unsettled }, firings }: Answered,
  held: readonly StoredAnswer[],
  { config, link, ...origin }: ReviewOrigin & Pick<WatchedRepository, "config" | "link">,
  files: ReviewFiles,
): ReviewEdits {
  const configOnBranch = withAnswers(config, held);
  const fresh = unsettled.filter(({ id }) => !held.some((one) => one.id === id));
  const reviews = aboutRatings(fresh).map((answer) => {
    const level = answer.level ?? config.ratings.get(answer.rating)?.level;
    return level === configOnBranch.ratings.get(answer.rating)?.level ? answer : { ...answer, level };
  });
  return editAll(reviews, configOnBranch, files, { ...origin, ...acceptedEdits(fresh, firings, { config, link }) });
}

function withAnswers(config: Config, held: readonly StoredAnswer[]): Config {
  const ratings = new Map(config.ratings);
  for (const { rating, level } of held) {
    const old = ratings.get(rating);
    if (old && level !== undefined) ratings.set(rating, { ...old, level });
  }
  return { ...config, ratings };
}

export interface PullAnswers {
  /** Config before the edit. */
  readonly config: Config;
  readonly trigger: string;
  readonly issue: number;
  readonly answers: readonly GivenAnswer[];
  /** Ratings in question without an answer, and corrections that need another one. */
  readonly open: readonly string[];
  readonly edited: ReviewEdits;
  /** The recheck's random word, which identifies the pull request. */
  readonly marker: string;
}

export interface PullText {
  readonly title: string;
  readonly body: string;
  /** The commit message; its first line is the subject. */
  readonly commit: string;
}

/**
 * Renders the pull request that writes answers into config. Its text closes no issue, notifies nobody, and has no
 * outside links. Pure.
 */
export function renderPull(answering: PullAnswers, room = maxBodyCharacters): PullText {
  const subject = subjectOf(answering);
  const commit = [subject, "", ...answering.answers.map((answer) => `${answer.rating}: ${outcome(answer, answering)}`)];
  return {
    title: cut(subject, 200),
    body: bodyOf(answering, Math.min(room, maxPullCharacters)),
    commit: `${commit.join("\n")}\n`,
  };
}

/** `recheck/tpu-12`; `nth`: the number of pull requests of this recheck, including this one. */
export function branchOf(trigger: string, issue: number, nth = 1): string {
  return `recheck/${trigger}-${issue}${nth > 1 ? `-${nth}` : ""}`;
}

export function renderPatch(answering: PullAnswers): string {
  const patch = patchOf(answering.edited.changes);
  const crlf = patch.includes("\r\n");
  const how = `Save it as a file and run \`git apply${crlf ? " --ignore-whitespace" : ""}\` on it, or edit by hand.`;
  const shown = patch.length > 30_000 ? "It is too long to be shown here." : fence(linesOfPatch(patch), "diff");
  const without = "This repository does not let Recheck open pull requests, so here is the edit.";
  const tail = clip("", [answersPart(answering), ...toDo(answering)], "", maxPullCharacters / 2).trim();
  return patch === "" ? tail : [`${without} ${how}`, shown, tail].join("\n\n");
}

function subjectOf({ issue, answers, config, trigger }: PullAnswers): string {
  const ofRatings = answers.filter(({ rating }) => correctedKey(rating) === undefined);
  const changed = ofRatings.filter(({ verdict }) => verdict === "change");
  const keptCount = ofRatings.length - changed.length;
  const [first] = changed;
  const more = changed.length > 1 ? ` and ${changed.length - 1} more` : "";
  const parts = [
    ...correctionCounts(answers),
    ...(first ? [`${first.rating} ${outcome(first, { config })}${more}`] : []),
    ...(keptCount > 0 ? [`${keptCount} kept`] : []),
  ];
  return `Answer recheck #${issue} (${inertText(triggerName(trigger, config), 60)}): ${parts.join(", ")}`;
}

/** Text for a title that becomes a commit message, in which an issue's address or number would notify or close that issue. */
function inertText(text: string, most: number): string {
  // The text is folded first, because removing an invisible character can join an address or a number.
  return inTitle(
    fold(text)
      .replace(/[a-z][a-z\d+.-]{0,20}:\/\/|www\./gi, " ")
      .replace(/GH-(?=\d)/gi, "GH "),
    most,
  );
}

/** The outcome with its levels. Free text is left out: it could hold a keyword that closes an issue. */
function outcome({ verdict, level = "", rating }: GivenAnswer, { config }: { readonly config: Config }): string {
  if (verdict === "keep") return "kept";
  if (correctedKey(rating) !== undefined) return "corrected";
  const old = config.ratings.get(rating)?.level ?? "";
  const known = [old, level].every((one) => config.levels.includes(one));
  return known ? `${inertText(old, 40)} → ${inertText(level, 40)}` : "has a new value";
}

/** Limit of characters that leaves 5,000 of GitHub's limit for people's own words. */
const maxPullCharacters = maxBodyCharacters - 5_000;

function bodyOf(answering: PullAnswers, room: number): string {
  const { issue, open, marker, answers } = answering;
  const isOutdated = open.some((subject) => answers.some(({ rating }) => rating === subject));
  const state = isOutdated ? "not answered since something new was seen" : "not answered yet";
  const left = `${subjectList(open)} ${open.length === 1 ? "is" : "are"} ${state}: the issue stays open until then.`;
  const merging = open.length === 0 ? "Merging this closes the issue." : left;
  const lead = `Answers #${issue}. ${merging} Closing this without merging withdraws the answers.`;
  const parts = [answersPart(answering), ...toDo(answering)];
  return clip([answersMark(marker), lead].join("\n\n"), parts, sectionEnd, room);
}

function answersPart({ answers, config }: PullAnswers): Part {
  return { head: [], entries: answers.map((answer) => `- ${answerLine(answer, config)}`), one: "answer" };
}

const maxPlaces = 40;

/** Work for people: places to edit, ratings that were not found, and conclusions to read again. */
function toDo({ edited, config }: PullAnswers): Part[] {
  const { byHand, unfound, problems, conclusions } = edited;
  const places = byHand
    .slice(0, maxPlaces)
    .map(({ path, line, text }) => `- [ ] ${code(path, 120)}, line ${line}: ${code(text, 200)}`);
  const missing = unfound.map(
    (rating) => `- [ ] ${ratingName(rating, config)}: the report does not show it next to its name.`,
  );
  const hand = [...problems.map((says) => `- [ ] ${says}`), ...places, ...missing];
  const again = conclusions.slice(0, maxPlaces).map(({ text }) => `- [ ] *${words(text, 200)}*`);
  return [
    { head: ["### To edit by hand", ""], entries: hand, one: "place" },
    {
      head: ["### To read again", "", "These depend on the changed ratings:", ""],
      entries: again,
      one: "conclusion",
    },
  ];
}
