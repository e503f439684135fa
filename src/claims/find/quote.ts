import { nth } from "../../language/fold.ts";
import { spanAt, type Term, termsIn, type Words, wholeSentences } from "../../language/words.ts";
import { makeOnce } from "../../model/cache.ts";
import { align, likelyWindows } from "./similar-passages.ts";

/** The passage to find: a W3C TextQuoteSelector, https://www.w3.org/TR/annotation-model/#text-quote-selector */
export interface Quote {
  readonly exact: string;
  readonly prefix?: string;
  readonly suffix?: string;
}

/**
 * The state of a passage now. `exact`: it is there word for word, apart from case, punctuation, markup and spelling of
 * figures. `altered`: it is there in other words. `absent`: no similar one is there.
 */
export type QuoteMatch =
  | { readonly status: "exact" | "altered"; readonly text: string; readonly similarity: number }
  | { readonly status: "absent"; readonly similarity: number };

/**
 * The least share of weight that an *altered* passage and its place have in common. Half of it must be in the place.
 */
const minSimilarity = 0.5;
/** The share that suffices if prefix and suffix are still around it. */
const minSimilarityInPlace = 0.25;
const contextInPlace = 0.75;
/**
 * With a prefix or suffix, an exact passage whose surroundings match less than this yields to an altered one in the
 * right surroundings.
 */
const minContext = 0.5;

const maxOccurrences = 1000;
const maxWindows = 16;
const maxFuzzyWords = 400;
const maxContextWords = 32;

interface Context {
  readonly before: readonly Term[];
  readonly after: readonly Term[];
}

/** Finds a passage again after edits, moves and re-wrapping. Takes bounded time. Deterministic. */
export function findQuote(page: Words, quote: Quote): QuoteMatch {
  const passage = termsIn(quote.exact);
  const context = contextOf(quote);
  const hasContext = context.before.length + context.after.length > 0;
  const places = placesOf(page, quote);
  const exact = strongestPlace(places);
  if (exact !== undefined && (!hasContext || exact.context >= minContext)) return exactMatch(page, exact);
  const joined = exact ? undefined : (joinedAt(page, passage, context) ?? elidedAt(page, quote.exact, context));
  if (joined && (!hasContext || joined.context >= minContext)) return exactMatch(page, joined);
  const altered = findAltered(page, passage, context, places);
  if (exact !== undefined)
    return altered !== undefined && altered.context >= contextInPlace ? altered.found : exactMatch(page, exact);
  return altered?.found ?? { status: "absent", similarity: 0 };
}

/** Whether a passage, or each of its parts, is on a page word for word. Linear. */
export function isOnPage(page: Words, text: string): boolean {
  return partsOf(text).every((passage) => occurrences(page, passage, 1).length > 0);
}

/** Signs that words are left out of a quotation: `[…]`, `(...)`, `…`. */
const leftOut = /[[(] ?(?:…|\.{3}|\. \. \.) ?[\])]|…|(?<!\.)\.{3,4}(?!\.)/g;
/** The most words that may be left out at one place, and the least in each part. */
const maxLeftOut = 100;
const minPartWords = 2;
const maxParts = 10;

/** The parts of a quotation that leaves words out; the whole of it if a part is too short for a search. */
export function partsOf(text: string): Term[][] {
  const parts = text
    .split(leftOut)
    .map((written) => termsIn(written))
    .filter(({ length }) => length > 0);
  const isDistinctive = parts.length <= maxParts && parts.every(({ length }) => length >= minPartWords);
  return isDistinctive && parts.length > 1 ? parts : [termsIn(text)];
}

/** The best stretch of a section that has all these parts in their order. */
function elidedAt(page: Words, text: string, context: Context): Place | undefined {
  const parts = partsOf(text);
  if (parts.length < 2) return undefined;
  const [first = [], ...rest] = parts.map((part) =>
    occurrences(page, part).map((at) => ({ at, end: at + part.length })),
  );
  const sectionOf = (word: number) => nth(page.blocks, nth(page.block, word)).path.join("\n");
  const lengths = new Map<number, number>();
  for (const { at, end } of first) {
    let to: number | undefined = end;
    for (const places of rest) {
      const after: number = to ?? page.ids.length;
      const next = places.find((place) => place.at >= after);
      to = next && next.at - after <= maxLeftOut && sectionOf(next.at) === sectionOf(at) ? next.end : undefined;
    }
    if (to !== undefined) lengths.set(at, to - at);
  }
  return strongestPlace([...lengths].map(([at, length]) => placeAt(page, context, at, length)));
}

/** Whether a passage is between its prefix and its suffix, word for word. */
export function isInContext(page: Words, quote: Quote): boolean {
  return placesOf(page, quote).some(({ context }) => context >= minContext);
}

/**
 * A passage with the heading above it, if it is now below other headings only: an item that was moved from "Supported"
 * to "Removed". The heading of its prefix must still be there.
 */
