import type { Claim } from "../../model/claim.ts";
import {
  type Condition,
  conditionsOf,
  conditionWords,
  isSameCondition,
  sourcesOfCondition,
} from "../../model/condition.ts";
import type { Config, Rating, Trigger } from "../../model/config.ts";
import { claimKey, conclusionsOn, ratingsInDoubt, sourcesUnder, triggersNaming } from "../../model/dependencies.ts";
import { builtIn, type Evidence, type Firing } from "../../model/firing.ts";
import {
  isAsking,
  isOver,
  type Store,
  type StoredFiring,
  type StoredRecheck,
  type WholeVerdict,
} from "../../model/ports/index.ts";
import type { Freshness } from "../../model/states.ts";
import type { Instant } from "../../model/time.ts";
import { triggerName } from "../../model/words.ts";
import { isAnswered } from "../../recheck/answer/answers.ts";
import { duesOf } from "../../watch/conditions.ts";
import { freshFor } from "../freshness.ts";
import { answersTo } from "../status.ts";
import type { EventStory } from "./events.ts";
import type { WaitingStory } from "./quiet.ts";
import { type Records, readRecords } from "./records.ts";
import { type ClaimStory, claimStory, healthOf, type SourceHealth, type SourceStory, sourceStory } from "./source.ts";

export type Explanation = RatingStory | SourceStory | TriggerStory | RecheckStory;

/** Explains a rating, source, trigger or recheck (`#12`) from the store; undefined if nothing has this name. */
export async function explain(
  name: string,
  { config, store, at }: { config: Config; store: Store; at: Instant },
): Promise<Explanation[] | undefined> {
  const source = config.sources.get(name);
  const trigger = config.triggers.get(name);
  const issue = /^#\d+$/.test(name) ? Number(name.slice(1)) : undefined;
  const sources = trigger
    ? conditionsOf(trigger).flatMap(({ condition }) => sourcesOfCondition(condition, config))
    : [];
  const rating = config.ratings.get(name);
  const under = (rating ? sourcesUnder(rating, config) : []).flatMap((id) => config.sources.get(id) ?? []);
  const records = await readRecords(config, store, at, new Set([...(source ? [source] : []), ...sources, ...under]));
  const stories: Explanation[] = [];
  const freshness = records.status.ratings.find((one) => one.rating === name);
  if (rating && freshness) stories.push(ratingStory(rating, freshness, records));
  if (source) stories.push(sourceStory(source, records));
  if (trigger || Object.values<string>(builtIn).includes(name)) {
    const sourceStories = new Map(sources.map((one) => [one.id, sourceStory(one, records)]));
    stories.push(triggerStory(name, records, sourceStories));
  }
  const recheck = issue === undefined ? undefined : records.rechecks.find((one) => one.issue === issue);
  if (recheck) stories.push(recheckStory(recheck, records));
  return stories.length > 0 ? stories : undefined;
}

export interface ConditionStory {
  readonly part: "on" | "also";
  readonly words: string;
  readonly means?: string;
  readonly awaited: boolean;
  readonly sources: readonly SourceHealth[];
  /** Newest first. */
  readonly fired: readonly Firing[];
  readonly unmet: readonly { readonly happening: EventStory; readonly because: string }[];
  readonly waiting: readonly (WaitingStory & { readonly source: string })[];
  readonly noise: number;
  /** For conditions on silence and age: when it matches if nothing happens. */
  readonly due?: Instant;
}

export interface TriggerStory {
  readonly kind: "trigger";
  readonly id: string;
  readonly name: string;
  readonly wording?: string;
  readonly ratings: readonly string[];
  readonly conditions: readonly ConditionStory[];
  readonly claims: readonly ClaimStory[];
  readonly asking: readonly RecheckStory[];
}

/** Most events of a condition that did not match. */
const maxUnmet = 3;

