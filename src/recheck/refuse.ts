import { day, triggerName } from "../describe.ts";
import type { Config, Duration, Instant } from "../model.ts";
import { GitHubProblem, type Refusal, type StoredRecheck } from "../ports.ts";
import { words } from "./inert.ts";
import type { Writing } from "./writing.ts";

const soonest: Duration = 3_600_000;
const latest: Duration = 24 * soonest;

/**
 * Whether it was refused and is not tried again yet. A text that is refused holds up comments too. `tried`: digest of what
 * is to be written now.
 */
export function isHeld(
  { refused }: Pick<StoredRecheck, "refused">,
  what: Refusal["what"],
  at: Instant,
  tried?: string,
): boolean {
  if (refused === undefined || (refused.what === "comment" && what === "text")) return false;
  if (isAnother(refused, tried)) return false;
  // Further off than we ever wait, it was said by a clock that was wrong.
  return refused.next > at && refused.next <= at + latest;
}

/** Whether what GitHub did not take is another text than this one. */
function isAnother(refused: Refusal | undefined, tried: string | undefined): boolean {
  return refused?.tried !== undefined && tried !== undefined && refused.tried !== tried;
}

/** Keeps what GitHub would not let us write to one issue: tried again after an hour, later once a day. @throws what is no refusal */
export async function refuse(
  error: unknown,
  { id, refused }: Pick<StoredRecheck, "id" | "refused">,
  what: Refusal["what"],
  { outbox: { store, clock } }: Pick<Writing, "outbox">,
  tried?: string,
): Promise<void> {
  if (!(error instanceof GitHubProblem) || (error.kind !== "locked" && error.kind !== "invalid")) throw error;
  const now = clock.now();
  const since = isAnother(refused, tried) ? now : (refused?.since ?? now);
  const next = now + Math.min(latest, Math.max(soonest, now - since));
  await store.updateRecheck(id, { refused: { kind: error.kind, what, since, next, ...(tried && { tried }) } });
}

/** Why an issue is not as it should be, for the person who can mend it. */
export function refusalSays({ kind, what, next }: Refusal, closing = false): string {
  if (kind === "invalid") return `GitHub does not take what is to be written there; it is tried again on ${day(next)}`;
  if (what === "comment")
    return "its conversation is locked: its description is kept current, but no comment tells of it";
  if (closing) return "it is answered, but its conversation is locked, and GitHub does not let us close it";
  return "its conversation is locked: unlock it, and what is new is written there";
}

/** For so long people are told of an issue that is no more. */
const news: Duration = 7 * latest;

/** What of its issues is not as it should be, or is no more: Markdown of our own making, for the overview. */
export function issueNotices(rechecks: readonly StoredRecheck[], config: Config, now: Instant): string[] {
  return rechecks.flatMap(({ trigger, issue, refused, state, closing, gone, closed = 0 }) => {
    if (issue !== undefined && gone && now - closed < news) {
      return [
        `#${issue} is no more since ${day(closed)}: what it asked about counts as answered, and is not asked again.`,
      ];
    }
    const its = issue === undefined ? words(triggerName(trigger, config), 100) : `#${issue}`;
    return refused && (state === "open" || closing) ? [`**${its}**: ${refusalSays(refused, closing)}.`] : [];
  });
}
