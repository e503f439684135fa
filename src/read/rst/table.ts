import { inlineHtml, type Substitutions } from "./inline.ts";

/** Rows of cells; the first `header` of them are headings. */
export interface Table {
  readonly rows: readonly (readonly string[])[];
  readonly header: number;
}

export const simpleBorder = /^=+(?: +=+)+$/;
export const gridBorder = /^\+(?:[-=]+\+)+$/;

/** Spec: …/restructuredtext.html#simple-tables. `lines` begin and end with a border. */
export function simpleTable(lines: readonly string[]): Table {
  const columns = [...(lines[0] ?? "").matchAll(/=+/g)].map((match) => match.index);
  const rows: string[][] = [];
  let header = 0;
  for (const line of lines.slice(1, -1)) {
    if (simpleBorder.test(line)) header ||= rows.length;
    else if (line.trim() !== "" && !/^[-\s]+$/.test(line)) {
      const cells = columns.map((start, i) => line.slice(start, columns[i + 1]).trim());
      if (cells[0] === "" && rows.length > 0) extend(rows.at(-1) ?? [], cells);
      else rows.push(cells);
    }
  }
  return { rows, header };
}

/** Spec: …/restructuredtext.html#grid-tables. Cells that span are read as they stand. */
export function gridTable(lines: readonly string[]): Table {
  const rows: string[][] = [];
  let header = 0;
  let open = false;
  for (const line of lines) {
    if (line.startsWith("+")) {
      if (line.includes("=")) header ||= rows.length;
      open = false;
      continue;
    }
    const cells = line
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
    if (open) extend(rows.at(-1) ?? [], cells);
    else rows.push(cells);
    open = true;
  }
  return { rows, header };
}

/** The body of a `list-table`: a list of rows, each a list of cells. */
export function listTable(lines: readonly string[], header: number): Table {
  const rows: string[][] = [];
  for (const line of lines) {
    const first = /^\s*\*\s+-\s?(.*)$/.exec(line);
    const next = /^ {1,4}-(?: (.*))?$/.exec(line);
    const row = rows.at(-1);
    if (first) rows.push([first[1] ?? ""]);
    else if (row && next) row.push(next[1] ?? "");
    else if (row && line.trim() !== "") extend(row, [...row.slice(1).map(() => ""), line.trim()]);
  }
  return { rows, header };
}

/** The body of a `csv-table`. Spec: https://www.rfc-editor.org/rfc/rfc4180 */
export function csvTable(lines: readonly string[], heading: string | undefined, header: number): Table {
  const rows = lines.filter((line) => line.trim() !== "").map(csvRow);
  return heading === undefined ? { rows, header } : { rows: [csvRow(heading), ...rows], header: 1 };
}

export function tableHtml({ rows, header }: Table, substitutions: Substitutions): string {
  const html = rows.map((row, i) => {
    const tag = i < header ? "th" : "td";
    return `<tr>${row.map((cell) => `<${tag}>${cellHtml(cell, substitutions)}</${tag}>`).join("")}</tr>`;
  });
  return `<table>${html.join("")}</table>`;
}

function cellHtml(cell: string, substitutions: Substitutions): string {
  const raw = /^\.\. raw:: html\s/.exec(cell);
  return raw ? cell.slice(raw[0].length) : inlineHtml(cell, substitutions);
}

/** One line of a table with commas. Spec: https://www.rfc-editor.org/rfc/rfc4180 */
export function csvRow(line: string): string[] {
  const cells: string[] = [];
  for (const match of line.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)) {
    if (match[0] === "" && match.index === line.length && !line.endsWith(",")) break;
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? "").trim());
  }
  return cells;
}

function extend(row: string[], more: readonly string[]): void {
  more.forEach((cell, i) => {
    row[i] = `${row[i] ?? ""} ${cell}`.trim();
  });
}
