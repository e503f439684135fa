import type { Block } from "../../model/reading.ts";
import type { Judged } from "./judge.ts";
import { wordsOf } from "./text.ts";

/** Rows that changed only because their table got, lost or moved a column. The header row reports that once. */

type Unit = Pick<Judged, "side" | "block" | "text">;

/** Leaves out these rows if each changed column has one text in all of them. Any other column is reported by row. */
export function withoutColumns<U extends Unit>(
  before: readonly Block[],
  after: readonly Block[],
  units: readonly U[],
): readonly U[] {
  const reportedTexts = new Set(units.map(({ text }) => text));
  if (![...before, ...after].some(({ header }) => header !== undefined && reportedTexts.has(header))) return units;
  const [olds, news] = [tablesOf(before), tablesOf(after)];
  const removals = new Set<Block>();
  for (const [key, old] of olds) {
    const now = news.get(key);
    const isReported = reportedTexts.has(old.header) || (now !== undefined && reportedTexts.has(now.header));
    if (!now || !isReported || old.header === now.header) continue;
    for (const row of sameRows(old, now)) removals.add(row);
  }
  const isLeft = ({ side, block }: U) => removals.has((side === "removed" ? before : after)[block] as Block);
  return units.filter((unit) => !isLeft(unit));
}

interface Table {
  readonly header: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly block: Block; readonly cells: readonly string[] }[];
}

/**
 * Tables by headings and first column, and by headings alone if only one has them: its first column may have moved. The
 * column names are unique, and all rows are complete.
 */
function tablesOf(blocks: readonly Block[]): Map<string, Table> {
  const tables = new Map<string, Table>();
  const firstOf = ({ header = "" }: Block) => cellsOf(header)[0];
  const rows = blocks.filter(({ kind, header }) => kind === "row" && header !== undefined);
  for (const [headings, rowsOfHeading] of Map.groupBy(rows, ({ path }) => path.join("\n"))) {
    const byFirst = Map.groupBy(rowsOfHeading, firstOf);
    for (const [first, rowsOfTable] of byFirst) {
      const [{ header = "" } = {}] = rowsOfTable;
      const columns = cellsOf(header);
      const isOne = rowsOfTable.every((row) => row.header === header && cellsOf(row.text).length === columns.length);
      if (!isOne || rowsOfTable.length < 2 || new Set(columns).size < columns.length) continue;
      const table = { header, columns, rows: rowsOfTable.map((block) => ({ block, cells: cellsOf(block.text) })) };
      tables.set(`${headings}\n${first}`, table);
      if (byFirst.size === 1) tables.set(headings, table);
    }
  }
  return tables;
}

function cellsOf(row: string): string[] {
  return row.split(" | ").map(wordsOf);
}

/** Rows that are the same in the common columns of both tables, if the other columns say nothing. */
function sameRows(old: Table, now: Table): Block[] {
  const common = old.columns.filter((name) => now.columns.includes(name));
  const [oldCells, newCells] = [sameCells(old, common), sameCells(now, common)];
  if (common.length < 2 || oldCells === undefined || newCells === undefined) return [];
  if (oldCells !== newCells && oldCells !== "" && newCells !== "") return [];
  const rowsByWords = (table: Table) => Map.groupBy(table.rows, ({ cells }) => inColumns(table, cells, common));
  const [olds, news] = [rowsByWords(old), rowsByWords(now)];
  return [...olds]
    .flatMap(([words, rows]) => (news.get(words)?.length === rows.length ? [rows, news.get(words) ?? []] : []))
    .flatMap((rows) => rows.map(({ block }) => block));
}

function inColumns({ columns }: Table, cells: readonly string[], names: readonly string[]): string {
  return names.map((name) => cells[columns.indexOf(name)]).join(" | ");
}

/** The cells of these columns, if they are the same in all rows. */
function sameCells(table: Table, names: readonly string[]): string | undefined {
  const others = table.columns.filter((name) => !names.includes(name));
  const [words, ...more] = new Set(table.rows.map(({ cells }) => inColumns(table, cells, others)));
  return more.length === 0 ? words : undefined;
}
