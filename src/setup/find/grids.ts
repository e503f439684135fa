import type { Piece } from "../report/piece.ts";
import { gridsInLines } from "./lines.ts";

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
