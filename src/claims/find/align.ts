import { nth } from "../../language/fold.ts";
import { isSame, type Term } from "../../language/words.ts";

/** The best place of a passage in a window of words, with words left out, added or replaced. */
export interface Alignment {
  /** The first and last matching word in the window. */
  readonly first: number;
  readonly last: number;
  /** Words of the passage before its first and after its last match. */
  readonly head: number;
  readonly tail: number;
  /** The weight of the matching words; a figure of the same dimension counts in part. */
  readonly matched: number;
  /** The weight of the matching words without other figures. */
  readonly same: number;
}

/** The share of its weight that an added word costs, which keeps a match together. */
const insertion = 0.15;
const otherFigure = 0.6;
const otherNumber = 0.5;
const otherEnding = 0.9;

const start = 0;
const pair = 1;
const leaveOut = 2;
const putIn = 3;

/** Aligns locally by weight. Time and memory are the product of both lengths, which the caller keeps small. */
export function align(passage: readonly Term[], window: readonly Term[]): Alignment | undefined {
  const width = window.length + 1;
  // Each column holds the score of the row above until this row's is known. Read without `nth`, which would be slow
  // here.
  const score = new Float64Array(width);
  const step = new Uint8Array((passage.length + 1) * width);
  let best = 0;
  let most = 0;
  for (const [i, wanted] of passage.entries()) {
    const row = (i + 1) * width;
    let column = 0;
    let diagonal = 0;
    let beside = 0;
    for (const there of window) {
      column++;
      const credit = likeness(wanted, there);
      const paired = credit > 0 ? diagonal + credit : 0;
      const skipped = score[column] as number;
      const value = Math.max(0, paired, skipped, beside - insertion * there.weight);
      diagonal = skipped;
      beside = value;
      score[column] = value;
      if (value <= 0) continue;
      step[row + column] = value === paired ? pair : value === skipped ? leaveOut : putIn;
      if (value <= most) continue;
      best = row + column;
      most = value;
    }
  }
  return best === 0 ? undefined : trace(passage, window, step, best);
}

/** How much of the wanted word's weight the other word carries. */
function likeness(wanted: Term, there: Term): number {
  if (wanted.key === there.key) return wanted.weight;
  if (isSame(wanted, there)) return otherEnding * wanted.weight;
  if (wanted.quantity !== undefined)
    return wanted.quantity.dimension === there.quantity?.dimension ? otherFigure * wanted.weight : 0;
  if (wanted.number !== undefined) return there.number !== undefined ? otherNumber * wanted.weight : 0;
  return wanted.stem === there.stem ? otherEnding * wanted.weight : 0;
}

function trace(
  passage: readonly Term[],
  window: readonly Term[],
  step: Uint8Array,
  end: number,
): Alignment | undefined {
  const width = window.length + 1;
  const pairs: [number, number][] = [];
  for (let cell = end; step[cell] !== start; ) {
    const made = step[cell];
    if (made === pair) {
      pairs.push([Math.floor(cell / width) - 1, (cell % width) - 1]);
      cell -= width + 1;
    } else {
      cell -= made === leaveOut ? width : 1;
    }
  }
  pairs.reverse();
  const opening = pairs[0];
  const closing = pairs.at(-1);
  if (opening === undefined || closing === undefined) return undefined;
  let matched = 0;
  let same = 0;
  for (const [p, w] of pairs) {
    const wanted = nth(passage, p);
    const credit = likeness(wanted, nth(window, w));
    matched += credit;
    if (credit >= otherEnding * wanted.weight) same += credit;
  }
  return {
    first: opening[1],
    last: closing[1],
    head: opening[0],
    tail: passage.length - 1 - closing[0],
    matched,
    same,
  };
}
