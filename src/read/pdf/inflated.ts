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
