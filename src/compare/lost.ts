import { Failure } from "../model/failure.ts";
import type { Block, Item, Reading } from "../model/model.ts";
import type { Trace } from "../model/trace.ts";
import { grouped } from "../model/words.ts";
import type { FactMemory } from "./facts.ts";
import type { Memory } from "./index.ts";
import { type ItemMemory, isListed } from "./items.ts";
import { languageOf } from "./language.ts";

/**
 * Does a source still give what it gave? A list that holds none of its entries any more, a page of which half came or
 * that speaks another language: told before anything is compared, as *unknown* with the reason, never as *unchanged*.
 * Where it lasts, it is the source as it is now, and that is told once.
 */

/** One thing that a source gave and gives no more. */
export interface Loss {
  readonly failure: Failure;
  /** Where it lasts, what the source is now, in our own words; undefined where the changes themselves say it. */
  readonly now?: string;
  /** The part that is then compared from the beginning, as at a first look. */
  readonly anew?: "items" | "page";
  /** Nothing came in its place: an outage looks like this too. */
  readonly bare?: true;
}

export interface LostOptions {
  /** Half of a text may look like a whole one. */
  readonly mayBeHalf?: boolean | undefined;
  readonly trace?: Trace | undefined;
}

/** Everything that a reading lacks of what its source gave before. */
export function lostSince(memory: Memory | undefined, reading: Reading, options: LostOptions): Loss[] {
  if (!memory) return [];
  const found = [
    lostText(memory, reading, options),
    lostEntries(memory.items, reading.items),
    lostFacts(memory.facts, reading),
  ];
  return found.filter((lost) => lost !== undefined);
}

/** The memory without the parts that begin anew. */
export function withoutLost(memory: Memory, losses: readonly Loss[]): Memory {
  const anew = new Set(losses.map((lost) => lost.anew));
  return {
    ...memory,
    ...(anew.has("items") && { items: undefined }),
    ...(anew.has("page") && { page: undefined }),
  };
}

function lost(what: string, more: Omit<Loss, "failure"> = {}): Loss {
  return { failure: new Failure("lost", { what }), ...more };
}

// ── Entries ────────────────────────────────────────────────────────────────────────────────────

/** Parts of entries without which a list says less than it did. */
const parts: readonly { readonly name: string; readonly has: (item: Pick<Item, "at" | "version">) => boolean }[] = [
  { name: "dates", has: ({ at }) => at !== undefined },
  { name: "versions", has: ({ version }) => version !== undefined && /\d/.test(version) },
];

