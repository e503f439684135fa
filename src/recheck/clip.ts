import { length } from "./inert.ts";

/** GitHub's limit for a body, in characters: Unicode code points. */
export const mostCharacters = 65_536;

/** A list in the body that can be shortened from its end. */
export interface Part {
  readonly head: readonly string[];
  readonly entries: readonly string[];
  /** Between entries. */
  readonly between: string;
  readonly least: number;
  /** What an entry is called in the note of what was left out. */
  readonly one: string;
  readonly many: string;
}

/** Puts the parts together, shortening the longest until all fits, and says what was left out. */
export function clip(head: string, parts: readonly Part[], tail: string, room: number): string {
  const shown = parts.map(({ entries }) => entries.length);
  const lengths = parts.map(({ entries, between }) => entries.map((entry) => length(entry) + between.length));
  const sums = lengths.map((each) => each.reduce((sum, one) => sum + one, 0));
  const heads = parts.reduce((sum, part) => sum + length(part.head.join("\n")) + 3, 0);
  // 400: the note of what was left out, and the blank lines between parts.
  let total = length(head) + length(tail) + heads + sums.reduce((sum, one) => sum + one, 0) + 400;
  while (total > room) {
    const longest = longestOf(parts, sums, shown);
    if (longest < 0) break;
    const last = (shown[longest] ?? 1) - 1;
    const saved = lengths[longest]?.[last] ?? 0;
    shown[longest] = last;
    sums[longest] = (sums[longest] ?? 0) - saved;
    total -= saved;
  }
  const written = parts.flatMap(({ head: above, entries, between }, index) => {
    const kept = entries.slice(0, shown[index]);
    return kept.length > 0 ? [[...above, kept.join(between)].join("\n")] : [];
  });
  const left = parts.flatMap(({ entries, one, many }, index) => {
    const count = entries.length - (shown[index] ?? 0);
    return count > 0 ? [`${count} ${count === 1 ? one : many}`] : [];
  });
  const note =
    left.length > 0
      ? [`*Left out, for GitHub takes ${mostCharacters.toLocaleString("en")} characters: ${left.join(", ")}.*`]
      : [];
  return [head, ...written, ...note, tail].join("\n\n");
}

function longestOf(parts: readonly Part[], sums: readonly number[], shown: readonly number[]): number {
  let longest = -1;
  parts.forEach(({ least }, index) => {
    if ((shown[index] ?? 0) > least && (longest < 0 || (sums[index] ?? 0) > (sums[longest] ?? 0))) longest = index;
  });
  return longest;
}
