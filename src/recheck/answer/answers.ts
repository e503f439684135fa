import type { Config } from "../../model/config.ts";
import type { Firing } from "../../model/firing.ts";
import type { StoredAnswer } from "../../model/ports/index.ts";
import { touches } from "../../model/rests.ts";
import { aDay, type Instant } from "../../model/time.ts";

/** A person's judgement of one rating, stored or not yet. */
export type GivenAnswer = Omit<StoredAnswer, "id" | "recheck" | "suspendedBy">;

/** A firing, with the time at which people were last asked about it (default: `fired`). */
export type AskedFiring = Firing & { readonly joined?: Instant };

/** The state of one recheck's answers. */
export interface AnswerStatus<G extends GivenAnswer = GivenAnswer> {
  /** Ratings that it asks about, in the order of config. */
  readonly asked: readonly string[];
  /** The newest answer of each rating, if it is newer than all evidence about the rating. */
  readonly answered: ReadonlyMap<string, G>;
  /** Ratings that are asked about and not answered. */
  readonly open: readonly string[];
  /** The newest unsettled answers, in the order of config: the pull request holds them. */
  readonly gathered: readonly G[];
  /** Whether every rating is answered and every answer settled, so that the recheck can be closed. */
  readonly done: boolean;
}

/** Firings × answers → asked, answered and open ratings. Pure. */
export function answerStatus<G extends GivenAnswer>(
  firings: readonly AskedFiring[],
  answers: readonly G[],
  config: Config,
): AnswerStatus<G> {
  const moments = new Map<string, Instant>();
  for (const firing of firings) {
    for (const rating of touches(firing, config)) {
      moments.set(rating, Math.max(moments.get(rating) ?? Number.NEGATIVE_INFINITY, putAt(firing)));
    }
  }
  const order = [...config.ratings.keys()];
  const asked = order.filter((rating) => moments.has(rating));
  const newest = newestOf(answers);
  const answered = new Map<string, G>();
  for (const rating of asked) {
    const answer = newest.get(rating);
    if (answer && answer.at >= (moments.get(rating) ?? 0)) answered.set(rating, answer);
  }
  const gathered = order.flatMap((rating) => newest.get(rating) ?? []).filter(({ settled }) => settled === undefined);
  const open = asked.filter((rating) => !answered.has(rating));
  return { asked, answered, open, gathered, done: asked.length > 0 && open.length === 0 && gathered.length === 0 };
}

/** The newest answer of each rating; at equal times, the later one in the list. */
function newestOf<G extends GivenAnswer>(answers: readonly G[]): Map<string, G> {
  const newest = new Map<string, G>();
  for (const answer of answers) {
    if (answer.at >= (newest.get(answer.rating)?.at ?? Number.NEGATIVE_INFINITY)) newest.set(answer.rating, answer);
  }
  return newest;
}

/** When people were asked about a firing. */
export function putAt({ joined, fired }: AskedFiring): Instant {
  return joined ?? fired;
}

/** Whether a settled answer covers a firing for a rating; answers in an open pull request do not count. */
export function isAnswered(firing: AskedFiring, rating: string, answers: readonly GivenAnswer[]): boolean {
  return answers.some(
    ({ rating: about, settled, at }) => about === rating && settled !== undefined && at >= putAt(firing),
  );
}

/** The answers that the end of a pull request settles or withdraws. */
export interface AfterPull<G extends GivenAnswer = GivenAnswer> {
  /** Answers that are now in config. */
  readonly settle: readonly G[];
  /** Answers to withdraw because the pull request was closed without a merge. */
  readonly withdraw: readonly G[];
  /** Whether the recheck can be closed. */
  readonly close: boolean;
}

/**
 * The consequences of a pull request that was merged, or closed without a merge. `held`: the answers that it held.
 */
export function afterPull<G extends GivenAnswer>(
  { open, gathered, asked }: AnswerStatus<G>,
  merged: boolean,
  held: readonly G[] = gathered,
): AfterPull<G> {
  if (!merged) return { settle: [], withdraw: held, close: false };
  const later = gathered.filter(({ rating, at }) => !held.some((one) => one.rating === rating && one.at === at));
  return { settle: held, withdraw: [], close: asked.length > 0 && open.length === 0 && later.length === 0 };
}

/** Whether config has an answer already: it was merged, or written by hand from the patch. */
export function isInConfig({ rating, verdict, level, at }: GivenAnswer, config: Config): boolean {
  const now = config.ratings.get(rating);
  if (now?.reviewed === undefined || now.reviewed < startOfDay(at)) return false;
  return verdict === "keep" || now.level === level;
}

/**
 * The firings that a later `audited` answers with *keep*: seen up to that day, and asked about before the push.
 */
export function answeredByAudit<F extends AskedFiring>(firings: readonly F[], audited: Instant, pushed: Instant): F[] {
  return firings.filter((firing) => putAt(firing) <= pushed && firing.seen < audited + aDay);
}

/** Whether a snooze has ended. `joined`: new evidence came since. */
export function wakes(snoozed: Instant | "next-event", joined: boolean, at: Instant): boolean {
  return snoozed === "next-event" ? joined : snoozed <= at;
}

function startOfDay(at: Instant): Instant {
  return Math.floor(at / aDay) * aDay;
}