export function triggerStory(id: string, records: Records, stories: Stories): TriggerStory {
  const { config, open, rechecks } = records;
  const trigger = config.triggers.get(id);
  // One issue for all triggers asks about the events from before the first check.
  const ownRechecks = new Set(rechecks.filter((recheck) => recheck.trigger === id).map((recheck) => recheck.id));
  const openFirings = open.filter((firing) => firing.trigger === id || ownRechecks.has(firing.recheck ?? 0));
  return {
    kind: "trigger",
    id,
    name: triggerName(id, config),
    wording: trigger?.wording,
    ratings: trigger?.ratings ?? [],
    conditions: trigger ? conditionsOf(trigger).map((one) => conditionStory(trigger, one, stories, records)) : [],
    claims: claimsAsking(id, records).map((claim) => claimStory(claim, records)),
    asking: askingStories(openFirings, records),
  };
}

export type Stories = ReadonlyMap<string, SourceStory>;

function conditionStory(
  trigger: Trigger,
  { condition, part }: { condition: Condition; part: "on" | "also" },
  stories: Stories,
  records: Records,
): ConditionStory {
  const { config, firings } = records;
  const sources = sourcesOfCondition(condition, config).flatMap(({ id }) => stories.get(id) ?? []);
  const verdicts = sources.flatMap(({ happenings }) =>
    happenings.flatMap((happening) =>
      happening.results
        .filter((match) => match.trigger === trigger.id)
        .flatMap(({ conditions }) => conditions)
        .filter((verdict) => verdict.part === part && isSameCondition(verdict.condition, condition))
        .map((verdict) => ({ happening, verdict })),
    ),
  );
  const metKeys = new Set(verdicts.filter(({ verdict }) => verdict.met).map(({ happening }) => happening.event.key));
  const isCause = (piece: Evidence) => piece.part === part && isSameCondition(piece.condition, condition);
  const dues = duesOf(condition, trigger, records).map(({ at }) => at);
  return {
    part,
    words: conditionWords(condition, config),
    awaited: condition.awaited === true,
    means: condition.means,
    sources: sources.map(({ health }) => health),
    fired: firings
      .filter((firing) => firing.trigger === trigger.id)
      .filter(({ event, evidence }) => metKeys.has(event.key) || evidence.some(isCause))
      .toReversed(),
    unmet: verdicts
      .flatMap(({ happening, verdict: { because } }) => (because ? [{ happening, because }] : []))
      .sort((a, b) => b.happening.at - a.happening.at)
      .slice(0, maxUnmet),
    waiting: sources.flatMap(({ source, waiting }) =>
      waiting
        .filter(({ foreseen }) =>
          foreseen.some((asked) => asked.trigger === trigger.id && isSameCondition(asked.condition, condition)),
        )
        .map((one) => ({ ...one, source: source.id })),
    ),
    noise: sources.flatMap(({ noise }) => noise).reduce((sum, { count }) => sum + count, 0),
    due: dues.length > 0 ? Math.min(...dues) : undefined,
  };
}

/** Claims that fire this trigger when they change; for *not found*, those that were never found. */
function claimsAsking(trigger: string, { config, claims, asking }: Records): readonly Claim[] {
  if (trigger !== builtIn.notFound) return asking.get(trigger) ?? [];
  const all = [...config.sources.values()].flatMap((source) => source.claims);
  return all.filter((claim) => claims.get(claimKey(claim))?.status === "not found");
}

export interface RecheckStory {
  readonly kind: "recheck";
  readonly trigger: string;
  readonly name: string;
  readonly state: "open" | "closed" | "not planned yet";
  readonly issue?: number;
  readonly opened?: Instant;
  readonly closed?: Instant;
  readonly verdict?: { readonly kind: "keep" | "dismiss"; readonly because: string; readonly by?: string };
  readonly ratings: readonly string[];
  /** Newest first. */
  readonly firings: readonly Firing[];
}

function recheckStory(recheck: StoredRecheck, records: Records): RecheckStory {
  const firings = records.firings.filter((firing) => firing.recheck === recheck.id);
  const { trigger, state, opened } = recheck;
  return {
    ...storyOf(trigger, firings, records),
    state: isOver(recheck) ? "closed" : state === "queued" ? "not planned yet" : "open",
    ...(recheck.issue !== undefined && { issue: recheck.issue }),
    opened,
    ...(isOver(recheck) && { closed: recheck.closed, ...verdictOf(recheck) }),
  };
}

