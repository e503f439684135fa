import { type Alignment, align } from "./align.ts";
import { likelyWindows, occurrences } from "./candidates.ts";
import { nth } from "./column.ts";
import { type Span, spanAt, wholeSentences } from "./span.ts";
import { type Term, type Words, words } from "./words.ts";

/** What is looked for: a W3C TextQuoteSelector, https://www.w3.org/TR/annotation-model/#text-quote-selector */
export interface Quote {
  readonly exact: string;
  readonly prefix?: string;
  readonly suffix?: string;
}

/**
 * How a passage stands now. `exact`: word for word, whatever the case, punctuation, markup and spelling of figures.
 * `altered`: the passage is there, and says something else. `absent`: nothing like it is there.
 */
export type Found =
  | { readonly status: "exact" | "altered"; readonly text: string; readonly span: Span; readonly similarity: number }
  | { readonly status: "absent"; readonly similarity: number };

/** A passage is altered when it and its place share this much of their weight, and the place holds half of it. */
const likeEnough = 0.5;
/** Less is enough where prefix and suffix still stand around it. */
const likeEnoughInPlace = 0.25;
const inPlace = 0.75;
/** With a prefix or suffix, an exact passage in strange surroundings yields to an altered one in its own. */
const strange = 0.5;

const maxOccurrences = 1000;
const maxWindows = 16;
const maxFuzzyWords = 400;
const maxContextWords = 32;

interface Context {
  readonly before: readonly Term[];
  readonly after: readonly Term[];
}

/** Finds a passage again after edits, moves and re-wrapping. Bounded time; the same answer for the same page. */
export function findQuote(page: Words, quote: Quote): Found {
  const passage = words(quote.exact).map((word) => word.term);
  const context = contextOf(quote);
  const wanted = context.before.length + context.after.length > 0;
  const places = occurrences(page, passage, maxOccurrences);
  const exact = strongest(places.map((at) => ({ at, context: contextScore(page, context, at, at + passage.length) })));
  if (exact !== undefined && (!wanted || exact.context >= strange)) return exactly(page, exact.at, passage.length);
  const altered = findAltered(page, passage, context, places);
  if (exact !== undefined)
    return altered !== undefined && altered.context >= inPlace
      ? altered.found
      : exactly(page, exact.at, passage.length);
  return altered?.found ?? { status: "absent", similarity: 0 };
}

function exactly(page: Words, at: number, length: number): Found {
  const span = spanAt(page, at, at + length - 1);
  return { status: "exact", text: span.text, span, similarity: 1 };
}

function contextOf(quote: Quote): Context {
  const terms = (text = "") => words(text).map((word) => word.term);
  return { before: terms(quote.prefix).slice(-maxContextWords), after: terms(quote.suffix).slice(0, maxContextWords) };
}

/** The first of those whose surroundings fit best. */
function strongest(places: readonly { at: number; context: number }[]): { at: number; context: number } | undefined {
  let best: { at: number; context: number } | undefined;
  for (const place of places) if (best === undefined || place.context > best.context) best = place;
  return best;
}

interface Altered {
  readonly found: Found;
  readonly context: number;
  readonly rank: number;
}

/** Stands for words that are not to be matched: exact copies of the passage, which belong elsewhere. */
const blank: Term = { key: "\u0003", stem: "\u0003", weight: 1 };

function findAltered(
  page: Words,
  passage: readonly Term[],
  context: Context,
  copies: readonly number[],
): Altered | undefined {
  if (passage.length === 0 || passage.length > maxFuzzyWords) return undefined;
  const around = [...context.before, ...context.after];
  const wanted = [
    ...passage.map((term) => ({ term, weight: term.weight })),
    ...around.map((term) => ({ term, weight: term.weight / 2 })),
  ];
  const length = Math.ceil((passage.length + around.length) * 1.5) + 8;
  const own = total(passage);
  const isCopy = new Set(copies.flatMap((at) => passage.map((_, k) => at + k)));
  let best: Altered | undefined;
  for (const candidate of likelyWindows(page, wanted, length, maxWindows)) {
    if (candidate.weight < own * likeEnoughInPlace) break;
    const from = Math.max(0, candidate.at - Math.ceil(length / 4));
    const to = Math.min(page.ids.length, candidate.at + length + Math.ceil(length / 4));
    const window = termsAt(page, from, to).map((term, k) => (isCopy.has(from + k) ? blank : term));
    const altered = judge(page, passage, context, { from, window, own });
    if (altered !== undefined && (best === undefined || altered.rank > best.rank + 1e-9)) best = altered;
  }
  return best;
}

function judge(
  page: Words,
  passage: readonly Term[],
  context: Context,
  { from, window, own }: { from: number; window: readonly Term[]; own: number },
): Altered | undefined {
  const alignment = align(passage, window);
  if (alignment === undefined || alignment.same <= 0) return undefined;
  const [first, last] = wholeSentences(page, from + alignment.first, from + alignment.last, alignment);
  const similarity = (2 * alignment.matched) / (own + total(termsAt(page, first, last + 1)));
  const around = contextScore(page, context, first, last + 1);
  const fits = around >= inPlace ? similarity >= likeEnoughInPlace : isLike(alignment, similarity, own);
  if (!fits) return undefined;
  const span = spanAt(page, first, last);
  const found = { status: "altered" as const, text: span.text, span, similarity: Math.min(similarity, 0.999) };
  return { found, context: around, rank: similarity + around };
}

function isLike(alignment: Alignment, similarity: number, own: number): boolean {
  return similarity >= likeEnough && alignment.matched >= own / 2;
}

/**
 * From 0 to 1: how much of prefix and suffix stands around these words, in the words next to them or, for the
 * prefix, in the headings above. 0 where neither is given.
 */
function contextScore(page: Words, context: Context, from: number, to: number): number {
  const { before, after } = context;
  const sides: number[] = [];
  if (before.length > 0) {
    const above = headingTerms(nth(page.blocks, nth(page.block, from)).path.join(" "));
    sides.push(
      Math.max(
        sideScore(before, (reach) => termsAt(page, Math.max(0, from - reach), from)),
        share(before, above),
      ),
    );
  }
  if (after.length > 0)
    sides.push(sideScore(after, (reach) => termsAt(page, to, Math.min(page.ids.length, to + reach))));
  return sides.length === 0 ? 0 : sides.reduce((a, b) => a + b) / sides.length;
}

/** What stands right beside the passage counts in full, what stands near it a little less. */
function sideScore(wanted: readonly Term[], beside: (reach: number) => Term[]): number {
  const close = share(wanted, beside(wanted.length + 1));
  return close === 1 ? 1 : Math.max(close, 0.9 * share(wanted, beside(wanted.length * 2 + 4)));
}

function headingTerms(text: string): Term[] {
  return words(text.slice(0, 1000)).map((word) => word.term);
}

function share(wanted: readonly Term[], there: readonly Term[]): number {
  const alignment = align(wanted, there);
  return alignment === undefined ? 0 : alignment.same / total(wanted);
}

function termsAt(page: Words, from: number, to: number): Term[] {
  const found: Term[] = [];
  for (let i = from; i < to; i++) {
    found.push(nth(page.terms, nth(page.ids, i)));
  }
  return found;
}

function total(terms: readonly Term[]): number {
  return terms.reduce((sum, term) => sum + term.weight, 0);
}
