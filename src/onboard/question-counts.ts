import type { Condition } from "../model/condition.ts";
import type { Config } from "../model/config.ts";
import type { TriggerCount } from "../model/ports/index.ts";
import type { Item } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { aDay, type Instant } from "../model/time.ts";
import { type Version, versionCalled } from "../model/version.ts";
import { isMet } from "../watch/conditions.ts";
import { occurrencesOf } from "../watch/events.ts";

/** Half a year, over which the questions of triggers are counted. */
export const askedPeriod = 182 * aDay;

/** With more questions than this in half a year, a trigger asks too often: more than every other week. */
const maxQuestions = 13;

/** Advice on a trigger that asks too often; empty for others. */
export function frequencyAdvice({ times }: TriggerCount): string {
  return times > maxQuestions ? "often: say which, by `bump`, `title` or `matches`" : "";
}

/**
 * How often each condition of a config would have asked since a moment, by the dates of feed entries, releases and
 * commits. Pages do not say when they changed.
 */
export type ConditionsBefore = readonly ConditionBefore[];

interface ConditionBefore extends Times {
  readonly trigger: string;
  readonly index: number;
  /** The same without patch releases, if it asks about those too. */
  readonly quiet?: Times;
}

interface Times {
  /** Keys of the events since that moment: an event that two sources report asks once. */
  readonly lately: readonly string[];
  /** Whether it was met at any time. The first known version of a product does not count: it follows no other. */
  readonly ever: boolean;
}

export interface EntriesToAsk {
  readonly source: Source;
  readonly items: readonly Item[];
  readonly since: Instant;
}

/** Counts how often conditions would have asked about the entries of one source. Pure. */
export function askedBy({ source, items, since }: EntriesToAsk, config: Config): ConditionsBefore {
  const past = eventsOf(items, source, config);
  const timesMet = (condition: Condition): Times => {
    const all = past.filter((one) => isAsking(condition, one));
    return {
      lately: [...new Set(all.flatMap(({ item, event }) => ((item.at ?? 0) >= since ? [event.key] : [])))],
      ever: all.some(({ knownVersions }) => knownVersions.length > 0),
    };
  };
  return [...config.triggers.values()].flatMap(({ id: trigger, on }) =>
    on.flatMap((condition, index): ConditionBefore[] => {
      const times = timesMet(condition);
      if (times.lately.length === 0 && !times.ever) return [];
      const quiet = withoutPatchReleases(condition);
      return [{ trigger, index, ...times, ...(quiet && { quiet: timesMet(quiet) }) }];
    }),
  );
}

export const quietBumps = ["major", "minor"] as const;

function withoutPatchReleases(condition: Condition): Condition | undefined {
  return condition.kind === "release" && condition.bump.includes("patch")
    ? { ...condition, bump: [...quietBumps] }
    : undefined;
}

/** How often a condition would have asked, if that is too often and it would ask less without patch releases. */
export function timesTooOften(trigger: string, index: number, before: ConditionsBefore): number | undefined {
  const own = before.filter((one) => one.trigger === trigger && one.index === index);
  const quiet = own.flatMap((one) => one.quiet ?? []);
  const times = countOf(own);
  const isBetter = quiet.length > 0 && countOf(quiet) !== times && quiet.some(({ ever }) => ever);
  return times > maxQuestions && isBetter ? times : undefined;
}

/** How often each trigger would have asked, most often first. `quiet`: whether a condition asks without patches. */
export function triggerCounts(
  { triggers }: Pick<Config, "triggers">,
  before: ConditionsBefore,
  quiet: (trigger: string, index: number) => boolean,
): TriggerCount[] {
  const byTrigger = Map.groupBy(before, ({ trigger }) => trigger);
  return [...triggers.keys()]
    .map((id) => ({
      trigger: id,
      times: countOf((byTrigger.get(id) ?? []).map((one) => (quiet(id, one.index) ? (one.quiet ?? one) : one))),
    }))
    .filter(({ times }) => times > 0)
    .sort((a, b) => b.times - a.times);
}

function countOf(all: readonly Times[]): number {
  return new Set(all.flatMap(({ lately }) => lately)).size;
}

interface PastEvent {
  readonly source: Source;
  readonly item: Item;
  readonly event: ReturnType<typeof occurrencesOf>[number]["event"];
  readonly version?: Version;
  readonly knownVersions: readonly Version[];
}

function eventsOf(items: readonly Item[], source: Source, config: Config): PastEvent[] {
  const dated = items.filter(({ at }) => at !== undefined).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const versions: Version[] = [];
  return dated.flatMap((item): PastEvent[] => {
    const [occurrence] = occurrencesOf([{ change: { kind: "item-added", item }, since: item.at ?? 0 }], source, config);
    if (!occurrence) return [];
    const { event } = occurrence;
    const version = event.version === undefined ? undefined : versionCalled(event.version);
    const past = { source, item, event, ...(version && { version }), knownVersions: [...versions] };
    if (version) versions.push(version);
    return [past];
  });
}

function isAsking(condition: Condition, { item, ...one }: PastEvent): boolean {
  return isMet(condition, { ...one, change: { kind: "item-added", item }, retitled: false, isYoung: false }).met;
}