export function underOtherHeading(page: Words, quote: Quote): string | undefined {
  const places = placesOf(page, quote);
  const [first] = places;
  const { before } = contextOf(quote);
  if (first === undefined || places.some(({ context }) => context >= minContext)) return undefined;
  const named = page.blocks.some(({ kind, text }) => kind === "heading" && share(before, headingTerms(text)) === 1);
  const heading = nth(page.blocks, nth(page.block, first.at)).path.at(-1);
  if (before.length === 0 || !named || heading === undefined) return undefined;
  return `${heading}: ${spanAt(page, first.at, first.at + first.length - 1).text}`;
}

/** A passage on the page: its first word, the number of its words, and how much of prefix and suffix is around it. */
interface Place {
  readonly at: number;
  readonly length: number;
  readonly context: number;
}

function placeAt(page: Words, context: Context, at: number, length: number): Place {
  return { at, length, context: contextScore(page, context, at, at + length) };
}

function placesOf(page: Words, quote: Quote): Place[] {
  const passage = termsIn(quote.exact);
  const context = contextOf(quote);
  return occurrences(page, passage).map((at) => placeAt(page, context, at, passage.length));
}

function exactMatch(page: Words, { at, length }: Place): QuoteMatch {
  return { status: "exact", text: spanAt(page, at, at + length - 1).text, similarity: 1 };
}

/** The letters of a text without spaces between words. Figures stay separate. */
interface Joined {
  readonly text: string;
  /** The numbers of the words, by the offsets where they begin. */
  readonly words: ReadonlyMap<number, number>;
}

const joinedPages = new WeakMap<Words, Joined>();

function joinedOf(keys: readonly string[]): Joined {
  const words = new Map<number, number>();
  const parts: string[] = [];
  let length = 0;
  let last = "";
  for (const key of keys) {
    const part = /\p{L}$/u.test(last) && /^\p{L}/u.test(key) ? key : ` ${key}`;
    words.set(length + part.length - key.length, words.size);
    parts.push(part);
    length += part.length;
    last = key;
  }
  return { text: parts.join(""), words };
}

/**
 * The words of a page that differ from the passage only in spaces and hyphens. A line was broken at a hyphen (`sup-
 * ported`), or two words are written as one (`lowlatency`).
 */
function joinedAt(page: Words, passage: readonly Term[], context: Context): Place | undefined {
  if (passage.length === 0) return undefined;
  const joinedPage = makeOnce(joinedPages, page, () =>
    joinedOf(termsAt(page, 0, page.ids.length).map(({ key }) => key)),
  );
  const quoted = joinedOf(passage.map(({ key }) => key)).text.trimStart();
  let tries = 0;
  for (let from = joinedPage.text.indexOf(quoted); from >= 0 && tries < maxOccurrences; tries++) {
    const at = joinedPage.words.get(from);
    const end = from + quoted.length;
    const isLast = end === joinedPage.text.length;
    const next = isLast ? joinedPage.words.size : joinedPage.words.get(joinedPage.text[end] === " " ? end + 1 : end);
    if (at !== undefined && next !== undefined) return placeAt(page, context, at, next - at);
    from = joinedPage.text.indexOf(quoted, from + 1);
  }
  return undefined;
}

function contextOf(quote: Quote): Context {
  const terms = (text = "") => termsIn(text);
  return { before: terms(quote.prefix).slice(-maxContextWords), after: terms(quote.suffix).slice(0, maxContextWords) };
}

function strongestPlace(places: readonly Place[]): Place | undefined {
  return places.toSorted((a, b) => b.context - a.context)[0];
}

interface Altered {
  readonly found: QuoteMatch;
  readonly context: number;
  readonly rank: number;
}

/** In place of words that must not match: exact copies of the passage elsewhere. */
const blank: Term = { key: "\u0003", stem: "\u0003", weight: 1 };

function findAltered(
  page: Words,
  passage: readonly Term[],
  context: Context,
  copies: readonly Place[],
): Altered | undefined {
  if (passage.length === 0 || passage.length > maxFuzzyWords) return undefined;
  const around = [...context.before, ...context.after];
  const directions = [
    ...passage.map((term) => ({ term, weight: term.weight })),
    ...around.map((term) => ({ term, weight: term.weight / 2 })),
  ];
  const length = Math.ceil((passage.length + around.length) * 1.5) + 8;
  const passageWeight = total(passage);
  const isCopy = new Set(copies.flatMap(({ at }) => passage.map((_, k) => at + k)));
  let best: Altered | undefined;
  for (const candidate of likelyWindows(page, directions, length, maxWindows)) {
    if (candidate.weight < passageWeight * minSimilarityInPlace) break;
    const from = Math.max(0, candidate.at - Math.ceil(length / 4));
    const to = Math.min(page.ids.length, candidate.at + length + Math.ceil(length / 4));
    const window = termsAt(page, from, to).map((term, k) => (isCopy.has(from + k) ? blank : term));
    const altered = judge(page, passage, context, { from, window, passageWeight });
    if (altered !== undefined && (best === undefined || altered.rank > best.rank + 1e-9)) best = altered;
  }
  return best;
}

