import { withoutAddresses } from "./addresses.ts";
import { datesIn } from "./dates.ts";
import { plain } from "./words.ts";

/** What is left of an entry without its addresses, and without when it was read. */
export function titleIn(text: string): string {
  const bare = withoutAccess(plain(withoutAddresses(text), 600));
  const trimmed = bare
    .replace(/\b(?:available|online|retrieved|url|link|source)(?: at| from)?:?\s*$/i, "")
    .replace(/(?:^|\s)[(<[]\s*[)>\]]/g, "")
    .replace(/^[\s.,;:–—-]+|[\s.,;:–—-]+$/g, "");
  return plain(trimmed, 160);
}

function withoutAccess(text: string): string {
  const at = text.search(/[\s,;.([]*\b(?:accessed|retrieved|last (?:accessed|visited|checked))\b/i);
  if (at < 0) return text;
  const date = datesIn(text.slice(at, at + 80))[0];
  return date ? `${text.slice(0, at)} ${text.slice(at + date.to).replace(/^[\s)\].,;]+/, "")}` : text;
}

/** `docs.example.org/install`. */
export function nameOf(address: string | undefined): string {
  const url = address === undefined ? null : URL.parse(address);
  return url ? plain(`${url.host}${url.pathname.replace(/\/$/, "")}`, 120) : "";
}
