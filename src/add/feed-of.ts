import type { Reading } from "../model.ts";
import { isSameSite, pageKey } from "./address.ts";

/** A page, as far as it tells whether a feed is about it. */
export interface Listing {
  readonly address: string;
  /** All that it links to. */
  readonly links: readonly string[];
  /** Why it looks as if it never changes. */
  readonly frozen?: string;
}

/** How a feed is about a page. `instead`: it moves in the page's place. */
export type Relation = { readonly why: string; readonly instead?: string };

/**
 * Whether a feed is worth more than a page that names it: it lists what the page lists, or the page is one of its entries.
 * Feeds that every page of a site names are neither.
 */
export function relationOf({ items = [] }: Reading, page: Listing): Relation | undefined {
  const entries = items.flatMap(({ url }) => (url === undefined ? [] : [pageKey(url)]));
  const own = pageKey(page.address);
  const same = entries.filter((entry) => entry === own).length;
  if (same > 0 && same * 2 < entries.length + 1)
    return { why: "new posts get new addresses", instead: page.frozen ?? "it is one entry of this feed" };
  const linked = new Set(page.links.map(pageKey));
  const newest = entries.slice(0, 10);
  const listed = newest.filter((entry) => entry === own || linked.has(entry)).length;
  if (newest.length > 0 && listed >= 0.6 * newest.length && !page.frozen)
    return { why: "its entries are what the page lists" };
  return undefined;
}

/** Whether a feed may move in the place of a frozen page that it no longer holds. */
export function standsInFor(feed: string, page: Listing, { items = [] }: Reading): Relation | undefined {
  if (page.frozen === undefined || items.length === 0 || !isSameSite(feed, page.address)) return undefined;
  // Posts of one place stand below one path; documentation of a version does not stand below its site's blog.
  const folder = (address: string) => new URL(address).pathname.replace(/[^/]*\/?$/, "");
  const near = items.some(({ url }) => {
    const entry = url === undefined ? null : URL.parse(url);
    return entry !== null && first(folder(entry.href)) === first(folder(page.address));
  });
  return near ? { why: "new posts get new addresses", instead: page.frozen } : undefined;
}

/** The first name of a path that is no year. */
function first(path: string): string {
  const name = path.split("/").find((part) => part !== "") ?? "";
  return /^(?:19|20)\d\d$/.test(name) ? "" : name;
}
