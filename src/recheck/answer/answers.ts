import { isSame, wordsIn } from "../../language/words.ts";
import { correctedKey } from "../../model/claim.ts";
import type { Config } from "../../model/config.ts";
import { claimOf, ratingsInDoubt } from "../../model/dependencies.ts";
import type { Firing } from "../../model/firing.ts";
import type { StoredAnswer } from "../../model/ports/index.ts";
import { aDay, type Instant, startOfDay } from "../../model/time.ts";
import type { Command } from "./command.ts";

/** A person's judgement of one rating, stored or not yet. */
export type GivenAnswer = Omit<StoredAnswer, "id" | "recheck" | "suspendedBy">;

/** A firing, with the time at which people were last asked about it (default: `fired`). */
export type AskedFiring = Firing & { readonly joined?: Instant };

export interface AnswerStatus<G extends GivenAnswer = GivenAnswer> {
  /** Ratings that it asks about, in the order of config. */
  readonly asked: readonly string[];
  /** The newest answer of each rating, if it is newer than all evidence about the rating. */
  readonly answered: ReadonlyMap<string, G>;
  /** Ratings that are asked about and not answered. */
  readonly open: readonly string[];
  /** The newest accepted correction of each claim or moved source, if it is newer than all evidence about that. */
  readonly accepted: ReadonlyMap<string, G>;
  /** The newest unsettled answers, those about ratings in the order of config: the pull request holds them. */
  readonly unsettled: readonly G[];
  /** Whether every rating or sentence is answered and every answer settled, so that the recheck can be closed. */
  readonly done: boolean;
}

export function answerStatus<G extends GivenAnswer>(
  firings: readonly AskedFiring[],
  answers: readonly G[],
  config: Config,
): AnswerStatus<G> {
  const ofRatings = momentsOf(firings, (firing) => ratingsInDoubt(firing, config));
  const ofCorrections = momentsOf(firings, correctableKeys);
  const order = [...config.ratings.keys()];
  const askedIds = order.filter((rating) => ofRatings.has(rating));
  const newest = newestOf(answers);
  const answered = new Map<string, G>();
  const accepted = new Map<string, G>();
  for (const [subject, answer] of newest) {
    const key = correctedKey(subject);
    const moment = key === undefined ? ofRatings.get(subject) : ofCorrections.get(key);
    if (moment !== undefined && answer.at >= moment)
      (key === undefined ? answered : accepted).set(key ?? subject, answer);
  }
  const sorted = [...newest.values()].sort((a, b) => order.indexOf(a.rating) - order.indexOf(b.rating));
  const isWritten = ({ rating }: G) => correctedKey(rating) !== undefined || config.ratings.has(rating);
  const unsettled = sorted.filter((answer) => answer.settled === undefined && isWritten(answer));
  const open = askedIds.filter((rating) => !answered.has(rating));
  const isCorrected = (firing: AskedFiring) => correctableKeys(firing).some((key) => accepted.has(key));
  const isAll = askedIds.length > 0 || (firings.length > 0 && firings.every(isCorrected));
  return {
    asked: askedIds,
    answered,
    open,
    accepted,
    unsettled,
    done: isAll && open.length === 0 && unsettled.length === 0,
  };
}

/** The claims and moved sources that a firing is about, as `correctionOf` names them. */
function correctableKeys({ evidence }: Firing): string[] {
  return evidence.flatMap(({ claim, source, change }) => [
    ...(claim === undefined ? [] : [claim]),
    ...(change.kind === "link" && change.to === "moved" ? [source] : []),
  ]);
}

/** When people were last asked about each of the subjects of firings. */
function momentsOf(
  firings: readonly AskedFiring[],
  subjects: (firing: AskedFiring) => Iterable<string>,
): Map<string, Instant> {
  const moments = new Map<string, Instant>();
  for (const firing of firings) {
    for (const subject of subjects(firing)) {
      moments.set(subject, Math.max(moments.get(subject) ?? Number.NEGATIVE_INFINITY, putAt(firing)));
    }
  }
  return moments;
}

/** The newest answer of each rating; at equal times, the later one in the list. */
export function newestOf<G extends GivenAnswer>(answers: readonly G[]): Map<string, G> {
  const newest = new Map<string, G>();
  for (const answer of answers) {
    if (answer.at >= (newest.get(answer.rating)?.at ?? Number.NEGATIVE_INFINITY)) newest.set(answer.rating, answer);
  }
  return newest;
}

export function putAt({ joined, fired }: AskedFiring): Instant {
  return joined ?? fired;
}

/** Whether a settled answer covers a firing for a rating; answers in an open pull request do not count. */
export function isAnswered(firing: AskedFiring, rating: string, answers: readonly GivenAnswer[]): boolean {
  return answers.some(
    ({ rating: about, settled, at }) => about === rating && settled !== undefined && at >= putAt(firing),
  );
}

/** A person who answers, and the number of the comment, if it is in one. */
export interface Speaker {
  readonly by: string;
  readonly at: Instant;
  readonly comment?: number;
}

/** The answers of a command; none if every rating has one already. A ticked `keep` is a *keep* without names. Pure. */
export function answersTo(
  command: Extract<Command, { kind: "keep" | "change" }>,
  { open: openIds }: Pick<AnswerStatus, "open">,
  { comment, ...speaker }: Speaker,
): GivenAnswer[] {
  if (command.kind === "change") {
    const { kind: verdict, ...change } = command;
    return [{ ...change, verdict, ...speaker, comment }];
  }
  const { kind: verdict, ratings, because } = command;
  const isNamed = ratings.length > 0;
  // Without names, a rating's own answer takes precedence, even if it arrives later.
  const given = { verdict, because, ...speaker, comment: isNamed ? comment : undefined };
  return (isNamed ? ratings : openIds).map((rating) => ({ rating, ...given }));
}

/** Whether config has an answer already: it was merged, or written by hand from the patch. */
export function isInConfig({ rating, verdict, level, at }: GivenAnswer, config: Config): boolean {
  const key = correctedKey(rating);
  if (key !== undefined) return isCorrected(key, level ?? "", config);
  const now = config.ratings.get(rating);
  if (now?.reviewed === undefined || now.reviewed < startOfDay(at)) return false;
  return verdict === "keep" || now.level === level;
}

/** Whether config already has the new figure or address; a removed claim or source needs no correction. */
function isCorrected(key: string, figure: string, config: Config): boolean {
  const source = config.sources.get(key);
  if (source) return source.address === figure;
  const claim = claimOf(key, config);
  const [now] = wordsIn(figure);
  if (!claim || !now) return true;
  return Object.values(claim.proof).some((text) => wordsIn(text).some(({ term }) => isSame(term, now.term)));
}

/** The firings that a later `audited` answers with *keep*: seen up to that day, and asked about before the push. */
export function answeredByAudit<F extends AskedFiring>(firings: readonly F[], audited: Instant, pushed: Instant): F[] {
  return firings.filter((firing) => putAt(firing) <= pushed && firing.seen < audited + aDay);
}