/** The open rechecks of these firings, each with its own; then, by trigger, firings without a recheck. */
function askingStories(firings: readonly StoredFiring[], records: Records): RecheckStory[] {
  const asking = records.rechecks.filter(isAsking);
  const byRecheck = Map.groupBy(firings, ({ recheck }) => asking.find(({ id }) => id === recheck));
  const stories = asking.flatMap((recheck) => {
    const its = byRecheck.get(recheck);
    return its ? [{ ...recheckStory(recheck, records), firings: its.toReversed() }] : [];
  });
  const withoutRecheck = Map.groupBy(byRecheck.get(undefined) ?? [], ({ trigger }) => trigger);
  return [...stories, ...[...withoutRecheck].map(([trigger, its]) => storyOf(trigger, its, records))];
}

function storyOf(trigger: string, firings: readonly StoredFiring[], { config }: Records): RecheckStory {
  const ratings = new Set(firings.flatMap((firing) => [...ratingsInDoubt(firing, config)]));
  return {
    kind: "recheck",
    trigger,
    name: triggerName(trigger, config),
    state: "not planned yet",
    ratings: [...config.ratings.keys()].filter((id) => ratings.has(id)),
    firings: firings.toReversed(),
  };
}

function verdictOf({ verdict }: { readonly verdict?: WholeVerdict }): Pick<RecheckStory, "verdict"> {
  if (verdict?.because === undefined) return {};
  const { kind, because, by } = verdict;
  return { verdict: { kind, because, by } };
}

export interface RatingStory {
  readonly kind: "rating";
  readonly at: Instant;
  readonly rating: Pick<Freshness, "at" | "because"> & {
    readonly id: string;
    /** The value in the report. */
    readonly level: string;
    /** Its state, as in `status.json`. */
    readonly freshness: Freshness["level"];
    /** @internal */
    readonly reviewed?: Instant | undefined;
    /** @internal */
    readonly basis?: Rating["basis"];
  };
  /** When a person last reviewed it (default: the day of the audit). */
  readonly checked: Instant;
  /** When it becomes due without other events. */
  readonly due: Instant;
  /** The open rechecks about it, each with the events that touch it. */
  readonly asking: readonly RecheckStory[];
  readonly claims: readonly ClaimStory[];
  readonly triggers: readonly { readonly id: string; readonly name: string }[];
  readonly sources: readonly SourceHealth[];
  /** Conclusions that rest on it, directly or through others. */
  readonly conclusions: readonly string[];
}

function ratingStory(rating: Rating, freshness: Freshness, records: Records): RatingStory {
  const { config, open, answers } = records;
  const { id, level, reviewed, basis } = rating;
  const claims = [...config.sources.values()].flatMap((source) =>
    source.claims.filter(({ ratings }) => ratings.includes(id)),
  );
  const checked = reviewed ?? config.report.audited;
  const given = Map.groupBy(answers, ({ recheck }) => recheck);
  const questions = open
    .filter((firing) => ratingsInDoubt(firing, config).has(rating.id))
    .filter((firing) => !isAnswered(firing, rating.id, answersTo(firing, given)));
  return {
    kind: "rating",
    at: records.at,
    rating: { id, level, freshness: freshness.level, at: freshness.at, because: freshness.because, reviewed, basis },
    checked,
    due: checked + freshFor(rating, config),
    asking: askingStories(questions, records),
    claims: claims.map((claim) => claimStory(claim, records)),
    triggers: triggersNaming(rating, config).map(({ id }) => ({ id, name: triggerName(id, config) })),
    sources: sourcesUnder(rating, config).flatMap((id) => {
      const source = config.sources.get(id);
      return source ? [healthOf(source, records)] : [];
    }),
    conclusions: conclusionsOn([rating.id], config).map(({ text }) => text),
  };
}