function lostEntries(memory: ItemMemory | undefined, listed: readonly Item[] | undefined): Loss | undefined {
  const held = (memory?.window ?? []).flatMap((id) => (memory?.known[id] ? [{ ...memory.known[id], id }] : []));
  if (!memory || !listed || held.length === 0) return undefined;
  if (listed.length === 0) {
    // A list that was empty before may be so again.
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

/** Of a list with fewer entries, one replaced by another says little about its form. */
const minEntriesOfForm = 3;

/**
 * Whether entries that are all new may be of the list that held the others: a window that slid as a whole. They have
 * what those had, are named alike, and the newest came later.
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

/** The manner in which an entry is named: an address by its host, else whether by a number, a digest, a version or words. */
function formOf({ id }: Item): string {
  const host = /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i.exec(id)?.[1] ?? /^tag:([^,:]+)/i.exec(id)?.[1];
  if (host !== undefined) return host.toLowerCase().replace(/^www\./, "");
  if (/^\d+$/.test(id)) return "number";
  if (/^[\da-f-]{20,}$/i.test(id)) return "digest";
  return /\d/.test(id) && !/\s/.test(id) ? "version" : "words";
}

// ── Facts ──────────────────────────────────────────────────────────────────────────────────────

/**
 * Facts that go together and leave none. One that goes alone is a change like others, as are those in whose place others
 * came: a repository may lose its description, a report its one rating for another.
 */
function lostFacts(memory: FactMemory | undefined, { facts, partial }: Reading): Loss | undefined {
  if (!memory || !facts || partial) return undefined;
  const held = Object.entries(memory.known).filter(([, { value }]) => value !== "");
  const isGone = ([name]: (typeof held)[number]) => (facts[name] ?? "") === "";
  const isBare = Object.values(facts).every((value) => value === "");
  return held.length > 1 && isBare && held.every(isGone)
    ? lost(`any of its ${held.length} facts`, { bare: true })
    : undefined;
}

// ── Text ───────────────────────────────────────────────────────────────────────────────────────

/** Whether a text is only part of what it was before, another one laid out anew, or in another language or for another region. */
function lostText({ page, language }: Memory, reading: Reading, { mayBeHalf, trace }: LostOptions): Loss | undefined {
  if (!page || !reading.blocks) return undefined;
  // The last reading, where it is kept: accepted content still holds what waits to be gone.
  const last = page.latest ?? page.accepted;
  const shares = sharesOf(last, reading.blocks);
  if (trace) traceShares(shares, trace);
  const other = otherPage(page.region, reading.region, shares);
  const half = mayBeHalf && !other ? halfLoaded(shares) : undefined;
  return half ?? otherLanguage(last, reading.blocks, language, reading.language, shares) ?? other;
}

/** Shares of the old text: of a page that is half loaded so much is gone at least, and so much is new at most. */
const halfMissing = 0.6;
const halfFresh = 0.1;
/** With less of the old text gone, nobody asks in what language the page is. */
const otherMissing = 0.3;
/** With less of it gone, a page that is laid out anew can be compared. */
const relaidMissing = 0.9;

function traceShares({ old, missing, fresh }: Shares, trace: Trace): void {
  if (old === 0) return;
  const gone = missing / old;
  trace({ threshold: "share that is gone, to be half loaded", value: gone, limit: halfMissing });
  if (gone >= halfMissing) {
    trace({ threshold: "share that came, to be half loaded", value: fresh / old, limit: halfFresh });
  }
  trace({ threshold: "share that is gone, to be asked for its language", value: gone, limit: otherMissing });
}

interface Shares {
  /** Characters before. */
  readonly old: number;
  /** Of them, in blocks that are there no more. */
  readonly missing: number;
  /** Characters in blocks that were not there. */
  readonly fresh: number;
}

function sharesOf(before: readonly Block[], after: readonly Block[]): Shares {
  const letters = (blocks: readonly Block[], but: ReadonlySet<string>) =>
    blocks.reduce((sum, block) => (but.has(block.text) ? sum : sum + block.text.length), 0);
  const none = new Set<string>();
  return {
    old: letters(before, none),
    missing: letters(before, new Set(after.map((block) => block.text))),
    fresh: letters(after, new Set(before.map((block) => block.text))),
  };
}

/** Most of it went and next to nothing came. */
function halfLoaded({ old, missing, fresh }: Shares): Loss | undefined {
  if (old < 600 || missing < halfMissing * old || fresh > halfFresh * old) return undefined;
  return { failure: new Failure("half-loaded") };
}

/** Where another part holds the content, and hardly anything of the text is the same, there is nothing to compare by. */
function otherPage(before: string | undefined, now: string | undefined, { old, missing }: Shares): Loss | undefined {
  if (before === undefined || now === undefined || before === now || missing < relaidMissing * old) return undefined;
  return lost("the text that it gave: it is laid out anew", { now: "another page", anew: "page" });
}

function otherLanguage(
  before: readonly Block[],
  after: readonly Block[],
  said: string | undefined,
  says: string | undefined,
  { old, missing }: Shares,
): Loss | undefined {
  if (missing < otherMissing * old) return undefined;
  const expected = languageOf(sampleOf(before));
  const found = languageOf(sampleOf(after));
  if (expected && found && expected !== found) return inLanguage(expected, found);
  const [wasRegion, isRegion] = [regionOf(said), regionOf(says)];
  return said && says && wasRegion && isRegion && wasRegion !== isRegion ? inLanguage(said, says) : undefined;
}

function inLanguage(expected: string, found: string): Loss {
  const failure = new Failure("language", { expected, found });
  return { failure, now: `in ${languageName(found)}`, anew: "page" };
}

/** `de` → `German`. */
function languageName(code: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(code.replaceAll("_", "-")) ?? code;
}

function sampleOf(blocks: readonly Block[]): string {
  let text = "";
  for (const block of blocks) if (text.length < 20_000) text += ` ${block.text}`;
  return text;
}

function regionOf(language: string | undefined): string | undefined {
  return language?.match(/^[a-z]{2,3}[-_](?:[a-z]{4}[-_])?([a-z]{2}|\d{3})$/i)?.[1]?.toLowerCase();
}
