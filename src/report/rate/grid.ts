import { cutLine } from "../../model/markdown.ts";
import type { ReportCell, ReportTable } from "../parse/report-text.ts";

export interface WrittenCell extends ReportCell, Spanning {}

/** How many columns and rows a cell spans. */
interface Spanning {
  readonly columns: number;
  readonly rows: number;
}

/** Spec: https://html.spec.whatwg.org/multipage/tables.html#attributes-common-to-td-and-th-elements */
export function spansOf({ colspan, rowspan }: Readonly<Record<string, string>>): Spanning {
  const span = (value = "") => (/^[1-9]\d{0,2}$/.test(value) ? Number(value) : 1);
  return { columns: span(colspan), rows: span(rowspan) };
}

/** Columns beyond this are not read. */
export const maxColumns = 250;
const maxRows = 5_000;

/**
 * Rows of cells as readers see the table. Its heading rows name the columns; undefined if nothing is below them.
 * Spec: https://html.spec.whatwg.org/multipage/tables.html#forming-a-table
 */
export function tableOf(
  id: number,
  path: readonly string[],
  written: readonly (readonly WrittenCell[])[],
): ReportTable | undefined {
  const rows = spread(written.slice(0, maxRows));
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const title = rows.findIndex((row) => !isGroup(row));
  const titled = rows.slice(Math.max(0, title));
  const headings = headingRows(titled);
  if (width === 0 || titled.length <= headings) return undefined;
  const columns = namesOf(titled.slice(0, headings), width);
  const codeColumns = (titled[headings - 1] ?? []).slice(1).every(({ code }) => code);
  return {
    id,
    path,
    columns,
    ...(codeColumns && { codeColumns }),
    rows: titled.slice(headings),
  };
}

export const empty: ReportCell = { text: "", links: [], head: false };

/** Copies each cell to every place that it spans. */
export function spread<Cell extends Spanning>(written: readonly (readonly Cell[])[]): Cell[][] {
  /** For each column, a cell that spans into the current row, and how many more rows it spans. */
  const hanging: ({ cell: Cell; rows: number } | undefined)[] = [];
  return written.map((cells) => {
    const row: Cell[] = [];
    const fill = () => {
      for (let above = hanging[row.length]; above && row.length < maxColumns; above = hanging[row.length]) {
        hanging[row.length] = above.rows > 1 ? { ...above, rows: above.rows - 1 } : undefined;
        row.push(above.cell);
      }
    };
    for (const cell of cells) {
      fill();
      for (let i = 0; i < cell.columns && row.length < maxColumns; i++) {
        hanging[row.length] = cell.rows > 1 ? { cell, rows: cell.rows - 1 } : undefined;
        row.push(cell);
      }
    }
    fill();
    return row;
  });
}

/** How many rows at the top name the columns: those marked as headings, or else the first row with text. */
function headingRows(rows: readonly (readonly ReportCell[])[]): number {
  let count = 0;
  while (count < rows.length - 1 && isHeading(rows[count] ?? [])) count++;
  const isBlank = rows.slice(0, count).every((row) => row.every(({ text }) => text === ""));
  return isBlank ? count + 1 : count;
}

function isHeading(row: readonly ReportCell[]): boolean {
  return row.length > 0 && row.every(({ head }) => head) && !isGroup(row);
}

/** One cell across the whole table: a heading for the rows below it. */
function isGroup(row: readonly ReportCell[]): boolean {
  return row.length > 1 && row.every((cell) => cell === row[0]);
}

/** The lowest heading of each column, with those above it if two columns share it. */
function namesOf(headings: readonly (readonly ReportCell[])[], width: number): string[] {
  const headingsByColumn = Array.from({ length: width }, (_, i) => {
    const names = headings.map((row) => headingOf(row[i]?.text ?? "")).filter((name) => name !== "");
    return names.filter((name, at) => names.indexOf(name) === at);
  });
  const lowest = headingsByColumn.map((names) => names.at(-1) ?? "");
  return lowest.map((name, i) => {
    const twice = lowest.filter((one) => one === name).length > 1;
    return twice ? (headingsByColumn[i] ?? []).join(" ") : name;
  });
}

/** The first line of a heading that is followed by an explanation. */
function headingOf(text: string): string {
  const [first = ""] = text.split("\n");
  const whole = cutLine(text, 200);
  return whole.length > longestHeading && /\p{L}{2}/u.test(first) ? cutLine(first, 200) : whole;
}

/** In characters. A longer heading includes an explanation. */
const longestHeading = 80;

/** The first of these columns with words: it says what the rows are. A column that numbers them does not. */
export function wordColumn({ columns, rows }: ReportTable, before = columns.length): number {
  return Math.max(
    0,
    columns.findIndex((_, i) => i < before && rows.some((row) => /\p{L}/u.test(textAt(row, i)))),
  );
}

export function textAt(row: readonly ReportCell[], column: number): string {
  return (row[column] ?? empty).text;
}
