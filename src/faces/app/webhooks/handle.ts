import { isConfig } from "../../../config/files.ts";
import { digest } from "../../../model/digest.ts";
import { GitHubProblem, type StoredRecheck } from "../../../model/ports/index.ts";
import { aDay, aMinute, anHour, type Duration, hasPassed, type Instant } from "../../../model/time.ts";
import { handleEdit, sweepBoxes } from "../../../recheck/answer/boxes.ts";
import { commandLine } from "../../../recheck/answer/command.ts";
import { handleComment, react } from "../../../recheck/answer/comment.ts";
import { handlePull, readPull, sweepPulls } from "../../../recheck/answer/pulls.ts";
import {
  handleReopened,
  isAnsweredAlready,
  mayAnswer,
  noUpdate,
  type StoreUpdate,
} from "../../../recheck/answer/repository.ts";
import { contentsAnHour, createCommentOnce } from "../../../recheck/create-once.ts";
import { replyMark } from "../../../recheck/issue/comment.ts";
import { answersMark, markOf } from "../../../recheck/issue/marker.ts";
import { readIssue } from "../../../recheck/observe.ts";
import { checkCommit, checkHead, isChecked, isOn, wasChecked } from "../config/check-run.ts";
import type { AppRepository } from "../sandbox.ts";
import { handleSetUp } from "../set-up/set-up.ts";
import { isOfAll } from "../troubles.ts";
import type { News, QueuedNews } from "./news.ts";

type Given = Pick<QueuedNews, "news" | "at" | "delivery">;

/** Handles news, and returns the changes to store. A second arrival changes nothing more. @throws GitHubProblem */
export async function handleNews(repository: AppRepository, { news, at }: Given): Promise<StoreUpdate> {
  const { config, state } = repository;
  switch (news.kind) {
    case "push":
      return updateForPush(repository, news);
    case "pull":
      if (news.foreign) return noUpdate;
      if (news.branch === state.setUp?.branch) return await handleSetUp(repository, news);
      if (news.action === "edited") return noUpdate;
      return config ? await handlePull({ ...repository, config }, news) : noUpdate;
    case "rerun":
      // If config could not be read, it is tried again on the default branch, too.
      return news.commit === state.broken && news.checked !== "report"
        ? (tx) => tx.updateRepository({ stale: true })
        : noUpdate;
    case "comment":
      return await handleCommentAnywhere(repository, news, timeOfAnswer(at, news.created));
    case "issue":
      if (config && news.reopened !== undefined) await handleReopened({ ...repository, config }, news.reopened, at);
      return noUpdate;
    case "edited":
      return config ? await handleEdit({ ...repository, config }, news, timeOfAnswer(at, news.edited)) : noUpdate;
    default:
      return noUpdate;
  }
}

/** When an answer was given: it answers the events visible then, even if its webhook arrives late. */
function timeOfAnswer(at: Instant, written = at): Instant {
  return at - written > aMinute ? written : at;
}

type Push = Extract<News, { kind: "push" }>;

function updateForPush({ state }: AppRepository, { branch, paths }: Push): StoreUpdate {
  // If no config is in use yet, any push may bring a report.
  const isRead = isToDefault(state, branch) ? touchesConfig(paths) || !state.config : branch === state.setUp?.branch;
  return isRead ? (tx) => tx.updateRepository({ stale: true }) : noUpdate;
}

/** In a repository without commits, the first branch that is pushed becomes the default one. */
function isToDefault({ defaultBranch, empty }: AppRepository["state"], branch: string): boolean {
  return defaultBranch === undefined || branch === defaultBranch || empty === true;
}

/** Writes the check run that news asks for, apart from the rest: it must not block that. @throws GitHubProblem */
export async function checkOf(repository: AppRepository, { news, delivery }: Given): Promise<void> {
  if (news.kind === "push") await checkPush(repository, news);
  else if (news.kind === "rerun") await checkAgain(repository, news, delivery);
  // Our own proposal is checked by its push.
  else if (
    news.kind === "pull" &&
    !["closed", "edited"].includes(news.action) &&
    news.commit !== repository.state.setUp?.head
  )
    await checkHead(repository, news);
}

