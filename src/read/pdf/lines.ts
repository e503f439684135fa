/** A run of text as it stands on the page; `transform` ends with its place: from the left, and from below. */
export interface Piece {
  readonly str: string;
  readonly transform: readonly number[];
  readonly height: number;
  readonly hasEOL: boolean;
}

interface Line {
  text: string;
  y: number;
  height: number;
}

/** Page numbers say nothing, and move when a page is added. */
const pageNumber = /^(?:page\s+)?\d{1,4}(?:\s+of\s+\d{1,4})?$/i;

/** The paragraphs of a page: lines that follow each other closely, in letters of one size. */
export function paragraphs(pieces: readonly Piece[]): string[] {
  const groups: string[] = [];
  let above: Line | undefined;
  for (const line of linesOf(pieces)) {
    const last = groups.length - 1;
    if (above && joined(above, line)) groups[last] = join(groups[last] ?? "", line.text);
    else groups.push(line.text);
    above = line;
  }
  return groups.map((text) => text.trim()).filter((text) => text !== "");
}

function linesOf(pieces: readonly Piece[]): Line[] {
  const lines: Line[] = [];
  let open: Line | undefined;
  for (const { str, transform, height, hasEOL } of pieces) {
    const y = transform[5] ?? 0;
    if (open && Math.abs(open.y - y) > Math.max(open.height, height, 1) / 2) open = undefined;
    if (!open) {
      open = { text: "", y, height };
      lines.push(open);
    }
    open.text += str;
    open.height = Math.max(open.height, height);
    if (hasEOL) open = undefined;
  }
  for (const line of lines) line.text = line.text.replace(/\s+/g, " ").trim();
  return lines.filter(({ text }) => text !== "" && !pageNumber.test(text));
}

function joined(above: Line, line: Line): boolean {
  const height = Math.max(above.height, line.height, 1);
  const down = above.y - line.y;
  return down > 0 && down < height * 1.7 && Math.abs(above.height - line.height) < height / 8;
}

/** A word that was cut at the end of a line is whole again. */
function join(text: string, line: string): string {
  return /[a-z]-$/.test(text) && /^[a-z]/.test(line) ? text.slice(0, -1) + line : `${text} ${line}`;
}
