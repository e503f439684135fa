import type { Change, Sighting } from "../model/change.ts";
import type { Trouble } from "../model/check.ts";
import type { Config } from "../model/config.ts";
import { ratingsInDoubt } from "../model/dependencies.ts";
import { builtIn, type Evidence, type Firing, isNews } from "../model/firing.ts";
import {
  isAsking,
  isOver,
  type Store,
  type StoredAnswer,
  type StoredFiring,
  type StoredMessage,
  type StoredRecheck,
  type Watch,
} from "../model/ports/index.ts";
import type { ReadingSize } from "../model/reading-size.ts";
import { type ClaimReason, countsSentence, type Freshness, isRefuted, readerState } from "../model/states.ts";
import { aDay, type Instant } from "../model/time.ts";
import { refusalSays } from "../model/words.ts";
import { isAnswered } from "../recheck/answer/answers.ts";
import { isKnown } from "../recheck/issue/question.ts";
import { unnamedSources } from "../watch/roster.ts";
import { goneSince } from "../watch/watch.ts";
import { type Baseline, baselineOf, blindFrom, blindSources, freshness } from "./freshness.ts";

export interface OpenQuestion {
  readonly trigger: string;
  /** The recheck that asks about the firings, once it is planned. */
  readonly recheck?: number;
  readonly issue?: number;
  readonly firings: readonly Firing[];
  /** Why its issue is missing or out of date. */
  readonly says?: string;
}

export type RatingStatus = Freshness & { readonly value: string };

/** The state of a repository, from the store alone. */
export interface Status {
  readonly at: Instant;
  readonly ratings: readonly RatingStatus[];
  /** Sources whose last check failed. */
  readonly unseen: readonly {
    readonly source: string;
    readonly trouble: Trouble;
    readonly blindFrom: Instant | undefined;
    readonly gone: boolean;
    /** Since when it is gone. Its earlier checks may have failed for another reason. */
    readonly goneSince?: Instant;
  }[];
  /** Sources that are blind because no check ran for too long. */
  readonly unchecked: readonly { readonly source: string; readonly lastCheck: Instant }[];
  /** Changes that wait for confirmation. */
  readonly waiting: readonly {
    readonly source: string;
    readonly sightings: readonly Sighting[];
    readonly secondCheck: Instant;
  }[];
  readonly open: readonly OpenQuestion[];
  /** Sources that announce products but name no version of them, or no longer do. */
  readonly unnamed: readonly { readonly source: string; readonly says: string }[];
  /** The size of every seen source's last reading, and when that was. */
  readonly given: readonly { readonly source: string; readonly at: Instant; readonly gave: ReadingSize }[];
  /** If config uses an archive: the baseline of each source that was checked. */
  readonly baselines: readonly Baseline[];
  /** Messages that failed, or that still wait. */
  readonly unsent: readonly (Pick<StoredMessage, "channel" | "state" | "next"> & {
    readonly title: string;
    readonly says: string;
  })[];
  /** Sources that were never checked. */
  readonly notYet: readonly string[];
  readonly lastCheck?: Instant;
  readonly nextCheck?: Instant;
}

export interface StoredRows {
  readonly watches: readonly Watch[];
  readonly rechecks: readonly StoredRecheck[];
  readonly firings: readonly StoredFiring[];
  readonly answers: readonly StoredAnswer[];
}

export async function readStored(store: Store): Promise<StoredRows> {
  const [watches, rechecks, firings, answers] = await Promise.all([
    store.watches(),
    store.rechecks(),
    store.firings(),
    store.answers(),
  ]);
  return { watches, rechecks, firings, answers };
}

