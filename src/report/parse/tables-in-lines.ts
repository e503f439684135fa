import { isLevel } from "../rate/levels.ts";
import { isRecheckHeader, topicColumns } from "../recheck-tables.ts";
import type { ReportPart, ReportTable } from "./report-text.ts";

/** Tables that were extracted as plain lines: `Nvidia CUDA High High Medium`. */
export function tablesInLines(parts: readonly ReportPart[]): ReportTable[] {
  const texts = parts.filter(({ kind, text }) => kind === "text" && text.includes("\n"));
  const starts = startsOf(parts);
  return texts.slice(0, 200).flatMap(({ text, path }) => {
    const [header = "", ...rows] = text.split("\n").slice(0, 500);
    if (header.length > 200 || rows.length < 2) return [];
    const found = recheckTable(header, rows) ?? rubricTable(header, rows) ?? levelTable(header, rows, starts);
    if (!found) return [];
    const cells = found.rows.map((row) => row.map((cell) => ({ text: cell, links: [], head: false })));
    return [{ path, columns: found.columns, rows: cells, id: -1 }];
  });
}

/** Lines of the report, keyed by their first word. */
export type LineStarts = ReadonlyMap<string, readonly string[]>;

function startsOf(parts: readonly ReportPart[]): LineStarts {
  const lines = parts.filter(({ kind }) => kind !== "row").flatMap(({ text }) => text.split("\n"));
  const some = new Set(lines.slice(0, 5_000).map((line) => line.slice(0, 200)));
  return Map.groupBy(some, (line) => line.split(" ", 1)[0] ?? "");
}

interface Words {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Rows with a name, the words of two columns, and a sentence. */
function recheckTable(header: string, rows: readonly string[]): Words | undefined {
  const columns = topicColumns(header);
  if (!columns || !isRecheckHeader(columns)) return undefined;
  const levels = columns.length - 2;
  const found = rows.flatMap((row) => topicRow(row.split(" "), levels) ?? []);
  return found.length >= 2 || found.length === rows.length ? { columns, rows: found } : undefined;
}

/** The cells of a row: its first run of `count` adjacent levels separates the name from the sentence. */
function topicRow(words: readonly string[], count: number): [string[]] | undefined {
  for (let from = 1; from < Math.min(words.length, 40); from++) {
    const levels: string[] = [];
    let at = from;
    while (levels.length < count) {
      const size = sizeAt(words, at);
      if (size === 0) break;
      levels.push(words.slice(at, at + size).join(" "));
      at += size;
    }
    if (levels.length === count) return [[words.slice(0, from).join(" "), ...levels, words.slice(at).join(" ")]];
  }
  return undefined;
}

/** Number of words of the level at this position, or 0. */
function sizeAt(words: readonly string[], at: number): number {
  const [first = "", second] = words.slice(at, at + 2);
  if (isLevel(first)) return 1;
  return second !== undefined && isLevel(`${first} ${second}`) ? 2 : 0;
}

/** Rows with a sentence for each level. The first one still begins with the name, which `rubric.ts` splits off. */
function rubricTable(header: string, rows: readonly string[]): Words | undefined {
  const words = header.split(" ");
  const first = words.findIndex(isLevel);
  const levels = words.slice(first);
  if (first < 1 || levels.length < 2 || !levels.every(isLevel)) return undefined;
  const found = rows
    .map((row) => ["", ...row.split(/(?<=[.!?])\s+(?=\p{Lu})/u)])
    .filter((cells) => cells.length === levels.length + 1);
  return found.length >= 2 ? { columns: ["", ...levels], rows: found } : undefined;
}

/** Lines that end in the same number of levels, below a line that names as many columns. */
function levelTable(header: string, rows: readonly string[], starts: LineStarts): Words | undefined {
  const split = rows.map(splitLevels);
  const count = split[0]?.levels.length ?? 0;
  if (count < 2 || count > 12 || split.some(({ name, levels }) => levels.length !== count || name === ""))
    return undefined;
  const columns = segment(header, count + 1, starts);
  return columns ? { columns, rows: split.map(({ name, levels }) => [name, ...levels]) } : undefined;
}

function splitLevels(row: string): { name: string; levels: string[] } {
  const words = row.split(" ");
  const levels: string[] = [];
  while (words.length > 1) {
    const [before = "", last = ""] = words.slice(-2);
    const two = words.length > 2 && isLevel(`${before} ${last}`) && !isLevel(before);
    const size = two ? 2 : isLevel(last) ? 1 : 0;
    if (size === 0) break;
    levels.unshift(words.splice(-size).join(" "));
  }
  return { name: words.join(" "), levels };
}

interface Cuts {
  readonly score: number;
  /** The index after the last word of each group. */
  readonly cuts: readonly number[];
}

/**
 * Splits a heading line into `count` column names. Words belong together if another line begins with them, as in a
 * table that explains the names.
 */
export function segment(line: string, count: number, lines: LineStarts): string[] | undefined {
  const words = line.split(" ");
  if (words.length < count || words.length > 40) return undefined;
  if (words.length === count) return words;
  const groups = knownGroups(words, line, lines);
  const best = new Map<string, Cuts | undefined>();
  const solve = (from: number, groupsLeft: number): Cuts | undefined => {
    if (groupsLeft === 0) return from === words.length ? { score: 0, cuts: [] } : undefined;
    if (words.length - from < groupsLeft) return undefined;
    const key = `${from} ${groupsLeft}`;
    if (best.has(key)) return best.get(key);
    let bestCuts: Cuts | undefined;
    for (let to = from + 1; to <= Math.min(words.length, from + 6); to++) {
      const rest = solve(to, groupsLeft - 1);
      const score = (rest?.score ?? 0) + (groups.has(`${from} ${to}`) ? 1 : 0);
      if (rest && (!bestCuts || score > bestCuts.score)) bestCuts = { score, cuts: [to, ...rest.cuts] };
    }
    best.set(key, bestCuts);
    return bestCuts;
  };
  const found = solve(0, count);
  if (!found || found.score < (count - 1) * 0.6) return undefined;
  return found.cuts.map((to, i) => words.slice(i === 0 ? 0 : found.cuts[i - 1], to).join(" "));
}

/** Groups of adjacent words that another line begins with, as `from to`. */
function knownGroups(words: readonly string[], line: string, lines: LineStarts): Set<string> {
  const groups = new Set<string>();
  for (let from = 0; from < words.length; from++) {
    const candidates = (lines.get(words[from] ?? "") ?? []).filter((one) => one !== line);
    for (let to = from + 1; to <= Math.min(words.length, from + 6); to++) {
      const phrase = words.slice(from, to).join(" ");
      if (candidates.some((one) => one.startsWith(`${phrase} `) || one === phrase)) groups.add(`${from} ${to}`);
    }
  }
  return groups;
}
