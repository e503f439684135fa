/** The candidate that takes the fewest edits, if it is near enough to have been meant; case does not count. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase().slice(0, 80);
  let best: string | undefined;
  let limit = wanted.length < 2 ? 1 : Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= limit) continue;
    const edits = distance(wanted, candidate.toLowerCase());
    if (edits < limit) [best, limit] = [candidate, edits];
    if (edits === 0) break;
  }
  return best;
}

/** The fewest insertions, deletions, substitutions and swaps of neighbours that turn one into the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : substituted;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substituted, swapped));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
