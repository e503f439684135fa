import { isUtf8 } from "node:buffer";
import * as z from "zod";
import { Failure } from "../../model/failure.ts";
import type { Request, Response } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { declaredCharset, isMostlyUtf8 } from "./charset.ts";

/**
 * The text of a response. Its charset is that of the byte order mark; else UTF-8 if the bytes are valid UTF-8; else the
 * declared one; else windows-1252, as in browsers, also if UTF-8 is wrongly declared. Sources get their charset earlier
 * (`withCharset`). NULs and the mark are dropped. Spec: https://encoding.spec.whatwg.org/#decode and
 * https://html.spec.whatwg.org/#determining-the-character-encoding
 *
 * @throws Failure `empty` without any text, `charset` if more than a tenth of it cannot be decoded
 */
export function decode(response: Response): string {
  return checkReadable(textOf(response));
}

/** The whole text of a response, whether it can be read or not. */
export function textOf(response: Response): string {
  const { body } = response;
  // A Buffer searches much faster than a Uint8Array.
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const mayBeSevenBit = bytes.includes(0) || bytes.includes(27);
  const isOther = mayBeSevenBit && isSevenBit(declaredCharset(response), body);
  if (!isOther && isUtf8(body)) return new TextDecoder().decode(body);
  const declared = declaredCharset(response);
  if (declared !== undefined && declared !== "utf-8") return new TextDecoder(declared).decode(body);
  const text = new TextDecoder().decode(body);
  if (isMostlyUtf8(text) || (declared !== undefined && isLost(text))) return text;
  return new TextDecoder("windows-1252").decode(body);
}

/** Whether a charset's bytes are valid UTF-8 but mean something else: UTF-16, by its NULs, and charsets with escapes. */
function isSevenBit(declared: string | undefined, body: Uint8Array): boolean {
  if (declared === undefined || declared === "utf-8") return false;
  return declared.startsWith("utf-16") ? body.includes(0) : declared === "iso-2022-jp" && body.includes(27);
}

/** Whether this is a complete HTML document, as servers send in place of a feed or of JSON. */
export function isHtml(text: string): boolean {
  return /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype\s+html|html[\s>])/i.test(
    text.slice(0, 2000),
  );
}

/** The media type in lower case, without parameters; empty if none was sent. */
export function mediaType(response: Response): string {
  return (response.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Characters that no text has: most control characters, and the sign for undecodable bytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are searched for
const lostCharacter = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]/;

/** The text without NULs. windows-1252 accepts any bytes: control characters show that they were not text. @throws as `decode` */
export function checkReadable(text: string): string {
  if (isLost(text)) throw new Failure("charset");
  const kept = text.includes("\0") ? text.replaceAll("\0", "") : text;
  if (!/\S/.test(kept)) throw new Failure("empty");
  return kept;
}

function isLost(text: string): boolean {
  if (!lostCharacter.test(text)) return false;
  let lost = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd || code < 9 || (code > 13 && code < 32 && code !== 27) || (code > 126 && code < 160)) lost++;
  }
  return lost > 8 && lost * 10 > text.length;
}

/** The depth of JSON, at most: foreign data is walked recursively. */
const depthLimit = 100;

/** Entries of a list, at most: no list that a person watches has more. */
const itemLimit = 20_000;

export function jsonAt(url: string): Request {
  return { url, accept: "application/json" };
}

/**
 * The JSON of a response. Spec: https://www.rfc-editor.org/rfc/rfc8259
 *
 * @throws Failure `wrong-type` for HTML, `malformed` if it does not parse or nests deeper than 100, `empty`, `charset`
 */
export function parseJson(response: Response): unknown {
  return jsonOf(decode(response));
}

/** The same for a decoded text. */
export function jsonOf(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  if (isHtml(text)) throw new Failure("wrong-type", { expected: "JSON", found: "HTML" });
  if (deeperThan(depthLimit, text)) throw new Failure("malformed", { expected: "JSON (it nests too deeply)" });
  try {
    return parse(text);
  } catch (error) {
    throw new Failure("malformed", { expected: "JSON" }, error);
  }
}

/** Foreign data of the expected shape. `what`: names it to people. @throws Failure `malformed` */
export function parseShape<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new Failure("malformed", { expected: what }, new Error(z.prettifyError(result.error)));
  return result.data;
}

/** The list itself, if it is not too long. @throws Failure `too-many` */
export function limitItems<T>(list: readonly T[], limit = itemLimit): readonly T[] {
  if (list.length > limit) throw new Failure("too-many", { limit, found: list.length });
  return list;
}

function deeperThan(limit: number, json: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (quoted) {
      if (char === "\\") i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "[" || char === "{") {
      if (++depth > limit) return true;
    } else if (char === "]" || char === "}") depth--;
  }
  return false;
}

/** Seconds or milliseconds since 1970; the unit is the one that gives a plausible year. */
export function instantOfNumber(value: number): Instant | undefined {
  const at = Math.round(Math.abs(value) < 1e11 ? value * 1000 : value);
  return Number.isFinite(at) && at > 0 && at < Date.UTC(9999, 0) ? at : undefined;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Spec: https://www.w3.org/TR/dpub-aria-1.1/#doc-noteref */
export const noteReference = "doc-noteref";

export function footnoteMark(number: number | string): string {
  return `<sup role="${noteReference}">${number}</sup>`;
}
