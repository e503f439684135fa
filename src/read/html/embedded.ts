import type { Block } from "../../model/reading.ts";
import { jsonOf } from "../shared/body.ts";
import { Size } from "../shared/size.ts";
import { blocksOfMarkdown } from "../text/markdown.ts";
import { foldSpace } from "./blocks.ts";
import { blocksOf } from "./html.ts";

/**
 * The text of a page that a script shows, if the page ships it: as data for that script, or for browsers without scripts.
 * @see https://html.spec.whatwg.org/multipage/scripting.html#data-block
 */

/** Characters of all data of a page, at most. */
const maxData = 5_000_000;
/** Places of one script that may begin with data, at most. */
const maxPlaces = 50;
/** Characters of data that is the text of a page, at least: a line about the site is none. */
export const leastText = 500;
/** Characters of a heading, at most. */
const longestTitle = 200;
/** Words that make a text a sentence rather than a name or a setting, at least. */
const fewestWords = 4;

/** The text that a page ships for its script, or for browsers without scripts; empty if it ships none. @throws Failure `too-many` */
export function embeddedText(html: string): readonly Block[] {
  const unscripted = blocksOf(
    elementsOf("noscript", html)
      .map(({ content }) => content)
      .join("\n"),
  );
  return [unscripted, textInData(html)].find((blocks) => lengthOf(blocks) >= leastText) ?? [];
}

function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((length, { text }) => length + text.length, 0);
}

/** The texts in the data of a page, in its order, each once. */
function textInData(html: string): Block[] {
  const text = new DataText();
  for (const { attributes, content } of elementsOf("script", html))
    for (const value of /\bjson\b/i.test(attributes) ? parsed(content) : assigned(content)) text.add(value, "", []);
  return text.blocks;
}

interface RawElement {
  readonly attributes: string;
  readonly content: string;
}

/** Elements that hold text and no markup. Linear: nothing is searched twice. */
function elementsOf(name: "script" | "noscript", html: string): RawElement[] {
  const elements: RawElement[] = [];
  const begins = new RegExp(`<${name}(?=[\\s>])`, "gi");
  const ends = new RegExp(`</${name}(?=[\\s>])`, "gi");
  let characters = 0;
  for (let start = begins.exec(html); start && characters < maxData; start = begins.exec(html)) {
    const open = html.indexOf(">", begins.lastIndex);
    ends.lastIndex = open;
    const end = open < 0 ? null : ends.exec(html);
    if (!end) break;
    const content = html.slice(open + 1, end.index);
    characters += content.length;
    if (characters <= maxData) elements.push({ attributes: html.slice(begins.lastIndex, open), content });
    begins.lastIndex = ends.lastIndex;
  }
  return elements;
}

/** The JSON of a text, if it is any: none or one. */
function parsed(text: string): unknown[] {
  try {
    return [jsonOf(text)];
  } catch {
    return [];
  }
}

