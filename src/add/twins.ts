import type { Block } from "../model.ts";
import { frozenBy } from "../setup/find/frozen.ts";
import { tokensOf } from "../setup/find/words.ts";
import { pageKey } from "./address.ts";
import type { PageLinks } from "./page-links.ts";

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
