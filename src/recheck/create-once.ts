import { type Config, usualLimits } from "../model/config.ts";
import {
  type Clock,
  type GitHub,
  GitHubProblem,
  type Sending,
  type Store,
  type StoredComment,
} from "../model/ports/index.ts";
import { aMinute, anHour, type Duration, type Instant } from "../model/time.ts";
import { isReportedBy } from "./issue/marker.ts";

/** Something to be created on GitHub exactly once: an issue, a comment, or a pull request. */
export interface Creation<T> {
  /** When the creation was last sent, if its outcome is unknown. */
  readonly attempted?: Instant;
  /** A program with another store may have created it, so it is always searched for. */
  readonly shared?: boolean;
  /** Searches GitHub for its marker: an earlier attempt may have created it. */
  find(): Promise<T | undefined>;
  /** A reason to wait besides the hourly cap and an attempt under way, if there is one. */
  wait?(): Promise<Wait | undefined>;
  /** Creates its prerequisites, such as labels, before the attempt is stored. */
  prepare?(): Promise<void>;
  /** Stores when it was sent; undefined if GitHub refused it. */
  note(attempted: Instant | undefined): Promise<void>;
  /** Sends it, and awaits `sending` right before. */
  create(sending: Sending): Promise<T>;
}

export interface Wait {
  readonly because: string;
  readonly until?: Instant;
}

export type CreateOutcome<T> =
  | { readonly kind: "created" | "found"; readonly made: T }
  | ({ readonly kind: "waits" } & Wait);

/** How much may be created within an hour: issues, comments and pull requests together. */
export interface CreationBudget {
  readonly store: Pick<Store, "creations" | "countCreation">;
  readonly clock: Clock;
  readonly cap: number;
}

/**
 * Creates something on GitHub exactly once. The attempt is stored right before the request, so that a creation that
 * still waited when the process ended does not count as attempted. After an attempt, or a request without a response,
 * it first searches GitHub for the result. @throws GitHubProblem
 */
export async function createOnce<T>(creation: Creation<T>, budget: CreationBudget): Promise<CreateOutcome<T>> {
  if (creation.shared || creation.attempted !== undefined) {
    const made = await creation.find();
    if (made !== undefined) return { kind: "found", made };
  }
  const wait = maybeUnderWay(creation, budget) ?? (await creation.wait?.()) ?? (await cappedBy(budget));
  if (wait) return { kind: "waits", ...wait };
  await creation.prepare?.();
  let isCounted = false;
  const sending: Sending = async () => {
    const now = budget.clock.now();
    await creation.note(now);
    // An issue that GitHub refuses because of one part is sent again without that part.
    if (!isCounted) await budget.store.countCreation(now);
    isCounted = true;
  };
  return { kind: "created", made: await send(creation, sending) };
}

async function send<T>(creation: Creation<T>, sending: Sending): Promise<T> {
  try {
    return await creation.create(sending);
  } catch (error) {
    if (!(error instanceof GitHubProblem)) throw error;
    if (error.uncertain) {
      const made = await creation.find().catch(() => undefined);
      if (made !== undefined) return made;
    } else await creation.note(undefined);
    throw error;
  }
}

export async function waitOf(
  creation: { readonly attempted?: Instant },
  budget: CreationBudget,
): Promise<Wait | undefined> {
  return maybeUnderWay(creation, budget) ?? (await cappedBy(budget));
}

/** How long a request without a response may still take effect, or its result be missing from GitHub's lists. */
const underWay: Duration = 10 * aMinute;

/**
 * Waits for a request that may still take effect. Another machine may have sent it, with a clock slightly ahead; a time
 * further in the future came from a wrong clock and does not count.
 */
function maybeUnderWay({ attempted }: { readonly attempted?: Instant }, { clock }: CreationBudget): Wait | undefined {
  if (attempted === undefined || Math.abs(clock.now() - attempted) >= underWay) return undefined;
  return { because: "GitHub may still carry out an earlier request" };
}

async function cappedBy({ store, clock, cap }: CreationBudget): Promise<Wait | undefined> {
  const now = clock.now();
  // Times in the future came from a wrong clock.
  if ((await store.creations(now - anHour, now)) < cap) return undefined;
  return { because: `at most ${cap} issues, comments and pull requests are written an hour` };
}

export function contentsAnHour(config: Pick<Config, "limits"> | undefined): number {
  return (config?.limits ?? usualLimits).contentsAnHour;
}

/** Creates a stored comment in an issue or pull request, and marks it as done. @throws GitHubProblem */
export async function createCommentOnce(
  comment: StoredComment,
  issue: number,
  { github, store, clock, cap }: CreationBudget & { readonly github: GitHub; readonly store: Store },
): Promise<CreateOutcome<true>> {
  let isListLate = false;
  const find = async () => {
    const found = await github.findComment(issue, isReportedBy(comment));
    isListLate = found === "late" && comment.attempted !== undefined;
    return found === "there" || undefined;
  };
  const published = await createOnce<true>(
    {
      attempted: comment.attempted,
      shared: true,
      find,
      wait: async () => (isListLate ? { because: "GitHub does not list all comments of the issue yet" } : undefined),
      note: (attempted) => store.updateComment(comment.id, { attempted }),
      create: async (sending) => {
        await github.createComment(issue, comment.body, sending);
        return true;
      },
    },
    { store, clock, cap },
  );
  if (published.kind !== "waits") await store.updateComment(comment.id, { done: true });
  return published;
}

export async function hasUnattempted(store: Store): Promise<boolean> {
  const { issues, comments } = await untriedCreations(store);
  return issues.length + comments.length > 0;
}

/**
 * After an interrupted run, marks everything that waits to be created as attempted: the next run searches for the
 * markers first, and the attempts count towards the hourly cap.
 */
export async function markAttempted(store: Store, at: Instant): Promise<void> {
  const { issues, comments } = await untriedCreations(store);
  for (const { id } of issues) {
    await store.updateRecheck(id, { attempted: at });
    await store.countCreation(at);
  }
  for (const { id } of comments) {
    await store.updateComment(id, { attempted: at });
    await store.countCreation(at);
  }
}

/** The issues and comments that were never attempted. */
async function untriedCreations(store: Store) {
  const issues = (await store.rechecks()).filter((one) => one.state === "planned" && one.attempted === undefined);
  const comments = (await store.comments(false)).filter(({ attempted }) => attempted === undefined);
  return { issues, comments };
}
