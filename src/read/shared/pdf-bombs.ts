import { constants, createInflate } from "node:zlib";

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
