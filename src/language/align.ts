/** Scores for an alignment of two rows of words. Words are given by index. */
export interface Scoring {
  /** The score for pairing two words; −∞ if they cannot be paired. */
  pair(i: number, j: number): number;
  /** The cost of a word that only the first row has, and of one that only the second has. */
  leftOut(i: number): number;
  putIn(j: number): number;
}

const start = 0;
const paired = 1;
const leaveOut = 2;
const putIn = 3;

/** The best local alignment of two rows (Smith–Waterman): its pairs, in order. Takes the product of both lengths. */
export function alignLocally(height: number, width: number, scoring: Scoring): (readonly [i: number, j: number])[] {
  // Each column holds the score of the row above until this row's is known.
  const score = new Float64Array(width);
  const step = new Uint8Array((height + 1) * (width + 1));
  let best = 0;
  let most = 0;
  for (let i = 0; i < height; i++) {
    const row = (i + 1) * (width + 1) + 1;
    const price = scoring.leftOut(i);
    let diagonal = 0;
    let beside = 0;
    for (let j = 0; j < width; j++) {
      const above = score[j] as number;
      const together = diagonal + scoring.pair(i, j);
      const skipped = above - price;
      const value = Math.max(0, together, skipped, beside - scoring.putIn(j));
      diagonal = above;
      beside = value;
      score[j] = value;
      if (value <= 0) continue;
      step[row + j] = value === together ? paired : value === skipped ? leaveOut : putIn;
      if (value <= most) continue;
      best = row + j;
      most = value;
    }
  }
  return tracePairs(step, best, width + 1);
}

function tracePairs(step: Uint8Array, end: number, columns: number): (readonly [i: number, j: number])[] {
  const pairs: [number, number][] = [];
  for (let cell = end; step[cell] !== start; ) {
    const made = step[cell];
    if (made === paired) pairs.push([Math.floor(cell / columns) - 1, (cell % columns) - 1]);
    cell -= made === paired ? columns + 1 : made === leaveOut ? columns : 1;
  }
  return pairs.reverse();
}
