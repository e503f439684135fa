import { constants, createInflate } from "node:zlib";
import { raised } from "../html/raised.ts";

/**
 * Counts the inflated bytes of all Flate streams, including nested and text-encoded ones, up to the limit. The library
 * inflates everything, so bombs must be found first. Streams are recognised by their content, as a dictionary can name
 * a filter in many ways. A broken stream counts up to its break.
 */
export async function inflatesTo(body: Uint8Array, limit: number): Promise<number> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let total = 0;
  for (let at = bytes.indexOf("stream"); at >= 0 && total <= limit; at = bytes.indexOf("stream", at + 6)) {
    total += await unpacked(bytes.subarray(afterLine(bytes, at + 6)), limit - total, 0);
  }
  return total;
}

/** The position after the end of the line with `stream`; the library accepts spaces there. */
function afterLine(bytes: Buffer, at: number): number {
  let start = at;
  while (start < at + 20 && (bytes[start] === 32 || bytes[start] === 9)) start++;
  if (bytes[start] === 13) start++;
  return bytes[start] === 10 ? start + 1 : start;
}

/** Nested filters, at most: the library has no limit of its own. */
const maxFilters = 8;

async function unpacked(bytes: Buffer, limit: number, depth: number): Promise<number> {
  const packed = isZlib(bytes) ? bytes : fromDigits(bytes);
  if (packed === undefined || depth >= maxFilters) return depth >= maxFilters ? limit + 1 : 0;
  const inner: Buffer[] = [];
  let [size, isNested] = [0, false];
  const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 65_536 });
  inflate.end(packed);
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      if (size === 0) isNested = isZlib(chunk) || fromDigits(chunk) !== undefined;
      size += chunk.length;
      if (isNested) inner.push(chunk);
      if (size > limit) break;
    }
  } catch {
    // The stream is broken; it was read up to here.
  }
  // A nested stream is counted with its outer one.
  size = Math.max(size, inflate.bytesWritten);
  inflate.destroy();
  return isNested && size <= limit ? size + (await unpacked(Buffer.concat(inner), limit - size, depth + 1)) : size;
}

/** Whether this is a zlib header: deflate, and a valid checksum. */
function isZlib(bytes: Buffer): boolean {
  return bytes.length > 2 && (bytes[0] ?? 0) % 16 === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/** The Flate stream in hexadecimal or base 85 digits. */
function fromDigits(bytes: Buffer): Buffer | undefined {
  const start = bytes.toString("latin1", 0, 40);
  for (const [checks, decode] of [[/^[\s\da-f]{9,}/i, fromHex] as const, [/^[\s!-uz]{9,}/, fromBase85] as const])
    if (checks.test(start) && isZlib(decode(start))) return decode(bytes.toString("latin1"));
  return undefined;
}

function fromHex(text: string): Buffer {
  const end = text.indexOf(">");
  return Buffer.from((end < 0 ? text : text.slice(0, end)).replace(/\s+/g, ""), "hex");
}

/** Spec: ISO 32000-2, 7.4.3 */
function fromBase85(text: string): Buffer {
  const bytes = Buffer.alloc(4 * text.length);
  let [at, digits, value] = [0, 0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x7a && digits === 0) at += 4;
    if (code < 33 || code > 117) {
      if (code === 0x7e) break;
      continue;
    }
    value = value * 85 + code - 33;
    if (++digits < 5) continue;
    at = bytes.writeUInt32BE(value % 2 ** 32, at);
    [digits, value] = [0, 0];
  }
  return bytes.subarray(0, at);
}

/** A run of text on the page; `transform` ends with its distances from the left and from below. */
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

/** Page numbers mean nothing, and change when a page is added. */
const pageNumber = /^(?:page\s+)?\d{1,4}(?:\s+of\s+\d{1,4})?$/i;

/** The paragraphs of a page: lines close to each other, in letters of one size. */
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

const spaceBehindRaised = /([⁰¹²³⁴-⁹]) (?=[,.;:!?)\]])/g;

function linesOf(pieces: readonly PdfPiece[]): Line[] {
  const lines: Line[] = [];
  let last: Line | undefined;
  let isOpen = false;
  let isBehindRaised = false;
  for (const { str, transform, height, hasEOL } of pieces) {
    const y = transform[5] ?? 0;
    if (last && isRaised(last, str, y, height)) {
      last.text = last.text.trimEnd() + raised(str.trim());
      isBehindRaised = true;
      continue;
    }
    // The library ends a line before and after raised text.
    if (isBehindRaised && str === "" && last) {
      last.text += " ";
      continue;
    }
    if (!last || !(isOpen || isBehindRaised) || Math.abs(last.y - y) > Math.max(last.height, height, 1) / 2) {
      last = { text: "", y, height };
      lines.push(last);
    }
    last.text += str;
    last.height = Math.max(last.height, height);
    isOpen = !hasEOL;
    isBehindRaised = false;
  }
  for (const line of lines) line.text = line.text.replace(/\s+/g, " ").replace(spaceBehindRaised, "$1").trim();
  return lines.filter(({ text }) => text !== "" && !pageNumber.test(text));
}

/** Whether this is an exponent or a note: smaller figures above the line. */
function isRaised(line: Line, str: string, y: number, height: number): boolean {
  const up = y - line.y;
  const isSmall = height > 0 && height < 0.85 * line.height;
  return isSmall && up > 0.15 * line.height && up < line.height && /^\s*\d{1,3}\s*$/.test(str);
}

function joined(above: Line, line: Line): boolean {
  const height = Math.max(above.height, line.height, 1);
  const down = above.y - line.y;
  return down > 0 && down < height * 1.7 && Math.abs(above.height - line.height) < height / 8;
}

/** Joins a line, and rejoins a word that was split at the end of a line. */
function join(text: string, line: string): string {
  return /[a-z]-$/.test(text) && /^[a-z]/.test(line) ? text.slice(0, -1) + line : `${text} ${line}`;
}
