import type { Product } from "../model.ts";
import { maxLength, numbers, read, settled, type Version, withinTag } from "./spelling.ts";

/**
 * The version a title announces: a feed title, heading, docs title or table cell that is *about* a release. The
 * product's name (or alias) stands as a whole word, the version (two parts at least) directly after it, or after words
 * like Toolkit, Core or SDK. Before the name may stand only what announces (`Introducing`, `What's new in`), after the
 * version only punctuation or what belongs to a release (`Release Blog`, `is now available`). So "Llama on PyTorch 2.12",
 * "What's new since PyTorch 2.12", "PyTorch 2.12 on Jetson" and "Running PyTorch 2 models" announce nothing. A title that is a tag
 * of the product's own shape announces it too.
 */
export function recognise(title: string, product: Product): Version | undefined {
  const text = title.slice(0, maxTitle).replace(/\s+/g, " ").replaceAll("’", "'");
  const lower = sameLengthLower(text);
  const tagged = read(withinTag(text, product) ?? "");
  if (tagged !== undefined) return settled(tagged, product);
  for (const name of [product.name, ...product.aliases]) {
    const wanted = sameLengthLower(name);
    if (wanted === "") continue;
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
      const version = announced(text, at, at + name.length);
      const settledVersion = version && settled(version, product);
      if (settledVersion !== undefined) return settledVersion;
    }
  }
  return undefined;
}

/** A title is read this far. */
const maxTitle = 2000;
/** After one of these a title begins anew. */
const opener = /^.*(?:[:|–—•·!?] ?| - )/;
/** A maker's name, as in `NVIDIA CUDA`; other names go under `aliases`. */
const acronym = /(?<![^ ])[A-Z]{2,12} /g;
const announcing =
  /^(?:(?:announcing|introducing|meet|welcome|presenting|releasing|released|release(?: of)?|release notes (?:for|of)|changelog (?:for|of)|(?:what's |what is )?new in|the|new|now available) ){0,4}$/;
const linking =
  /^(?: (?:toolkit|core|sdk|release|version|ver\.?|software|platform|runtime|stack|framework|library|compiler|suite|package)){0,3} v?(?=\d)/i;
const belongs =
  /^(?:$| ?[:|()–—•·,;!?](?!\d)|\.(?:$| )| - | (?:release|releases|released|is|are|was|has|now|available|notes|blog|update|updates|changelog|features|documentation|docs|and|announcement|announced|brings|adds|introduces|ships|launches|lands|arrives|final|ga|general|stable|delivers|improves|supports|out|here|what's|highlights)(?![\p{L}\p{N}]))/iu;

function announced(text: string, at: number, end: number): Version | undefined {
  if (!isAbout(text.slice(Math.max(0, at - 80), at))) return undefined;
  const rest = text.slice(end, end + 160);
  const link = linking.exec(rest)?.[0];
  if (link === undefined) return undefined;
  const spelled = unbracketed(rest.slice(link.length));
  for (const length of spellings(spelled)) {
    const version = read(spelled.slice(0, length));
    if (version === undefined || version.parts.length < 2) continue;
    if (belongs.test(spelled.slice(length).replace(/^ \([A-Za-z0-9.]{1,20}\)/, ""))) return version;
  }
  return undefined;
}

/** `2.13 (beta 2)` is `2.13 beta 2`; other words in brackets stay there. */
function unbracketed(text: string): string {
  const match = /^([\d.]+ )\(([a-z]+(?: [a-z]+)?(?: ?\d{1,4})?)\)/i.exec(text);
  if (match === null || read(`${match[1]}${match[2]}`) === undefined) return text;
  return `${match[1]}${match[2]}${text.slice(match[0].length)}`;
}

/** Whether what stands before the name lets the title be about it: nothing, or words that announce. */
function isAbout(lead: string): boolean {
  return announcing.test(lead.replace(opener, "").replace(acronym, "").toLowerCase());
}

/** How long a version may be at the start of a text, longest first: with two words and a number, with less, bare. */
function spellings(text: string): number[] {
  const digits = numbers.exec(text)?.[0].length ?? 0;
  if (digits === 0) return [];
  const ends = [digits];
  const rest = text.slice(digits, digits + maxLength);
  const whole = /^[-._ ]{0,2}[a-z]+ [a-z]+(?:[-._ ]?\d{1,9})?(?![a-z\d])/i.exec(rest)?.[0].length;
  const short = /^[-._ ]{0,2}[a-z]+(?:[-._ ]?\d{1,9})?(?![a-z\d])/i.exec(rest)?.[0].length;
  const git = /^\+[a-z0-9.]{1,60}/i.exec(rest)?.[0].length;
  for (const length of [short, whole, git]) if (length !== undefined) ends.unshift(digits + length);
  return ends;
}

/** Lower case where that keeps offsets, else the text itself. */
function sameLengthLower(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}
