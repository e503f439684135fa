import { GitHubProblem, type GitHubProblemKind, type StoredRecheck } from "../ports.ts";
import { isHeld, refusalSays, refuse } from "./refuse.ts";
import type { Writing } from "./writing.ts";

/** Of one issue: its text is refused, or it was deleted meanwhile. The next time sees which, and others go on. */
const ofOne: readonly GitHubProblemKind[] = ["invalid", "not-found", "deleted"];

/** What GitHub will not do to one issue holds up nothing else. `passing`: the kinds of problems that are such. */
export async function each(
  { outbox, told }: Writing,
  work: () => Promise<void>,
  passing: readonly GitHubProblemKind[] = ofOne,
): Promise<void> {
  if (outbox.stopped?.()) return;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof GitHubProblem) || !passing.includes(error.kind)) throw error;
    told.problems.push({ kind: error.kind, says: error.message });
  }
}

/**
 * Writes the text of one issue, unless GitHub refused it and it is not time to try again. `tried`: digest of that text.
 * @throws GitHubProblem
 */
export async function writeText(
  recheck: StoredRecheck,
  writing: Writing,
  write: () => Promise<void>,
  tried?: string,
): Promise<void> {
  const { store, clock } = writing.outbox;
  if (isHeld(recheck, "text", clock.now(), tried)) return;
  try {
    await write();
  } catch (error) {
    return await refuse(error, recheck, "text", writing, tried);
  }
  if (recheck.refused?.what === "text") await store.updateRecheck(recheck.id, { refused: undefined });
}

/** Says of each issue that GitHub does not let us write to why it is left as it is. */
export async function sayRefused({ outbox, told }: Writing): Promise<void> {
  for (const { trigger, issue, refused, closing, state } of await outbox.store.rechecks()) {
    const isOver = state === "closed" && !closing;
    if (refused && !isOver && issue !== undefined)
      told.left.push({ trigger, issue, because: refusalSays(refused, closing) });
  }
}