/** Data that a script gives to a name or a function: `window.state = {…}`, `state.push([…])`, `JSON.parse("{…}")`. */
function assigned(script: string): unknown[] {
  const values: unknown[] = [];
  const place = /[=(]\s{0,20}(?="?\s{0,20}[[{])/g;
  for (let count = 0; count < maxPlaces; count++) {
    const start = place.exec(script);
    if (!start) break;
    const end = endOfJson(script, place.lastIndex);
    const value = end === undefined ? [] : parsed(script.slice(place.lastIndex, end));
    if (end !== undefined && value.length > 0) place.lastIndex = end;
    values.push(...value);
  }
  return values;
}

/** Behind the brackets that begin at this place; undefined if they hold a sign that JSON does not have. */
function endOfJson(text: string, from: number): number | undefined {
  const sign = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s\w,:.+-]/gs;
  sign.lastIndex = from;
  let depth = 0;
  for (let found = sign.exec(text); found; found = sign.exec(text)) {
    const [written] = found;
    if (written === "[" || written === "{") depth++;
    else if (written === "]" || written === "}") depth--;
    else if (written.length === 1) return undefined;
    if (depth === 0) return sign.lastIndex;
  }
  return undefined;
}

/** Keys that name the object they belong to. */
const titleKeys = /^(?:title|name|headline|heading|question|label)$/i;
/** Keys of short values that people read: `price: 29`. */
const valueKeys = /(?:price|amount|cost|currency)$/i;
/** Keys of text for programs. */
const codeKeys =
  /(?:class(?:name)?|style|id|slug|href|ur[il]|src(?:set)?|path(?:name)?|token|hash|icon|colou?r|image|locale|query|key|nonce|@type|@context)$/i;
/** Keys of data that is the same on each page of an application, or that is about the visitor or the request. */
const otherKeys =
  /^_?(?:next)?i18n|translations?$|^locales?$|config$|user|viewer|visitor|session|member|account|auth|token|secret|password|credential|csrf|e-?mail|request|headers|cookies?$|flags?$|stats$|metrics$/i;
/** Data about the site, on each of its pages. https://schema.org/docs/full.html */
const siteTypes = /^(?:Organization|Corporation|WebSite|BreadcrumbList|SearchAction|ImageObject|Person)$/;
const markup = /<(?:p|h[1-6]|[uo]l|li|table|div|section|article|br|strong|em|a|code|pre)\b[^<>]{0,1000}>/i;

/** Collects the texts of data as blocks: names as headings, sentences as paragraphs, HTML and Markdown as what they are. */
class DataText {
  readonly blocks: Block[] = [];
  private readonly size = new Size();
  private readonly written = new Set<string>();

  /** `key`: the name of the value. `path`: the titles above it. Data nests at most a hundred deep. */
  add(value: unknown, key: string, path: readonly string[]): void {
    if (typeof value === "string") this.addText(value, key, path);
    else if (typeof value === "number") this.addValue(String(value), key, path);
    else if (Array.isArray(value)) for (const one of value) this.add(one, key, path);
    else if (typeof value === "object" && value !== null)
      this.addObject(value as Readonly<Record<string, unknown>>, path);
  }

  private addObject(object: Readonly<Record<string, unknown>>, path: readonly string[]): void {
    if (siteTypes.test(String(object["@type"]))) return;
    const fields = Object.entries(object).filter(([key]) => !otherKeys.test(key));
    const named = fields.find(([key, value]) => titleKeys.test(key) && isTitle(value));
    const title = foldSpace(String(named?.[1] ?? ""));
    const before = this.blocks.length;
    if (title !== "") this.push({ kind: "heading", text: title, path });
    const below = title === "" ? path : [...path, title];
    for (const field of fields) if (field !== named) this.add(field[1], field[0], below);
    // A name alone is a setting of the program.
    if (title !== "" && this.blocks.length === before + 1) this.blocks.pop();
  }

  private addText(text: string, key: string, path: readonly string[]): void {
    if (codeKeys.test(key)) return;
    if (/^\s*[[{]/.test(text)) for (const value of parsed(text)) this.add(value, key, path);
    else if (markup.test(text)) this.addBlocks(blocksOf(text), path);
    else if (!isSentence(text)) this.addValue(text, key, path);
    else if (text.includes("\n")) this.addBlocks(blocksOfMarkdown(text), path);
    else this.push({ kind: "paragraph", text: foldSpace(text), path });
  }

  private addBlocks(blocks: readonly Block[], path: readonly string[]): void {
    for (const block of blocks) this.push({ ...block, path: [...path, ...block.path] });
  }

  private addValue(value: string, key: string, path: readonly string[]): void {
    if (valueKeys.test(key) && value.length <= longestTitle)
      this.push({ kind: "paragraph", text: foldSpace(`${key}: ${value}`), path });
  }

  private push(block: Block): void {
    const key = `${block.path.at(-1) ?? ""}\n${block.text}`;
    if (block.text === "" || this.written.has(key)) return;
    this.written.add(key);
    this.blocks.push(this.size.of(block));
  }
}

function isTitle(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "" && value.length <= longestTitle && !markup.test(value);
}

/** Whether a text is for people: words with spaces, or a line of a script that writes none. */
function isSentence(text: string): boolean {
  if (/^(?:https?:|data:|[./]|#\S)/.test(text)) return false;
  const words = text.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
  return words.length >= fewestWords ? /\s/.test(text) : /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{8}/u.test(text);
}
