import { cutLine } from "../../model/markdown.ts";
import type { ReportTable } from "../parse/report-text.ts";
import { textAt } from "./grid.ts";
import { shortName } from "./words.ts";

interface RowNames {
  readonly heading: string;
  readonly of: ReadonlyMap<number, string>;
}

/**
 * Names rows by the unrated columns: the first, the next one if its words explain codes, and more of them while two rows
 * share a name; then by the group above them, and by a number.
 */
export function rowNames(table: ReportTable, rows: readonly number[], rated: readonly number[]): RowNames | undefined {
  const naming = namingColumns(table, rows, rated);
  const [first] = naming;
  if (first === undefined) return undefined;
  const filled = (row: number, column: number) => textOrAbove(table, row, column);
  let names = new Map<number, string>();
  for (const [used, next] of naming.entries()) {
    const worded = rows.filter((row) => /\p{L}{2}/u.test(filled(row, next)));
    const isCode = used === 1 && areCodes(names) && worded.length >= 0.8 * rows.length;
    if (used > 0 && sharingRows(names) === 0 && !isCode) break;
    const only = used > 1 || (used === 1 && !isCode && sharingRows(names) < 0.5 * rows.length);
    names = appendColumn(names, rows, { column: next, text: filled, only });
  }
  return { heading: table.columns[first] ?? "", of: makeDistinct(names, table, rows) };
}

/** Unrated columns of words, those before the rated ones first. */
function namingColumns(table: ReportTable, rows: readonly number[], rated: readonly number[]): number[] {
  const first = Math.min(...rated);
  const isNaming = (column: number) => {
    const texts = rows.map((row) => textAt(table.rows[row] ?? [], column)).filter((text) => text !== "");
    const words = texts.filter((text) => /[\p{L}\p{N}]/u.test(text)).length;
    return texts.length > 0 && words >= 0.6 * texts.length;
  };
  const isDrawn = (column: number) => rows.some((row) => table.rows[row]?.[column]?.picture);
  const isNumber = (row: number, column: number) => /^#?\d{0,3}$|^-$/.test(textAt(table.rows[row] ?? [], column));
  const isCount = (column: number) => rows.filter((row) => isNumber(row, column)).length >= 0.9 * rows.length;
  // Pictures and numbers name rows only if words do not tell them apart.
  const columns = table.columns
    .map((_, i) => i)
    .filter((i) => !rated.includes(i) && isNaming(i))
    .sort((a, b) => Number(isDrawn(a) || isCount(a)) - Number(isDrawn(b) || isCount(b)));
  const before = columns.filter((i) => i < first);
  const isWords = (column: number) => rows.some((row) => /\p{L}{2}/u.test(textAt(table.rows[row] ?? [], column)));
  // A column of only numbers does not name rows.
  if (before.some(isWords)) return before;
  return [...before, ...columns.filter((i) => i > first && isWords(i)).slice(0, 1)];
}

function areCodes(names: ReadonlyMap<number, string>): boolean {
  const all = [...names.values()];
  return all.filter((name) => /\d/.test(name) && !/\p{Ll}{3}/u.test(name)).length >= 0.8 * all.length;
}

/** How many rows share a name with another row. */
function sharingRows(names: ReadonlyMap<number, string>): number {
  const alike = [...Map.groupBy(names.values(), (name) => name).values()].filter(({ length }) => length > 1);
  return alike.reduce((sum, { length }) => sum + length, 0);
}

/**
 * Appends the text of a column to the names, with its brackets if another name is the same or begins with it. `only`:
 * just to names that rows share.
 */
function appendColumn(
  names: ReadonlyMap<number, string>,
  rows: readonly number[],
  { column, text, only }: { column: number; text: (row: number, column: number) => string; only: boolean },
): Map<number, string> {
  const counts = Map.groupBy(names, ([, name]) => name);
  const joined = (row: number, added: string) => {
    const before = names.get(row) ?? "";
    return cutLine(`${before} ${before === added ? "" : added}`.trim(), 120);
  };
  const short = new Map(rows.map((row) => [row, joined(row, shortName(firstLine(text(row, column))))]));
  const sorted = [...short.values()].toSorted();
  const alike = new Set(sorted.filter((name, i) => `${sorted[i + 1]} `.startsWith(`${name} `)));
  return new Map(
    rows.map((row) => {
      const before = names.get(row) ?? "";
      if (only && (counts.get(before)?.length ?? 0) < 2) return [row, before];
      const name = short.get(row) ?? "";
      return [row, alike.has(name) ? joined(row, cutLine(firstLine(text(row, column)), 80)) : name];
    }),
  );
}

/** The text of a cell; if it is blank and the next cell is not, the text above it. */
function textOrAbove({ rows, columns }: ReportTable, row: number, column: number): string {
  const own = textAt(rows[row] ?? [], column);
  if (own !== "" || column + 1 >= columns.length || !/\p{L}/u.test(textAt(rows[row] ?? [], column + 1))) return own;
  for (let above = row - 1; above >= 0; above--) {
    const text = textAt(rows[above] ?? [], column);
    if (text !== "") return text;
  }
  return "";
}

export function rowName(text: string): string {
  return shortName(firstLine(text));
}

/** The first line of a cell; for a bare address, its path. */
function firstLine(text: string): string {
  const [line = ""] = text.split("\n").filter((one) => /[\p{L}\p{N}]/u.test(one));
  const url = /^https?:\/\/\S+$/i.test(line) ? URL.parse(line) : null;
  return url ? url.pathname.replace(/^\/|\/$/g, "") || url.hostname : line;
}

function makeDistinct(
  names: ReadonlyMap<number, string>,
  table: ReportTable,
  rows: readonly number[],
): Map<number, string> {
  const groups = groupsOf(table);
  const counts = Map.groupBy(names, ([, name]) => name);
  const namesInUse = new Set<string>();
  const distinctNames = new Map<number, string>();
  for (const row of rows) {
    const name = names.get(row) ?? "";
    if (name === "") continue;
    const group = groups.get(row);
    const grouped = (counts.get(name)?.length ?? 0) > 1 && group !== undefined ? `${group}: ${name}` : name;
    let one = grouped;
    for (let i = 2; namesInUse.has(one); i++) one = `${grouped} (${i})`;
    namesInUse.add(one);
    distinctNames.set(row, one);
  }
  return distinctNames;
}

/** For each row, the row with a single text above it. */
function groupsOf({ rows }: ReportTable): Map<number, string> {
  const groups = new Map<number, string>();
  let group: string | undefined;
  rows.forEach((row, i) => {
    const cells = [...new Set(row)].filter(({ text }) => text !== "");
    if (row.length > 1 && cells.length === 1) group = shortName(cells[0]?.text ?? "");
    else if (group !== undefined && group !== "") groups.set(i, group);
  });
  return groups;
}
