import { remember } from "../compare/facts.ts";
import type { Seen } from "../model/change.ts";
import type { Config } from "../model/config.ts";
import { claimKey } from "../model/dependencies.ts";
import { digest } from "../model/digest.ts";
import type { Event, Occurrence } from "../model/firing.ts";
import type { EventSighting } from "../model/ports/index.ts";
import type { Item } from "../model/reading.ts";
import type { Origin } from "../model/source.ts";
import { day, type Instant } from "../model/time.ts";
import { eventKey } from "../model/version.ts";
import { announcedBy } from "./announced-version.ts";

export function occurrencesOf(changes: readonly Seen[], source: Origin, config: Config): Occurrence[] {
  const blocks = changes.filter(({ change }) => change.kind === "block");
  const occurrences: Occurrence[] = changes
    .filter(({ change }) => change.kind !== "block")
    .map((seen) => ({ event: announce(seen, source, config), changes: [seen] }));
  if (blocks.length > 0) {
    occurrences.push({ event: { key: blocksKey(source, blocks) }, changes: blocks });
  }
  return occurrences;
}

export function baselineEvents(items: readonly Item[], source: Origin, config: Config, at: Instant): EventSighting[] {
  return items.flatMap((item) => {
    const event = releaseOf(item, source, config);
    return event ? [{ key: event.key, source: source.id, seen: at, baseline: true, event }] : [];
  });
}

/** The sightings of an event, for the store. A withdrawn entry is left out, because it does not say when it was withdrawn. */
export function sightingOf({ event, changes }: Occurrence, source: Origin): EventSighting[] {
  const first = changes[0];
  if (!first || first.change.kind === "item-withdrawn") return [];
  return [{ key: event.key, source: source.id, seen: first.since, baseline: false, event }];
}

function announce(sighting: Seen, source: Origin, config: Config): Event {
  const { change } = sighting;
  switch (change.kind) {
    case "item-added":
    case "item-edited":
      return releaseOf(change.item, source, config) ?? itemEvent(change.item, source);
    case "item-withdrawn": {
      // An entry's date is not the date of its withdrawal.
      const { at: _, key, ...event } = releaseOf(change.item, source, config) ?? itemEvent(change.item, source);
      return { ...event, key: `${key}${withdrawn}` };
    }
    case "fact":
      return { key: `${source.id} ${change.name} ${clip(change.after ?? "no longer given")}${repetition(change)}` };
    case "block":
      return { key: blocksKey(source, [sighting]) };
    case "claim": {
      const claim = source.claims.find((one) => claimKey(one) === change.claim);
      const proved = digest(change.to === "not found" ? claim?.proof : (change.after ?? ""));
      return { key: `${change.claim} ${change.to} ${proved}${repetition(change)}` };
    }
    case "turned":
      return { key: `${source.id} now ${change.now} since ${day(change.since)}` };
    case "link":
      return {
        key: [source.id, change.to, ...(change.address ? [clip(change.address)] : [])].join(" ") + repetition(change),
      };
  }
}

export function releaseOf(item: Item, source: Origin, config: Config): Event | undefined {
  const announced = announcedBy(item, source, config);
  if (!announced) return undefined;
  const { product, version } = announced;
  const pre = item.pre && !version.pre ? calledPre : "";
  return { key: `${eventKey(product, version)}${pre}`, product: product.id, version: version.text, at: item.at };
}

/** Suffix of the key of a withdrawn entry. Its withdrawal is a different event from its publication. */
const withdrawn = " withdrawn";

export function publicationOf({ key }: Event): string {
  return key.endsWith(withdrawn) ? key.slice(0, -withdrawn.length) : key;
}

/** Suffix of the key of a version that is a pre-release according to its source but not to its number. */
const calledPre = " pre-release";

/** Whether an event is a version only because its source calls it a pre-release. */
export function isCalledPre({ key, product }: Event): boolean {
  return product !== undefined && publicationOf({ key }).endsWith(calledPre);
}

/**
 * The event of the entry itself, if it announces a version. The first entry about a version is the same event as the
 * version. Each later entry is a separate event for conditions on entries.
 */
export function entryOf({ event, changes }: Occurrence, source: Origin): Event | undefined {
  const change = changes[0]?.change;
  if (!change || !("item" in change) || change.kind === "item-withdrawn" || event.product === undefined)
    return undefined;
  return itemEvent(change.item, source);
}

/** The key of an item. A commit is the same event in every list that has it. */
function itemEvent({ id, at }: Item, source: Origin): Event {
  return { key: /^[\da-f]{40}$/.test(id) ? `commit ${id}` : `${source.id} ${clip(id)}`, at };
}

/** One key for all blocks of one check. A repeated edit is a new event once the page's memory has dropped the first. */
function blocksKey(source: Origin, seen: readonly Seen[]): string {
  const texts = seen.map(({ change }) => (change.kind === "block" ? [change.before?.text, change.after?.text] : []));
  const since = seen.reduce((first, one) => Math.min(first, one.since), Infinity);
  return `${source.id} changed ${digest([texts, Math.floor(since / remember)])}`;
}

/** The key of an event as people write it, without the digest of the change and the count of its returns. */
export function plainKey({ key }: Event): string {
  return key.replace(/(?: [0-9a-f]{16})?(?: \(\d+\))?$/, "");
}

/** Marks an event that returned after some time as a new event. */
function repetition({ again }: { readonly again?: number }): string {
  return again ? ` (${again + 1})` : "";
}

function clip(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 80)}…${digest(text)}`;
}

/** The events of a check whose history is needed. */
export interface FoundEvents {
  readonly keys: readonly string[];
  readonly products: readonly string[];
}

/** The keys and products of events, used to find earlier ones before their outcome is judged. */
export function foundEventsOf(happened: readonly Occurrence[], source: Origin): FoundEvents {
  return {
    keys: happened.flatMap((one) => [one.event, entryOf(one, source)].flatMap((event) => event?.key ?? [])),
    products: [...new Set(happened.flatMap(({ event }) => event.product ?? []))],
  };
}
