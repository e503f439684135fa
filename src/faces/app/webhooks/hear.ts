import { isConfig } from "../../../config/files.ts";
import { digest } from "../../../model/digest.ts";
import type { Instant } from "../../../model/model.ts";
import { GitHubProblem, type StoredRecheck } from "../../../model/ports/index.ts";
import { hearEdit } from "../../../recheck/answer/boxes.ts";
import { isAnsweredAlready, type Keeping, nothing } from "../../../recheck/answer/case.ts";
import { commandLine } from "../../../recheck/answer/command.ts";
import { hearComment, react } from "../../../recheck/answer/comment.ts";
import { may } from "../../../recheck/answer/deed.ts";
import { hearPull, readPull } from "../../../recheck/answer/pulls.ts";
import { contentsAnHour, createCommentOnce } from "../../../recheck/create-once.ts";
import { replyMark } from "../../../recheck/issue/comment.ts";
import { answersMark } from "../../../recheck/issue/marker.ts";
import { checkCommit, checkHead, isChecked, isOf, wasChecked } from "../config/check-run.ts";
import type { ServedHome } from "../sandbox.ts";
import { hearSetUp } from "../set-up/set-up.ts";
import type { News, QueuedNews } from "./news.ts";

type Given = Pick<QueuedNews, "news" | "at" | "delivery">;

/** News of a repository → what to keep of them. What was heard twice comes to no more than once. @throws GitHubProblem */
export async function hear(home: ServedHome, { news, at, delivery }: Given): Promise<Keeping> {
  const { config } = home;
  switch (news.kind) {
    case "push":
      return await hearPush(home, news);
    case "pull":
      // Our own proposal is checked by its push.
      if (news.action !== "closed" && news.commit !== home.state.setUp?.head) await checkHead(home, news);
      if (news.foreign) return nothing;
      if (news.branch === home.state.setUp?.branch) return await hearSetUp(home, news);
      return config ? await hearPull({ ...home, config }, news) : nothing;
    case "rerun":
      return await hearRerun(home, news, delivery);
    case "comment":
      return await hearSaid(home, news, at);
    case "edited":
      return config ? await hearEdit({ ...home, config }, news, at) : nothing;
    default:
      return nothing;
  }
}

async function hearPush(
  home: ServedHome,
  { branch, commit, before, paths }: Extract<News, { kind: "push" }>,
): Promise<Keeping> {
  const { defaultBranch, setUp, config, empty } = home.state;
  // Of a repository without any commit, the branch that is pushed first becomes the default one.
  const isDefault = defaultBranch === undefined || branch === defaultBranch || empty === true;
  const touches = touchesConfig(paths);
  const onto = isDefault ? undefined : defaultBranch;
  // A required check of a pull request waits for its head, whatever it was that was pushed last. What is merged into its
  // branch names files of config that are not its own.
  const isOwed = onto === undefined ? touches && paths !== undefined : await wasChecked(home, onto, before);
  if (touches || isOwed) await checkCommit(home, commit, isOwed, { onto });
  // Where nothing is in use yet, whatever is pushed may be a report.
  const isRead = isDefault ? touches || !config : branch === setUp?.branch;
  return isRead ? (tx) => tx.updateRepository({ stale: true }) : nothing;
}

/** Where config could not be read, on the default branch it is tried again, too. */
async function hearRerun(
  home: ServedHome,
  { commit, checked }: Extract<News, { kind: "rerun" }>,
  delivery: string,
): Promise<Keeping> {
  const isAgain = checked ?? (await isChecked(home, commit));
  const { defaultBranch } = home.state;
  const onto = (await isOf(home, defaultBranch, commit)) ? undefined : defaultBranch;
  await checkCommit(home, commit, isAgain, { onto, again: isAgain ? digest(delivery) : undefined });
  return commit === home.state.broken ? (tx) => tx.updateRepository({ stale: true }) : nothing;
}

/** Whether a push may have changed config: it did not where all its files are told, and none is one. */
function touchesConfig(paths: readonly string[] | undefined): boolean {
  return paths?.some(isConfig) ?? true;
}

type Said = Extract<News, { kind: "comment" }>;

/** A comment, wherever it was written → what to keep of it. @throws GitHubProblem */
export async function hearSaid(home: ServedHome, said: Said, at: Instant): Promise<Keeping> {
  const { config } = home;
  if (said.bot || !commandLine(said.body)) return nothing;
  const says = await misplaced(said.issue, home);
  if (says !== undefined) return await redirect(home, said, `Nothing was done: ${says}`);
  return config ? await hearComment({ ...home, config }, said, at) : nothing;
}

/** Where a command belongs that was written in an issue or pull request of ours, but no recheck; undefined anywhere else. */
async function misplaced(issue: number, { state, store, github }: ServedHome): Promise<string | undefined> {
  const { overview, problem, setUp } = state;
  const rechecks = await store.rechecks();
  const into = (answered: StoredRecheck) =>
    `\`/recheck\` belongs into #${answered.issue}, which this pull request answers.`;
  const current = rechecks.find(({ pull }) => pull?.number === issue);
  if (current) return into(current);
  if (issue === setUp?.pull) {
    return "merging this starts the watch, closing it opts out. `/recheck` belongs into the rechecks that come then.";
  }
  const open = rechecks.flatMap((one) => (one.state === "open" ? [one.issue] : []));
  if (issue === overview?.number) return `here only the boxes do something. ${where(open)}`;
  if (issue === problem?.number) return `this closes by itself once the config is mended. ${where(open)}`;
  if (rechecks.some((one) => one.issue === issue)) return undefined;
  const replaced = rechecks.filter(({ pull }) => pull !== undefined && pull.round > 1);
  const body = replaced.length > 0 ? (await readPull(github, issue))?.body : undefined;
  const earlier = replaced.find(({ marker }) => body?.includes(answersMark(marker)));
  return earlier && into(earlier);
}

const maxNumbers = 10;

function where(open: readonly number[]): string {
  if (open.length === 0) return "No recheck is open that `/recheck` could answer.";
  const numbers = open.slice(0, maxNumbers).map((number) => `#${number}`);
  const more = open.length > maxNumbers ? " …" : "";
  return `\`/recheck\` belongs into the recheck that it is about: ${numbers.join(", ")}${more}.`;
}

/** Tells those who may answer, once for each comment; of others nothing is heard here. */
async function redirect({ github, store }: ServedHome, said: Said, says: string): Promise<Keeping> {
  const { issue, comment, by } = said;
  const occasion = `comment ${comment}`;
  if (await isAnsweredAlready(store, occasion)) return nothing;
  if (!may(await github.permission(by), "command")) return nothing;
  await react(github, comment, "confused");
  const marker = replyMark(occasion);
  return (tx) => tx.say({ issue, marker, body: `${marker}\n\n${says}`, done: false });
}

/** Writes what is owed there. Where nobody can be told any more, it is let be. @throws GitHubProblem */
export async function writeMisplaced(home: ServedHome): Promise<void> {
  const { store, clock, github } = home;
  const publisher = { store, clock, github, cap: contentsAnHour(home.config) };
  for (const comment of await store.comments(false)) {
    const { id, issue } = comment;
    if (issue === undefined) continue;
    const done = await createCommentOnce(comment, issue, publisher).catch(unlessOver);
    if (done === "over") await store.updateComment(id, { done: true });
  }
}

function unlessOver(error: unknown): "over" {
  const over = ["locked", "deleted", "not-found", "disabled", "forbidden", "invalid"];
  if (error instanceof GitHubProblem && over.includes(error.kind)) return "over";
  throw error;
}
