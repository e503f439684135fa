/** The lines of a text by their first word. */
export type LineStarts = ReadonlyMap<string, readonly string[]>;

interface Cuts {
  readonly score: number;
  /** Where each group ends. */
  readonly cuts: readonly number[];
}

/**
 * Parts the words of a heading line into so many names of columns. Which words belong together is told by the other
 * lines of the text that begin with them (a table of what the names mean has one on each line).
 */
export function segment(line: string, count: number, lines: LineStarts): string[] | undefined {
  const words = line.split(" ");
  if (words.length < count || words.length > 40) return undefined;
  if (words.length === count) return words;
  const known = knownGroups(words, line, lines);
  const best = new Map<string, Cuts | undefined>();
  const solve = (from: number, left: number): Cuts | undefined => {
    if (left === 0) return from === words.length ? { score: 0, cuts: [] } : undefined;
    if (words.length - from < left) return undefined;
    const key = `${from} ${left}`;
    if (best.has(key)) return best.get(key);
    let found: Cuts | undefined;
    for (let to = from + 1; to <= Math.min(words.length, from + 6); to++) {
      const rest = solve(to, left - 1);
      const score = (rest?.score ?? 0) + (known.has(`${from} ${to}`) ? 1 : 0);
      if (rest && (!found || score > found.score)) found = { score, cuts: [to, ...rest.cuts] };
    }
    best.set(key, found);
    return found;
  };
  const found = solve(0, count);
  if (!found || found.score < (count - 1) * 0.6) return undefined;
  return found.cuts.map((to, i) => words.slice(i === 0 ? 0 : found.cuts[i - 1], to).join(" "));
}

/** Which groups of neighbouring words another line begins with. */
function knownGroups(words: readonly string[], line: string, lines: LineStarts): Set<string> {
  const known = new Set<string>();
  for (let from = 0; from < words.length; from++) {
    const candidates = (lines.get(words[from] ?? "") ?? []).filter((one) => one !== line);
    for (let to = from + 1; to <= Math.min(words.length, from + 6); to++) {
      const phrase = words.slice(from, to).join(" ");
      if (candidates.some((one) => one.startsWith(`${phrase} `) || one === phrase)) known.add(`${from} ${to}`);
    }
  }
  return known;
}
