import { Failure } from "../model/failure.ts";
import type { Trace } from "../model/heuristics.ts";
import type { Item, Reading } from "../model/reading.ts";
import { groupDigits } from "../model/words.ts";
import { type FactMemory, factsGiven } from "./facts.ts";
import type { Memory } from "./index.ts";
import { type ItemMemory, isListed } from "./items.ts";
import { textLoss } from "./text-losses.ts";

/**
 * Finds losses: a list without any old entry, half a page, a page in another language. They are found before the
 * comparison, and reported as *unknown* with the reason, never as *unchanged*. A loss that lasts is accepted as the
 * source's new state, and reported once.
 */

/** A part that a source no longer gives. */
export interface Loss {
  readonly failure: Failure;
  /** If it lasts: the source's new state, in our own words; undefined if the changes themselves say it. */
  readonly now?: string;
  /** The part whose memory then starts again, as at a first check. */
  readonly anew?: "items" | "facts" | "page";
  /** Perhaps rewritten: a second check suffices. `here`: by this reading. `around`: if the rest is the same. */
  readonly rewritten?: "here" | "around";
  /** Nothing replaced it, or something entirely different did. This may also be an outage. */
  readonly bare?: true;
  /** The new entries are not news of the source. */
  readonly foreign?: true;
}

export interface LossOptions {
  /** Whether half a text may look complete. */
  readonly mayBeHalf?: boolean | undefined;
  /** It is a record that an API returns by its id, so that another text is the rewritten record. */
  readonly structured?: boolean | undefined;
  /** `led`: a permanent redirect has a new target. `left`: the permanent redirect has ended. */
  readonly elsewhere?: "led" | "left" | undefined;
  readonly trace?: Trace | undefined;
}

/** Finds everything that a source gave before and that is missing from a reading. */
export function lossesSince(memory: Memory | undefined, reading: Reading, options: LossOptions): Loss[] {
  if (!memory) return [];
  const losses = [
    textLoss(memory, reading, options),
    otherEntries(memory.items, reading.items, options) ?? lostEntries(memory.items, reading.items),
    lostFacts(memory.facts, reading, options),
  ];
  return losses.filter((lost) => lost !== undefined);
}

/** The memory without the parts that start again. */
export function withoutLost(memory: Memory, losses: readonly Loss[]): Memory {
  const parts = losses.flatMap(({ anew }) => anew ?? []);
  return { ...memory, ...Object.fromEntries(parts.map((part) => [part, undefined])) };
}

function lossOf(what: string, more: Omit<Loss, "failure"> = {}): Loss {
  return { failure: new Failure("lost", { what }), ...more };
}

// ── At another address ─────────────────────────────────────────────────────────────────────────

/** If it lasts, it is reported as a move or as another source, but not entry by entry or fact by fact. */
function otherSource(what: string, anew: "items" | "facts", elsewhere: "led" | "left"): Loss {
  const state = elsewhere === "left" ? { now: `another ${what}` } : {};
  return { failure: new Failure("another-page", { what }), ...state, anew, bare: true, foreign: true };
}

/** After a rename a list has the same entries. At an address with another list, it has none of them. */
function otherEntries(
  memory: ItemMemory | undefined,
  listed: readonly Item[] | undefined,
  { elsewhere }: LossOptions,
): Loss | undefined {
  if (!elsewhere || !memory || !listed || memory.window.length === 0 || isListed(memory, listed)) return undefined;
  const titles = new Set(memory.window.flatMap((id) => memory.known[id]?.title ?? []));
  // The same entries with other ids: the site uses other software.
  if (listed.some(({ title }) => titles.has(title))) return undefined;
  return otherSource("list", "items", elsewhere);
}

// ── Entries ────────────────────────────────────────────────────────────────────────────────────

/** Parts of entries whose loss matters. */
const parts: readonly { readonly name: string; readonly has: (item: Pick<Item, "at" | "version">) => boolean }[] = [
  { name: "dates", has: ({ at }) => at !== undefined },
  { name: "versions", has: ({ version }) => version !== undefined && /\d/.test(version) },
];

