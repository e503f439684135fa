import { wordSet } from "../../model/cache.ts";
import { digestOf } from "../../model/digest.ts";
import { downloadIn } from "../shared/address.ts";
import { repositoryFile } from "./marks.ts";
import { siteRoot } from "./survey.ts";

/**
 * Recognises a page by everything that its reading can depend on: tags, some attributes and text. Most pages whose
 * bytes differ only have other scripts, tokens and addresses. Finding that out is much faster than reading the page.
 */

/** Attributes that a reading may use. A page is parsed with no others. */
const attributes = wordSet(
  "alt aria-controls aria-expanded aria-hidden aria-label aria-labelledby aria-level aria-modal checked class " +
    "data-nosnippet data-noindex data-pagefind-ignore data-search-exclude data-search-ignore disabled hidden id lang popover " +
    "role shadowrootmode style type xml:lang",
);

/** Elements whose `title` may be all the text of a cell. */
const titled: ReadonlySet<string> = new Set(["td", "span", "i", "img"]);

/** Both in lower case. */
export function isUsedAttribute(element: string, attribute: string): boolean {
  if (element === "use") return attribute === "href" || attribute === "xlink:href";
  if (attribute === "href") return element === "a";
  if (attribute === "for") return element === "label";
  return attribute === "title" ? titled.has(element) : attributes.has(attribute);
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
  return new BarePage(html).whole();
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
  /**
   * The last part: a tag, a comment or a declaration, with its content if that is not markup. Its fields are here, as a
   * page has thousands of parts.
   */
  private end = 0;
  /** The name of the element that begins, in lower case; `/head` at the end of the head. */
  private name: string | undefined;
  /** The stripped form of the part, if that differs. */
  private bare: string | undefined;
  private isLeftOut = false;
  /** It ends with `/>`. */
  private isClosed = false;

  constructor(html: string) {
    this.html = html;
  }

  whole(): string {
    const { html } = this;
    for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", this.end)) {
      const before = this.end;
      if (!isMarkup(html.charCodeAt(at + 1))) {
        // This is text, which ends the head.
        this.isInHead = false;
        this.end = at + 1;
      } else if (this.readPart(at)) this.addPart(before, at);
      else break;
    }
    this.kept.push(this.keptTo(html.length));
    return this.kept.join("");
  }

  /** `before`: the end of the part before it. */
  private addPart(before: number, at: number): void {
    const { name, bare, end } = this;
    // Text ends the head, too.
    if (this.isInHead !== false && inked.test(this.html.slice(before, at))) this.isInHead = false;
    if (name === "head") this.isInHead ??= true;
    else if (name !== undefined && this.isInHead !== false && !ofHead.has(name)) this.isInHead = false;
    const isForMachines = this.isInHead && (name === "link" || name === "meta" || name === "base");
    if (this.isLeftOut || isForMachines) this.leaveOut(at, end);
    else {
      if (bare !== undefined) {
        this.kept.push(this.keptTo(at), bare);
        this.from = end;
      }
      this.tagEnd = end;
    }
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

  /** Reads the part that begins with the `<` at this offset; false if it is unusual or does not end. */
  private readPart(at: number): boolean {
    const { html } = this;
    const next = html.charCodeAt(at + 1);
    this.name = undefined;
    this.bare = undefined;
    this.isLeftOut = false;
    if (isLetter(next)) return this.readElement(at);
    if (next === slash && isEndOfHead(html, at + 2)) this.name = "/head";
    if (next === slash || next === question) return this.readTo(">", at + 2);
    if (isLetter(html.charCodeAt(at + 2))) return this.readTo(">", at + 3);
    this.isLeftOut = true;
    return html.startsWith("--", at + 2) && this.readTo("-->", at + 2);
  }

  private readTo(sign: string, from: number): boolean {
    const at = this.html.indexOf(sign, from);
    this.end = at + sign.length;
    return at >= 0;
  }

  /** A start tag; for scripts and styles the whole element; for other elements of plain text, everything but the end tag. */
  private readElement(at: number): boolean {
    if (!this.readStartTag(at)) return false;
    const { html, name = "", end } = this;
    const ending = this.isClosed ? undefined : endings.get(name);
    if (!ending) return true;
    ending.lastIndex = end;
    const match = ending.exec(html);
    if (!match) return false;
    this.isLeftOut = name === "script" || name === "style";
    if (this.isLeftOut) return this.readTo(">", match.index);
    if (this.bare !== undefined) this.bare += html.slice(end, match.index);
    this.end = match.index;
    return true;
  }

  private readStartTag(at: number): boolean {
    const { html } = this;
    let i = at + 1;
    while (i < html.length && !endsName(html.charCodeAt(i))) i++;
    const name = html.slice(at + 1, i).toLowerCase();
    // The stripped tag, and the range that is still to be copied unchanged.
    let text = "";
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
        if (text !== "" || !isAsItIs)
          this.bare = text + (isAsItIs ? html.slice(from, end) : html.slice(from, to) + ending);
        this.name = name;
        this.isClosed = isClosed;
        this.end = end;
        return true;
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
        text += html.slice(from, to);
        if (isAddress) text += ` href=${addressKind(html.slice(value, i))}`;
        else if (!isBehindSpace) text += " ";
        from = isAddress ? i : isBehindSpace ? start - 1 : start;
      }
      to = i;
    }
    return false;
  }
}

const inked = /[^ \n\t\f\r]/;
const ofHead = wordSet("html head title meta link base script style");

function isEndOfHead(html: string, at: number): boolean {
  const first = html[at];
  return (first === "h" || first === "H") && html.slice(at, at + 4).toLowerCase() === "head";
}

/** The end of the text of each element whose content is not markup. */
const endings: ReadonlyMap<string, RegExp> = new Map(
  ["script", "style", "title", "textarea", "xmp"].map((name) => [name, new RegExp(`</${name}[> \\n\\t\\f\\r]`, "gi")]),
);

/** A short address of the same kind: all that a reading needs to know of it. */
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
