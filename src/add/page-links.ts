import type { Element } from "domhandler";
import { Parser } from "htmlparser2";
import { treeOf, walk } from "../read/html/tree.ts";
import { watchable } from "../setup/find/addresses.ts";

/** What a page tells of other addresses that may be watched in its place. All of them as they would be watched. */
export interface PageLinks {
  /** Feeds that it names, those of comments left out. */
  readonly feeds: readonly string[];
  /** Its own text as Markdown, or the source that it was made of. */
  readonly texts: readonly string[];
  /** The folder of a documentation that keeps its sources beside it (`_sources/`). */
  readonly root?: string;
  /** Where a Recheck says how the report on this page stands. */
  readonly status?: string;
  /** What it calls its own address. */
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
    // What was found before it became unreadable is good.
  }
  only.status ??= markedBy(html, base);
  return { feeds: once(found.feeds), texts: once(found.texts), all: once(found.all), ...only };
}

/** What the script in a report's margin reads: the status beside it, or where it is told. Trees hold no scripts. */
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
