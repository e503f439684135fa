import { GitHubProblem, type StoredComment, type StoredRecheck } from "../ports.ts";
import { isReply } from "./comment.ts";
import { isCapped } from "./outbox.ts";
import { isAsleep } from "./snooze.ts";
import { capSays, once, type Writing } from "./writing.ts";

/** Writes a comment, exactly once. One that tells of evidence waits while its recheck is snoozed. @throws GitHubProblem */
export async function tell(comment: StoredComment, writing: Writing): Promise<void> {
  const { store, clock } = writing.outbox;
  const recheck = (await store.rechecks()).find(({ id }) => id === comment.recheck);
  if (recheck?.issue === undefined || (isAsleep(recheck, clock.now()) && !isReply(comment))) return;
  try {
    if (!(await send(comment, { ...recheck, issue: recheck.issue }, writing))) return;
  } catch (error) {
    // An issue that is closed and gone has nobody to tell; one that is open is seen to be gone the next time.
    if (recheck.state === "open" || !(error instanceof GitHubProblem) || !isGone(error)) throw error;
  }
  await store.updateComment(comment.id, { done: true });
}

function isGone({ kind }: GitHubProblem): boolean {
  return kind === "deleted" || kind === "not-found";
}

/** Whether it is there now. */
async function send(
  comment: StoredComment,
  { issue, trigger }: StoredRecheck & { readonly issue: number },
  { outbox, github, told }: Writing,
): Promise<boolean> {
  const { store, clock } = outbox;
  const isThere = comment.attempted !== undefined && (await github.findComment(issue, comment.marker));
  if (!isThere) {
    if (await isCapped(outbox)) {
      told.waiting.push({ trigger, what: "comment", because: capSays(outbox) });
      return false;
    }
    await store.updateComment(comment.id, { attempted: clock.now() });
    await store.countCreation(clock.now());
    await once(
      () => github.createComment(issue, comment.body).then(() => true),
      async () => (await github.findComment(issue, comment.marker)) || undefined,
    );
    told.commented.push(issue);
  }
  return true;
}
