import { diffArrays } from "diff";

/** A range of lines of a file, counted from 1, including both ends. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Cited lines in another version of their file. `unknown`: the two are too different to compare in time. */
export type LinesNow =
  | { readonly state: "same" | "gone" | "unknown" }
  | { readonly state: "moved" | "changed"; readonly at: LineRange };

/** Limits of one comparison: lines of a file, and lines that differ. */
const maxLines = 50_000;
const maxDifferences = 10_000;
/** At least this share of the cited lines must remain, or something else replaced them. */
const minKept = 0.3;
/** The share of words that a changed line must keep. */
const minShared = 0.5;

/** Finds cited lines of a file in a later version. White space within lines does not count. Pure. */
export function findLines(before: string, after: string, cited: LineRange): LinesNow {
  const [old, now] = [linesOf(before), linesOf(after)];
  if (old.length > maxLines || now.length > maxLines) return { state: "unknown" };
  const citedLines = old.slice(cited.from - 1, cited.to);
  if (citedLines.every((line) => line === "")) return { state: "unknown" };
  const places = placesIn(old, now);
  if (!places) return foundElsewhere(citedLines, old, now) ?? { state: "unknown" };
  const kept = places.slice(cited.from - 1, cited.to);
  const first = kept[0];
  if (first !== undefined && kept.every((place, i) => place === first + i)) return placeNow(first, cited);
  const elsewhere = foundElsewhere(citedLines, old, now);
  if (elsewhere) return elsewhere;
  return changedAt(places, cited, citedLines, now) ?? { state: "gone" };
}

function placeNow(first: number, { from, to }: LineRange): LinesNow {
  return first === from ? { state: "same" } : { state: "moved", at: { from: first, to: first + to - from } };
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(/\s+/g, " ").trim());
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** The number of lines of a text. A final line end does not begin a line. */
export function lineCount(text: string): number {
  return linesOf(text).length;
}

/** The new number of each old line; undefined if it is gone. */
function placesIn(old: readonly string[], now: readonly string[]): (number | undefined)[] | undefined {
  const parts = diffArrays([...old], [...now], { maxEditLength: maxDifferences });
  if (!parts) return undefined;
  const places: (number | undefined)[] = [];
  let line = 1;
  for (const { added, removed, value } of parts) {
    for (const _ of value) {
      if (!added) places.push(removed ? undefined : line);
      if (!removed) line += 1;
    }
  }
  return places;
}

/** The unchanged lines at the only place that has them. */
function foundElsewhere(
  citedLines: readonly string[],
  old: readonly string[],
  now: readonly string[],
): LinesNow | undefined {
  // A brace or a blank line is everywhere.
  if (citedLines.join("").replace(/\W/g, "").length < 8) return undefined;
  const startsIn = (lines: readonly string[]) =>
    lines.flatMap((line, i) =>
      line === citedLines[0] && citedLines.every((one, j) => one === lines[i + j]) ? [i + 1] : [],
    );
  const starts = startsIn(now);
  const [from] = starts;
  return from === undefined || starts.length > 1 || startsIn(old).length > 1
    ? undefined
    : { state: "moved", at: { from, to: from + citedLines.length - 1 } };
}

/** The edited lines: those between their neighbours that are still there. */
function changedAt(
  places: readonly (number | undefined)[],
  cited: LineRange,
  citedLines: readonly string[],
  now: readonly string[],
): LinesNow | undefined {
  const matches = places.slice(cited.from - 1, cited.to);
  const above = places.slice(0, cited.from - 1).findLast((place) => place !== undefined) ?? 0;
  const below = places.slice(cited.to).find((place) => place !== undefined) ?? now.length + 1;
  const there = matches.filter((place) => place !== undefined);
  const telling = matches.filter((place, i) => place !== undefined && /\w{2}/.test(citedLines[i] ?? "")).length;
  const tellingWanted = citedLines.filter((line) => /\w{2}/.test(line)).length;
  const between = now.slice(above, below - 1);
  const isKept = telling > 0 && telling >= minKept * tellingWanted;
  if (!isKept && sharedWords(citedLines, between) < minShared) return undefined;
  const from = matches[0] ?? above + 1;
  const to = matches.at(-1) ?? below - 1;
  const range = { from: Math.min(from, ...there), to: Math.max(to, ...there) };
  return range.from > range.to ? undefined : { state: "changed", at: range };
}

/** The share of some lines' words that other lines have. */
function sharedWords(wanted: readonly string[], others: readonly string[]): number {
  const wordsOf = (lines: readonly string[]) => lines.flatMap((line) => line.match(/\w+/g) ?? []);
  const there = new Set(wordsOf(others));
  const words = wordsOf(wanted);
  return words.length === 0 ? 0 : words.filter((word) => there.has(word)).length / words.length;
}
