import type { Piece } from "./pieces.ts";
import { isRecheckHeader, topicColumns } from "./ratings.ts";
import { type LineStarts, segment } from "./references.ts";
import { isLevel } from "./scale.ts";

/** A table, however it is written. */
export interface Grid {
  readonly path: readonly string[];
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const mostGrids = 500;
const mostColumns = 30;
const mostRows = 2_000;

/** The tables of a report: those that are marked as such, and those whose columns are left as words of a line. */
export function gridsOf(pieces: readonly Piece[]): Grid[] {
  const tables = new Map<number, Piece[]>();
  for (const piece of pieces) {
    if (piece.table === undefined) continue;
    const rows = tables.get(piece.table);
    if (rows) rows.push(piece);
    else tables.set(piece.table, [piece]);
  }
  const marked = [...tables.values()].flatMap((rows) => gridOf(rows) ?? []);
  return [...marked, ...gridsInLines(pieces)].slice(0, mostGrids);
}

function gridOf(pieces: readonly Piece[]): Grid | undefined {
  const [first] = pieces;
  if (!first?.cells || pieces.length < 2) return undefined;
  const cut = ({ cells = [] }: Piece) => cells.slice(0, mostColumns);
  return { path: first.path, header: cut(first), rows: pieces.slice(1, mostRows).map(cut) };
}

/** Tables of which an extraction has left only lines: `Nvidia CUDA High High Medium`. */
function gridsInLines(pieces: readonly Piece[]): Grid[] {
  const texts = pieces.filter(({ kind, text }) => kind === "text" && text.includes("\n"));
  const starts = startsOf(pieces);
  return texts.slice(0, 200).flatMap((piece) => {
    const lines = piece.text.split("\n").slice(0, 500);
    const [header = "", ...rows] = lines;
    if (header.length > 200 || rows.length < 2) return [];
    const grid = recheckGrid(header, rows) ?? rubricGrid(header, rows) ?? levelGrid(header, rows, starts);
    return grid ? [{ path: piece.path, ...grid }] : [];
  });
}

function startsOf(pieces: readonly Piece[]): LineStarts {
  const lines = pieces.filter(({ kind }) => kind !== "row").flatMap(({ text }) => text.split("\n"));
  const some = new Set(lines.slice(0, 5_000).map((line) => line.slice(0, 200)));
  return Map.groupBy(some, (line) => line.split(" ", 1)[0] ?? "");
}

type Found = Pick<Grid, "header" | "rows">;

/** A name, then the words of two columns, then a sentence. */
function recheckGrid(header: string, rows: readonly string[]): Found | undefined {
  const columns = topicColumns(header);
  if (!columns || !isRecheckHeader(columns)) return undefined;
  const levels = columns.length - 2;
  const found = rows.flatMap((row) => topicRow(row.split(" "), levels) ?? []);
  return found.length >= 2 || found.length === rows.length ? { header: columns, rows: found } : undefined;
}

/** The cells of a row: its levels stand side by side, and some are of two words. */
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

/** How many words the level that stands there takes; 0 where none does. */
function sizeAt(words: readonly string[], at: number): number {
  const [first = "", second] = words.slice(at, at + 2);
  if (isLevel(first)) return 1;
  return second !== undefined && isLevel(`${first} ${second}`) ? 2 : 0;
}

/** What the levels mean: a sentence for each. The name is left before the first one; only the ratings tell where it ends. */
function rubricGrid(header: string, rows: readonly string[]): Found | undefined {
  const words = header.split(" ");
  const first = words.findIndex(isLevel);
  const levels = words.slice(first);
  if (first < 1 || levels.length < 2 || !levels.every(isLevel)) return undefined;
  const found = rows
    .map((row) => ["", ...row.split(/(?<=[.!?])\s+(?=\p{Lu})/u)])
    .filter((cells) => cells.length === levels.length + 1);
  return found.length >= 2 ? { header: ["", ...levels], rows: found } : undefined;
}

/** Lines that end in the same number of levels, below one that names as many columns. */
function levelGrid(header: string, rows: readonly string[], starts: LineStarts): Found | undefined {
  const split = rows.map(ending);
  const count = split[0]?.levels.length ?? 0;
  if (count < 2 || count > 12 || split.some(({ name, levels }) => levels.length !== count || name === ""))
    return undefined;
  const columns = segment(header, count + 1, starts);
  return columns ? { header: columns, rows: split.map(({ name, levels }) => [name, ...levels]) } : undefined;
}

function ending(row: string): { name: string; levels: string[] } {
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
