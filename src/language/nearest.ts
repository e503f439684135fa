/** How many comparisons of letters are left for all searches with this object. */
export interface Effort {
  left: number;
}

const unlimited: Effort = { left: Number.POSITIVE_INFINITY };

/** The candidate with the fewest edits, ignoring case, if it is near enough and the effort suffices. */
export function nearestWord(
  word: string,
  candidates: Iterable<string>,
  effort: Effort = unlimited,
): string | undefined {
  const target = word.toLowerCase().slice(0, 80);
  let best: string | undefined;
  let limit = target.length < 2 ? 1 : Math.max(1, Math.floor(target.length / 3)) + 1;
  for (const candidate of candidates) {
    if (--effort.left < 0) return undefined;
    if (Math.abs(candidate.length - target.length) >= limit) continue;
    const edits = editsBetween(target, candidate.toLowerCase(), limit, effort);
    if (edits < limit) [best, limit] = [candidate, edits];
    if (edits === 0) break;
  }
  return best;
}

/** The number of insertions, deletions, substitutions and swaps of neighbours between two words, at most `limit`. */
export function editsBetween(a: string, b: string, limit: number, effort: Effort = unlimited): number {
  let [before, row, next]: [number[], number[], number[]] = [[], [], []];
  for (let j = 0; j <= b.length; j++) row.push(j);
  effort.left -= b.length;
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    let last = i;
    let least = i;
    next[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const isSame = letter === b.charCodeAt(j - 1);
      let edits = isSame ? (row[j - 1] ?? 0) : Math.min(row[j - 1] ?? 0, row[j] ?? 0, last) + 1;
      const isSwapped = i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwapped) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      next[j] = edits;
      last = edits;
      if (edits < least) least = edits;
    }
    effort.left -= b.length;
    // Later rows cannot contain a smaller value.
    if (least >= limit) return limit;
    [before, row, next] = [row, next, before];
  }
  return row[b.length] ?? 0;
}
