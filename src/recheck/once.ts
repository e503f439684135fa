import { words } from "../model/markdown.ts";
import type { Config, Duration, Instant } from "../model/model.ts";
import {
  type Clock,
  type GitHub,
  GitHubProblem,
  type GitHubProblemKind,
  type Refusal,
  type Store,
  type StoredComment,
  type StoredRecheck,
} from "../model/ports/index.ts";
import { anHour, day } from "../model/time.ts";
import { triggerName } from "../model/words.ts";
import { capOf, type Outbox, type State, type Synced } from "./outbox.ts";

/** What writing to one GitHub needs. */
export interface Writing {
  readonly outbox: Outbox;
  readonly github: GitHub;
  readonly state: State;
  readonly told: Synced;
}

/** What was sent, and whose answer got lost, may still be carried out for so long. */
const underWay: Duration = 120_000;

/**
 * Why it is not to be sent again yet, though it was looked for and is not there; undefined where it may be. A time that
 * is still to come was a wrong clock's.
 */
export function mayArrive({ attempted }: { readonly attempted?: Instant }, at: Instant): string | undefined {
  if (attempted === undefined || at < attempted || at >= attempted + underWay) return undefined;
  return "GitHub may still carry out what was sent before";
}

/**
 * Sends once. Where the answer got lost, looks whether it arrived; if not, a later time tries again. `refused`: it was
 * not carried out, nor will it be.
 */
export async function once<T>(
  refused: () => Promise<void>,
  send: () => Promise<T>,
  find: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof GitHubProblem)) throw error;
    if (!error.uncertain) {
      await refused();
      throw error;
    }
    const found = await find().catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

/** Why it waits. */
export function capSays(outbox: Outbox): string {
  return `at most ${capOf(outbox)} issues, comments and pull requests are written an hour`;
}

interface Desk {
  readonly store: Store;
  readonly clock: Clock;
  readonly github: GitHub;
  /** Why no more may be written now; undefined where it may. */
  readonly full: () => Promise<string | undefined>;
}

/** Writes a comment exactly once: what became of it, or why it waits. @throws GitHubProblem */
export async function writeComment(
  comment: StoredComment,
  issue: number,
  { store, clock, github, full }: Desk,
): Promise<"written" | "there" | { readonly because: string }> {
  if (comment.attempted !== undefined && (await github.findComment(issue, comment.marker))) return "there";
  const because = mayArrive(comment, clock.now()) ?? (await full());
  if (because !== undefined) return { because };
  await store.updateComment(comment.id, { attempted: clock.now() });
  await store.countCreation(clock.now());
  await once(
    () => store.updateComment(comment.id, { attempted: undefined }),
    () => github.createComment(issue, comment.body).then(() => true),
    async () => (await github.findComment(issue, comment.marker)) || undefined,
  );
  return "written";
}

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
  for (const { trigger, issue, refused, state } of await outbox.store.rechecks()) {
    if (refused && state !== "closed" && issue !== undefined)
      told.left.push({ trigger, issue, because: refusalSays(refused, state === "closing") });
  }
}

const soonest: Duration = anHour;
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
  return rechecks.flatMap((recheck) => {
    const { trigger, issue, refused, state } = recheck;
    if (state === "closed" && recheck.gone && now - recheck.closed < news) {
      return [
        `#${issue} is no more since ${day(recheck.closed)}: what it asked about counts as answered, and is not asked again.`,
      ];
    }
    const its = issue === undefined ? words(triggerName(trigger, config), 100) : `#${issue}`;
    if (!refused || state === "closed") return [];
    return [`**${its}**: ${refusalSays(refused, state === "closing")}.`];
  });
}