function judge(
  page: Words,
  passage: readonly Term[],
  context: Context,
  { from, window, passageWeight }: { from: number; window: readonly Term[]; passageWeight: number },
): Altered | undefined {
  const alignment = align(passage, window);
  if (alignment === undefined || alignment.same <= 0) return undefined;
  const [first, last] = wholeSentences(page, from + alignment.first, from + alignment.last, alignment);
  const similarity = (2 * alignment.matched) / (passageWeight + total(termsAt(page, first, last + 1)));
  const around = contextScore(page, context, first, last + 1);
  const isLike = similarity >= minSimilarity && alignment.matched >= passageWeight / 2;
  const fits = around >= contextInPlace ? similarity >= minSimilarityInPlace : isLike;
  if (!fits) return undefined;
  const { text } = spanAt(page, first, last);
  const found = { status: "altered" as const, text, similarity: Math.min(similarity, 0.999) };
  return { found, context: around, rank: similarity + around };
}

/**
 * How much of prefix and suffix is around these words, from 0 to 1: in the words next to them or, for the prefix, in
 * the headings above. 0 if neither is given.
 */
function contextScore(page: Words, context: Context, from: number, to: number): number {
  const { before, after } = context;
  const sides: number[] = [];
  if (before.length > 0) {
    const above = headingTerms(nth(page.blocks, nth(page.block, from)).path.join(" "));
    sides.push(
      Math.max(
        sideScore(before, (reach) => termsBefore(page, from, reach)),
        share(before, above),
      ),
    );
  }
  if (after.length > 0)
    sides.push(sideScore(after, (reach) => termsAt(page, to, Math.min(page.ids.length, to + reach))));
  return sides.length === 0 ? 0 : sides.reduce((a, b) => a + b) / sides.length;
}

/** The words before a place, without the headings of other sections. */
function termsBefore(page: Words, from: number, reach: number): Term[] {
  const { path } = nth(page.blocks, nth(page.block, from));
  const isOfOther = (block: number) => {
    const { kind, text } = nth(page.blocks, block);
    return kind === "heading" && !path.includes(text);
  };
  const found: Term[] = [];
  for (let at = Math.max(0, from - reach); at < from; at++)
    if (page.block[at] === page.block[from] || !isOfOther(nth(page.block, at)))
      found.push(nth(page.terms, nth(page.ids, at)));
  return found;
}

/** Words directly beside the passage count in full, others near it a little less. */
function sideScore(wanted: readonly Term[], beside: (reach: number) => Term[]): number {
  const close = share(wanted, beside(wanted.length + 1));
  return close === 1 ? 1 : Math.max(close, 0.9 * share(wanted, beside(wanted.length * 2 + 4)));
}

function headingTerms(text: string): Term[] {
  return termsIn(text.slice(0, 1000));
}

function share(wanted: readonly Term[], there: readonly Term[]): number {
  const alignment = align(wanted, there);
  return alignment === undefined ? 0 : alignment.same / total(wanted);
}

function termsAt(page: Words, from: number, to: number): Term[] {
  return Array.from(page.ids.subarray(from, to), (id) => nth(page.terms, id));
}

function total(terms: readonly Term[]): number {
  return terms.reduce((sum, term) => sum + term.weight, 0);
}

/** The occurrences of these words in a row. Knuth–Morris–Pratt: linear. */
export function occurrences(page: Words, passage: readonly Term[], limit = maxOccurrences): number[] {
  const keys: number[] = [];
  for (const term of passage) {
    const id = page.idOf.get(term.key);
    if (id === undefined) return [];
    keys.push(id);
  }
  if (keys.length === 0) return [];
  const fallback = failureTable(keys);
  const places: number[] = [];
  let matched = 0;
  for (let i = 0; i < page.ids.length && places.length < limit; i++) {
    while (matched > 0 && page.ids[i] !== keys[matched]) matched = nth(fallback, matched - 1);
    if (page.ids[i] === keys[matched]) matched++;
    if (matched === keys.length) {
      places.push(i - matched + 1);
      matched = nth(fallback, matched - 1);
    }
  }
  return places;
}

function failureTable(wanted: readonly number[]): Int32Array {
  const table = new Int32Array(wanted.length);
  for (let i = 1, k = 0; i < wanted.length; i++) {
    while (k > 0 && wanted[i] !== wanted[k]) k = nth(table, k - 1);
    if (wanted[i] === wanted[k]) k++;
    table[i] = k;
  }
  return table;
}
