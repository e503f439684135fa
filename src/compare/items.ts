import type { Change, Noise, Seen, Sighting } from "../model/change.ts";
import { digest } from "../model/digest.ts";
import type { Item } from "../model/reading.ts";
import { anHour, type Duration, type Instant } from "../model/time.ts";
import type { CompareOptions, PartComparison } from "./index.ts";
import { findRenamed } from "./renames.ts";

/** One remembered entry of a list. */
interface KnownItem extends Omit<Item, "id" | "serial" | "blocks"> {
  /** A digest of its text, to notice an edit. */
  readonly digest: string;
  /** The first check that missed it while something older was still listed. */
  readonly missing?: Instant;
  readonly withdrawn?: boolean;
}

/** A remembered list: all known entries (up to a limit), and the window of the last check. */
export interface ItemMemory {
  readonly known: Readonly<Record<string, KnownItem>>;
  /** The ids listed at the last check, in the source's order. */
  readonly window: readonly string[];
  /** New entries that a second check must see, by id. */
  readonly waiting: Readonly<Record<string, WaitingItem>>;
  /** The list was empty before, so being empty again means nothing. */
  readonly wasEmpty?: true;
  /** The highest serial number among the known entries. */
  readonly serial?: number;
}

/** When it was first seen, and the last check without it. */
type WaitingItem = Pick<Seen, "since" | "absent">;

export type ItemCheck = Pick<CompareOptions, "at" | "confirmAfter" | "structured" | "current" | "audited" | "last">;

type ItemChange = Extract<Change, { kind: "item-added" | "item-edited" | "item-withdrawn" }>;

export interface ItemComparison extends PartComparison<ItemMemory, ItemChange> {
  /** At the first check: entries that existed at the audit, or may have. */
  readonly baseline: readonly Item[];
}

/** Known entries outside the last window, at most. */
const remembered = 5_000;
/** A date further ahead than this is ignored. */
const tomorrow = 36 * anHour;

/** Compares a list with all known entries. A list is a window: an entry that left it at its end was not withdrawn. */
export function compareItems(
  memory: ItemMemory | undefined,
  listed: readonly Item[],
  check: ItemCheck,
): ItemComparison {
  const unique = new Map(listed.map((item) => [item.id, item]));
  const items = [...unique.values()].map((item) => withCredibleDate(item, check.at));
  return memory ? compareWindow(memory, items, check) : firstCheck(items, check);
}

/** From this many entries with one and the same time, the time is that of the list. */
const ofOneTime = 3;
/** In every time zone a day begins at a multiple of this. Any other time is not only a date. */
const quarter: Duration = anHour / 4;

function firstCheck(items: readonly Item[], check: ItemCheck): ItemComparison {
  const [time] = items.map(({ at }) => at);
  const isMade = items.length >= ofOneTime && (time ?? 0) % quarter !== 0 && items.every(({ at }) => at === time);
  const isDated = ({ at }: Item) => !isMade && at !== undefined && at > check.audited;
  const isPassed = (item: Item) => isMade && !isNew(item) && (item.at ?? 0) > check.audited;
  const lastBefore = highestSerial(items.filter((item) => !isDated(item)));
  // An entry with a serial number may be older than its date. It is new only if its number is above those from before
  // the audit.
  const isNew = (item: Item) => isDated(item) && (item.serial === undefined || item.serial > (lastBefore ?? Infinity));
  return {
    memory: {
      known: Object.fromEntries(items.map((item) => [item.id, remember(item)])),
      window: items.map((item) => item.id),
      waiting: {},
      ...(items.length === 0 && { wasEmpty: true }),
      serial: highestSerial(items),
    },
    changes: items.filter(isNew).map((item) => ({ change: { kind: "item-added", item }, since: check.at })),
    sightings: [],
    noise: items
      .filter(isPassed)
      .map((item) => ({ change: { kind: "item-added", item }, reason: "the time of the whole list" })),
    baseline: items.filter((item) => !isNew(item)),
  };
}

