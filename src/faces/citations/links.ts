import type { Element } from "domhandler";
import { Parser } from "htmlparser2";
import { watchable } from "../../config/draft/addresses.ts";
import { tokensOf } from "../../config/draft/words.ts";
import type { Block, Reading } from "../../model/model.ts";
import type { Response } from "../../model/ports/index.ts";
import { frozenBy } from "../../read/formats/address.ts";
import { isHtml, mediaType } from "../../read/formats/body.ts";
import { treeOf, walk } from "../../read/formats/tree.ts";

/** Other addresses that a page names and that may be watched in its place. All of them as they would be watched. */
export interface PageLinks {
  /** Feeds that it names, those of comments left out. */
  readonly feeds: readonly string[];
  /** Its own text as Markdown, or the source that it was made of. */
  readonly texts: readonly string[];
  /** The folder of a documentation that keeps its sources beside it (`_sources/`). */
  readonly root?: string;
  /** Where a Recheck says how the report on this page stands. */
  readonly status?: string;
  /** The address that it calls its own. */
  readonly canonical?: string;
  /** All that it links to. */
  readonly all: readonly string[];
}

/** Links of a page that are looked through. */
const most = 5_000;

/** Reads the links of a page; none where its markup is beyond reading. Spec: https://html.spec.whatwg.org/multipage/links.html */
export function linksOf(html: string, at: string): PageLinks {
  const found = { feeds: [] as string[], texts: [] as string[], all: [] as string[] };
  const only: { root?: string; status?: string; canonical?: string } = {};
  let base = at;
  let left = most;
  const enter = (element: Element) => {
    if (left <= 0) return false;
    const href = element.attribs.href;
    if (href === undefined) return true;
    left--;
    if (element.name === "base") base = URL.parse(href, at)?.href ?? at;
    const address = resolved(href, base);
    if (address === undefined) return true;
    if (element.name === "link") declared(element, address);
    if (element.name === "a") linked(address);
    return true;
  };
  const declared = ({ attribs }: Element, address: string) => {
    const rel = new Set((attribs.rel ?? "").toLowerCase().split(/\s+/));
    const type = (attribs.type ?? "").toLowerCase().split(";", 1)[0]?.trim() ?? "";
    if (rel.has("canonical")) only.canonical ??= address;
    if (/\/(?:genindex|search)\.html$/.test(address)) only.root ??= address.replace(/[^/]*$/, "");
    if (!rel.has("alternate")) return;
    if (/\/status\.json$/.test(address)) only.status ??= address;
    if (feedTypes.has(type) && !isOfComments(address, attribs.title)) found.feeds.push(address);
    if (textTypes.has(type)) found.texts.push(address);
  };
  const linked = (address: string) => {
    found.all.push(address);
    if (/\/status\.json$/.test(address)) only.status ??= address;
    if (/\/_sources\/[^?#]+\.(?:txt|rst|md)$/.test(address)) found.texts.push(address);
    else if (/(?:\/(?:feed|rss|atom)(?:\.xml)?\/?|\.(?:rss|atom))$/i.test(address) && !isOfComments(address))
      found.feeds.push(address);
  };
  try {
    walk(treeOf(html), { enter, text: () => {}, leave: () => {} });
  } catch {
    // Links found before it became unreadable are good.
  }
  only.status ??= markedBy(html, base);
  return { feeds: once(found.feeds), texts: once(found.texts), all: once(found.all), ...only };
}

/** A page whose links are to be read, as plain data. */
export interface PageToLink {
  readonly html: string;
  readonly at: string;
}

/** The status that the script in a report's margin reads: beside it, or where it is told. Trees hold no scripts. */
function markedBy(html: string, base: string): string | undefined {
  let status: string | undefined;
  const onopentag = (name: string, { src = "", "data-status": told }: Record<string, string>) => {
    const script = name === "script" ? resolved(src, base) : undefined;
    if (script === undefined || !/\/recheck-margin\.js$/.test(new URL(script).pathname)) return;
    status ??= resolved(told ?? new URL("status.json", script).href, base);
  };
  // Tag by tag: markup that is nested without end costs the parser the square of its depth.
  const tags = [...html.matchAll(/<script\s[^<>]*>/gi)].map(([tag]) => tag);
  for (const tag of tags.filter((tag) => tag.includes("recheck-margin.js")).slice(0, 10))
    new Parser({ onopentag }, { decodeEntities: true }).end(tag);
  return status;
}

const feedTypes = new Set(["application/rss+xml", "application/atom+xml", "application/feed+json"]);
const textTypes = new Set(["text/markdown", "text/x-markdown"]);

function isOfComments(address: string, title = ""): boolean {
  return /comments?\b/i.test(title) || /\/comments?(?:\/|\.|$)/i.test(address);
}

function resolved(href: string, base: string): string | undefined {
  const url = href.length > 2_000 ? null : URL.parse(href.trim(), base);
  return (url && watchable(url)) ?? undefined;
}

function once(all: readonly string[]): string[] {
  return [...new Set(all)];
}

/** Where the text of a page may stand without the page around it, likeliest first. */
export function twinsOf(address: string, { texts, root }: PageLinks): readonly { address: string; why: string }[] {
  const told = texts.map((one) => ({ address: one, why: "the page names it as its own text" }));
  const guessed = (root === undefined ? beside(address) : sourcesIn(root, address)).map((one) => ({
    address: one,
    why: "it holds the page's text without the page around it",
  }));
  return [...told.slice(0, 2), ...guessed].filter((one) => pageKey(one.address) !== pageKey(address));
}

/** The same address with an ending of Markdown: https://llmstxt.org */
function beside(address: string): string[] {
  const url = new URL(address);
  const path = url.pathname.replace(/\/(?:index\.html?)?$/, "").replace(/\.html?$/, "");
  if (path === "" || url.search !== "" || /\.[a-z]{2,5}$/i.test(path)) return [];
  return [".md", ".md.txt"].map((ending) => new URL(path + ending, url).href);
}

/** Sphinx keeps what a page was made of: https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_copy_source */
function sourcesIn(root: string, address: string): string[] {
  if (!address.startsWith(root)) return [];
  const page = new URL(address).pathname.slice(new URL(root).pathname.length).replace(/\.html$/, "");
  const name = page === "" ? "index" : page.replace(/\/$/, "");
  return [".rst.txt", ".md.txt"].map((ending) => new URL(`_sources/${name}${ending}`, root).href);
}

/** How much of a page's words another text has too, from 0 to 1. */
export function sharedWords(page: readonly Block[], other: readonly Block[]): number {
  const words = wordsOf(page);
  const others = wordsOf(other);
  let shared = 0;
  for (const word of words) if (others.has(word)) shared++;
  return words.size === 0 ? 0 : shared / words.size;
}

function wordsOf(blocks: readonly Block[]): Set<string> {
  let text = "";
  for (const block of blocks) if (text.length < 200_000) text += `${block.text}\n`;
  return new Set(tokensOf(text));
}

/** Addresses of the same page for the version that is current, where its own names one. */
export function successorsOf(address: string, { canonical, all }: PageLinks): string[] {
  const url = new URL(address);
  const parts = url.pathname.split("/");
  const at = parts.findIndex((part) => /^(?:docs-|release-|version-|v)?\d{1,4}(?:\.(?:\d{1,4}|x))+$|^v\d+$/.test(part));
  const current =
    at < 0 ? [] : ["latest", "stable"].map((name) => new URL(parts.with(at, name).join("/"), url).href + url.search);
  const linked = new Set(all.map(pageKey));
  const own = canonical !== undefined && isElsewhere(canonical, url) ? [canonical] : [];
  // A switch of versions on the page tells which of them there is.
  const known = current.filter((one) => linked.has(pageKey(one)));
  return [...new Set([...own, ...known, ...current])].slice(0, 2);
}

/** On the same host, another page, and not of one version either. */
function isElsewhere(canonical: string, page: URL): boolean {
  const url = new URL(canonical);
  return url.host === page.host && pageKey(canonical) !== pageKey(page.href) && frozenBy(url) === undefined;
}

/** A page, as far as it tells whether a feed is about it. */
export interface Listing {
  readonly address: string;
  /** All that it links to. */
  readonly links: readonly string[];
  /** Why it looks as if it never changes. */
  readonly frozen?: string;
}

/** How a feed is about a page. `instead`: it moves in the page's place. */
type Relation = { readonly why: string; readonly instead?: string };

/** A feed as it was read, and the page that names it, as plain data. */
export interface FeedToRelate {
  readonly feed: string;
  readonly reading: Reading;
  readonly page: Listing;
}

/** How a feed is about a page now, or may at least stand in for it. */
export interface Relations {
  readonly about?: Relation;
  readonly standIn?: Relation;
}

/** Tells how a feed is about a page that names it. Pure. */
export function relationsOf({ feed, reading, page }: FeedToRelate): Relations {
  const about = relationOf(reading, page);
  if (about) return { about };
  const standIn = standsInFor(feed, page, reading);
  return standIn ? { standIn } : {};
}

/**
 * Whether a feed is worth more than a page that names it: it lists what the page lists, or the page is one of its entries.
 * Feeds that every page of a site names are neither.
 */
function relationOf({ items = [] }: Reading, page: Listing): Relation | undefined {
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
function standsInFor(feed: string, page: Listing, { items = [] }: Reading): Relation | undefined {
  if (page.frozen === undefined || items.length === 0 || !isSameSite(feed, page.address)) return undefined;
  // Posts of one place stand below one path; documentation of a version does not stand below its site's blog.
  const folder = (address: string) => new URL(address).pathname.replace(/[^/]*\/?$/, "");
  const near = items.some(({ url }) => {
    const entry = url === undefined ? null : URL.parse(url);
    return entry !== null && first(folder(entry.href)) === first(folder(page.address));
  });
  return near ? { why: "new posts get new addresses", instead: page.frozen } : undefined;
}

/** The first name of a path that is not a year. */
function first(path: string): string {
  const name = path.split("/").find((part) => part !== "") ?? "";
  return /^(?:19|20)\d\d$/.test(name) ? "" : name;
}

/** Kinds that are told by what comes, whatever the address is. */
export const forms: ReadonlySet<string> = new Set(["page", "text", "feed", "pdf"]);

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

/** The same for addresses that lead to one page: scheme, `www.`, a last slash and the fragment make no difference. */
export function pageKey(address: string): string {
  const url = URL.parse(address);
  if (!url) return address.toLowerCase();
  return `${url.host.replace(/^www\./, "")}${url.pathname.replace(/\/(?:index\.html?)?$/, "")}${url.search}`;
}

/** Whether two addresses are of one site: the last two names of their hosts are the same. */
export function isSameSite(one: string, other: string): boolean {
  const end = (address: string) => (URL.parse(address)?.hostname ?? "").split(".").slice(-2).join(".");
  return end(one) === end(other);
}
