import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { Failure } from "../../failure.ts";
import type { Raw } from "./exchange.ts";

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const inflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflate);
const inflateRaw = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const brotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/** What is asked for, and all that is understood beside deflate: https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1 */
export const codings = "gzip, br";
const mostCodings = 3;

/**
 * The body of an answer, decompressed, at most `limit` bytes of it.
 * @throws Failure too-large, truncated (also for bytes that are not what their coding says), wrong-type
 */
export async function bodyOf({ headers, bytes, cut }: Raw, limit: number): Promise<Buffer> {
  const coding = headers["content-encoding"];
  if (coding === undefined || bytes.length === 0) return bytes;
  const names = coding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name && name !== "identity");
  if (names.length > mostCodings) throw unknownCoding();
  let body = bytes;
  for (const name of names.reverse()) body = await decode(name, body, limit, cut);
  return body;
}

async function decode(name: string, bytes: Buffer, limit: number, cut: boolean): Promise<Buffer> {
  const flush = cut ? zlib.constants.Z_SYNC_FLUSH : zlib.constants.Z_FINISH;
  const operation = cut ? zlib.constants.BROTLI_OPERATION_FLUSH : zlib.constants.BROTLI_OPERATION_FINISH;
  const options = { maxOutputLength: limit, finishFlush: flush };
  try {
    if (name === "gzip" || name === "x-gzip") return await gunzip(bytes, options);
    if (name === "br") return await brotli(bytes, { maxOutputLength: limit, finishFlush: operation });
    // Some send raw deflate under this name. The low half of a zlib stream's first byte is 8.
    if (name === "deflate") return await (((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(bytes, options);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ERR_BUFFER_TOO_LARGE") throw new Failure("too-large", { limit });
    throw new Failure("truncated", { code: code ?? "" }, error);
  }
  throw unknownCoding();
}

function unknownCoding(): Failure {
  return new Failure("wrong-type", { expected: "gzip or br", found: "an unknown content coding" });
}
