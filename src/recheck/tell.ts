import { GitHubProblem, type StoredComment, type StoredRecheck } from "../ports.ts";
import { isReply } from "./comment.ts";
import { isCapped } from "./outbox.ts";
import { isHeld, refuse } from "./refuse.ts";
import { isAsleep } from "./snooze.ts";
import { writeComment } from "./write-comment.ts";
import { capSays, type Writing } from "./writing.ts";

/**
 * Writes a comment, exactly once. One that tells of evidence waits while its recheck is snoozed, and is dropped when
 * that was answered: what the answered body did not tell of is asked about anew. A reply is owed all the same, unless
 * its issue is closed and gone, or closed and locked: then the conversation is over. @throws GitHubProblem
 */
export async function tell(comment: StoredComment, writing: Writing): Promise<void> {
  const { store, clock } = writing.outbox;
  const recheck = (await store.rechecks()).find(({ id }) => id === comment.recheck);
  if (recheck?.issue === undefined) return;
  const isHeldUp = isHeld(recheck, "comment", clock.now());
  const isOver = recheck.state === "closed" && (isHeldUp || !isReply(comment));
  if (!isOver) {
    if (isHeldUp || (isAsleep(recheck, clock.now()) && !isReply(comment))) return;
    try {
      if (!(await send(comment, { ...recheck, issue: recheck.issue }, writing))) return;
      if (recheck.refused?.what === "comment") await store.updateRecheck(recheck.id, { refused: undefined });
    } catch (error) {
      // An open issue that is gone is seen to be the next time.
      if (recheck.state === "open") return await refuse(error, recheck, "comment", writing);
      if (!(error instanceof GitHubProblem) || !["deleted", "not-found", "locked"].includes(error.kind)) throw error;
    }
  }
  await store.updateComment(comment.id, { done: true });
}

/** Whether it is there now. */
async function send(
  comment: StoredComment,
  { issue, trigger }: StoredRecheck & { readonly issue: number },
  { outbox, github, told }: Writing,
): Promise<boolean> {
  const { store, clock } = outbox;
  const full = async () => ((await isCapped(outbox)) ? capSays(outbox) : undefined);
  const done = await writeComment(comment, issue, { store, clock, github, full });
  if (done === "written") told.commented.push(issue);
  if (typeof done === "string") return true;
  told.waiting.push({ trigger, what: "comment", ...done });
  return false;
}