function compareWindow(memory: ItemMemory, items: readonly Item[], check: ItemCheck): ItemComparison {
  const knownItems = new Map(Object.entries(memory.known));
  // Maps, because an entry may have any id, even "constructor".
  const waited = new Map(
    // A first sighting in the future comes from a wrong clock.
    Object.entries(memory.waiting).map(([id, one]) => [id, { ...one, since: Math.min(one.since, check.at) }]),
  );
  const waiting = new Map<string, WaitingItem>();
  const changes: (Seen & { change: ItemChange })[] = [];
  const sightings: Sighting[] = [];
  const noise: Noise[] = [];
  const oldest = oldestDate(memory);
  const earlier = renamedIn(knownItems, memory.window, items);
  const mustLast = itemsToConfirm(memory, items, new Set(earlier.values()), check);

  for (const item of items) {
    const name = earlier.get(item.id);
    const before = knownItems.get(name ?? item.id);
    if (before) {
      if (name !== undefined) knownItems.delete(name);
      const edit = editOf(before, item);
      if (edit) changes.push({ change: edit, since: check.at, absent: check.last });
      // Another format may not say which entries are pre-releases.
      knownItems.set(item.id, remember({ ...item, pre: item.pre ?? before.pre }));
      continue;
    }
    const added: ItemChange = { kind: "item-added", item };
    const firstSeen = waited.get(item.id) ?? { since: check.at, absent: check.last };
    const isOld = item.at !== undefined && oldest !== undefined && item.at < oldest;
    if (isOld || (item.serial ?? Infinity) <= (memory.serial ?? -Infinity)) {
      noise.push({ change: added, reason: "too old to be new" });
    } else if (mustLast(item) && !isConfirmed(waited.get(item.id)?.since, check)) {
      waiting.set(item.id, firstSeen);
      sightings.push({ change: added, since: firstSeen.since });
      continue;
    } else {
      changes.push({ change: added, ...firstSeen });
    }
    knownItems.set(item.id, remember(item));
  }
  for (const [id, { since }] of waited) {
    if (!waiting.has(id) && !knownItems.has(id)) {
      noise.push({ change: { kind: "item-added", item: { id, title: id, at: since } }, reason: "did not last" });
    }
  }
  if (!check.current) findWithdrawn(memory, items, check, { known: knownItems, changes, sightings });
  const window = items.filter((item) => knownItems.has(item.id)).map((item) => item.id);
  const after = {
    known: limitKnown(knownItems, window),
    window,
    waiting: Object.fromEntries(waiting),
    ...((memory.wasEmpty || items.length === 0) && { wasEmpty: true as const }),
    serial: highestSerial([...items.filter(({ id }) => knownItems.has(id)), { serial: memory.serial }]),
  };
  return { memory: after, changes, sightings, noise, baseline: [] };
}

/** New entries of unstructured sources, and undated ones that replaced others: a cache may show old ones as new. */
function itemsToConfirm(
  memory: ItemMemory,
  items: readonly Item[],
  renamedNow: ReadonlySet<string>,
  { structured }: ItemCheck,
): (item: Item) => boolean {
  const listed = new Set([...items.map((item) => item.id), ...renamedNow]);
  const last = lastListed(memory, listed);
  const isReplaced = memory.window.some((id, place) => !listed.has(id) && (last < 0 || place < last));
  return ({ id, at }) => !structured || Object.hasOwn(memory.waiting, id) || (at === undefined && isReplaced);
}

/** Whether a list has any known entry, perhaps with another id. */
export function isListed(memory: ItemMemory, listed: readonly Item[]): boolean {
  const known = new Map(Object.entries(memory.known));
  return listed.some(({ id }) => known.has(id)) || renamedIn(known, memory.window, listed).size > 0;
}

/** Entries that are listed under another id than at the last check, by their new ids. */
function renamedIn(
  knownItems: ReadonlyMap<string, KnownItem>,
  window: readonly string[],
  items: readonly Item[],
): Map<string, string> {
  const before = window.flatMap((id) => {
    const item = knownItems.get(id);
    return item ? [{ ...item, id, text: item.digest }] : [];
  });
  // Entries without text all have the same digest.
  const texts = items.map((item) => ({ ...item, text: item.blocks?.length ? digestOf(item) : undefined }));
  return findRenamed(before, texts, knownItems);
}

