import { builtIn } from "../../model/firing.ts";
import { type AppGitHub, type IssueComment, isAsking, isOver, refusals, tolerate } from "../../model/ports/index.ts";
import { anHour, type Instant } from "../../model/time.ts";
import { replyMark } from "../issue/comment.ts";
import { markOf } from "../issue/marker.ts";
import { readIssue, withIssue } from "../observe.ts";
import { putAt, type Speaker } from "./answers.ts";
import { carryOut, isFinal, isLate } from "./carry-out.ts";
import { commandLine, type ParsedCommand, parseComment } from "./command.ts";
import {
  type FullRecheck,
  fullRechecks,
  isAnsweredAlready,
  mayAnswer,
  mayNotAnswer,
  noUpdate,
  openAgain,
  reply,
  type StoreUpdate,
  type WatchedRepository,
} from "./repository.ts";

/**
 * Handles a comment, and returns the changes of the store. The reaction is sent at once: GitHub ignores a repeated one.
 * A comment is answered once, even if it arrives twice. `at`: when it arrived. @throws GitHubProblem
 */
export async function handleComment(
  repository: WatchedRepository,
  newComment: NewComment,
  at: Instant,
): Promise<StoreUpdate> {
  const commented = await recheckOfIssue(newComment.issue, repository);
  const occasion = `comment ${newComment.comment}`;
  if (!commented || (await isAnsweredAlready(repository.store, occasion))) return noUpdate;
  if (newComment.bot || commandLine(newComment.body) === undefined) return noUpdate;
  // Anybody may comment, so the text is parsed only after its author's permission was checked.
  const asking = { config: repository.config, asked: commented.status.asked, at };
  const isHeard = mayAnswer(await repository.github.permission(newComment.by), "command");
  const parsed = isHeard ? parseComment(newComment, asking) : undefined;
  const speaker = { by: newComment.by, at, comment: newComment.comment };
  const answer = parsed
    ? { ...(await answerTo(parsed, commented, repository, speaker)), occasion }
    : await refuse(commented, repository);
  if (answer.reaction) await react(repository.github, newComment.comment, answer.reaction);
  const owed = { text: answer.says, planned: repository.clock.now() };
  return async (tx) => {
    await answer.update(tx);
    await reply(tx, commented.recheck.id, answer.occasion, owed);
    if (answer.occasion !== occasion) await reply(tx, commented.recheck.id, occasion);
  };
}

export interface NewComment extends Pick<IssueComment, "issue" | "body" | "by" | "bot"> {
  readonly kind: "comment";
  readonly comment: number;
  /** When it was written, if GitHub says so. */
  readonly created?: Instant;
}

/**
 * Reads all comments in the issue of a restored recheck again: their answers count, but earlier replies are not repeated. A
 * reopened issue is skipped, because comments from before and after its reopening look the same. @throws GitHubProblem
 */
export async function handleAllComments(repository: WatchedRepository, issue: number): Promise<void> {
  const { github, store } = repository;
  if ((await readIssue(github, issue))?.reopened) return;
  const all = await github.commentsIn(issue);
  const replies = all.filter(({ bot }) => bot).map(({ body }) => body);
  for (const newComment of all) {
    if (newComment.bot || newComment.edited || !commandLine(newComment.body)) continue;
    const restored = (await fullRechecks(repository)).find(
      ({ recheck }) => recheck.issue === issue && isAsking(recheck),
    );
    if (!restored) return;
    const marker = replyMark(`comment ${newComment.id}`);
    const { id: comment, at, body, by, bot } = newComment;
    const update = await handleComment(repository, { kind: "comment", issue, comment, body, by, bot }, at);
    await store.commit(async (tx) => {
      const isReplied = replies.some((reply) => reply.includes(marker));
      if (isReplied) await tx.say({ recheck: restored.recheck.id, marker, body: "", done: true });
      await update(tx);
    });
  }
}

/** The recheck of an issue, even if the response to its creation was lost. */
async function recheckOfIssue(issue: number, repository: WatchedRepository): Promise<FullRecheck | undefined> {
  const cases = await fullRechecks(repository);
  const known = cases.find(({ recheck }) => recheck.issue === issue);
  if (known) return known;
  const lost = cases.filter(({ recheck: { issue, attempted } }) => issue === undefined && attempted !== undefined);
  if (lost.length === 0) return undefined;
  const { own: isOurs, body } = await repository.github.issue(issue);
  const marker = isOurs && markOf(body)?.marker;
  const created = lost.find(({ recheck }) => recheck.marker === marker);
  if (!created) return undefined;
  const recheck = withIssue(created.recheck, issue);
  await repository.store.updateRecheck(recheck.id, recheck);
  return { ...created, recheck };
}

interface Answer {
  /** Undefined if there were enough reactions already. */
  readonly reaction?: Reaction;
  readonly update: StoreUpdate;
  readonly says?: string;
}

type Reaction = Parameters<AppGitHub["react"]>[1];

async function answerTo(
  parsed: ParsedCommand,
  fullRecheck: FullRecheck,
  repository: WatchedRepository,
  speaker: Speaker,
): Promise<Answer> {
  const { at, comment } = speaker;
  const wrong = (says: string): Answer => ({ reaction: "confused", update: noUpdate, says });
  if ("says" in parsed) return wrong(parsed.says);
  const { command, note } = parsed;
  if (isOver(fullRecheck.recheck) && command.kind !== "help" && command.kind !== "check") {
    const again = await openAgain(fullRecheck, repository, at);
    return typeof again === "string" ? wrong(again) : await answerTo(parsed, again, repository, speaker);
  }
  const isNewer = fullRecheck.firings.some((firing) => putAt(firing) > at);
  if (command.kind === "accept" && isNewer) return wrong(unseen);
  if (isFinal(command, fullRecheck.status)) {
    if (isLate(comment, fullRecheck)) return wrong(overtaken);
    if (isNewer) return wrong(unseen);
  }
  if (command.kind === "snooze" && command.until === "next-event" && fullRecheck.recheck.trigger === builtIn.catchUp)
    return wrong(alone);
  const { update, says, isRefused } = await carryOut(command, fullRecheck, repository, speaker);
  const words = [says, note].filter((text) => text !== undefined).join("\n\n");
  return { reaction: isRefused ? "confused" : command.kind === "check" ? "eyes" : "+1", update, says: words };
}

const overtaken = "Nothing was changed: a later comment takes precedence.";

const unseen =
  "Nothing was changed: something new was seen after this comment. If the comment still applies, write it again.";

const alone = "No new events are added to this issue: give a date or a length of time, such as `/recheck snooze 14d`.";

/** Refuses people without permission: one reaction an hour in each issue, and one reply in all. */
async function refuse(
  { recheck }: FullRecheck,
  { store, clock }: WatchedRepository,
): Promise<Answer & { readonly occasion: string }> {
  const inThisHour = `refused ${recheck.id} in hour ${Math.floor(clock.now() / anHour)}`;
  return {
    ...(!(await isAnsweredAlready(store, inThisHour)) && { reaction: "confused" as const }),
    update: (tx) => reply(tx, recheck.id, inThisHour),
    occasion: `refused ${recheck.id}`,
    says: mayNotAnswer,
  };
}

/** Reacts to a comment. Ignores refusals: the comment may be deleted, or the conversation locked. */
export async function react(github: AppGitHub, comment: number, reaction: Reaction): Promise<void> {
  await tolerate(github.react(comment, reaction), "not-found", "deleted", ...refusals);
}
