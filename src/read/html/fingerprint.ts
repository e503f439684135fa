import { digestOf } from "../../model/digest.ts";
import { downloadIn } from "../shared/address.ts";
import { repositoryFile } from "./marks.ts";
import { siteRoot } from "./survey.ts";

/**
 * Recognises a page by everything that its reading can depend on: tags, some attributes and text. Most pages whose
 * bytes differ only have other scripts, tokens and addresses. Finding that out is much faster than reading the page.
 */

/** Attributes that a reading may use. A page is parsed with no others. */
const asked: ReadonlySet<string> = new Set(
  (
    "alt aria-controls aria-expanded aria-hidden aria-label aria-labelledby aria-level aria-modal checked class " +
    "data-nosnippet data-noindex data-pagefind-ignore data-search-exclude data-search-ignore disabled hidden id lang popover " +
    "role shadowrootmode style type xml:lang"
  ).split(" "),
);

/** Elements whose `title` may be all the text of a cell. */
const titled: ReadonlySet<string> = new Set(["td", "span", "i", "img"]);

/** Both in lower case. */
export function isUsedAttribute(element: string, attribute: string): boolean {
  if (element === "use") return attribute === "href" || attribute === "xlink:href";
  if (attribute === "href") return element === "a";
  return attribute === "title" ? titled.has(element) : asked.has(attribute);
}

/** 16 hex digits, the same for two stripped pages that read the same. */
export function fingerprintOf(type: string, content: string): string {
  return digestOf(`${type}\n${content}`);
}

/**
 * A page without scripts, styles, comments, metadata and unused attributes, and with only the kind of each address: it
 * reads as the full page does. Tags end where the parser ends them, which differs slightly from the standard
 * (https://github.com/fb55/htmlparser2/blob/v10.1.0/src/Tokenizer.ts). From the first unusual tag on, the page is kept
 * unchanged.
 */
export function stripPage(html: string): string {
  // The parser takes these for `<` and `/` at the end of a script.
  if (html.includes("\x1c") || html.includes("\x0f")) return html;
  const page = new BarePage(html);
  for (let at = html.indexOf("<"); at >= 0; ) {
    let end = at + 1;
    if (isMarkup(html.charCodeAt(end))) {
      const part = partAt(html, at);
      if (!part) break;
      page.add(at, part);
      end = part.end;
    }
    at = html.indexOf("<", end);
  }
  return page.whole();
}

class BarePage {
  private readonly html: string;
  private readonly kept: string[] = [];
  /** The offset up to which the page has been copied or skipped. */
  private from = 0;
  /** The end of the last tag, if only white space and skipped parts followed it. */
  private tagEnd: number | undefined = 0;
  /** White space between that tag and a skipped part. */
  private space: string | undefined;
  private isInHead: boolean | undefined;
  /** The end of the last part. */
  private last = 0;

  constructor(html: string) {
    this.html = html;
  }

  add(at: number, part: Part): void {
    const { name, end } = part;
    // Text ends the head, too.
    if (this.isInHead !== false && inked.test(this.html.slice(this.last, at))) this.isInHead = false;
    this.last = end;
    if (name === "head") this.isInHead ??= true;
    else if (name !== undefined && this.isInHead !== false && !ofHead.has(name)) this.isInHead = false;
    const isForMachines = this.isInHead && (name === "link" || name === "meta" || name === "base");
    if (part.isLeftOut || isForMachines) this.leaveOut(at, end);
    else this.keep(at, part);
  }

  whole(): string {
    this.kept.push(this.keptTo(this.html.length));
    return this.kept.join("");
  }

  private keep(at: number, { end, bare }: Part): void {
    if (bare !== undefined) {
      this.kept.push(this.keptTo(at), bare);
      this.from = end;
    }
    this.tagEnd = end;
  }

  private leaveOut(at: number, end: number): void {
    const { tagEnd = at } = this;
    const text = this.html.slice(Math.max(tagEnd, this.from), at);
    if (this.tagEnd !== undefined && !inked.test(text)) {
      if (this.from < tagEnd) this.kept.push(this.keptTo(tagEnd));
      this.space = this.space || text.slice(0, 1);
    } else {
      // The texts on both sides are joined, but must not form one entity.
      this.kept.push(this.keptTo(at), "<!-->");
      this.tagEnd = undefined;
    }
    this.from = end;
  }

  private keptTo(at: number): string {
    const text = this.html.slice(this.from, at);
    const { space } = this;
    this.space = undefined;
    return space === undefined ? text : text.replace(/^[ \n\t\f\r]*/, (own) => (space || own) && " ");
  }
}

const inked = /[^ \n\t\f\r]/;
const ofHead = new Set("html head title meta link base script style".split(" "));

/** A tag, a comment or a declaration, with its content if that is not markup. All have one form, for speed. */
interface Part {
  readonly end: number;
  /** The name of the element that begins, in lower case; `/head` at the end of the head. */
  readonly name: string | undefined;
  /** Its stripped form, if that differs. */
  readonly bare: string | undefined;
  readonly isLeftOut: boolean;
  /** It ends with `/>`. */
  readonly isClosed: boolean;
}

/** The part that begins with the `<` at this offset; undefined if it is unusual or does not end. */
function partAt(html: string, at: number): Part | undefined {
  const next = html.charCodeAt(at + 1);
  if (isLetter(next)) return element(html, at);
  if (next === slash) return upTo(html, ">", at + 2, isEndOfHead(html, at + 2) ? "/head" : undefined);
  if (next === question) return upTo(html, ">", at + 2);
  if (isLetter(html.charCodeAt(at + 2))) return upTo(html, ">", at + 3);
  if (!html.startsWith("--", at + 2)) return undefined;
  const comment = upTo(html, "-->", at + 2);
  return comment && { ...comment, isLeftOut: true };
}

