import { Parser } from "htmlparser2";
import type { Block } from "../../model/reading.ts";
import { escapeHtml, jsonOf } from "../shared/body.ts";
import { Size } from "../shared/size.ts";
import { blocksOfMarkdown } from "../text/markdown.ts";
import { foldSpace } from "./blocks.ts";
import { blocksOf, pageOf } from "./html.ts";

/**
 * The text of a page that a script shows, if the page ships it as data for that script, or for browsers without
 * scripts. Text from another address is inserted into the page when it is fetched.
 * @see https://html.spec.whatwg.org/multipage/scripting.html#data-block
 */

const maxData = 5_000_000;
/** Places of one script that are tried as the start of data, at most. */
const maxPlaces = 50;
/** Rows of a stream, at most. */
const maxRows = 10_000;
/** The fewest characters of data that are taken for the text of a page. Shorter data may be a line about the site. */
export const leastText = 500;
const longestTitle = 200;
/** The fewest words that make a text a sentence rather than a name or a setting. */
const fewestWords = 4;

/** The text that a page ships for its script, or for browsers without scripts; empty if it ships none. @throws Failure `too-many` */
export function embeddedText(html: string): readonly Block[] {
  const parts = shippedIn(html);
  const unscripted = parts.filter(({ form }) => form === "markup").map(({ text }) => text);
  return [blocksOf(unscripted.join("\n")), textInData(parts)].find((blocks) => lengthOf(blocks) >= leastText) ?? [];
}

const addedText = '\n<link rel="text" href="';

