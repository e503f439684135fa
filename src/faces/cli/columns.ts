import stringWidth from "fast-string-width";
import { weightWords } from "../../model/words.ts";

/** Columns of text if the width of the terminal is unknown. */
export const usualColumns = 80;
/** A last column narrower than this is hard to read: its row becomes a list. */
const minLastColumn = 24;

/** The last line of a list that is cut for people. */
export function restLine(more: number): string {
  return `and ${more} more: --json lists them all`;
}

export function padText(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

export function weightColumn(weight: keyof typeof weightWords): string {
  return padText(weightWords[weight], Math.max(...Object.values(weightWords).map((words) => words.length)));
}

export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ""))));
}

/**
 * Rows as a table: columns are as wide as their content, and the last one is wrapped. On a narrow terminal each row
 * becomes a list: its first cell, and the others below it.
 */
export function table(rows: readonly (readonly string[])[], indent: string, width?: number): string[] {
  const widths = columnWidths(rows);
  const room = (width ?? Number.POSITIVE_INFINITY) - stringWidth(indent);
  const first = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  if (first + Math.min(widths.at(-1) ?? 0, minLastColumn) <= room) {
    return rows.flatMap((row) => {
      const before = row.slice(0, -1).map((cell, i) => `${padText(cell, widths[i] ?? 0)}  `);
      const [head = "", ...rest] = wrapLine(row.at(-1) ?? "", room - first, "");
      return [indent + before.join("") + head, ...rest.map((line) => indent + " ".repeat(first) + line)].map((line) =>
        line.trimEnd(),
      );
    });
  }
  return rows.flatMap((row) => {
    const head = stringWidth(row[0] ?? "") <= 2 ? row.slice(0, 2).join(" ") : (row[0] ?? "");
    const rest = row.slice(stringWidth(row[0] ?? "") <= 2 ? 2 : 1).filter((cell) => cell !== "");
    return [`${indent}${head}`, ...rest.map((cell) => `${indent}    ${cell}`)];
  });
}

/**
 * Wraps a line between words to a width in columns. Further lines are indented by four more columns by default. A word
 * that is wider stays whole, because it may be an address or a command to copy.
 */
export function wrapLine(line: string, width: number, further = "    "): string[] {
  if (stringWidth(line) <= width) return [line];
  const [lead = "", indent = ""] = /^(?:\p{Cc}\[[\d;]*m)*( *)/u.exec(line) ?? [];
  const hanging = `${indent}${further}`.slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let currentLine = lead;
  let column = indent.length;
  let empty = true;
  for (const [, gap = "", word = ""] of line.slice(lead.length).matchAll(/( *)([^ ]+)/g)) {
    const size = stringWidth(word);
    if (!empty && column + gap.length + size > width) {
      lines.push(currentLine);
      currentLine = hanging + word;
      column = hanging.length + size;
    } else {
      currentLine += (empty ? "" : gap) + word;
      column += (empty ? 0 : gap.length) + size;
    }
    empty = false;
  }
  return [...lines, currentLine];
}

export function cutText(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let output = "";
  let used = 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    output += segment;
  }
  return `${output}…`;
}
