import { Failure } from "../model/failure.ts";
import type { Item, Reading } from "../model/reading.ts";
import type { Trace } from "../model/trace.ts";
import { grouped } from "../model/words.ts";
import { type FactMemory, factsGiven } from "./facts.ts";
import type { Memory } from "./index.ts";
import { type ItemMemory, isListed } from "./items.ts";
import { lostText } from "./lost-text.ts";

/**
 * Checks whether a source still gives what it gave. A list without any of its entries, half a page, or a page in
 * another language is found before anything is compared, and reported as *unknown* with the reason, never as *unchanged*.
 * If it lasts, it is accepted as the source's present state, and reported once.
 */

/** Something that a source gave and no longer gives. */
export interface Loss {
  readonly failure: Failure;
  /** If it lasts: what the source is now, in our own words; undefined if the changes themselves say it. */
  readonly now?: string;
  /** The part that is then compared from the beginning, as at a first check. */
  readonly anew?: "items" | "facts" | "page";
  /**
   * Its makers may have rewritten it: then a second check is enough. `here`: this reading says so. `around`: only if the rest of
   * the page is as before.
   */
  readonly rewritten?: "here" | "around";
  /** Nothing took its place, or something entirely different did: this also looks like an outage. */
  readonly bare?: true;
  /** The entries there now are not the source's news. */
  readonly foreign?: true;
}

export interface LostOptions {
  /** Whether half a text may look complete. */
  readonly mayBeHalf?: boolean | undefined;
  /** It is a record of an interface, which is asked for it by its id: another text under that is the record rewritten. */
  readonly structured?: boolean | undefined;
  /** A permanent redirect leads to another place than at the check before, or none leads away any more. */
  readonly elsewhere?: "led" | "left" | undefined;
  readonly trace?: Trace | undefined;
}

/** Finds everything that a source gave before and a reading lacks. */
export function lostSince(memory: Memory | undefined, reading: Reading, options: LostOptions): Loss[] {
  if (!memory) return [];
  const found = [
    lostText(memory, reading, options),
    otherEntries(memory.items, reading.items, options) ?? lostEntries(memory.items, reading.items),
    otherFacts(memory.facts, reading, options) ?? lostFacts(memory.facts, reading),
  ];
  return found.filter((lost) => lost !== undefined);
}

/** The memory without the parts that are compared from the beginning. */
export function withoutLost(memory: Memory, losses: readonly Loss[]): Memory {
  const anew = new Set(losses.map((lost) => lost.anew));
  return {
    ...memory,
    ...(anew.has("items") && { items: undefined }),
    ...(anew.has("facts") && { facts: undefined }),
    ...(anew.has("page") && { page: undefined }),
  };
}

function lost(what: string, more: Omit<Loss, "failure"> = {}): Loss {
  return { failure: new Failure("lost", { what }), ...more };
}

// ── Behind another address ──

/**
 * If it lasts, it is reported as the move that led there, or as another source where none did, rather than fact by fact, as
 * if the old source had changed.
 */
function another(what: string, anew: "items" | "facts", elsewhere: "led" | "left"): Loss {
  const state = elsewhere === "left" ? { now: `another ${what}` } : {};
  return { failure: new Failure("another-page", { what }), ...state, anew, bare: true, foreign: true };
}

/** After a rename the same entries are listed; at an address that leads to something else none of them is. */
function otherEntries(
  memory: ItemMemory | undefined,
  listed: readonly Item[] | undefined,
  { elsewhere }: LostOptions,
): Loss | undefined {
  if (!elsewhere || !memory || !listed || memory.window.length === 0 || isListed(memory, listed)) return undefined;
  const titles = new Set(memory.window.flatMap((id) => memory.known[id]?.title ?? []));
  // The same entries under other ids: the site moved to other software.
  if (listed.some(({ title }) => titles.has(title))) return undefined;
  return another("list", "items", elsewhere);
}

/** A rename leaves most facts as they are. An answer that cannot tell all of them is no other source's. */
function otherFacts(
  memory: FactMemory | undefined,
  { facts, partial }: Reading,
  { elsewhere }: LostOptions,
): Loss | undefined {
  if (!elsewhere || !memory || !facts || partial) return undefined;
  // The place of cited lines goes with their file.
  const held = Object.entries(factsGiven(memory)).filter(([name, value]) => value !== "" && name !== "place");
  const differing = held.filter(([name, value]) => (facts[name] ?? "") !== value);
  return held.length > 0 && 2 * differing.length >= held.length ? another("source", "facts", elsewhere) : undefined;
}

// ── Entries ────────────────────────────────────────────────────────────────────────────────────

/** Parts of entries without which a list tells less than before. */
const parts: readonly { readonly name: string; readonly has: (item: Pick<Item, "at" | "version">) => boolean }[] = [
  { name: "dates", has: ({ at }) => at !== undefined },
  { name: "versions", has: ({ version }) => version !== undefined && /\d/.test(version) },
];

function lostEntries(memory: ItemMemory | undefined, listed: readonly Item[] | undefined): Loss | undefined {
  const held = (memory?.window ?? []).flatMap((id) => (memory?.known[id] ? [{ ...memory.known[id], id }] : []));
  if (!memory || !listed || held.length === 0) return undefined;
  if (listed.length === 0) {
    // A list that was empty before may be empty again.
    return memory.wasEmpty
      ? undefined
      : lost(held.length === 1 ? "its entry" : `any of its ${grouped(held.length)} entries`, emptied);
  }
  if (!isListed(memory, listed) && !resembles(held, listed)) {
    return lost(`an entry like the ${held.length === 1 ? "one" : grouped(held.length)} before`, {
      now: "another list",
      anew: "items",
    });
  }
  const byId = new Map(held.map((item) => [item.id, item]));
  const isWithout = ({ has }: (typeof parts)[number]) =>
    !listed.some(has) && listed.some(({ id }) => has(byId.get(id) ?? {}));
  const without = parts.filter(isWithout).map(({ name }) => name);
  if (without.length === 0) return undefined;
  const names = without.join(" and ");
  return lost(`${names} for its entries`, { now: `a list without ${names}`, anew: "items" });
}

const emptied = { now: "an empty list", bare: true } as const;

/** Entries of a list below which their form tells little. */
const minEntriesOfForm = 3;

/**
 * Whether entries that are all new may belong to the same list, as a window that moved on completely: they have the
 * same parts, similar names, and a newer newest entry.
 */
function resembles(held: readonly Item[], listed: readonly Item[]): boolean {
  const most = (all: readonly Item[], is: (item: Item) => boolean) => 2 * all.filter(is).length >= all.length;
  if (parts.some(({ has }) => most(held, has) && !most(listed, has))) return false;
  if (held.length < minEntriesOfForm) return true;
  const forms = new Set(held.map(formOf));
  return most(listed, (item) => forms.has(formOf(item))) && newestOf(listed) >= newestOf(held);
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
 * Facts that disappear together, without any in their place. A fact that disappears alone, or is replaced, is an
 * ordinary change: a repository may lose its description, a report replace its one rating.
 */
function lostFacts(memory: FactMemory | undefined, { facts, partial }: Reading): Loss | undefined {
  if (!memory || !facts || partial) return undefined;
  const held = Object.entries(factsGiven(memory)).filter(([, value]) => value !== "");
  const isGone = ([name]: (typeof held)[number]) => (facts[name] ?? "") === "";
  const isBare = Object.values(facts).every((value) => value === "");
  return held.length > 1 && isBare && held.every(isGone)
    ? lost(`any of its ${held.length} facts`, { bare: true })
    : undefined;
}
