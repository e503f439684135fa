import { type Keeping, nothing } from "../answer/asking.ts";
import { hearComment, react } from "../answer/comment.ts";
import { readPull } from "../answer/open-pull.ts";
import { isAnsweredAlready } from "../answer/reply.ts";
import type { Instant } from "../model.ts";
import { GitHubProblem, type StoredRecheck } from "../ports.ts";
import { replyMark } from "../recheck/comment.ts";
import { writeComment } from "../recheck/write-comment.ts";
import { commandLine } from "../verdict/line.ts";
import { may } from "../verdict/permission.ts";
import { pullMark } from "../verdict/pull.ts";
import { isFullHour } from "./cap.ts";
import type { Home } from "./home.ts";
import type { News } from "./news.ts";

type Said = Extract<News, { kind: "comment" }>;

/** A comment, wherever it was written → what to keep of it. @throws GitHubProblem */
export async function hearSaid(home: Home, said: Said, at: Instant): Promise<Keeping> {
  const { config } = home;
  if (said.bot || !commandLine(said.body)) return nothing;
  const says = await misplaced(said.issue, home);
  if (says !== undefined) return await redirect(home, said, `Nothing was done: ${says}`);
  return config ? await hearComment({ ...home, config }, said, at) : nothing;
}

/** Where a command belongs that was written in an issue or pull request of ours, but no recheck; undefined anywhere else. */
async function misplaced(issue: number, { state, store, github }: Home): Promise<string | undefined> {
  const { overview, problem, setUp } = state;
  const rechecks = await store.rechecks();
  const into = (answered: StoredRecheck) =>
    `\`/recheck\` belongs into #${answered.issue}, which this pull request answers.`;
  const current = rechecks.find(({ pull }) => pull?.number === issue);
  if (current) return into(current);
  if (issue === setUp?.pull) {
    return "merging this starts the watch, closing it opts out. `/recheck` belongs into the rechecks that come then.";
  }
  const open = rechecks.flatMap((one) => (one.state === "open" ? (one.issue ?? []) : []));
  if (issue === overview?.number) return `here only the boxes do something. ${where(open)}`;
  if (issue === problem?.number) return `this closes by itself once the config is mended. ${where(open)}`;
  if (rechecks.some((one) => one.issue === issue)) return undefined;
  const replaced = rechecks.filter(({ pull }) => pull !== undefined && pull.round > 1);
  const body = replaced.length > 0 ? (await readPull(github, issue))?.body : undefined;
  const earlier = replaced.find(({ marker }) => body?.includes(pullMark(marker)));
  return earlier && into(earlier);
}

const mostNumbers = 10;

function where(open: readonly number[]): string {
  if (open.length === 0) return "No recheck is open that `/recheck` could answer.";
  const numbers = open.slice(0, mostNumbers).map((number) => `#${number}`);
  const more = open.length > mostNumbers ? " …" : "";
  return `\`/recheck\` belongs into the recheck that it is about: ${numbers.join(", ")}${more}.`;
}

/** Tells those who may answer, once for each comment; of others nothing is heard here. */
async function redirect({ github, store }: Home, said: Said, says: string): Promise<Keeping> {
  const { issue, comment, by } = said;
  const occasion = `comment ${comment}`;
  if (await isAnsweredAlready(store, occasion)) return nothing;
  if (!may(await github.permission(by), "command")) return nothing;
  await react(github, comment, "confused");
  const marker = replyMark(occasion);
  return (tx) => tx.say({ issue, marker, body: `${marker}\n\n${says}`, done: false });
}

/** Writes what is owed there. Where nobody can be told any more, it is let be. @throws GitHubProblem */
export async function writeMisplaced(home: Home): Promise<void> {
  const { store, clock, github } = home;
  const full = async () => ((await isFullHour(home)) ? "no more may be written within this hour" : undefined);
  for (const comment of await store.comments(false)) {
    const { id, issue } = comment;
    if (issue === undefined) continue;
    const done = await writeComment(comment, issue, { store, clock, github, full }).catch(unlessOver);
    if (typeof done === "string") await store.updateComment(id, { done: true });
  }
}

function unlessOver(error: unknown): "over" {
  const over = ["locked", "deleted", "not-found", "disabled", "forbidden", "invalid"];
  if (error instanceof GitHubProblem && over.includes(error.kind)) return "over";
  throw error;
}
