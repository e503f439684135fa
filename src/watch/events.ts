import { remember } from "../compare/page/memory.ts";
import type { Seen } from "../model/change.ts";
import type { Config } from "../model/config.ts";
import { digest } from "../model/digest.ts";
import type { Event, Occurrence } from "../model/event.ts";
import type { EventSighting } from "../model/ports/index.ts";
import type { Item } from "../model/reading.ts";
import { claimKey } from "../model/rests.ts";
import type { Source } from "../model/source.ts";
import { day, type Instant } from "../model/time.ts";
import { eventKey, type Product, parseVersion, recognise, tagged, type Version } from "../model/version.ts";

/** Groups the changes of one look into events. */
export function occurrencesOf(changes: readonly Seen[], source: Source, config: Config): Occurrence[] {
  const blocks = changes.filter(({ change }) => change.kind === "block");
  const found: Occurrence[] = changes
    .filter(({ change }) => change.kind !== "block")
    .map((seen) => ({ event: announce(seen, source, config), changes: [seen] }));
  if (blocks.length > 0) {
    found.push({ event: { key: blocksKey(source, blocks) }, changes: blocks });
  }
  return found;
}

/** Events that a first look found already there: known from then on, and never fired. */
export function baselineEvents(items: readonly Item[], source: Source, config: Config, at: Instant): EventSighting[] {
  return items.flatMap((item) => {
    const event = releaseOf(item, source, config);
    return event ? [{ key: event.key, source: source.id, seen: at, baseline: true, event }] : [];
  });
}

/** Where an event was seen, as it is remembered. A withdrawn entry says nothing of when it came, and is left out. */
export function sightingOf({ event, changes }: Occurrence, source: Source): EventSighting[] {
  const first = changes[0];
  if (!first || first.change.kind === "item-withdrawn") return [];
  return [{ key: event.key, source: source.id, seen: first.since, baseline: false, event }];
}

/** The event that one change announces. */
function announce(seen: Seen, source: Source, config: Config): Event {
  const { change } = seen;
  switch (change.kind) {
    case "item-added":
    case "item-edited":
      return releaseOf(change.item, source, config) ?? itemEvent(change.item, source);
    case "item-withdrawn": {
      // The date of an entry is not that of its end.
      const { at: _, key, ...event } = releaseOf(change.item, source, config) ?? itemEvent(change.item, source);
      return { ...event, key: `${key}${withdrawn}` };
    }
    case "fact":
      return { key: `${source.id} ${change.name} ${clip(change.after ?? "no longer given")}${nth(change)}` };
    case "block":
      return { key: blocksKey(source, [seen]) };
    case "claim": {
      const claim = source.claims.find((one) => claimKey(one) === change.claim);
      const proved = digest(change.to === "not found" ? claim?.proof : (change.after ?? ""));
      return { key: `${change.claim} ${change.to} ${proved}${nth(change)}` };
    }
    case "turned":
      return { key: `${source.id} now ${change.now} since ${day(change.since)}` };
    case "link":
      return { key: [source.id, change.to, ...(change.address ? [clip(change.address)] : [])].join(" ") + nth(change) };
  }
}

/** The version that an item announces, if its source announces a product and the item names one. */
export function releaseOf(item: Item, source: Source, config: Config): Event | undefined {
  for (const id of source.announces) {
    const product = config.products.get(id);
    const version = product && versionOf(item, product, source.announces.length === 1);
    if (!product || !version) continue;
    const pre = item.pre && !version.pre ? calledPre : "";
    return { key: `${eventKey(product, version)}${pre}`, product: id, version: version.text, at: item.at };
  }
  return undefined;
}

/** Ends the key of an entry that is withdrawn: that is another event than its publication. */
const withdrawn = " withdrawn";

/** The key of the publication of what an event is about. */
export function publicationOf({ key }: Event): string {
  return key.endsWith(withdrawn) ? key.slice(0, -withdrawn.length) : key;
}

/** Ends the key of a version that its source calls a pre-release although it is not spelled as one. */
const calledPre = " pre-release";

/** Whether an event is a version only in the form of what its source calls a pre-release. */
export function isCalledPre({ key, product }: Event): boolean {
  return product !== undefined && publicationOf({ key }).endsWith(calledPre);
}

/**
 * A tag, a package version or a bare version as title belongs to the source's only product; any other title must name
 * its product or have the shape of its tags. Without declared shapes, the tag or the title may name the product.
 */
function versionOf({ title, version }: Item, product: Product, only: boolean): Version | undefined {
  if (version !== undefined && only) {
    const told = parseVersion(version, product);
    // A version with an unknown suffix is not a release, whatever its title says.
    if (told || product.tags.length > 0 || /^v?\d/i.test(version)) return told;
    return recognise(version, product) ?? recognise(title, product);
  }
  const bare = only && /\d\.\d/.test(title) ? parseVersion(title, product) : undefined;
  return recognise(title, product) ?? bare ?? (version === undefined ? undefined : tagged(version, product));
}

/**
 * The event that an entry announcing a version is by itself. The first entry about a version is one event with it; each
 * further entry is an event of its own for conditions on entries.
 */
export function entryOf({ event, changes }: Occurrence, source: Source): Event | undefined {
  const change = changes[0]?.change;
  if (!change || !("item" in change) || change.kind === "item-withdrawn" || event.product === undefined)
    return undefined;
  return itemEvent(change.item, source);
}

/** The key of an item: a commit is the same event in every list that has it. */
function itemEvent({ id, at }: Item, source: Source): Event {
  return { key: /^[\da-f]{40}$/.test(id) ? `commit ${id}` : `${source.id} ${clip(id)}`, at };
}

/**
 * The key of all blocks that changed in one look: they are one event together. An edit that was undone and made again
 * is a new event, once the page's memory has dropped the first.
 */
function blocksKey(source: Source, seen: readonly Seen[]): string {
  const texts = seen.map(({ change }) => (change.kind === "block" ? [change.before?.text, change.after?.text] : []));
  const since = seen.reduce((first, one) => Math.min(first, one.since), Infinity);
  return `${source.id} changed ${digest([texts, Math.floor(since / remember)])}`;
}

/** The key of an event as people write it: without the digest of what changed and without the count of its returns. */
export function plainKey({ key }: Event): string {
  return key.replace(/(?: [0-9a-f]{16})?(?: \(\d+\))?$/, "");
}

/** Marks an event that comes again after it was over for a while: that is another event. */
function nth({ again }: { readonly again?: number }): string {
  return again ? ` (${again + 1})` : "";
}

function clip(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 80)}…${digest(text)}`;
}

/** The events that a look found, whose history is asked for. */
export interface FoundEvents {
  readonly keys: readonly string[];
  readonly products: readonly string[];
}

/** The keys and products of events, by which earlier ones are found before their outcome is judged. */
export function foundEventsOf(happened: readonly Occurrence[], source: Source): FoundEvents {
  return {
    keys: happened.flatMap((one) => [one.event, entryOf(one, source)].flatMap((event) => event?.key ?? [])),
    products: [...new Set(happened.flatMap(({ event }) => event.product ?? []))],
  };
}
