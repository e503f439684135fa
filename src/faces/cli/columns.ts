import stringWidth from "fast-string-width";

/** Text is told to people in this many columns where no terminal says how wide it is. */
export const usualColumns = 80;
/** A last column narrower than this is hard to read: its row becomes a list. */
const minLastColumn = 24;

/** A text with spaces behind it, as wide as its column. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** How wide each column of a table must be. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ""))));
}

/**
 * Rows in columns as wide as they must be, the last broken between words within its own; as a list where the terminal
 * is too narrow for that: the first words of a row, and the others below them.
 */
export function table(rows: readonly (readonly string[])[], indent: string, width?: number): string[] {
  const widths = columnWidths(rows);
  const room = (width ?? Number.POSITIVE_INFINITY) - stringWidth(indent);
  const first = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  if (first + Math.min(widths.at(-1) ?? 0, minLastColumn) <= room) {
    return rows.flatMap((row) => {
      const before = row.slice(0, -1).map((cell, i) => `${padded(cell, widths[i] ?? 0)}  `);
      const [head = "", ...rest] = wrapped(row.at(-1) ?? "", room - first, "");
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
 * A line as lines of at most so many columns, broken between words; what follows the first stands four columns further
 * in unless told. A word that is wider stays whole: it may be an address or a command to copy.
 */
export function wrapped(line: string, width: number, further = "    "): string[] {
  if (stringWidth(line) <= width) return [line];
  const [lead = "", indent = ""] = /^(?:\p{Cc}\[[\d;]*m)*( *)/u.exec(line) ?? [];
  const hanging = `${indent}${further}`.slice(0, Math.floor(width / 2));
  const lines: string[] = [];
  let here = lead;
  let used = indent.length;
  let empty = true;
  for (const [, gap = "", word = ""] of line.slice(lead.length).matchAll(/( *)([^ ]+)/g)) {
    const size = stringWidth(word);
    if (!empty && used + gap.length + size > width) {
      lines.push(here);
      here = hanging + word;
      used = hanging.length + size;
    } else {
      here += (empty ? "" : gap) + word;
      used += (empty ? 0 : gap.length) + size;
    }
    empty = false;
  }
  return [...lines, here];
}

/** A text of at most so many columns: its end is left out, with a mark. */
export function clipped(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = "";
  let used = 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}
