import type { Config } from "../model.ts";
import { withoutFences } from "./fences.ts";
import { htmlTables } from "./html-table.ts";
import { type Fit, fitOf, tokens } from "./label.ts";
import { levelSplices } from "./level.ts";
import { markdownTables } from "./markdown-table.ts";
import { lineOf, spliced } from "./splice.ts";
import type { Cell, Table } from "./table.ts";

/** A place that a person has to edit. */
export interface Place {
  /** The report's file. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** What stands there; words of the repository's own file, not escaped. */
  readonly text: string;
  readonly rating: string;
}

/** A rating that has changed. */
export interface CellEdit {
  readonly rating: string;
  /** The level before. */
  readonly old: string;
  readonly level: string;
}

export interface CellEdited {
  readonly text: string;
  /** Empty where the cell was found, exactly once, and edited. */
  readonly byHand: readonly Place[];
  readonly found: boolean;
}

/** A report of more characters is left to people. */
const mostText = 2_000_000;

/**
 * Changes the one cell of the report's tables that tells a rating; where there is none, or more than one, or its level
 * is not told there exactly once, the text stays and the places are listed. Pure.
 */
export function editCell(path: string, text: string, edit: CellEdit, config: Config): CellEdited {
  if (text.length > mostText) return { text, byHand: [], found: false };
  const cells = distinct(tablesOf(path, text).flatMap((table) => cellsFor(table, edit, config)));
  const [only] = cells;
  const splices = only && cells.length === 1 ? levelSplices(text, only, edit.old, edit.level) : undefined;
  if (splices) return { text: spliced(text, splices), byHand: [], found: true };
  const places = cells.map(({ from }) => placeAt(path, text, from, edit.rating));
  return { text, byHand: places.length > 0 ? places : likelyPlaces(path, text, edit, config), found: false };
}

function tablesOf(path: string, text: string): Table[] {
  if (/\.x?html?$/i.test(path)) return htmlTables(text);
  const outside = withoutFences(text);
  return [...markdownTables(outside), ...htmlTables(outside)];
}

/** Where a row for one part of the id meets a column for the other; for an id of one part, its row's cell with a level. */
function cellsFor(table: Table, { rating, old, level }: CellEdit, config: Config): Cell[] {
  const parts = rating.split("/");
  const [first = "", second] = parts;
  if (parts.length > 2) return [];
  if (second !== undefined)
    return [...crossing(table, first, second, config), ...crossing(table, second, first, config)];
  const rows = fitting(
    table.rows.map((row) => row[0]),
    first,
    config,
    table.headers,
  );
  const tells = (cell: Cell | undefined) => cell && [old, level].some((word) => holdsWord(cell.shown, word));
  return rows.flatMap((row) => (table.rows[row] ?? []).slice(1).filter(tells)).filter((cell) => cell !== undefined);
}

function crossing(table: Table, ofRow: string, ofColumn: string, config: Config): Cell[] {
  const rows = fitting(
    table.rows.map((row) => row[0]),
    ofRow,
    config,
    table.headers,
  );
  const headers = table.rows.slice(0, table.headers);
  const columns = new Set(headers.flatMap((header) => fitting(header, ofColumn, config, 1)));
  return rows.flatMap((row) => [...columns].flatMap((column) => table.rows[row]?.[column] ?? []));
}

/** Which of some labels name a part: those that do exactly, else those that nearly do. `from`: the first that may. */
function fitting(labels: readonly (Cell | undefined)[], part: string, config: Config, from: number): number[] {
  const fits = labels.map((cell, index): Fit => (cell && index >= from ? fitOf(cell.shown, part, config) : "none"));
  const those = (wanted: Fit) => fits.flatMap((fit, index) => (fit === wanted ? [index] : []));
  const exact = those("exact");
  return exact.length > 0 ? exact : those("near");
}

function distinct(cells: readonly Cell[]): Cell[] {
  return [...new Map(cells.map((cell) => [cell.from, cell])).values()];
}

const mostPlaces = 10;

/** Lines that tell the level beside the name of a part of the id: those with both parts first. */
function likelyPlaces(path: string, text: string, { rating, old }: CellEdit, config: Config): Place[] {
  const parts = rating.split("/").map((part) => tokens(config.names.get(part) ?? part).join(" "));
  const scored = text.split("\n").map((line, index) => {
    const words = ` ${tokens(line.slice(0, 4_000)).join(" ")} `;
    const score = holdsWord(words, old) ? parts.filter((part) => part !== "" && words.includes(` ${part} `)).length : 0;
    return { score, line: index + 1, text: line };
  });
  const best = Math.max(0, ...new Set(scored.map(({ score }) => score)));
  const lines = scored.filter(({ score }) => score === best && best > 0).slice(0, mostPlaces);
  return lines.map(({ line, text: found }) => ({ path, line, text: shorten(found), rating }));
}

function holdsWord(text: string, word: string): boolean {
  const wanted = tokens(word).join(" ");
  return wanted !== "" && ` ${tokens(text).join(" ")} `.includes(` ${wanted} `);
}

function placeAt(path: string, text: string, offset: number, rating: string): Place {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const feed = text.indexOf("\n", offset);
  return { path, line: lineOf(text, offset), text: shorten(text.slice(start, feed < 0 ? text.length : feed)), rating };
}

function shorten(line: string): string {
  const trimmed = line.trim();
  return trimmed.length > 200 ? `${trimmed.slice(0, 199)}…` : trimmed;
}