async function checkPush(repository: AppRepository, { branch, commit, before, paths }: Push): Promise<void> {
  const { state } = repository;
  const touches = touchesConfig(paths);
  const onto = isToDefault(state, branch) ? undefined : state.defaultBranch;
  // A required check of a pull request waits for its head, even if the last push only merged the target branch. The
  // config files of that push are not the pull request's.
  const isOwed = onto === undefined ? touches && paths !== undefined : await wasChecked(repository, onto, before);
  if (touches || isOwed) await checkCommit(repository, commit, isOwed, { onto });
}

async function checkAgain(
  repository: AppRepository,
  { commit, checked }: Extract<News, { kind: "rerun" }>,
  delivery: string,
): Promise<void> {
  if (checked === "report") return;
  const isAgain = checked === "config" || (await isChecked(repository, commit));
  const { defaultBranch } = repository.state;
  const onto = (await isOn(repository, defaultBranch, commit)) ? undefined : defaultBranch;
  await checkCommit(repository, commit, isAgain, { onto, again: isAgain ? digest(delivery) : undefined });
}

/** Whether a push may have changed config: not if all its files are listed, and none of them belongs to config. */
function touchesConfig(paths: readonly string[] | undefined): boolean {
  return paths?.some(isConfig) ?? true;
}

type CommentNews = Extract<News, { kind: "comment" }>;

/** Handles a comment on any issue or pull request, and returns the changes to store. @throws GitHubProblem */
async function handleCommentAnywhere(
  repository: AppRepository,
  comment: CommentNews,
  at: Instant,
): Promise<StoreUpdate> {
  const { config } = repository;
  if (comment.bot || !commandLine(comment.body)) return noUpdate;
  const says = await rightPlace(comment.issue, repository);
  if (says !== undefined) return await redirect(repository, comment, `Nothing was done: ${says}`);
  return config ? await handleComment({ ...repository, config }, comment, at) : noUpdate;
}

/** The right place for a command that was written in an issue or pull request of ours that is not a recheck. */
async function rightPlace(issue: number, { state, store, github }: AppRepository): Promise<string | undefined> {
  const { overview, problem, setUp } = state;
  const rechecks = await store.rechecks();
  const into = (answered: StoredRecheck) =>
    `write \`/recheck\` in #${answered.issue}, which this pull request answers.`;
  const current = rechecks.find(({ pull }) => pull?.number === issue);
  if (current) return into(current);
  if (issue === setUp?.pull) {
    return "merging this starts the watch, closing it opts out. Write `/recheck` in the rechecks that follow.";
  }
  const open = rechecks.flatMap((one) => (one.state === "open" ? [one.issue] : []));
  if (issue === overview?.number) return `here only the boxes have an effect. ${whereToComment(open)}`;
  if (issue === problem?.number) return `this closes by itself once the config is fixed. ${whereToComment(open)}`;
  if (rechecks.some((one) => one.issue === issue)) return undefined;
  const replaced = rechecks.filter(({ pull }) => pull !== undefined && pull.round > 1);
  const body = replaced.length > 0 ? (await readPull(github, issue))?.body : undefined;
  const earlier = replaced.find(({ marker }) => body?.includes(answersMark(marker)));
  if (earlier) return into(earlier);
  // An issue whose creation was not confirmed is known by its marker alone.
  const mark = markOf((await readIssue(github, issue))?.body ?? "");
  const twin = mark && rechecks.find(({ marker }) => marker === mark.marker);
  if (twin?.issue !== undefined) return `this repeats #${twin.issue}: write \`/recheck\` there.`;
  if (!mark || twin) return undefined;
  return `this issue is no longer in the store. Close it: events that are still true open a new one. ${whereToComment(open)}`;
}

const maxNumbers = 10;

function whereToComment(open: readonly number[]): string {
  if (open.length === 0) return "No recheck is open that `/recheck` could answer.";
  const numbers = open.slice(0, maxNumbers).map((number) => `#${number}`);
  const more = open.length > maxNumbers ? " …" : "";
  return `Write \`/recheck\` in the recheck that it answers: ${numbers.join(", ")}${more}.`;
}

/** Replies only to people who may answer, once for each comment. */
async function redirect(
  { github, store, clock }: AppRepository,
  comment: CommentNews,
  says: string,
): Promise<StoreUpdate> {
  const { issue, comment: id, by } = comment;
  const occasion = `comment ${id}`;
  if (await isAnsweredAlready(store, occasion)) return noUpdate;
  if (!mayAnswer(await github.permission(by), "command")) return noUpdate;
  await react(github, id, "confused");
  const marker = replyMark(occasion);
  const planned = clock.now();
  return (tx) => tx.say({ issue, marker, planned, body: `${marker}\n\n${says}`, done: false });
}

