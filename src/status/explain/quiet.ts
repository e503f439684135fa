import type { Change, ClaimChange, Noise, Sighting } from "../../model/change.ts";
import { changedTexts, changeLine } from "../../model/change-words.ts";
import type { ForeseenFiring, PendingSighting } from "../../model/check.ts";
import { conditionWords, waitsForTime } from "../../model/condition.ts";
import type { MatchResult } from "../../model/firing.ts";
import type { CheckRecord } from "../../model/ports/index.ts";
import type { Source } from "../../model/source.ts";
import { type Instant, stamp } from "../../model/time.ts";
import { firstOf, noiseWords, oneLine } from "../../model/words.ts";
import { silenceOf } from "./events.ts";
import type { Records } from "./records.ts";

/** A change that waits for confirmation: when the second check is due, and what follows if it lasts. */
export interface WaitingStory extends Sighting {
  readonly what: string;
  readonly secondCheck: Instant;
  readonly asks: readonly Consequence[];
  /** @internal */
  readonly foreseen: readonly ForeseenFiring[];
}

/** The triggers that fire if the difference lasts: by itself, or by a claim that it changes or ends. */
export interface Consequence {
  readonly claim?: string;
  readonly triggers: readonly string[];
  readonly means: readonly string[];
  /** @internal The change of that claim; undefined if its `until` matched. */
  readonly change?: ClaimChange | undefined;
  /** @internal The triggers that it fires against the report. */
  readonly contrary: readonly string[];
}

export function waitingStories(source: Source, { watches, checks }: Records): WaitingStory[] {
  const watch = watches.get(source.id);
  if (!watch?.pending) return [];
  const check = checks.get(source.id)?.find(({ outcome }) => outcome !== "unknown");
  return (check?.sightings ?? []).map((sighting) => ({
    ...sighting,
    what: changeLine(sighting.change),
    secondCheck: watch.next,
    asks: consequencesOf(sighting),
    foreseen: sighting.asks,
  }));
}

function consequencesOf({ asks, claims = [] }: PendingSighting): Consequence[] {
  const silent = claims.filter(({ claim }) => !asks.some((one) => one.claim === claim)).map(({ claim }) => claim);
  const byClaim = Map.groupBy(asks, ({ claim }) => claim);
  for (const claim of silent) byClaim.set(claim, []);
  const ownFirst = [...byClaim].sort(([a], [b]) => Number(a !== undefined) - Number(b !== undefined));
  return ownFirst.map(([claim, its]) => ({
    ...(claim !== undefined && { claim, change: claims.find((one) => one.claim === claim) }),
    triggers: [...new Set(its.map(({ trigger }) => trigger))],
    contrary: its.flatMap(({ trigger, weight }) => (weight === "contrary" ? trigger : [])),
    means: [...new Set(its.flatMap(({ condition: { means } }) => means ?? []))],
  }));
}

export interface NoiseStory {
  readonly reason: Noise["reason"];
  readonly site?: Noise["site"];
  readonly what: string;
  readonly change: Change;
  readonly count: number;
  readonly first: Instant;
  readonly last: Instant;
}

/** Newest first. */
export function noiseStories(source: Source, { checks }: Records): NoiseStory[] {
  const stories = new Map<string, NoiseStory>();
  for (const { at, noise } of checks.get(source.id) ?? []) {
    for (const { change, reason, site } of noise) {
      const key = JSON.stringify([reason, placeOf(change)]);
      const before = stories.get(key);
      if (before) stories.set(key, { ...before, count: before.count + 1, first: at });
      else stories.set(key, { reason, site, change, what: changeLine(change), count: 1, first: at, last: at });
    }
  }
  return [...stories.values()];
}

/** The place of a change: later changes at the same place are the same noise. */
function placeOf(change: Change): string {
  if (change.kind === "block") return ((change.after ?? change.before)?.path ?? []).join(" › ");
  if (change.kind === "fact") return change.name;
  return "item" in change ? change.item.id : change.kind;
}

/** The change that came closest to a report in a check without one, and why it was not reported. */
export interface NearMiss {
  /** The last check with a different response than the one before it. */
  readonly at: Instant;
  readonly change?: Change;
  readonly what: string;
  readonly because: string;
}