/** The state of everything, from the store; makes no request. `stored`: rows that were read a moment ago. */
export async function status(config: Config, store: Store, at: Instant, stored?: StoredRows): Promise<Status> {
  const { rechecks, ...rows } = stored ?? (await readStored(store));
  const watches = watchesIn(config, rows.watches);
  const firings = unansweredFirings(rows.firings, rechecks);
  const claims = new Map((await store.claims()).map(({ claim, status }) => [claim, status]));
  const answers = Map.groupBy(rows.answers, ({ recheck }) => recheck);
  const ratings = freshness(config, {
    unanswered: firings,
    watches,
    at,
    isAnswered: (firing, rating) => isAnswered(firing, rating, answersTo(firing, answers)),
    uncorrected: uncorrectedFirings(rows.firings, rechecks, claims),
  });
  const allWatches = [...watches.values()];
  const inOrder = [...config.sources.keys()].flatMap((id) => watches.get(id) ?? []);
  const lastChecks = allWatches.flatMap(({ lastCheck }) => lastCheck ?? []);
  return {
    at,
    ratings: ratings.map((one) => ({ ...one, value: config.ratings.get(one.rating)?.level ?? "" })),
    unseen: failingSources(config, allWatches),
    unchecked: [...blindSources(config, watches, at).keys()].flatMap((source) => {
      const { lastCheck, trouble } = watches.get(source) ?? {};
      return lastCheck === undefined || trouble ? [] : [{ source, lastCheck }];
    }),
    waiting: await pendingChanges(allWatches, store, firings),
    open: openQuestions(firings, rechecks, config),
    unnamed: unnamedSources(config, allWatches),
    given: inOrder.flatMap(({ source, lastSeen: at, gave }) =>
      at === undefined || gave === undefined ? [] : { source, at, gave },
    ),
    baselines: inOrder.flatMap((watch) => baselineOf(watch, config) ?? []),
    unsent: failedMessages(await store.messages(), at),
    notYet: [...config.sources.keys()].filter((id) => watches.get(id)?.lastCheck === undefined),
    lastCheck: lastChecks.length > 0 ? Math.max(...lastChecks) : undefined,
    nextCheck: allWatches.length > 0 ? Math.min(...allWatches.map(({ next }) => next)) : undefined,
  };
}

/** The watches of the sources in config, by the id of the source. */
export function watchesIn({ sources }: Config, watches: readonly Watch[]): Map<string, Watch> {
  return new Map(watches.filter(({ source }) => sources.has(source)).map((watch) => [watch.source, watch]));
}

/** How long `status` reports messages that were given up. */
const failuresShownFor = 14 * aDay;

function failedMessages(messages: readonly StoredMessage[], at: Instant): Status["unsent"] {
  return messages.flatMap(({ channel, state, next, says, planned, message: { title } }) => {
    const isOld = state !== "waiting" && at - planned > failuresShownFor;
    return says === undefined || isOld ? [] : [{ channel, state, next, title, says }];
  });
}

export interface AskedRows extends Omit<StoredRows, "watches"> {
  readonly config: Config;
}

/**
 * The firings without an answer; a firing that touches several ratings is open until all of them have one. A firing
 * whose trigger is no longer in config counts if it touches a rating.
 */
export function openFirings({ config, firings, rechecks, answers }: AskedRows): StoredFiring[] {
  const given = Map.groupBy(answers, ({ recheck }) => recheck);
  return unansweredFirings(firings, rechecks).filter((firing) => {
    const asked = [...ratingsInDoubt(firing, config)];
    if (asked.length === 0) return isKnown(firing.trigger, config);
    return asked.some((rating) => !isAnswered(firing, rating, answersTo(firing, given)));
  });
}

/** The answers that count for a firing; empty if it turned contrary after people were asked. */
export function answersTo(
  firing: StoredFiring,
  given: ReadonlyMap<number, readonly StoredAnswer[]>,
): readonly StoredAnswer[] {
  return isNews(firing) ? [] : (given.get(firing.recheck ?? 0) ?? []);
}

/** Firings without a closed recheck, and those that turned contrary after it closed. */
export function unansweredFirings(
  firings: readonly StoredFiring[],
  rechecks: readonly StoredRecheck[],
): StoredFiring[] {
  const closed = new Set(rechecks.filter(isOver).map(({ id }) => id));
  return firings.filter((firing) => firing.recheck === undefined || !closed.has(firing.recheck) || isNews(firing));
}

