import { isHtml, mediaType } from "../read/decode.ts";
import type { Response } from "../read/reader.ts";

/** Which kind reads a response, by its bytes and then by what it says it is; or why none does. */
export function formOf(response: Response): { kind: string } | { because: string } {
  const type = mediaType(response);
  const start = new TextDecoder("windows-1252").decode(response.body.subarray(0, 4_000));
  if (start.slice(0, 1_024).includes("%PDF-")) return { kind: "pdf" };
  if (/^(?:image|audio|video|font)\//.test(type) || start.slice(0, 1_000).includes("\0\0"))
    return { because: `it is ${type || "no text"}: nothing of it is read` };
  if (isHtml(start) || type === "text/html" || type === "application/xhtml+xml") return { kind: "page" };
  if (/<(?:rss|feed|rdf:RDF)[\s>]/i.test(start.slice(0, 2_000))) return { kind: "feed" };
  if (/^\s*\{/.test(start) && /jsonfeed\.org\/version/.test(start)) return { kind: "feed" };
  if (/[/+]json$/.test(type) || (/^\s*[{[]/.test(start) && !/^text\/(?:markdown|x-rst)$/.test(type)))
    return { kind: "json" };
  return { kind: "text" };
}