/** Undefined if the last check reported something or failed. */
export function nearMiss(source: Source, records: Records): NearMiss | undefined {
  const watch = records.watches.get(source.id);
  const last = records.checks.get(source.id)?.find(({ outcome }) => outcome !== "unknown");
  if (!watch || !last || watch.trouble) return undefined;
  const isFirst = last.outcome === "first";
  if (isFirst || hasAlert(last)) {
    const ignored = isFirst ? ignoredChange(last) : undefined;
    if (ignored || watch.lastCheck === last.at) return ignored;
    return { at: last.at, what: "nothing", because: `every response since ${stamp(last.at)} was identical` };
  }
  return (
    pendingChange(last, watch.next) ?? unmatchedEvent(last, source, records) ?? ignoredChange(last) ?? sameContent(last)
  );
}

function hasAlert({ happenings = [] }: CheckRecord): boolean {
  const outcomes = happenings.flatMap(({ results }) => results.map(({ outcome }) => outcome));
  return outcomes.includes("fired") || outcomes.includes("evidence");
}

function pendingChange({ at, sightings: [first, ...more] }: CheckRecord, next: Instant): NearMiss | undefined {
  if (!first) return undefined;
  const others = more.length > 0 ? `, and ${more.length} more` : "";
  const { change } = first;
  const because = `seen once; the second check is at ${stamp(next)}${others}`;
  return { at, change, what: changeLine(change), because };
}

function unmatchedEvent({ at, happenings = [] }: CheckRecord, source: Source, records: Records): NearMiss | undefined {
  const nearest = happenings.find(({ results }) => results.length > 0) ?? happenings[0];
  if (!nearest) return undefined;
  const changes = nearest.changes.map((seen) => seen.change);
  const [change] = changes;
  const refusals = nearest.results.map((match) => refusal(match, changes, records.config));
  return {
    at,
    change,
    what: change ? changeLine(change) : nearest.event.key,
    because: refusals.length > 0 ? firstOf(refusals, 2, "; ") : silenceOf(change, source, records),
  };
}

function refusal(
  { trigger, outcome, knownFrom, verdicts }: MatchResult,
  changes: readonly Change[],
  config: Records["config"],
): string {
  if (outcome !== "unmet") return `${trigger} already knew it${knownFrom ? ` from ${knownFrom.source}` : ""}`;
  const refused = verdicts.find(({ condition }) => patternOf(condition) !== undefined) ?? verdicts[0];
  if (!refused || waitsForTime(refused.condition)) return `${trigger} does not ask about it`;
  const pattern = patternOf(refused.condition);
  const wanted = `trigger ${trigger} needs ${conditionWords(refused.condition, config)}`;
  if (pattern === undefined) return `${wanted}: ${refused.because ?? "not met"}`;
  const text = nearestTo(pattern, changes);
  return `${wanted}; the nearest text was "${oneLine(text, 120)}"`;
}

function patternOf(condition: MatchResult["verdicts"][number]["condition"]): string | undefined {
  if (!("matches" in condition) && !("title" in condition)) return undefined;
  return condition.matches ?? ("title" in condition ? condition.title : undefined);
}

/** The changed text with most of the words that a pattern contains; the first one if several are equal. */
function nearestTo(pattern: string, changes: readonly Change[]): string {
  const wanted = (pattern.match(/\p{L}{3,}/gu) ?? []).map((word) => word.toLowerCase());
  const texts = changes.flatMap(textsOf);
  const held = (text: string) => wanted.filter((word) => text.toLowerCase().includes(word)).length;
  return texts.reduce((best, text) => (held(text) > held(best) ? text : best), texts[0] ?? "");
}

function textsOf(change: Change): string[] {
  if ("item" in change) return [change.item.title];
  return (changedTexts(change) ?? []).flatMap((text) => text ?? []).toReversed();
}

/** Reasons for ignoring a difference, sorted by how close they are to a report. */
const nearestFirst: readonly Noise["reason"][] = [
  "reported for another page",
  "the site's",
  "did not last",
  "one of a few variants",
  "moves at every check",
  "its date rolls",
  "returned to an earlier text",
  "too old to be new",
  "the time of the whole list",
  "a label",
  "around the content",
  "the same words",
  "a stamp",
];

function ignoredChange({ at, noise }: CheckRecord): NearMiss | undefined {
  const [nearest] = noise.toSorted((a, b) => nearestFirst.indexOf(a.reason) - nearestFirst.indexOf(b.reason));
  if (!nearest) return undefined;
  const { change } = nearest;
  return { at, change, what: changeLine(change), because: noiseWords(nearest) };
}

function sameContent({ at }: CheckRecord): NearMiss {
  const because = "the response differed, but its content did not: only markup or boilerplate changed";
  return { at, what: "nothing", because };
}