/** The results of a comparison so far, and all known entries. */
interface Findings {
  readonly known: Map<string, KnownItem>;
  readonly changes: (Seen & { change: ItemChange })[];
  readonly sightings: Sighting[];
}

/** Finds withdrawn entries: those that are missing at two checks while something older is still listed. */
function findWithdrawn(
  memory: ItemMemory,
  items: readonly Item[],
  check: ItemCheck,
  { known, changes, sightings }: Findings,
): void {
  const listed = new Set(items.map((item) => item.id));
  const lastOlder = lastListed(memory, listed);
  const oldestNow = items.reduce((oldest, item) => Math.min(oldest, item.at ?? Infinity), Infinity);
  const candidates = new Set([...memory.window, ...[...known].filter(([, item]) => item.missing).map(([id]) => id)]);
  for (const id of candidates) {
    const item = known.get(id);
    if (!item || listed.has(id) || item.withdrawn) continue;
    const place = memory.window.indexOf(id);
    const olderListed =
      item.at !== undefined ? oldestNow < item.at : place >= 0 ? place < lastOlder : item.missing !== undefined;
    if (!olderListed) {
      known.set(id, { ...item, missing: undefined });
      continue;
    }
    const since = Math.min(item.missing ?? check.at, check.at);
    const change: ItemChange = { kind: "item-withdrawn", item: recall(id, item) };
    if (isConfirmed(item.missing, check)) {
      changes.push({ change, since });
      known.set(id, { ...item, withdrawn: true });
    } else {
      sightings.push({ change, since });
      known.set(id, { ...item, missing: since });
    }
  }
}

/** The position, in the last window, of the last entry that is still listed. */
function lastListed(memory: ItemMemory, listed: ReadonlySet<string>): number {
  return memory.window.reduce((last, id, place) => (listed.has(id) ? place : last), -1);
}

function isConfirmed(since: Instant | undefined, check: ItemCheck): boolean {
  return since !== undefined && check.at - since >= check.confirmAfter;
}

function editOf(before: KnownItem, item: Item): ItemChange | undefined {
  const same =
    before.title === item.title &&
    before.version === item.version &&
    (before.pre ?? false) === (item.pre ?? before.pre ?? false) &&
    before.digest === digestOf(item);
  return same ? undefined : { kind: "item-edited", before: recall(item.id, before), item };
}

function remember(item: Item): KnownItem {
  const { title, version, pre, at, url } = item;
  return { title, version, pre, at, url, digest: digestOf(item) };
}

function digestOf(item: Item): string {
  return digest((item.blocks ?? []).map((block) => block.text));
}

function recall(id: string, { title, version, pre, at, url }: KnownItem): Item {
  return { id, title, version, pre, at, url };
}

function highestSerial(items: readonly Pick<Item, "serial">[]): number | undefined {
  const serials = items.flatMap(({ serial }) => serial ?? []);
  return serials.length > 0 ? serials.reduce((a, b) => Math.max(a, b)) : undefined;
}

/** The oldest date of a list if most entries are dated. */
function oldestDate(memory: ItemMemory): Instant | undefined {
  const dates = memory.window.map((id) => memory.known[id]?.at).filter((at) => at !== undefined);
  return dates.length > 0 && 2 * dates.length >= memory.window.length ? Math.min(...dates) : undefined;
}

function withCredibleDate(item: Item, at: Instant): Item {
  return { ...item, at: (item.at ?? 0) > at + tomorrow ? undefined : item.at };
}

function limitKnown(known: Map<string, KnownItem>, window: readonly string[]): Record<string, KnownItem> {
  const listed = new Set(window);
  const others = [...known].filter(([id]) => !listed.has(id));
  const kept = others.slice(Math.max(0, others.length - remembered));
  return Object.fromEntries([...kept, ...[...known].filter(([id]) => listed.has(id))]);
}
