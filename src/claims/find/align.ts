import { alignLocally } from "../../language/align.ts";
import { nth } from "../../language/fold.ts";
import { isSame, type Term } from "../../language/words.ts";

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
function likeness(wanted: Term, there: Term): number {
  if (wanted.key === there.key) return wanted.weight;
  if (isSame(wanted, there)) return otherEnding * wanted.weight;
  if (wanted.quantity !== undefined)
    return wanted.quantity.dimension === there.quantity?.dimension ? otherFigure * wanted.weight : 0;
  if (wanted.number !== undefined) return there.number !== undefined ? otherNumber * wanted.weight : 0;
  return wanted.stem === there.stem ? otherEnding * wanted.weight : 0;
}
