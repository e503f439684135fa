import { digestOf } from "../../model/digest.ts";
import { downloadIn } from "../shared/address.ts";
import { repositoryFile } from "./marks.ts";
import { projectRoot, siteRoot } from "./survey.ts";

/**
 * A page known again by all that a reading of it can rest on: its tags, the attributes that are asked for, its text.
 * Most pages that come in other bytes differ in the rest alone: in what scripts hold, in tokens and addresses. To tell
 * that takes a small part of the time that reading takes.
 */

/** Attributes that a reading asks of elements: those of a page that it reads hold no others. */
const asked: ReadonlySet<string> = new Set(
  (
    "alt aria-controls aria-expanded aria-hidden aria-label aria-labelledby aria-level aria-modal checked class " +
    "data-nosnippet data-noindex data-pagefind-ignore data-search-exclude data-search-ignore disabled hidden id lang popover " +
    "role shadowrootmode style type xml:lang"
  ).split(" "),
);

/** Elements whose title, shown to those who point at them, may be all that a cell says. */
const titled: ReadonlySet<string> = new Set(["td", "span", "i", "img"]);

/** Both in lower case. */
export function isAsked(element: string, attribute: string): boolean {
  if (element === "use") return attribute === "href" || attribute === "xlink:href";
  if (attribute === "href") return element === "a";
  return attribute === "title" ? titled.has(element) : asked.has(attribute);
}

/** 16 hex digits, the same for two bare pages that read the same. */
export function fingerprintOf(type: string, content: string): string {
  return digestOf(`${type}\n${content}`);
}

/**
 * A page without scripts, styles and comments, without what its head tells machines, without attributes that are not
 * asked for, and with addresses by their kind: it reads as the page does. Tags end where the parser of pages ends them,
 * which is not quite where the standard does (https://github.com/fb55/htmlparser2/blob/v10.1.0/src/Tokenizer.ts). From
 * one on that is not plain all stays as it is.
 */
export function bare(html: string): string {
  // The parser takes these for `<` and `/` where a script may end.
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
  private kept = "";
  /** Up to where the page is kept or left out. */
  private from = 0;
  /** Where the last tag ended, if nothing but white space and what is left out came since. */
  private tagEnd: number | undefined = 0;
  /** White space, if any, before something that was left out behind that tag. */
  private space: string | undefined;
  private isInHead: boolean | undefined;
  /** Where the last part ended. */
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
    return this.kept + this.keptTo(this.html.length);
  }

  private keep(at: number, { end, bare }: Part): void {
    if (bare !== undefined) {
      this.kept += this.keptTo(at) + bare;
      this.from = end;
    }
    this.tagEnd = end;
  }

  private leaveOut(at: number, end: number): void {
    const { tagEnd = at } = this;
    const text = this.html.slice(Math.max(tagEnd, this.from), at);
    if (this.tagEnd !== undefined && !inked.test(text)) {
      if (this.from < tagEnd) this.kept += this.keptTo(tagEnd);
      this.space = this.space || text.slice(0, 1);
    } else {
      // The text before and behind it is one, but not one entity.
      this.kept += `${this.keptTo(at)}<!-->`;
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

/** A tag, a comment or a declaration, with what it holds where that is no markup. */
interface Part {
  readonly end: number;
  /** Of the element that begins, in lower case; `/head` where the head ends. */
  readonly name?: string;
  /** As it is kept, where that is not as it is. */
  readonly bare?: string;
  readonly isLeftOut?: boolean;
}

/** The part that begins with the `<` at that place; undefined if it is not plain, or does not end. */
function partAt(html: string, at: number): Part | undefined {
  const next = html.charCodeAt(at + 1);
  if (isLetter(next)) return element(html, at);
  if (next === slash) return endTag(html, at);
  if (next === question) return upTo(html, ">", at + 2);
  if (isLetter(html.charCodeAt(at + 2))) return upTo(html, ">", at + 3);
  if (!html.startsWith("--", at + 2)) return undefined;
  const comment = upTo(html, "-->", at + 2);
  return comment && { ...comment, isLeftOut: true };
}

function endTag(html: string, at: number): Part | undefined {
  const tag = upTo(html, ">", at + 2);
  return tag && html.slice(at + 2, at + 6).toLowerCase() === "head" ? { ...tag, name: "/head" } : tag;
}

function upTo(html: string, sign: string, from: number): Part | undefined {
  const at = html.indexOf(sign, from);
  return at < 0 ? undefined : { end: at + sign.length };
}

/** A start tag; of an element that holds text and no markup all of it, but for the end tag of one that is kept. */
function element(html: string, at: number): Part | undefined {
  const tag = startTag(html, at);
  const ending = tag && endings.get(tag.name);
  if (!tag || !ending || tag.isClosed) return tag;
  ending.lastIndex = tag.end;
  const end = ending.exec(html)?.index;
  if (end === undefined) return undefined;
  if (tag.name !== "script" && tag.name !== "style") {
    return { ...tag, end, ...(tag.bare !== undefined && { bare: tag.bare + html.slice(tag.end, end) }) };
  }
  const whole = upTo(html, ">", end);
  return whole && { ...whole, name: tag.name, isLeftOut: true };
}

/** Where the text of an element ends that holds no markup. */
const endings: ReadonlyMap<string, RegExp> = new Map([
  ["script", /<\/script[> \n\t\f\r]/gi],
  ["style", /<\/style[> \n\t\f\r]/gi],
  ["title", /<\/title[> \n\t\f\r]/gi],
  ["textarea", /<\/textarea[> \n\t\f\r]/gi],
  ["xmp", /<\/xmp[> \n\t\f\r]/gi],
]);

interface StartTag extends Part {
  readonly name: string;
  /** It ends with `/>`. */
  readonly isClosed: boolean;
}

function startTag(html: string, at: number): StartTag | undefined {
  let i = at + 1;
  while (i < html.length && !endsName(html.charCodeAt(i))) i++;
  const name = html.slice(at + 1, i).toLowerCase();
  // What is kept of the tag, and from where to where its text follows as it is.
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
      const bare = kept + html.slice(from, isAsItIs ? end : to) + (isAsItIs ? "" : ending);
      return { name, end, isClosed, ...(!(isAsItIs && kept === "") && { bare }) };
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
    if (!isAddress && !isAsked(name, attribute)) continue;
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
 * An address that says of itself what is asked: whether it leads to a place in a page, in this one, nowhere, to where a
 * site or a part of it begins, to a file to fetch, or to a file of a repository.
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
  if (ending !== undefined) return `to.${ending}`;
  return projectRoot.test(address) ? "/to/" : "to";
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
/** Behind a `<`; any other makes it a sign of the text. */
const isMarkup = (code: number) => isLetter(code) || code === slash || code === question || code === exclamation;
const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
