import type { Sighting } from "../model/change.ts";
import type { Trouble } from "../model/check.ts";
import type { Config } from "../model/config.ts";
import { builtIn, type Firing, isNews } from "../model/firing.ts";
import type { Gave } from "../model/gave.ts";
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
import { touches } from "../model/rests.ts";
import { type Freshness, freshnessLevels } from "../model/states.ts";
import { aDay, type Instant } from "../model/time.ts";
import { counted, listed } from "../model/words.ts";
import { isAnswered } from "../recheck/answer/answers.ts";
import { isKnown } from "../recheck/issue/question.ts";
import { refusalSays } from "../recheck/refusals.ts";
import { unnamedSays } from "../watch/unnamed.ts";
import { goneSince } from "../watch/watch.ts";
import { type Baseline, baselineOf } from "./baseline.ts";
import { blindFrom, blindSources, freshness } from "./freshness.ts";

/** How a repository stands, from what is stored alone. */
export interface Status {
  readonly at: Instant;
  readonly ratings: readonly (Freshness & { readonly value: string })[];
  /** Sources that could not be seen at their last look. */
  readonly unseen: readonly {
    readonly source: string;
    readonly trouble: Trouble;
    readonly blindFrom: Instant | undefined;
    readonly gone: boolean;
    /** Since when it is gone; before, it may have been unseen for another reason. */
    readonly goneSince?: Instant;
  }[];
  /** Sources that are blind because nobody has looked at them for so long. */
  readonly unlooked: readonly { readonly source: string; readonly lastLook: Instant }[];
  /** Changes seen once. */
  readonly waiting: readonly {
    readonly source: string;
    readonly sightings: readonly Sighting[];
    readonly secondLook: Instant;
  }[];
  readonly open: readonly {
    readonly trigger: string;
    /** The recheck that asks about these firings, once it is planned. */
    readonly recheck?: number;
    readonly issue?: number;
    readonly firings: readonly Firing[];
    /** Why its issue does not exist, or is out of date. */
    readonly says?: string;
  }[];
  /** Sources that announce products and name no version of them, or none any more. */
  readonly unnamed: readonly { readonly source: string; readonly says: string }[];
  /** The size of every seen source's last reading, and when that was. */
  readonly given: readonly { readonly source: string; readonly at: Instant; readonly gave: Gave }[];
  /** Where config uses an archive: the past that each seen source's changes since the audit are told by. */
  readonly baselines: readonly Baseline[];
  /** Messages that did not reach everybody, or not yet. */
  readonly untold: readonly (Pick<StoredMessage, "channel" | "state" | "next"> & {
    readonly title: string;
    readonly says: string;
  })[];
  /** Sources that were never looked at. */
  readonly notYet: readonly string[];
  readonly lastLook?: Instant;
  readonly nextLook?: Instant;
}

/** All watches, rechecks, firings and answers of a repository. */
export interface Stored {
  readonly watches: readonly Watch[];
  readonly rechecks: readonly StoredRecheck[];
  readonly firings: readonly StoredFiring[];
  readonly answers: readonly StoredAnswer[];
}

export async function readStored(store: Store): Promise<Stored> {
  const [watches, rechecks, firings, answers] = await Promise.all([
    store.watches(),
    store.rechecks(),
    store.firings(),
    store.answers(),
  ]);
  return { watches, rechecks, firings, answers };
}

/**
 * Reads what is stored and tells how every rating, source and recheck stands. Makes no request. `stored`: parts that
 * were read a moment ago.
 */
export async function status(config: Config, store: Store, at: Instant, stored?: Stored): Promise<Status> {
  const { rechecks, ...read } = stored ?? (await readStored(store));
  const watches = new Map(
    read.watches.filter(({ source }) => config.sources.has(source)).map((watch) => [watch.source, watch]),
  );
  const firings = unanswered(read.firings, rechecks);
  const answers = Map.groupBy(read.answers, ({ recheck }) => recheck);
  const ratings = freshness(config, {
    unanswered: firings,
    watches,
    at,
    isAnswered: (firing, rating) => isAnswered(firing, rating, answersTo(firing, answers)),
  });
  const all = [...watches.values()];
  return {
    at,
    ratings: ratings.map((one) => ({ ...one, value: config.ratings.get(one.rating)?.level ?? "" })),
    unseen: unseen(config, all),
    unlooked: [...blindSources(config, watches, at).keys()].flatMap((source) => {
      const { lastLook, trouble } = watches.get(source) ?? {};
      return lastLook === undefined || trouble ? [] : [{ source, lastLook }];
    }),
    waiting: await waiting(all, store),
    open: open(firings, rechecks, config),
    unnamed: unnamed(config, all),
    given: [...config.sources.keys()].flatMap((source) => given(watches.get(source))),
    baselines: [...config.sources.keys()].flatMap((id) => {
      const watch = watches.get(id);
      return (watch && baselineOf(watch, config)) ?? [];
    }),
    untold: untold(await store.messages(), at),
    notYet: [...config.sources.keys()].filter((id) => watches.get(id)?.lastLook === undefined),
    lastLook: extreme(
      Math.max,
      all.map(({ lastLook }) => lastLook),
    ),
    nextLook: extreme(
      Math.min,
      all.map(({ next }) => next),
    ),
  };
}

/** How long people are told of messages that were given up. */
const untoldFor = 14 * aDay;

function untold(messages: readonly StoredMessage[], at: Instant): Status["untold"] {
  return messages.flatMap(({ channel, state, next, says, planned, message: { title } }) => {
    const isOld = state !== "waiting" && at - planned > untoldFor;
    return says === undefined || isOld ? [] : [{ channel, state, next, title, says }];
  });
}

