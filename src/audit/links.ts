import { type CheerioAPI, load } from "cheerio/slim";
import type { Element } from "domhandler";
import { Failure, isFileType } from "../model/failure.ts";
import type { Response } from "../model/ports/index.ts";
import type { Block, Reading } from "../model/reading.ts";
import { pageKey } from "../model/source.ts";
import { documentOver } from "../read/html/document.ts";
import { isOfSite } from "../read/html/text-address.ts";
import { treeOf } from "../read/html/tree.ts";
import { frozenBy, isSameSite } from "../read/shared/address.ts";
import { isHtml, mediaType } from "../read/shared/body.ts";
import { doiIn } from "../read/shared/doi.ts";
import { jsonIn } from "../read/shared/json-path.ts";
import { watchedAddress } from "../report/cite/addresses.ts";
import { comparableWords } from "../report/rate/words.ts";

/** Other addresses that a page names and that may be watched in its place. */
export interface PageLinks {
  /** Its feeds, except those of comments. */
  readonly feeds: readonly string[];
  /** Its text as Markdown, or the source that it was generated from. */
  readonly texts: readonly string[];
  /** The root of a documentation that publishes its sources (`_sources/`). */
  readonly root?: string;
  /** The `status.json` of the report on this page. */
  readonly status?: string;
  readonly canonical?: string;
  readonly doi?: string;
  /** The page's title, without the name of its site. */
  readonly title?: string;
  readonly all: readonly string[];
}

const most = 5_000;

/**
 * Reads the links of a page; empty if its markup cannot be parsed. Spec:
 * https://html.spec.whatwg.org/multipage/links.html
 */
export function linksOf(html: string, at: string): PageLinks {
  const $ = documentOf(html);
  const base = URL.parse($("base[href]").attr("href") ?? "", at)?.href ?? at;
  const links = $<Element, string>("a[href], link[href]")
    .slice(0, most)
    .toArray()
    .flatMap(({ name, attribs: { href = "", rel = "", type = "", title } }) => {
      const address = resolveLink(href, base);
      const media = type.toLowerCase().split(";", 1)[0]?.trim() ?? "";
      return address === undefined ? [] : [{ name, address, rel: rel.toLowerCase().split(/\s+/), type: media, title }];
    });
  const addresses = distinct(links.flatMap(({ name, address }) => (name === "a" ? [address] : [])));
  const declared = links.filter(({ name }) => name === "link");
  const alternates = declared.filter(({ rel }) => rel.includes("alternate"));
  const feeds = alternates.filter(({ type, address, title }) => feedTypes.has(type) && !isOfComments(address, title));
  const texts = alternates.filter(({ type, address }) => textTypes.has(type) && !isOfSite(address));
  const canonical = declared.find(({ rel }) => rel.includes("canonical"))?.address;
  const root = declared.find(({ address }) => /\/(?:genindex|search)\.html$/.test(address))?.address;
  const status = [...alternates.map(({ address }) => address), ...addresses].find((one) => /\/status\.json$/.test(one));
  const state = status ?? markedBy(html, base);
  const metas = $("meta[name][content]").slice(0, most).toArray();
  const works = metas.flatMap(({ attribs: { name = "", content = "" } }) => (isOfWork.test(name) ? [content] : []));
  const doi = works.flatMap((content) => doiIn(content.slice(0, 500)) ?? [])[0];
  return {
    feeds: distinct([
      ...feeds.map(({ address }) => address),
      ...addresses.filter((one) => isFeed.test(one) && !isOfComments(one)),
    ]),
    texts: distinct([...texts.map(({ address }) => address), ...addresses.filter((one) => isSource.test(one))]),
    all: addresses,
    title: $("title")
      .first()
      .text()
      .slice(0, 500)
      .split(/ [|·•–—-] /, 1)[0]
      ?.trim(),
    ...(root !== undefined && { root: root.replace(/(?<![^/])[^/]*$/, "") }),
    status: state,
    canonical,
    doi,
  };
}

/** Meta tags that say which work a page is about. Spec: https://scholar.google.com/intl/en/scholar/inclusion.html */
const isOfWork = /^(?:bepress_)?citation_doi$|^(?:dc|dcterms)\.identifier$|^prism\.doi$/i;

