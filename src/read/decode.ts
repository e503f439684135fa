import { Failure } from "../failure.ts";
import type { Response } from "./reader.ts";

const marks: readonly { readonly bytes: readonly number[]; readonly charset: string }[] = [
  { bytes: [0xef, 0xbb, 0xbf], charset: "utf-8" },
  { bytes: [0xfe, 0xff], charset: "utf-16be" },
  { bytes: [0xff, 0xfe], charset: "utf-16le" },
];

/** How much of a document is looked through for a `<meta>` charset or an XML declaration, in bytes. */
const prologue = 1024;

/**
 * The text of a response: by byte order mark, else the charset of `Content-Type`, else the XML declaration or
 * `<meta>` charset, else UTF-8, and where nothing was declared and it is no UTF-8, windows-1252 as browsers do.
 * NULs and the mark are dropped.
 * Spec: https://encoding.spec.whatwg.org/#decode and https://html.spec.whatwg.org/#determining-the-character-encoding
 *
 * @throws Failure `empty` without any text, `charset` when more than a tenth of it cannot be read
 */
export function decode(response: Response): string {
  const { body } = response;
  const declared = charsetOf(response);
  const text = readable(declared === undefined ? undeclared(body) : new TextDecoder(declared).decode(body));
  if (text.trim() === "") throw new Failure("empty");
  return text;
}

/** Whether this is a whole HTML document: what a server sends in place of a feed or of JSON. */
export function isHtml(text: string): boolean {
  return /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype\s+html|html[\s>])/i.test(
    text.slice(0, 2000),
  );
}

/** Media type in lower case, without parameters; empty where none was sent. */
export function mediaType(response: Response): string {
  return (response.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function charsetOf(response: Response): string | undefined {
  const mark = marks.find(({ bytes }) => bytes.every((byte, i) => response.body[i] === byte));
  if (mark) return mark.charset;
  const sent = /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(response.headers["content-type"] ?? "")?.[1];
  const start = new TextDecoder("windows-1252").decode(response.body.subarray(0, prologue));
  const written =
    /^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w:.-]{1,40})/i.exec(start)?.[1] ??
    /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(start)?.[1];
  // A document that can be read for its declaration is no UTF-16, whatever the declaration says.
  return known(sent) ?? (/^utf-?16/i.test(written ?? "") ? "utf-8" : known(written));
}

function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

function undeclared(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return new TextDecoder("windows-1252").decode(body);
  }
}

/** windows-1252 reads any bytes at all: control characters tell that they were no text. */
function readable(text: string): string {
  let lost = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd || code < 9 || (code > 13 && code < 32 && code !== 27) || (code > 126 && code < 160)) lost++;
  }
  if (lost > 8 && lost * 10 > text.length) throw new Failure("charset");
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}
