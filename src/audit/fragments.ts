import type { Response } from "../model/ports/index.ts";
import { decode } from "../read/shared/body.ts";
import { watchedAddress, withoutFragment } from "../report/cite/addresses.ts";

/** An address with a fragment, in any text. */
const withFragment = /https?:\/\/[^\s<>"'`|\\#]{1,1000}#[^\s<>"'`|\\\]#]{1,200}/g;
/** Punctuation that belongs to the sentence around an address. */
const trailingPunctuation = /(?<![.,:;!?)*_\]}])[.,:;!?)*_\]}]+$/;
const mostAddresses = 5_000;

/** The fragments that a text cites, by the address of their page: names of parts, or lines of code. */
export function fragmentsIn(
  text: string,
  nameIn: (hash: string) => string | undefined = partIn,
): ReadonlyMap<string, readonly string[]> {
  const byAddress = new Map<string, string[]>();
  for (const [written] of text.matchAll(withFragment).take(mostAddresses)) {
    const url = URL.parse(written.replaceAll("&amp;", "&").replace(trailingPunctuation, ""));
    const name = url && nameIn(url.hash);
    const watched = url && watchedAddress(url);
    if (!name || !watched) continue;
    const address = withoutFragment(watched);
    const names = byAddress.get(address) ?? [];
    if (!names.includes(name)) byAddress.set(address, [...names, name]);
  }
  return byAddress;
}

/** Fragments that name no part of the text: lines, entries and comments that load later, states of a program. */
const unnamed = /^(?:top$|L\d|page\b|(?:issue)?comment|discussion|reply|post|answer|diff)|\d{4}|[=&?/!~]/i;

/** The name in a fragment; undefined if it names no part of the page's own text. */
export function partIn(hash: string): string | undefined {
  const written = hash.slice(1);
  if (unnamed.test(written)) return undefined;
  try {
    return decodeURIComponent(written);
  } catch {
    return undefined;
  }
}

/** The lines of a file that a fragment names: `L10-L20`. */
export function lineName(hash: string): string | undefined {
  return /^#L\d[\dCL-]{0,30}$/.test(hash) ? hash.slice(1) : undefined;
}

const anchor = /\s(?:id|name)\s*=\s*(?:"([^"]{1,300})"|'([^']{1,300})'|([^\s"'>]{1,300}))/gi;
/** Whether the markup gives the headings of a page their ids. If not, a script may. */
const isNamed = /<(?:h[1-6]|section|dt)\b[^>]{0,500}\sid\s*=|<h[1-6]\b[^>]{0,500}>\s*<a\b[^>]{0,500}\s(?:id|name)\s*=/i;

/** The names that no part of a page has. */
export function missingNames(names: readonly string[], response: Response): readonly string[] {
  const html = decode(response);
  if (!isNamed.test(html)) return [];
  const there = new Set<string>();
  for (const [, double, single, bare] of html.matchAll(anchor)) {
    const name = (double ?? single ?? bare ?? "").replaceAll("&amp;", "&").toLowerCase();
    there.add(name.replace(/^user-content-/, ""));
  }
  return names.filter((name) => !there.has(name.toLowerCase()));
}
