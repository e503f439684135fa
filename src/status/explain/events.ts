import { type Change, isOfFirstCheck } from "../../model/change.ts";
import { conditionsOf, conditionWords, isMetBy, listensTo } from "../../model/condition.ts";
import type { Event, Evidence, Happening, MatchResult, Verdict } from "../../model/firing.ts";
import type { StoredFiring } from "../../model/ports/index.ts";
import type { Source } from "../../model/source.ts";
import { type Instant, stamp } from "../../model/time.ts";
import type { Records } from "./records.ts";

export interface EventStory {
  readonly source: string;
  /** When it was first seen, and when it was confirmed, if it needed that. */
  readonly since: Instant;
  readonly at: Instant;
  readonly event: Event;
  readonly changes: readonly Change[];
  /** The number of further changes, which were left out. */
  readonly left: number;
  readonly results: readonly MatchStory[];
  /** Why nothing happened, if no trigger had a condition for it. */
  readonly silence?: string;
}

export interface MatchStory {
  readonly trigger: string;
  readonly outcome: "fired" | "evidence" | "known" | "silent";
  readonly weight?: "routine" | "contrary";
  /** The issue of the recheck that it joined, if there is one. */
  readonly issue?: number;
  readonly part?: Evidence["part"];
  readonly means?: string;
  readonly excerpt?: string;
  /** The reason in words, for all outcomes except *fired*. */
  readonly because?: string;
  readonly conditions: readonly VerdictStory[];
}

export interface VerdictStory extends Verdict {
  readonly words: string;
  readonly means?: string;
}

const maxEvents = 20;

export function eventStories(source: Source, records: Records): readonly EventStory[] {
  const newest = (records.checks.get(source.id) ?? [])
    .flatMap(({ at, happenings = [] }) => happenings.map((happening) => ({ at, happening })))
    .slice(0, maxEvents)
    .map(({ at, happening }) => ofCheck(happening, at, source, records));
  const keys = new Set(newest.map(({ event }) => event.key));
  const older = (records.firingsFrom.get(source.id) ?? []).filter(({ event }) => !keys.has(event.key));
  return [...newest, ...older.map((firing) => ofFiring(firing, source, records))]
    .sort((a, b) => b.at - a.at)
    .slice(0, maxEvents);
}

function ofCheck(happening: Happening, at: Instant, source: Source, records: Records): EventStory {
  const { event, changes, results, left = 0 } = happening;
  const stories = results.map((match) => matchStory(match, happening, source, records));
  return {
    source: source.id,
    at,
    event,
    left,
    results: stories,
    since: changes.reduce((first, { since }) => Math.min(first, since), at),
    changes: changes.map(({ change }) => change),
    ...(stories.length === 0 && { silence: silenceOf(changes[0]?.change, source, records) }),
  };
}

/** The story of an event whose check record is deleted: firings are kept longer. */
function ofFiring(firing: StoredFiring, source: Source, records: Records): EventStory {
  const evidence = firing.evidence.filter((piece) => piece.source === source.id);
  const since = evidence.reduce((first, { seen }) => Math.min(first, seen), Infinity);
  const at = Math.max(since, firing.fired);
  const begun = since <= firing.fired || firing.evidence[0]?.source === source.id;
  return {
    source: source.id,
    since,
    at,
    event: firing.event,
    left: 0,
    changes: evidence.map(({ change }) => change),
    results: [{ ...firedStory(firing, begun ? "fired" : "evidence", source, records), conditions: [] }],
  };
}

function matchStory(match: MatchResult, { event }: Happening, source: Source, records: Records): MatchStory {
  const { trigger, outcome, knownFrom, verdicts } = match;
  const conditions = verdicts.map(({ condition, ...verdict }): VerdictStory => {
    const { means } = condition;
    return { ...verdict, condition, words: conditionWords(condition, records.config), means };
  });
  if (outcome === "unmet") return { trigger, outcome: "silent", because: "no condition matches", conditions };
  if (outcome === "known") {
    const from = knownFrom?.baseline ? `the first check of ${knownFrom.source}` : knownFrom?.source;
    const because = from === undefined ? "already asked about" : `known since ${from}`;
    return { trigger, outcome, part: conditions.find(({ met }) => met)?.part, because, conditions };
  }
  const its = records.firingsFrom.get(source.id) ?? [];
  const firing = its.find((one) => one.trigger === trigger && one.event.key === event.key);
  return firing ? { ...firedStory(firing, outcome, source, records), conditions } : { trigger, outcome, conditions };
}

function firedStory(
  firing: StoredFiring,
  outcome: "fired" | "evidence",
  source: Source,
  { rechecks }: Records,
): Omit<MatchStory, "conditions"> {
  const own = firing.evidence.filter((piece) => piece.source === source.id);
  const best = own.find(({ condition }) => condition?.awaited) ?? own.find(({ part }) => part !== "also") ?? own[0];
  const first = firing.evidence[0];
  const issue = rechecks.find(({ id }) => id === firing.recheck)?.issue;
  return {
    trigger: firing.trigger,
    outcome,
    weight: firing.weight,
    issue,
    part: isOfFirstCheck(best?.change) ? undefined : best?.part,
    means: best?.condition?.means,
    excerpt: best?.excerpt,
    ...(outcome === "evidence" && first && { because: `known since ${first.source} ${stamp(first.seen)}` }),
  };
}

export function silenceOf(change: Change | undefined, source: Source, { config }: Pick<Records, "config">): string {
  const { id, claims } = source;
  const conditions = [...config.triggers.values()].flatMap(conditionsOf).map(({ condition }) => condition);
  const listening = conditions.filter((condition) => listensTo(condition, source));
  switch (change?.kind) {
    case "claim":
      if (change.to === "supported") return "the claim is supported again, which raises no question";
      return claims.some((claim) => `${id}/${claim.id}` === change.claim)
        ? "no trigger asks about this claim"
        : "config no longer has this claim";
    case "link":
      return change.to === "back"
        ? "the address works again, which raises no question"
        : "no trigger watches this address";
    case "turned":
      return "no trigger listens to this kind of change";
    case "item-edited":
      return "no trigger watches edits of entries";
    case "item-withdrawn":
      return "no trigger watches withdrawn entries";
    case "fact":
      return `no trigger asks about "${change.name}"`;
    default:
      if (change && listening.some((condition) => isMetBy(condition, change))) {
        return "no trigger listened to this at that time";
      }
      if (listening.length > 0) return "no trigger listens to this change";
      return claims.length > 0
        ? "no trigger listens to this source, except through its claims"
        : "no trigger listens to this source";
  }
}
