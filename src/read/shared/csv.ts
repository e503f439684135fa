import { escapeHtml } from "./body.ts";

/** Rows of trimmed cells. A quote that does not end its cell is text. Spec: https://www.rfc-editor.org/rfc/rfc4180 */
export function csvRows(text: string, comma: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const { cell, end } = quotedCell(text, at, comma) ?? bareCell(text, at, comma);
    row.push(cell.trim());
    if (text[end] !== comma) {
      if (row.some((one) => one !== "")) rows.push(row);
      row = [];
    }
    at = end + 1;
  }
  return rows;
}

/** Rows of cells as a table. The first `header` rows are headings; `html` renders a cell. */
export function tableOfRows(
  rows: readonly (readonly string[])[],
  header = 1,
  html: (cell: string) => string = escapeHtml,
): string {
  const lines = rows.map((row, i) => {
    const tag = i < header ? "th" : "td";
    return `<tr>${row.map((cell) => `<${tag}>${html(cell)}</${tag}>`).join("")}</tr>`;
  });
  return `<table>${lines.join("")}</table>`;
}

/** A cell, and the offset of its comma or line end. */
interface CsvCell {
  readonly cell: string;
  readonly end: number;
}

function quotedCell(text: string, from: number, comma: string): CsvCell | undefined {
  const open = afterSpace(text, from, comma);
  if (text[open] !== '"') return undefined;
  let close = text.indexOf('"', open + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  const end = close < 0 ? close : afterSpace(text, close + 1, comma);
  const isCell = end >= 0 && (end === text.length || text[end] === comma || text[end] === "\n");
  return isCell ? { cell: text.slice(open + 1, close).replaceAll('""', '"'), end } : undefined;
}

function bareCell(text: string, from: number, comma: string): CsvCell {
  let end = from;
  while (end < text.length && text[end] !== comma && text[end] !== "\n") end++;
  return { cell: text.slice(from, end), end };
}

/** The offset of the first character in a cell that is not white space. */
function afterSpace(text: string, from: number, comma: string): number {
  let at = from;
  while (at < text.length && text[at] !== comma && /[^\S\n]/.test(text.charAt(at))) at++;
  return at;
}