/** Writes the pending comments, or drops those that an issue does not accept any more. @throws GitHubProblem */
export async function writeMisplaced(repository: AppRepository): Promise<void> {
  const { store, clock, github } = repository;
  const publisher = { store, clock, github, cap: contentsAnHour(repository.config) };
  for (const comment of await store.comments(false)) {
    const { id, issue } = comment;
    if (issue === undefined) continue;
    const done = await createCommentOnce(comment, issue, publisher).catch(overOrLater);
    if (done === "over") await store.updateComment(id, { done: true });
  }
}

function overOrLater(error: unknown): "over" | "later" {
  const over = ["locked", "deleted", "not-found", "disabled", "forbidden", "invalid"];
  if (error instanceof GitHubProblem && over.includes(error.kind)) return "over";
  if (error instanceof GitHubProblem && error.kind === "unavailable") return "later";
  throw error;
}

/** Comments are listed from an hour before the last sweep, because clocks differ. Answered ones are skipped. */
const overlap: Duration = anHour;

/** Pull requests whose heads are checked: each takes five requests, and one more for each file of config. */
const maxPulls = 20;

/** Whether to search for lost webhooks: every day, and after a pause of the repository. */
export function isDue({ state: { swept = 0, rested }, clock }: Pick<AppRepository, "state" | "clock">): boolean {
  return hasPassed(aDay, swept, clock.now()) || (rested !== undefined && swept < rested.to);
}

/** Starts the check of the report at a pull request's head, if it was not done yet; does not wait for it. */
export type CheckReport = (head: { readonly commit: string; readonly base: string }) => void;

/** Receives GitHub's refusals, so that one of them does not stop the others. */
export type OnRefusal = (problem: GitHubProblem) => void;

/** Makes up for lost webhooks: comments, boxes, ends of pull requests, pushes. @throws GitHubProblem */
export async function sweep(repository: AppRepository, checkReport: CheckReport, onRefusal: OnRefusal): Promise<void> {
  const { state, config, store, github, clock } = repository;
  const now = clock.now();
  const speaks = config ?? state.setUp?.pull ?? state.problem;
  if (speaks !== undefined && state.swept !== undefined) {
    for (const comment of await github.commentsSince(sweptUntil(state.swept, now) - overlap)) {
      const { id, at, edited, ...written } = comment;
      // No webhook makes a command of an edit either.
      if (edited) continue;
      const news = { kind: "comment", comment: id, ...written } as const;
      const update = await handleCommentAnywhere(repository, news, at).catch(skipRefused(isTransient, onRefusal));
      if (update) await store.commit(update);
    }
  }
  if (config) await sweepBoxes({ ...repository, config }, now);
  if (config) await sweepPulls({ ...repository, config });
  const { setUp } = state;
  if (!config && setUp?.pull !== undefined) {
    await store.commit(await handleSetUp(repository, { number: setUp.pull, branch: setUp.branch }));
  }
  if (state.swept !== undefined) await sweepHeads(repository, checkReport, onRefusal);
  await store.commit((tx) => tx.updateRepository({ swept: now, stale: true }));
}

/** After a wrong clock the time is unknown: then it is slightly longer than GitHub resends deliveries. */
function sweptUntil(swept: Instant, now: Instant): Instant {
  return swept > now ? now - 7 * aDay : swept;
}

async function sweepHeads(repository: AppRepository, checkReport: CheckReport, onRefusal: OnRefusal): Promise<void> {
  const { github, state } = repository;
  if (state.refused?.["checks: write"] !== undefined) return;
  const pulls = await github.openPulls(maxPulls).catch(skipRefused(isTransient, onRefusal));
  for (const { head, base } of pulls ?? []) {
    await checkHead(repository, { commit: head, base }).catch(skipRefused(isOfAll, onRefusal));
    checkReport({ commit: head, base });
  }
}

/** Whether another try may well succeed. */
function isTransient(problem: GitHubProblem): boolean {
  return problem.uncertain || isOfAll(problem);
}

/** Skips what GitHub refused; throws a problem that is `serious`. */
function skipRefused(
  serious: (problem: GitHubProblem) => boolean,
  onRefusal: OnRefusal,
): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof GitHubProblem) || serious(error)) throw error;
    onRefusal(error);
    return undefined;
  };
}
