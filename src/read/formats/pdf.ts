import { inflateSync } from "node:zlib";

/**
 * How many bytes the Flate streams of a PDF inflate to; stops counting past the limit. The library inflates whatever
 * it is given, so a bomb is to be found before it. A stream compressed twice counts as over the limit.
 */
export function inflatesTo(body: Uint8Array, limit: number): number {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (/\/Filter\s{0,4}\[\s{0,4}\/Fl(?:ateDecode)?\s{0,4}\/Fl/.test(bytes.toString("latin1"))) return limit + 1;
  let total = 0;
  for (let at = bytes.indexOf("stream"); at >= 0 && total <= limit; at = bytes.indexOf("stream", at + 6)) {
    const start = bytes[at + 6] === 13 ? at + 8 : at + 7;
    // A zlib header: deflate, and a checksum that fits.
    if ((bytes[start] ?? 0) % 16 !== 8 || bytes.readUIntBE(Math.min(start, bytes.length - 2), 2) % 31 !== 0) continue;
    total += inflated(bytes.subarray(start), limit - total);
  }
  return total;
}

function inflated(bytes: Uint8Array, limit: number): number {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(limit, 1), finishFlush: 2 }).length;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE" ? limit + 1 : 0;
  }
}

/** A run of text as it stands on the page; `transform` ends with its place: from the left, and from below. */
export interface PdfPiece {
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
export function paragraphs(pieces: readonly PdfPiece[]): string[] {
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

function linesOf(pieces: readonly PdfPiece[]): Line[] {
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