function isEndOfHead(html: string, at: number): boolean {
  const first = html[at];
  return (first === "h" || first === "H") && html.slice(at, at + 4).toLowerCase() === "head";
}

function upTo(html: string, sign: string, from: number, name?: string): Part | undefined {
  const at = html.indexOf(sign, from);
  return at < 0 ? undefined : { end: at + sign.length, name, bare: undefined, isLeftOut: false, isClosed: false };
}

/** A start tag; for scripts and styles the whole element; for other elements of plain text, everything but the end tag. */
function element(html: string, at: number): Part | undefined {
  const tag = startTag(html, at);
  const ending = tag?.name === undefined || tag.isClosed ? undefined : endings.get(tag.name);
  if (!tag || !ending) return tag;
  ending.lastIndex = tag.end;
  const end = ending.exec(html)?.index;
  if (end === undefined) return undefined;
  if (tag.name !== "script" && tag.name !== "style")
    return { ...tag, end, bare: tag.bare === undefined ? undefined : tag.bare + html.slice(tag.end, end) };
  const whole = upTo(html, ">", end, tag.name);
  return whole && { ...whole, isLeftOut: true };
}

/** The end of the text of each element whose content is not markup. */
const endings: ReadonlyMap<string, RegExp> = new Map([
  ["script", /<\/script[> \n\t\f\r]/gi],
  ["style", /<\/style[> \n\t\f\r]/gi],
  ["title", /<\/title[> \n\t\f\r]/gi],
  ["textarea", /<\/textarea[> \n\t\f\r]/gi],
  ["xmp", /<\/xmp[> \n\t\f\r]/gi],
]);

function startTag(html: string, at: number): Part | undefined {
  let i = at + 1;
  while (i < html.length && !endsName(html.charCodeAt(i))) i++;
  const name = html.slice(at + 1, i).toLowerCase();
  // The stripped tag, and the range that is still to be copied unchanged.
  let kept = "";
  let from = at;
  let to = i;
  while (i < html.length) {
    i = behindSpace(html, i);
    const c = html.charCodeAt(i);
    const isClosed = c === slash;
    if (isClosed) i = behindSpace(html, i + 1);
    if (html.charCodeAt(i) === greater) {
      const end = i + 1;
      const ending = isClosed ? " />" : ">";
      const isAsItIs = to + ending.length === end && html.startsWith(ending, to);
      const isSame = isAsItIs && kept === "";
      const bare = isSame ? undefined : kept + (isAsItIs ? html.slice(from, end) : html.slice(from, to) + ending);
      return { end, name, bare, isLeftOut: false, isClosed };
    }
    if (isClosed) continue;
    const start = i++;
    while (i < html.length && html.charCodeAt(i) !== equals && !endsName(html.charCodeAt(i))) i++;
    const attribute = html.slice(start, i).toLowerCase();
    const behind = behindSpace(html, i);
    let value = i;
    if (html.charCodeAt(behind) === equals) {
      value = behindSpace(html, behind + 1);
      i = behindValue(html, value);
    }
    const isAddress = attribute === "href" && name === "a";
    if (!isAddress && !isUsedAttribute(name, attribute)) continue;
    const isBehindSpace = html.charCodeAt(start - 1) === space;
    if (isAddress || !isBehindSpace || start - 1 !== to) {
      kept += html.slice(from, to);
      if (isAddress) kept += ` href=${addressKind(html.slice(value, i))}`;
      else if (!isBehindSpace) kept += " ";
      from = isAddress ? i : isBehindSpace ? start - 1 : start;
    }
    to = i;
  }
  return undefined;
}

/**
 * A short address of the same kind: an anchor of this page or another one, none, the root of a site, a download, or a
 * file of a repository. A reading needs no more.
 */
function addressKind(written: string): string {
  const address = /^["']/.test(written) ? written.slice(1, -1) : written;
  if (address === "" || written.includes("&")) return written || '""';
  if (address.startsWith("#")) return address === "#" ? "#" : "#to";
  if (address.includes("#")) return siteRoot.test(address) ? written : "to#";
  if (siteRoot.test(address)) return "/";
  const path = repositoryFile.exec(address)?.[1];
  if (path !== undefined) return `"/blob/-/${path}"`;
  const ending = downloadIn(address);
  return ending === undefined ? "to" : `to.${ending}`;
}

function behindValue(html: string, at: number): number {
  const quote = html[at];
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1);
    return end < 0 ? html.length : end + 1;
  }
  let i = at;
  while (i < html.length && html.charCodeAt(i) !== greater && !isSpace(html.charCodeAt(i))) i++;
  return i;
}

function behindSpace(html: string, at: number): number {
  let i = at;
  while (isSpace(html.charCodeAt(i))) i++;
  return i;
}

const space = 32;
const slash = 47;
const question = 63;
const exclamation = 33;
const greater = 62;
const equals = 61;

const isSpace = (code: number) => code === space || code === 10 || code === 9 || code === 12 || code === 13;
const endsName = (code: number) => code === slash || code === greater || isSpace(code);
/** Characters that make a `<` before them markup. Otherwise it is text. */
const isMarkup = (code: number) => isLetter(code) || code === slash || code === question || code === exclamation;
const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
