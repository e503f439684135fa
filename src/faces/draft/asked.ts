import type { Condition } from "../../model/condition.ts";
import type { Config, Item, Reading, Source } from "../../model/model.ts";
import type { Asked } from "../../model/ports/index.ts";
import { aDay } from "../../model/time.ts";
import { parseVersion, type Version } from "../../model/version.ts";
import { isMet } from "../../watch/conditions.ts";
import { occurrencesOf } from "../../watch/events.ts";

/** Half a year, in milliseconds: what of the past is asked of. */
export const askedOf = 182 * aDay;

/** More often than every other week in half a year is more than most people want to be asked. */
export const often = 13;

/** Says what people do about a trigger that asks so often; empty for all others. */
export function askedTooOften({ times }: Asked): string {
  return times > often ? "often: say which, by `bump`, `title` or `matches`" : "";
}

/**
 * How often each trigger would have asked since a moment, by what sources themselves date: entries of feeds, releases and
 * commits. A page tells nothing of when it changed. Those that would have asked at least once, the most often first. Pure.
 */
export function askedSince(config: Config, readings: ReadonlyMap<string, Reading>, since: number): Asked[] {
  const found = pastOf(config, readings, since);
  return [...config.triggers.values()]
    .map(({ id, on }) => ({ trigger: id, times: timesOf(on, found) }))
    .filter(({ times }) => times > 0)
    .sort((a, b) => b.times - a.times);
}

/** All that the sources of a config date since a moment. */
export function pastOf(config: Config, readings: ReadonlyMap<string, Reading>, since: number): AskedPast[] {
  return [...config.sources.values()].flatMap((source) =>
    eventsOf(readings.get(source.id)?.items ?? [], source, config).filter(({ item }) => (item.at ?? 0) >= since),
  );
}

/** A dated entry of a source, as the event that it was. */
export interface AskedPast {
  readonly source: Source;
  readonly item: Item;
  readonly event: ReturnType<typeof occurrencesOf>[number]["event"];
  readonly version?: Version;
  /** Of its product, those that came before it. */
  readonly known: readonly Version[];
}

/** The dated entries of a source as the events that they were, in order. */
function eventsOf(items: readonly Item[], source: Source, config: Config): AskedPast[] {
  const dated = items.filter(({ at }) => at !== undefined).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));
  const known: Version[] = [];
  return dated.flatMap((item): AskedPast[] => {
    const [occurrence] = occurrencesOf([{ change: { kind: "item-added", item }, since: item.at ?? 0 }], source, config);
    if (!occurrence) return [];
    const { event } = occurrence;
    const product = event.product === undefined ? undefined : config.products.get(event.product);
    const version = product && event.version !== undefined ? parseVersion(event.version, product) : undefined;
    const past = { source, item, event, ...(version && { version }), known: [...known] };
    if (version) known.push(version);
    return [past];
  });
}

/** How often these conditions were met: one event that two sources tell of asks once. */
export function timesOf(on: readonly Condition[], past: readonly AskedPast[]): number {
  const asks = past.filter(({ item, ...one }) =>
    on.some((condition) => isMet(condition, { ...one, change: { kind: "item-added", item }, retitled: false }).met),
  );
  return new Set(asks.map(({ event }) => event.key)).size;
}