function lostEntries(memory: ItemMemory | undefined, listed: readonly Item[] | undefined): Loss | undefined {
  const windowItems = (memory?.window ?? []).flatMap((id) => (memory?.known[id] ? [{ ...memory.known[id], id }] : []));
  if (!memory || !listed || windowItems.length === 0) return undefined;
  if (listed.length === 0) {
    const what = windowItems.length === 1 ? "its entry" : `any of its ${groupDigits(windowItems.length)} entries`;
    // A list that was empty before may be empty again.
    return memory.wasEmpty ? undefined : lossOf(what, { now: "an empty list", bare: true });
  }
  if (!isListed(memory, listed) && !resembles(windowItems, listed)) {
    return lossOf(`an entry like the ${windowItems.length === 1 ? "one" : groupDigits(windowItems.length)} before`, {
      now: "another list",
      anew: "items",
    });
  }
  const byId = new Map(windowItems.map((item) => [item.id, item]));
  const isWithout = ({ has }: (typeof parts)[number]) =>
    !listed.some(has) && listed.some(({ id }) => has(byId.get(id) ?? {}));
  const without = parts.filter(isWithout).map(({ name }) => name);
  if (without.length === 0) return undefined;
  const names = without.join(" and ");
  return lossOf(`${names} for its entries`, { now: `a list without ${names}`, anew: "items" });
}

/** With fewer entries, their form says little. */
const minEntriesOfForm = 3;

/** Whether entries that are all new may be from the same list after a gap: by their parts, ids and newest date. */
function resembles(before: readonly Item[], listed: readonly Item[]): boolean {
  const most = (all: readonly Item[], is: (item: Item) => boolean) => 2 * all.filter(is).length >= all.length;
  if (parts.some(({ has }) => most(before, has) && !most(listed, has))) return false;
  if (before.length < minEntriesOfForm) return true;
  const forms = new Set(before.map(formOf));
  return most(listed, (item) => forms.has(formOf(item))) && newestOf(listed) >= newestOf(before);
}

function newestOf(items: readonly Item[]): number {
  return items.reduce((newest, { at = 0 }) => Math.max(newest, at), 0);
}

/** The form of an entry's id: an address by its host, else a number, a digest, a version or words. */
function formOf({ id }: Item): string {
  const host = /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i.exec(id)?.[1] ?? /^tag:([^,:]+)/i.exec(id)?.[1];
  if (host !== undefined) return host.toLowerCase().replace(/^www\./, "");
  if (/^\d+$/.test(id)) return "number";
  if (/^[\da-f-]{20,}$/i.test(id)) return "digest";
  return /\d/.test(id) && !/\s/.test(id) ? "version" : "words";
}

// ── Facts ──────────────────────────────────────────────────────────────────────────────────────

/**
 * Facts of another source, or facts that all disappear without a replacement. One that does so alone, or is replaced,
 * is an ordinary change. After a rename most facts are the same. A partial answer proves nothing.
 */
function lostFacts(
  memory: FactMemory | undefined,
  { facts, partial }: Reading,
  { elsewhere }: LossOptions,
): Loss | undefined {
  if (!memory || !facts || partial) return undefined;
  const lastFacts = Object.entries(factsGiven(memory)).filter(([, value]) => value !== "");
  // The place of cited lines moves with their file.
  const lasting = lastFacts.filter(([name]) => name !== "place");
  const differing = lasting.filter(([name, value]) => (facts[name] ?? "") !== value);
  const isOther = lasting.length > 0 && 2 * differing.length >= lasting.length;
  if (elsewhere && isOther) return otherSource("source", "facts", elsewhere);
  const isBare = Object.values(facts).every((value) => value === "");
  return lastFacts.length > 1 && isBare ? lossOf(`any of its ${lastFacts.length} facts`, { bare: true }) : undefined;
}
