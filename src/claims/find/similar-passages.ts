import { alignLocally } from "../../language/align.ts";
import { nth } from "../../language/fold.ts";
import { isSame, sentenceAt, spanAt, type Term, type Words, wordsIn } from "../../language/words.ts";

/** The best match of a passage in a window of words: some may be left out, added or replaced. */
export interface Alignment {
  readonly first: number;
  readonly last: number;
  /** Words of the passage before its first and after its last match. */
  readonly head: number;
  readonly tail: number;
  /** The weight of the matching words; a figure of the same dimension counts in part. */
  readonly matched: number;
  /** The weight of the words that are equal, figures included. */
  readonly same: number;
}

/** The share of its weight that an added word costs: matches stay close together. */
const insertion = 0.15;
const otherFigure = 0.6;
const otherNumber = 0.5;
const otherEnding = 0.9;

/** Aligns locally by weight. A word of the passage that the window lacks costs nothing. */
export function align(passage: readonly Term[], window: readonly Term[]): Alignment | undefined {
  const pairs = alignLocally(passage.length, window.length, {
    pair: (i, j) => likeness(nth(passage, i), nth(window, j)) || Number.NEGATIVE_INFINITY,
    leftOut: () => 0,
    putIn: (j) => insertion * nth(window, j).weight,
  });
  const [opening, closing] = [pairs[0], pairs.at(-1)];
  if (opening === undefined || closing === undefined) return undefined;
  let matched = 0;
  let same = 0;
  for (const [p, w] of pairs) {
    const wanted = nth(passage, p);
    const credit = likeness(wanted, nth(window, w));
    matched += credit;
    if (credit >= otherEnding * wanted.weight) same += credit;
  }
  const tail = passage.length - 1 - closing[0];
  return { first: opening[1], last: closing[1], head: opening[0], tail, matched, same };
}

/** The part of the wanted word's weight that the other word counts for. */
function likeness(term: Term, there: Term): number {
  if (term.key === there.key) return term.weight;
  if (isSame(term, there)) return otherEnding * term.weight;
  if (term.quantity !== undefined)
    return term.quantity.dimension === there.quantity?.dimension ? otherFigure * term.weight : 0;
  if (term.number !== undefined) return there.number !== undefined ? otherNumber * term.weight : 0;
  return term.stem === there.stem ? otherEnding * term.weight : 0;
}

/**
 * The likeliest windows for a passage that is no longer there word for word. A window of `length` words slides over the
 * page and weighs the wanted words in it, in any order. Linear. At most `limit`, best first, one from each stretch.
 */
export function likelyWindows(
  page: Words,
  wanted: readonly { term: Term; weight: number }[],
  length: number,
  limit: number,
): { at: number; weight: number }[] {
  const { need, weight, classOf } = classes(page, wanted);
  const bestWeights = new Float64Array(need.length);
  const best: { at: number; weight: number }[] = [];
  let sum = 0;
  const gain = (c: number) => Math.min(nth(bestWeights, c), nth(need, c)) * nth(weight, c);
  for (let i = 0; i < page.ids.length; i++) {
    const entering = nth(classOf, nth(page.ids, i));
    if (entering >= 0) sum += change(entering, 1);
    const leaving = i < length ? -1 : nth(classOf, nth(page.ids, i - length));
    if (leaving >= 0) sum += change(leaving, -1);
    const at = Math.max(0, i - length + 1);
    const stretch = Math.floor(i / length);
    const kept = best[stretch];
    if (kept === undefined || sum > kept.weight + 1e-9) best[stretch] = { at, weight: sum };
  }
  return best.sort((a, b) => b.weight - a.weight || a.at - b.at).slice(0, limit);

  function change(c: number, by: number): number {
    const before = gain(c);
    bestWeights[c] = nth(bestWeights, c) + by;
    return gain(c) - before;
  }
}

/** Words match by stem, figures by dimension, so that another figure in the same place is found. */
function classes(page: Words, wanted: readonly { term: Term; weight: number }[]) {
  const groups = [...Map.groupBy(wanted, ({ term }) => classOfTerm(term))];
  const numberOf = new Map(groups.map(([name], number) => [name, number]));
  const need = groups.map(([, own]) => own.length);
  const weight = groups.map(([, [first]]) => first?.weight ?? 0);
  const classOf = Int32Array.from(page.terms, (term) => numberOf.get(classOfTerm(term)) ?? -1);
  return { need, weight, classOf };
}

function classOfTerm(term: Term): string {
  if (term.quantity !== undefined) return `\u0001${term.quantity.dimension}`;
  return term.number === undefined ? term.stem : "\u0002";
}

/** Below this share of the wanted words, by weight, a passage is similar by chance. */
const minShare = 0.4;
const maxWords = 400;

/**
 * The sentences, or the row, with most of these words in any order: a person sees them in place of the missing passage.
 * Undefined if no text is similar. Linear.
 */
export function nearestPassage(page: Words, text: string): string | undefined {
  const terms = wordsIn(text)
    .slice(0, maxWords)
    .map(({ term }) => ({ term, weight: term.weight }));
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0);
  const length = terms.length + 4;
  const [best] = terms.length === 0 ? [] : likelyWindows(page, terms, length, 1);
  if (!best || best.weight < whole * minShare) return undefined;
  const weights = new Map(terms.map(({ term, weight }) => [classOfTerm(term), weight]));
  // A window ends with the last word that it needs; its last sentence may go on.
  const held = heaviestWords(page, best.at, Math.min(page.ids.length, best.at + 2 * length), weights);
  const [first = best.at, last = first] = [held[0], held.at(-1)];
  return sentencesAround(page, first, last);
}

/** The wanted words of the block that has most of them. Function words count only if it has no others. */
function heaviestWords(page: Words, from: number, to: number, weights: ReadonlyMap<string, number>): number[] {
  const weightOf = (at: number) => weights.get(classOfTerm(nth(page.terms, nth(page.ids, at)))) ?? 0;
  const wanted = Array.from({ length: to - from }, (_, i) => from + i).filter((at) => weightOf(at) > 0);
  const sum = (places: readonly number[]) => places.reduce((all, at) => all + weightOf(at), 0);
  const blocks = [...Map.groupBy(wanted, (at) => nth(page.block, at)).values()];
  // The head of a table has the names of a figure, and the row below it has the figure.
  const isFigure = (at: number) => nth(page.terms, nth(page.ids, at)).quantity !== undefined;
  const withFigure = blocks.filter((one) => one.some(isFigure));
  const best = (withFigure.length > 0 ? withFigure : blocks).reduce<number[]>(
    (most, one) => (sum(one) > sum(most) ? one : most),
    [],
  );
  const strong = best.filter((at) => weightOf(at) >= sum(best) / best.length / 2);
  return strong.length > 0 ? strong : best;
}

function sentencesAround(page: Words, first: number, last: number): string {
  const { kind, text } = nth(page.blocks, nth(page.block, first));
  if (kind === "row") return text;
  const [from] = sentenceAt(page, first, first);
  const [, to] = sentenceAt(page, last, last);
  return spanAt(page, from, to).text;
}