/** A page with its text from another address, as JSON or Markdown, appended to its markup. */
export function withText(html: string, address: string, text: string): string {
  const type = /^\s{0,9}(?:\{|\[\{)/.test(text) ? "application/json" : "text/markdown";
  const attribute = (value: string) => escapeHtml(value).replaceAll('"', "&quot;");
  return `${html}${addedText}${attribute(address)}" type="${type}" content="${attribute(text)}">`;
}

/** The page without the appended text, and the address of that text. */
export function withoutText(html: string): { readonly html: string; readonly address?: string } {
  const at = html.lastIndexOf(addedText);
  if (at < 0) return { html };
  const written = html.slice(at + addedText.length, html.indexOf('"', at + addedText.length));
  return { html: html.slice(0, at), address: written.replaceAll("&amp;", "&") };
}

function lengthOf(blocks: readonly Block[]): number {
  return blocks.reduce((length, { text }) => length + text.length, 0);
}

/** A part of a page that holds text for a script, or for browsers without one. */
interface Part {
  readonly form: "json" | "script" | "text" | "markup";
  /** The name of the attribute that holds it; empty for an element. */
  readonly name: string;
  readonly text: string;
}

/** The texts in the data of a page, in its order, each once. */
function textInData(parts: readonly Part[]): Block[] {
  const text = new DataText();
  let stream = "";
  for (const part of parts) {
    if (part.form === "text") text.addMarkdown(part.text);
    if (part.form === "json") for (const value of parseRows(part.text)) text.add(value, part.name, []);
    if (part.form !== "script") continue;
    for (const value of findAssigned(part.text)) {
      const piece = pieceIn(value);
      stream += piece ?? "";
      if (piece === undefined) text.add(value, "", []);
    }
  }
  for (const row of rowsOf(stream)) text.add(row, "", []);
  return text.blocks;
}

/** Elements that hold text for a script, or for browsers without one. */
const holders: ReadonlySet<string> = new Set(["script", "noscript", "textarea"]);

/** The parts of a page that hold text for scripts: blocks of data, attributes, and texts that a script formats. */
function shippedIn(html: string): Part[] {
  const parts: Part[] = [];
  let left = maxData;
  const put = (form: Part["form"], name: string, text: string) => {
    left -= text.length;
    if (left >= 0) parts.push({ form, name, text });
  };
  let holder: { readonly name: string; readonly form: Part["form"]; readonly from: number } | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      for (const [attribute, value] of Object.entries(attributes))
        if (/^\s{0,9}[[{]/.test(value) && !isOneOf(otherKeys, attribute)) put("json", attribute, value);
      if (name === "link" && formOf(name, attributes) === "text") put("text", "", attributes.content ?? "");
      if (!holder && holders.has(name)) holder = { name, form: formOf(name, attributes), from: parser.endIndex + 1 };
    },
    onclosetag(name, isImplied) {
      if (holder?.name !== name) return;
      if (!isImplied) put(holder.form, "", html.slice(holder.from, parser.startIndex));
      holder = undefined;
    },
  });
  parser.end(html);
  return parts;
}

function formOf(name: string, { type = "" }: Readonly<Record<string, string>>): Part["form"] {
  if (name === "noscript") return "markup";
  if (name === "textarea" || /\bmarkdown\b/i.test(type)) return "text";
  return /\bjson\b/i.test(type) ? "json" : "script";
}

/** The value of a JSON text in a list; an empty list if it is not JSON. */
function parseJsonText(text: string): unknown[] {
  try {
    return [jsonOf(text)];
  } catch {
    return [];
  }
}

/** The same for a stream with one JSON object in each row. */
function parseRows(text: string): unknown[] {
  const whole = parseJsonText(text);
  return whole.length > 0
    ? whole
    : text.split("\n", maxRows).flatMap((row) => (row.startsWith("{") ? parseJsonText(row) : []));
}

/** Data that a script gives to a name or a function: `window.state = {…}`, `state.push([…])`, `JSON.parse("{…}")`. */
function findAssigned(script: string): unknown[] {
  const values: unknown[] = [];
  const place = /[=(,]\s{0,20}(?=["']?\s{0,20}[[{])/g;
  // After a literal that fails, its inner parts are tried again. The total is limited to twice the script.
  let left = 2 * script.length;
  for (let count = 0; count < maxPlaces && left > 0; count++) {
    if (!place.test(script)) break;
    const { json, end } = literalAt(script, place.lastIndex);
    left -= end - place.lastIndex;
    const value = json === undefined ? [] : parseJsonText(json);
    if (value.length > 0) place.lastIndex = end;
    values.push(...value);
  }
  return values;
}

/** The literal at this place of a script, as JSON; no JSON if it holds more than values. `end`: where reading ended. */
function literalAt(script: string, from: number): { readonly json?: string; readonly end: number } {
  const token = /\s+|"[^"\\]*(?:\\.[^"\\]*)*"|'[^'\\]*(?:\\.[^'\\]*)*'|void 0|![01]|\$R\[\d+\]=?|[\w$.+-]+|[[\]{}:,]/sy;
  token.lastIndex = from;
  let json = "";
  let end = from;
  let depth = 0;
  for (let match = token.exec(script); match; match = token.exec(script)) {
    const [written] = match;
    end = token.lastIndex;
    if (written === "[" || written === "{") depth++;
    else if (written === "]" || written === "}") depth--;
    json += /^[\s[\]{}:,]/.test(written) ? written : tokenJson(written, script[end]);
    if (depth === 0) return { json, end };
  }
  return { end };
}

/**
 * A key, string, number or word of a literal as JSON, which has fewer escapes and one kind of quotes. Variables are
 * dropped. `$R[3]={…}` numbers a value for later references: https://github.com/lxsmnsyc/seroval
 */
function tokenJson(written: string, next: string | undefined): string {
  if (!/^["']/.test(written)) return wordOf(written, next);
  const inner = written.slice(1, -1).replace(/\\(x[\da-f]{2}|.)|"/gis, (sign, escaped: string | undefined) => {
    if (escaped === undefined) return '\\"';
    if (escaped.length > 1) return `\\u00${escaped.slice(1)}`;
    return /["\\/bfnrtu]/.test(escaped) ? sign : escaped.trim();
  });
  return `"${inner}"`;
}

function wordOf(word: string, next: string | undefined): string {
  if (word.endsWith("=")) return "";
  if (next === ":") return JSON.stringify(word);
  if (word === "!0" || word === "!1") return String(word === "!0");
  return /^(?:true|false|-?\d{1,15}(?:\.\d{1,15})?)$/.test(word) ? word : "null";
}

/** A piece of a stream that is passed to a script in parts: `push([1, "…"])`. */
function pieceIn(value: unknown): string | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [sort, piece] = value as unknown[];
  return typeof sort === "number" && typeof piece === "string" ? piece : undefined;
}

/**
 * The values of a stream of numbered rows: `1a:{…}`, or `1b:T4e8,` and that many bytes of text. Rows with other letters
 * name parts of the program. https://github.com/facebook/react/tree/main/packages/react-server
 */
function rowsOf(stream: string): unknown[] {
  const rows: unknown[] = [];
  const head = /[\da-f]{0,8}:(?:T([\da-f]{1,8}),)?/gy;
  for (let count = 0; count < maxRows; count++) {
    const start = head.exec(stream);
    if (!start) break;
    const bytes = start[1] === undefined ? undefined : Number.parseInt(start[1], 16);
    const rest = stream.slice(head.lastIndex, bytes && head.lastIndex + bytes);
    const row = bytes === undefined ? (rest.split("\n", 1)[0] ?? "") : Buffer.from(rest).toString("utf8", 0, bytes);
    rows.push(...(bytes === undefined ? parseJsonText(row) : [row]));
    head.lastIndex += row.length + (bytes === undefined ? 1 : 0);
  }
  return rows;
}

/** Keys that name the object they belong to. */
const titleKeys = /^(?:title|name|headline|heading|question|label)$/i;
/** Keys of short values that people read: `price: 29`. */
const valueKeys = /(?:price|amount|cost|currency)$/i;
/** Keys of text for programs. */
const codeKeys = [
  /(?:slug|href|ur[il]|src(?:set)?|path(?:name)?|query)$/i,
  /(?:id|key|token|hash|nonce|locale|@type|@context)$/i,
  /(?:class(?:name)?|style|icon|colou?r|image)$/i,
];
/** Keys of data that is on each page, is shown if a page fails, or is about the visitor or request. */
const otherKeys = [
  /^(?:style|notFound|forbidden|unauthorized)$/i,
  /^_?(?:next)?i18n|translations?$|^locales?$|locali[sz]ed$/i,
  /(?:config|settings|cookies?|flags?|stats|metrics)$/i,
  /user|viewer|visitor|session|member|account|e-?mail/i,
  /debug|auth|token|secret|password|credential|csrf|request|headers/i,
];

function isOneOf(forms: readonly RegExp[], key: string): boolean {
  return forms.some((form) => form.test(key));
}

/** Data about the site, on each of its pages. https://schema.org/docs/full.html */
const siteTypes = /^(?:Organization|Corporation|WebSite|BreadcrumbList|SearchAction|ImageObject|Person)$/;
const markup = /<(?:p|h[1-6]|[uo]l|li|table|div|section|article|br|strong|em|a|code|pre)\b[^<>]{0,1000}>/i;

/** Collects the texts of data as blocks: names become headings, sentences paragraphs, and HTML and Markdown are parsed. */
class DataText {
  readonly blocks: Block[] = [];
  private readonly size = new Size();
  private readonly written = new Set<string>();

  /** `key`: the name of the value. `path`: the titles above it. Data nests at most a hundred deep. */
  add(value: unknown, key: string, path: readonly string[]): void {
    if (typeof value === "string") this.addText(value, key, path);
    else if (typeof value === "number") this.addValue(String(value), key, path);
    else if (Array.isArray(value)) this.addList(value, key, path);
    else if (typeof value === "object" && value !== null)
      this.addObject(value as Readonly<Record<string, unknown>>, path);
  }

  private addList(values: readonly unknown[], key: string, path: readonly string[]): void {
    const whole = resolveIndexes(values);
    if (whole !== undefined) this.add(whole, key, path);
    else if (values[0] === "$") this.addBlocks(pageOf(this.markupOf(values)).blocks, path);
    else for (const value of values) this.add(value, key, path);
  }

  /** An element in a stream of React, as markup: `["$", "p", key, { children }]`. Properties of components are data. */
  private markupOf(value: unknown): string {
    if (typeof value === "string") return value.startsWith("$") ? "" : escapeHtml(value);
    if (!Array.isArray(value)) return typeof value === "number" ? String(value) : "";
    if (value[0] !== "$") return value.map((part) => this.markupOf(part)).join("");
    const [, name, , properties] = value as [string, unknown, unknown, Readonly<Record<string, unknown>> | null];
    const { children, ...others } = properties ?? {};
    const inner = this.markupOf(children);
    if (typeof name === "string" && /^[a-z][a-z\d]{0,20}$/.test(name)) return `<${name}>${inner}</${name}>`;
    this.add(others, "", []);
    return inner;
  }

  private addObject(object: Readonly<Record<string, unknown>>, path: readonly string[]): void {
    if (siteTypes.test(String(object["@type"]))) return;
    const fields = Object.entries(object).filter(([key]) => !isOneOf(otherKeys, key));
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
    if (isOneOf(codeKeys, key)) return;
    if (/^\s*[[{]/.test(text)) for (const value of parseJsonText(text)) this.add(value, key, path);
    else if (markup.test(text)) this.addBlocks(blocksOf(text), path);
    else if (!isSentence(text)) this.addValue(text, key, path);
    else if (text.includes("\n")) this.addBlocks(blocksOfMarkdown(text), path);
    else this.push({ kind: "paragraph", text: foldSpace(text), path });
  }

  addMarkdown(text: string): void {
    this.addBlocks(blocksOfMarkdown(text), []);
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

/** Whether a text is for people: words with spaces, or a line in a script without spaces. */
function isSentence(text: string): boolean {
  if (/^(?:https?:|data:|[./]|#\S)/.test(text)) return false;
  const words = text.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
  return words.length >= fewestWords ? /\s/.test(text) : /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]{8}/u.test(text);
}

/** The deepest nesting of lists and objects: foreign data is walked recursively. */
const maxDepth = 100;

/**
 * The first value of a list whose objects and lists refer to their parts by index: `[{"title":1},"Gauges"]`. Undefined
 * for any other list. Names may be indexes, too: `{"_1":2}`. Each object and list is expanded once, so that the result
 * is no larger than the list. Spec: https://github.com/sveltejs/devalue and https://github.com/jacob-ebey/turbo-stream
 */
export function resolveIndexes(values: readonly unknown[]): unknown {
  if (!isKeyed(values[0]) || values.length < 2 || !values.every(isNumbered)) return undefined;
  const taken = new Set<unknown>();
  const valueAt = (place: unknown, depth: number): unknown => {
    const value = typeof place === "number" ? values[place] : undefined;
    if (!isKeyed(value)) return value;
    if (depth > maxDepth || taken.has(value)) return undefined;
    taken.add(value);
    if (Array.isArray(value)) return value.map((part) => valueAt(part, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [nameOf(key), valueAt(part, depth + 1)]));
  };
  const nameOf = (key: string) => (/^_\d{1,9}$/.test(key) ? String(values[Number(key.slice(1))]) : key);
  return valueAt(0, 0);
}

function isKeyed(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A list may begin with the name of its type: `["Set",4,5]`. */
function isNumbered(value: unknown): boolean {
  if (!isKeyed(value)) return true;
  if (Array.isArray(value) && typeof value[0] === "string") return true;
  return Object.values(value).every(Number.isInteger);
}