const isSource = /\/_sources\/[^?#]+\.(?:txt|rst|md)$/;
const isFeed = /(?:\/(?:feed|rss|atom)(?:\.xml)?\/?|\.(?:rss|atom))$/i;

/** An empty document if the markup cannot be parsed. */
function documentOf(html: string): CheerioAPI {
  try {
    return documentOver(treeOf(html));
  } catch (error) {
    if (error instanceof Failure) return load("");
    throw error;
  }
}

/**
 * The status that the margin's script on the page reads: at the address in its attribute, or else beside the script.
 * The parsed tree leaves out scripts.
 */
function markedBy(html: string, base: string): string | undefined {
  // One tag at a time: the parser's time grows with the square of the depth of nested markup.
  const tags = [...html.matchAll(/<script\s[^<>]*>/gi)].map(([tag]) => tag);
  for (const tag of tags.filter((tag) => tag.includes("recheck-margin.js")).slice(0, 10)) {
    const { src = "", "data-status": status } = load(tag)("script").attr() ?? {};
    const script = resolveLink(src, base);
    if (script === undefined || !/\/recheck-margin\.js$/.test(new URL(script).pathname)) continue;
    const found = resolveLink(status ?? new URL("status.json", script).href, base);
    if (found !== undefined) return found;
  }
  return undefined;
}

const feedTypes = new Set(["application/rss+xml", "application/atom+xml", "application/feed+json"]);
const textTypes = new Set(["text/markdown", "text/x-markdown"]);

function isOfComments(address: string, title = ""): boolean {
  return /comments?\b/i.test(title) || /\/comments?(?:\/|\.|$)/i.test(address);
}

function resolveLink(href: string, base: string): string | undefined {
  const url = href.length > 2_000 ? null : URL.parse(href.trim(), base);
  return (url && watchedAddress(url)) ?? undefined;
}

function distinct(all: readonly string[]): string[] {
  return [...new Set(all)];
}

/** Addresses that may have the page's text alone, likeliest first. */
export function twinsOf(address: string, { texts, root }: PageLinks): readonly { address: string; why: string }[] {
  const named = texts.map((one) => ({ address: one, why: "the page names it as its own text" }));
  const guessed = (root === undefined ? markdownAddresses(address) : sourcesIn(root, address)).map((one) => ({
    address: one,
    why: "it holds the page's text without the page around it",
  }));
  return [...named.slice(0, 2), ...guessed].filter((one) => pageKey(one.address) !== pageKey(address));
}

/**
 * The Markdown addresses that a site's `llms.txt` lists for one of its pages. `list`: the text of that file, at the
 * address `at`. Spec: https://llmstxt.org
 */
export function listedTexts(list: string, at: string, address: string): string[] {
  const links = [...list.matchAll(/\]\(([^()\s]{1,2000})\)/g).take(most)].flatMap(
    ([, href = ""]) => resolveLink(href, at) ?? [],
  );
  const key = (page: string) => pageKey(page).replace(/(?:\/index)?(?:\.html?)?$/, "");
  const isOfPage = (link: string) => /\.md$/.test(link) && key(link.replace(/\.md$/, "")) === key(address);
  return distinct(links.filter(isOfPage));
}

/** The page's address with a Markdown extension: https://llmstxt.org */
function markdownAddresses(address: string): string[] {
  const url = new URL(address);
  const path = url.pathname.replace(/\/(?:index\.html?)?$/, "").replace(/\.html?$/, "");
  if (path === "" || url.search !== "" || /\.[a-z]{2,5}$/i.test(path)) return [];
  return [".md", ".md.txt"].map((ending) => new URL(path + ending, url).href);
}

/**
 * Sphinx publishes the sources of pages:
 * https://www.sphinx-doc.org/en/master/usage/configuration.html#confval-html_copy_source
 */
function sourcesIn(root: string, address: string): string[] {
  if (!address.startsWith(root)) return [];
  const page = new URL(address).pathname.slice(new URL(root).pathname.length).replace(/\.html$/, "");
  const name = page === "" ? "index" : page.replace(/\/$/, "");
  return [".rst.txt", ".md.txt"].map((ending) => new URL(`_sources/${name}${ending}`, root).href);
}

/** The share of a page's words that another text contains, from 0 to 1. */
export function sharedWords({ page, other }: Record<"page" | "other", readonly Block[]>): number {
  const words = wordsOf(page);
  return words.size === 0 ? 0 : words.intersection(wordsOf(other)).size / words.size;
}

function wordsOf(blocks: readonly Block[]): Set<string> {
  let text = "";
  for (const block of blocks) if (text.length < 200_000) text += `${block.text}\n`;
  return new Set(comparableWords(text));
}

const editions = /\b(?:licen[cs]es?|proceedings|standards?|ecma)\b/i;

/** Addresses of the same page for the current version, if its own address names a version. */
export function successorsOf(address: string, { canonical, all }: PageLinks): string[] {
  const url = new URL(address);
  const parts = url.pathname.split("/");
  const at = parts.findIndex((part) => /^(?:docs-|release-|version-|v)?\d{1,4}(?:\.(?:\d{1,4}|x))+$|^v\d+$/.test(part));
  const current =
    at < 0 || editions.test(url.host + url.pathname)
      ? []
      : ["latest", "stable"].map((name) => new URL(parts.with(at, name).join("/"), url).href + url.search);
  const linked = new Set(all.map(pageKey));
  const own = canonical !== undefined && isElsewhere(canonical, url) ? [canonical] : [];
  // The page's version switch shows which of them exists.
  const known = current.filter((one) => linked.has(pageKey(one)));
  return [...new Set([...own, ...known, ...current])].slice(0, 2);
}