/** Firings about claims that are still untrue, if a person closed their question without a review. */
function uncorrectedFirings(
  firings: readonly StoredFiring[],
  rechecks: readonly StoredRecheck[],
  claims: ReadonlyMap<string, ClaimReason>,
): StoredFiring[] {
  const byHand = new Set(rechecks.flatMap((one) => (isOver(one) && !one.verdict ? [one.id] : [])));
  return firings.filter(
    ({ recheck, evidence }) =>
      byHand.has(recheck ?? 0) &&
      evidence.some((piece) => isUntrue(piece, claims.get(piece.claim ?? "") ?? "not compared yet")),
  );
}

/** Whether the evidence shows that a claim in this state is not true: its source says something else. */
export function isUntrue({ part, change }: Evidence, status: ClaimReason): boolean {
  if (part !== "claim") return false;
  if (status === "not found") return change.kind === "claim" && change.otherwise === true;
  return isRefuted(status);
}

function failingSources(config: Config, watches: readonly Watch[]): Status["unseen"] {
  return watches.flatMap((watch) => {
    const source = config.sources.get(watch.source);
    if (!source || !watch.trouble) return [];
    const { trouble, gone } = watch;
    const times = { blindFrom: blindFrom(source, config, watch), goneSince: goneSince(watch) };
    return [{ source: watch.source, trouble, gone, ...times }];
  });
}

/** Changes that a second check must still see; without moves that an open question of the first check lists already. */
async function pendingChanges(
  watches: readonly Watch[],
  store: Store,
  firings: readonly Firing[],
): Promise<Status["waiting"]> {
  const moveOf = ({ source, change }: { readonly source: string; readonly change: Change }) =>
    change.kind === "link" && change.to === "moved" ? [`${source} ${change.address}`] : [];
  const askedMoves = new Set(firings.flatMap(({ evidence }) => evidence.flatMap(moveOf)));
  const pending = [];
  for (const watch of watches.filter(({ pending }) => pending)) {
    // A failed later check did not see the change, so it is no second check.
    const [check] = await store.checks(watch.source, 1, "seen");
    const sightings = (check?.sightings ?? []).filter(
      ({ change }) => !moveOf({ source: watch.source, change }).some((move) => askedMoves.has(move)),
    );
    if (sightings.length > 0) pending.push({ source: watch.source, sightings, secondCheck: watch.next });
  }
  return pending;
}

/** Unanswered firings by trigger, in the order of config, and by recheck; last, those of triggers that are gone. */
function openQuestions(
  firings: readonly StoredFiring[],
  rechecks: readonly StoredRecheck[],
  config: Config,
): Status["open"] {
  const known = [...config.triggers.keys(), ...Object.values(builtIn)];
  const touching = firings.filter((firing) => ratingsInDoubt(firing, config).size > 0).map(({ trigger }) => trigger);
  const order = new Set([...known, ...touching]);
  const asking = rechecks.filter(isAsking);
  return [...order].flatMap((trigger) => {
    const its = firings
      .filter((firing) => firing.trigger === trigger)
      .filter((firing) => isKnown(trigger, config) || ratingsInDoubt(firing, config).size > 0);
    const openRecheck = asking.find((one) => one.trigger === trigger);
    // One issue for all triggers asks about the events from before the first check.
    const groups = Map.groupBy(its, (firing) => asking.find(({ id }) => id === firing.recheck) ?? openRecheck);
    return [...groups]
      .sort(([one], [other]) => Number(other === openRecheck) - Number(one === openRecheck))
      .map(([recheck, firings]) => {
        const says = recheck?.refused && { says: refusalSays(recheck.refused) };
        return { trigger, recheck: recheck?.id, issue: recheck?.issue, firings, ...says };
      });
  });
}

/** `4 of 20 ratings are outdated, 11 changed and 5 up to date.` */
export function stateSentence({ ratings, lastCheck }: Pick<Status, "ratings" | "lastCheck">): string {
  if (lastCheck === undefined) return "No check has run yet: the state of the report's sources is unknown.";
  if (ratings.length === 0) return "This report has no ratings; its claims are watched.";
  const states = ratings.map(({ level }) => readerState(level));
  return countsSentence(states, "rating");
}
