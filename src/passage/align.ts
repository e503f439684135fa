import { nth } from "./column.ts";
import type { Term } from "./words.ts";

/** Where a passage lies best within a window of words, with words left out, put in or replaced. */
export interface Alignment {
  /** First and last word of the window that is matched. */
  readonly first: number;
  readonly last: number;
  /** Words of the passage before the first and after the last match. */
  readonly head: number;
  readonly tail: number;
  /** Weight of what matches; a figure of the same dimension counts in part. */
  readonly matched: number;
  /** Weight of what matches without any other figure. */
  readonly same: number;
}

/** What a word that was put in costs, of its weight: keeps a match together. */
const insertion = 0.15;
const otherFigure = 0.6;
const otherNumber = 0.5;
const otherEnding = 0.9;

const start = 0;
const pair = 1;
const leaveOut = 2;
const putIn = 3;

/**
 * Local alignment by weight. Time and memory are the product of both lengths: the caller keeps them small.
 */
export function align(passage: readonly Term[], window: readonly Term[]): Alignment | undefined {
  const width = window.length + 1;
  const score = new Float64Array((passage.length + 1) * width);
  const step = new Uint8Array((passage.length + 1) * width);
  let best = 0;
  for (let i = 1; i <= passage.length; i++) {
    const wanted = nth(passage, i - 1);
    for (let j = 1; j < width; j++) {
      const there = nth(window, j - 1);
      const cell = i * width + j;
      const credit = likeness(wanted, there);
      const paired = credit > 0 ? nth(score, cell - width - 1) + credit : 0;
      const skipped = nth(score, cell - width);
      const inserted = nth(score, cell - 1) - insertion * there.weight;
      const value = Math.max(0, paired, skipped, inserted);
      score[cell] = value;
      step[cell] = value <= 0 ? start : value === paired ? pair : value === skipped ? leaveOut : putIn;
      if (value > nth(score, best)) best = cell;
    }
  }
  return best === 0 ? undefined : trace(passage, window, step, best);
}

/** How much of the wanted word's weight the other one carries. */
function likeness(wanted: Term, there: Term): number {
  if (wanted.key === there.key) return wanted.weight;
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