/** Whether the canonical address is another page on the same host, and does not name a single version. */
function isElsewhere(canonical: string, page: URL): boolean {
  const url = new URL(canonical);
  return url.host === page.host && pageKey(canonical) !== pageKey(page.href) && frozenBy(url) === undefined;
}

/** The properties of a page that show whether a feed is about it. */
export interface Listing {
  readonly address: string;
  readonly links: readonly string[];
  /** The reason why the page looks as if it never changes. */
  readonly frozen?: string;
}

/** How a feed is related to a page. `instead`: why it can be watched in the page's place. */
type Relation = { readonly why: string; readonly instead?: string };

/** A feed that was read, and the page that names it, as plain data. */
export interface FeedToRelate {
  readonly feed: string;
  readonly reading: Reading;
  readonly page: Listing;
}

/** How a feed is related to a page, and whether it could at least replace it. */
export interface Relations {
  readonly about?: Relation;
  readonly standIn?: Relation;
}

export function relationsOf({ feed, reading, page }: FeedToRelate): Relations {
  const about = relationOf(reading, page);
  if (about) return { about };
  const standIn = standsInFor(feed, page, reading);
  return standIn ? { standIn } : {};
}

/**
 * Whether a feed is worth more than the page that names it: either it lists what the page lists, or the page is one of
 * its entries. A feed that every page of a site names is neither.
 */
function relationOf({ items = [] }: Reading, page: Listing): Relation | undefined {
  const entries = items.flatMap(({ url }) => (url === undefined ? [] : [pageKey(url)]));
  const ownKey = pageKey(page.address);
  const same = entries.filter((entry) => entry === ownKey).length;
  if (same > 0 && same * 2 < entries.length + 1)
    return { why: "new posts get new addresses", instead: page.frozen ?? "it is one entry of this feed" };
  const linked = new Set(page.links.map(pageKey));
  const newest = entries.slice(0, 10);
  const listed = newest.filter((entry) => entry === ownKey || linked.has(entry)).length;
  if (newest.length > 0 && listed >= 0.6 * newest.length && !page.frozen)
    return { why: "its entries are what the page lists" };
  return undefined;
}

/** Whether a feed may replace a frozen page that it no longer lists. */
function standsInFor(feed: string, page: Listing, { items = [] }: Reading): Relation | undefined {
  if (page.frozen === undefined || items.length === 0 || !isSameSite(feed, page.address)) return undefined;
  // Posts on one subject share a path; the documentation of a version does not share one with its site's blog.
  const folder = (address: string) => new URL(address).pathname.replace(/(?<![^/])[^/]*\/?$/, "");
  const near = items.some(({ url }) => {
    const entry = url === undefined ? null : URL.parse(url);
    return entry !== null && first(folder(entry.href)) === first(folder(page.address));
  });
  return near ? { why: "new posts get new addresses", instead: page.frozen } : undefined;
}

function first(path: string): string {
  const name = path.split("/").find((part) => part !== "") ?? "";
  return /^(?:19|20)\d\d$/.test(name) ? "" : name;
}

export const kindsByResponse: ReadonlySet<string> = new Set(["page", "text", "feed", "pdf"]);

/** The kind that reads a response, by its bytes and then by its content type; or the reason why none does. */
export function kindOfResponse(response: Response): { kind: string } | { because: string } {
  const type = mediaType(response);
  const start = new TextDecoder("windows-1252").decode(response.body.subarray(0, 4_000));
  if (start.slice(0, 1_024).includes("%PDF-")) return { kind: "pdf" };
  if (isFileType(type) || start.slice(0, 1_000).includes("\0\0"))
    return { because: `it is ${type || "no text"}: its content is not read` };
  if (isHtml(start)) return { kind: "page" };
  if (/^\s*<(?:rss|feed|rdf:RDF)[\s>]/i.test(start.replace(/<!--[\s\S]*?-->|<[?!][^>]*>/g, "")))
    return { kind: "feed" };
  if (/^\s*\{/.test(start) && /jsonfeed\.org\/version/.test(start)) return { kind: "feed" };
  if (type === "text/html" || type === "application/xhtml+xml") return { kind: isJson(response) ? "json" : "page" };
  if (/[/+]json$/.test(type) || (/^\s*[{[]/.test(start) && !/^text\/(?:markdown|x-rst)$/.test(type)))
    return { kind: "json" };
  return { kind: "text" };
}

/** Whether a response is entirely a JSON object or list, with any content type. */
function isJson({ body }: Response): boolean {
  const text = new TextDecoder().decode(body);
  return /^\s*[{[]/.test(text) && jsonIn(text) !== undefined;
}