/** All that was seen, asked and answered. */
export interface Asked {
  readonly config: Config;
  readonly firings: readonly StoredFiring[];
  readonly rechecks: readonly StoredRecheck[];
  readonly answers: readonly StoredAnswer[];
}

/**
 * The firings that nobody has answered; one that touches several ratings, until all of them are answered. A firing
 * whose trigger is no longer in config counts as long as it touches any rating.
 */
export function openFirings({ config, firings, rechecks, answers }: Asked): StoredFiring[] {
  const given = Map.groupBy(answers, ({ recheck }) => recheck);
  return unanswered(firings, rechecks).filter((firing) => {
    const asked = [...touches(firing, config)];
    if (asked.length === 0) return isKnown(firing.trigger, config);
    return asked.some((rating) => !isAnswered(firing, rating, answersTo(firing, given)));
  });
}

/** Of these, by recheck, those that count for a firing: none for one that says more since it was asked about. */
export function answersTo(
  firing: StoredFiring,
  given: ReadonlyMap<number, readonly StoredAnswer[]>,
): readonly StoredAnswer[] {
  return isNews(firing) ? [] : (given.get(firing.recheck ?? 0) ?? []);
}

/** Firings that no closed recheck has answered, or that turned contrary since. */
export function unanswered(firings: readonly StoredFiring[], rechecks: readonly StoredRecheck[]): StoredFiring[] {
  const closed = new Set(rechecks.filter(isOver).map(({ id }) => id));
  return firings.filter((firing) => firing.recheck === undefined || !closed.has(firing.recheck) || isNews(firing));
}

function unseen(config: Config, watches: readonly Watch[]): Status["unseen"] {
  return watches.flatMap((watch) => {
    const source = config.sources.get(watch.source);
    if (!source || !watch.trouble) return [];
    const { trouble, gone } = watch;
    const times = { blindFrom: blindFrom(source, config, watch), goneSince: goneSince(watch) };
    return [{ source: watch.source, trouble, gone, ...times }];
  });
}

/** What is to be told of sources that name no version of the products that they announce. */
export function unnamed(config: Config, watches: readonly Watch[]): Status["unnamed"] {
  return watches.flatMap(({ source: id, unnamed }) => {
    const source = config.sources.get(id);
    return source && unnamed ? [{ source: id, says: unnamedSays(unnamed, source, config) }] : [];
  });
}

function given(watch: Watch | undefined): Status["given"] {
  const { source, lastSeen: at, gave } = watch ?? {};
  return source === undefined || at === undefined || gave === undefined ? [] : [{ source, at, gave }];
}

async function waiting(watches: readonly Watch[], store: Store): Promise<Status["waiting"]> {
  const found = [];
  for (const watch of watches.filter(({ pending }) => pending)) {
    // A later look that failed did not see what waits, and is no second look at it.
    const [look] = await store.looks(watch.source, 1, "seen");
    if (look && look.sightings.length > 0)
      found.push({ source: watch.source, sightings: look.sightings, secondLook: watch.next });
  }
  return found;
}

/**
 * Unanswered firings by trigger, in the order of the triggers, and by the recheck that asks about them; at last those
 * of triggers that config has no more and that still touch a rating.
 */
function open(firings: readonly StoredFiring[], rechecks: readonly StoredRecheck[], config: Config): Status["open"] {
  const known = [...config.triggers.keys(), ...Object.values(builtIn)];
  const touching = firings.filter((firing) => touches(firing, config).size > 0).map(({ trigger }) => trigger);
  const order = new Set([...known, ...touching]);
  const asking = rechecks.filter(isAsking);
  return [...order].flatMap((trigger) => {
    const its = firings
      .filter((firing) => firing.trigger === trigger)
      .filter((firing) => isKnown(trigger, config) || touches(firing, config).size > 0);
    const own = asking.find((one) => one.trigger === trigger);
    // Everything from before the watch began is asked about in one issue for all triggers.
    const groups = Map.groupBy(its, (firing) => asking.find(({ id }) => id === firing.recheck) ?? own);
    return [...groups]
      .sort(([one], [other]) => Number(other === own) - Number(one === own))
      .map(([recheck, firings]) => {
        const says = recheck?.refused && { says: refusalSays(recheck.refused) };
        return { trigger, recheck: recheck?.id, issue: recheck?.issue, firings, ...says };
      });
  });
}

function extreme(pick: (...values: number[]) => number, values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length > 0 ? pick(...known) : undefined;
}

/** Ratings that stand at one of these levels of freshness. */
export function ratingsAt(ratings: readonly Freshness[], levels: readonly string[]): Freshness[] {
  return ratings.filter(({ level }) => levels.includes(level) || levels.includes(level.replaceAll(" ", "-")));
}

/** `4 of 20 ratings are in doubt, 11 to review and 5 fresh.` */
export function stateSentence({ ratings, lastLook }: Pick<Status, "ratings" | "lastLook">): string {
  if (lastLook === undefined) return "Nobody has looked yet: nothing is known of what the report rests on.";
  if (ratings.length === 0) return "This report has no ratings; its claims are watched.";
  const counts = freshnessLevels
    .map((level) => ({ level, count: ratings.filter((one) => one.level === level).length }))
    .filter(({ count }) => count > 0);
  const [first, ...others] = counts;
  if (!first) return "";
  if (others.length === 0) {
    return ratings.length === 1
      ? `Its one rating is ${first.level}.`
      : `All ${ratings.length} ratings are ${first.level}.`;
  }
  const is = first.count === 1 ? "is" : "are";
  const rest = listed(others.map(({ level, count }) => `${count} ${level}`));
  return `${first.count} of ${counted(ratings.length, "rating")} ${is} ${first.level}, ${rest}.`;
}
