import { type Element, isTag, isText, type ParentNode } from "domhandler";
import MarkdownIt, { type Env } from "markdown-it";
import { Failure } from "../../model/failure.ts";
import { treeOf, walk } from "../../read/formats/blocks.ts";

/** Characters of a report; more than any that people read. */
const longest = 1_000_000;

/**
 * Reads a report in HTML, Markdown or plain text, whichever its name or its beginning says. Never throws: a text that
 * no reader takes (nested a thousand deep) has no pieces.
 */
export function piecesOf(path: string, text: string): Pieces {
  const whole = text
    .slice(0, longest)
    .replace(/\r\n?/g, "\n")
    .replace(/^\ufeff/, "");
  const { front, rest } = isHtml(path, whole) ? { front: new Map<string, string>(), rest: whole } : frontMatter(whole);
  const { html, defined } = isHtml(path, whole)
    ? { html: rest, defined: new Map<number, Link>() }
    : htmlOfMarkdown(rest);
  try {
    const root = treeOf(html);
    const { pieces, full } = gather(root);
    return { ...headOf(root), front, pieces: headed(pieces), defined, cut: text.length > longest || full };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { front, pieces: [], defined, cut: true };
  }
}

function isHtml(path: string, text: string): boolean {
  if (/\.x?html?$/i.test(path)) return true;
  return (
    !/\.(?:md|markdown|mdown|mkd|qmd|rmd|mdx)$/i.test(path) &&
    /^\s*<(?:!doctype html|html)[\s>]/i.test(text.slice(0, 500))
  );
}

/** Spec: https://jekyllrb.com/docs/front-matter/ */
function frontMatter(text: string): { front: Map<string, string>; rest: string } {
  const end = text.startsWith("---\n") ? text.indexOf("\n---\n", 3) : -1;
  if (end < 0 || end > 20_000) return { front: new Map(), rest: text };
  const lines = text.slice(4, end).split("\n");
  const entries = lines.flatMap((line): [string, string][] => {
    const at = line.indexOf(":");
    if (at < 1 || /^[\s#-]/.test(line)) return [];
    return [
      [
        line.slice(0, at).trim().toLowerCase(),
        line
          .slice(at + 1)
          .trim()
          .replace(/^(["'])(.*)\1$/, "$2"),
      ],
    ];
  });
  return { front: new Map(entries), rest: text.slice(end + 5) };
}

function headOf(root: ParentNode): { title?: string; url?: string } {
  let title: string | undefined;
  let url: string | undefined;
  walk(root, {
    enter(element) {
      if (element.name === "title") title ??= textOf(element);
      url ??= addressOf(element);
      return element.name !== "body";
    },
    text() {},
    leave() {},
  });
  return { ...(title && { title }), ...(url && { url }) };
}

function textOf(element: Element): string | undefined {
  const text = element.children.filter(isText).map((child) => child.data);
  return text.join(" ").replace(/\s+/g, " ").trim() || undefined;
}

/** Spec: https://html.spec.whatwg.org/multipage/links.html#link-type-canonical, https://ogp.me/ */
function addressOf(element: Element): string | undefined {
  if (!isTag(element)) return undefined;
  const { rel, href, property, content } = element.attribs;
  if (element.name === "link" && rel?.toLowerCase() === "canonical") return href;
  return element.name === "meta" && property === "og:url" ? content : undefined;
}

/**
 * Text without headings: a short line that ends like no sentence, above one that does not look like it, is one. What
 * has headings of its own is left as it is.
 */
function headed(pieces: readonly Piece[]): readonly Piece[] {
  if (pieces.some(({ kind }) => kind === "heading")) return pieces;
  let path: readonly string[] = [];
  return pieces.map((piece, i): Piece => {
    const next = pieces[i + 1];
    if (!heads(piece) || !next || heads(next)) return { ...piece, path };
    path = [piece.text];
    return { ...piece, kind: "heading", path: [] };
  });
}

function heads({ kind, text, links }: Piece): boolean {
  const short = kind === "text" && links.length === 0 && text.length <= 80 && !text.includes("\n");
  return short && /^[\p{Lu}\p{Nd}]/u.test(text) && !/[.,:;!?…>)"'”]$/.test(text);
}

/** A link to somewhere else. */
export interface Link {
  /** What people read of it; empty where it shows a picture alone. */
  readonly text: string;
  /** As it is written. */
  readonly address: string;
}

/** A piece of a report's text, with all that helps to find references and ratings in it. */
export interface Piece {
  readonly kind: "heading" | "text" | "item" | "row";
  /** Headings above it, outermost first. */
  readonly path: readonly string[];
  /** Its lines, joined by line feeds; white space within a line is folded. Marks of citations are left out. */
  readonly text: string;
  readonly links: readonly Link[];
  /** Of a heading: 1 to 6, where it is marked as one. */
  readonly level?: number;
  /** The number of an item in an ordered list. */
  readonly number?: number;
  /** Ids by which links within the report reach it. */
  readonly ids: readonly string[];
  /** References that it names: `¹`, `[1]`, `[^1]`. */
  readonly cited: readonly number[];
  /** Of a row: its cells, and which table it is in. */
  readonly cells?: readonly string[];
  readonly table?: number;
  /** Of a row: it names the columns. */
  readonly head?: boolean;
}

/** A report, read. */
export interface Pieces {
  /** As the document's head says it. */
  readonly title?: string;
  /** Where it is published, as its head says it. */
  readonly url?: string;
  /** `key: value` of its front matter. */
  readonly front: ReadonlyMap<string, string>;
  readonly pieces: readonly Piece[];
  /** Addresses that Markdown defines by number, `[1]: https://…`, with their titles. */
  readonly defined: ReadonlyMap<number, Link>;
  /** There was more than is read. */
  readonly cut: boolean;
}

/** More pieces than any report has. */
const mostPieces = 50_000;

const inline = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark q s samp small span strike " +
    "strong sub sup time tt u var wbr"
  ).split(" "),
);

/** What holds no words of the report. */
const skipped = new Set("nav footer form button select textarea pre head".split(" "));
const lists = new Set(["ol", "ul"]);

/** Reads a tree into pieces; the head's own words are read apart from it. */
function gather(root: ParentNode): { pieces: Piece[]; full: boolean } {
  const gatherer = new Gatherer();
  walk(root, {
    enter: (element) => gatherer.enter(element),
    text: (data) => gatherer.buffer.write(data),
    leave: (element) => gatherer.leave(element),
  });
  gatherer.flush();
  return { pieces: gatherer.pieces.slice(0, mostPieces), full: gatherer.pieces.length > mostPieces };
}

class Gatherer {
  readonly pieces: Piece[] = [];
  readonly buffer = new Buffer();
  private readonly path: { level: number; text: string }[] = [];
  private above: readonly string[] = [];
  /** The next number of each list that is open; none for lists without numbers. */
  private readonly numbers: (number | undefined)[] = [];
  /** The number of each open item, until it was said. */
  private readonly items: { number?: number }[] = [];
  private heading = 0;
  private tables = 0;
  private table = 0;
  private cells: string[] | undefined;
  private headed = true;

  enter(element: Element): boolean {
    const { name } = element;
    if (skipped.has(name) || this.pieces.length > mostPieces) return false;
    if (name === "br") this.buffer.line();
    else if (name === "img") this.buffer.picture(this.cells ? (element.attribs.alt ?? "") : "");
    else if (inline.has(name)) this.buffer.open(element);
    else this.enterBlock(element);
    return true;
  }

  private enterBlock(element: Element): void {
    if (this.cells) this.buffer.line();
    else this.enterFlow(element);
  }

  private enterFlow(element: Element): void {
    const { name } = element;
    if (this.items.length > 0 && !opens(name)) this.buffer.line();
    else this.flush();
    this.buffer.reach(element);
    if (lists.has(name)) this.numbers.push(name === "ol" ? startOf(element) : undefined);
    if (name === "li") this.items.push(this.numbered(element));
    if (name === "table") this.table = ++this.tables;
    if (name === "tr") {
      this.cells = [];
      this.headed = true;
    }
    this.heading = levelOf(name) || this.heading;
  }

  private numbered(element: Element): { number?: number } {
    const next = this.numbers.at(-1);
    if (next === undefined) return {};
    const own = /^\d{1,6}$/.test(element.attribs.value ?? "") ? Number(element.attribs.value) : next;
    this.numbers[this.numbers.length - 1] = own + 1;
    return { number: own };
  }

  leave(element: Element): void {
    const { name } = element;
    if (name === "br") return;
    if (inline.has(name)) this.buffer.close(element);
    else if (this.cells) this.leaveInRow(name);
    else this.leaveBlock(name);
  }

  private leaveInRow(name: string): void {
    if (name === "td" || name === "th") {
      this.cells?.push(this.buffer.cell());
      if (name === "td") this.headed = false;
    } else if (name === "tr") this.closeRow();
    else this.buffer.line();
  }

  private leaveBlock(name: string): void {
    if (this.items.length > 0 && !opens(name)) this.buffer.line();
    else this.flush();
    if (lists.has(name)) this.numbers.pop();
    if (name === "li") this.items.pop();
    if (levelOf(name) > 0) this.heading = 0;
  }

  private closeRow(): void {
    const cells = this.cells ?? [];
    this.cells = undefined;
    const { links, ids, cited } = this.buffer.take();
    if (!cells.some((cell) => cell !== "")) return;
    const text = cells.join(" | ").replace(/\n/g, " ");
    const head = this.headed && cells.length > 1;
    this.pieces.push({ kind: "row", path: this.above, text, links, ids, cited, cells, table: this.table, head });
  }

  flush(): void {
    const { text, links, ids, cited } = this.buffer.take();
    const rest = { links, ids, cited };
    if (text === "" && links.length === 0) this.buffer.keep(ids);
    else if (this.heading > 0 && text.length <= 250) this.addHeading(text.replace(/\n/g, " "), rest);
    else this.addText(text, rest);
  }

  private addText(text: string, rest: Pick<Piece, "links" | "ids" | "cited">): void {
    const item = this.items.at(-1);
    const number = item?.number;
    if (item) item.number = undefined;
    const kind = item ? "item" : "text";
    this.pieces.push({ kind, path: this.above, text, ...rest, ...(number !== undefined && { number }) });
  }

  private addHeading(text: string, rest: Pick<Piece, "links" | "ids" | "cited">): void {
    while ((this.path.at(-1)?.level ?? 0) >= this.heading) this.path.pop();
    this.above = this.path.map((one) => one.text);
    this.pieces.push({ kind: "heading", path: this.above, text, level: this.heading, ...rest });
    this.path.push({ level: this.heading, text });
    this.above = this.path.map((one) => one.text);
  }
}

/** Whether this ends the paragraph of an item, rather than begin another line of it. */
function opens(name: string): boolean {
  return lists.has(name) || name === "li" || name === "table" || name === "tr" || levelOf(name) > 0;
}

function levelOf(name: string): number {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
}

function startOf(element: Element): number {
  return /^\d{1,6}$/.test(element.attribs.start ?? "") ? Number(element.attribs.start) : 1;
}

/** Characters of one piece; the rest of a longer one is left out. */
const bufferLongest = 20_000;
const longestLabel = 300;
const mostLinks = 2_000;

/** Back from a footnote to where it was named: `↩`. */
const backwards = /^(?:[\s^]|\u21a9|\u2191|\u2934|\ufe0e|\ufe0f)+$/u;

/** What was read of the piece at hand: text as people see it, links, and marks of citations set apart. */
class Buffer {
  private text = "";
  /** Where the cell at hand begins. */
  private start = 0;
  private links: Link[] = [];
  private ids: string[] = [];
  private cited = new Set<number>();
  private readonly opened: { element: Element; at: number }[] = [];

  write(data: string): void {
    if (this.text.length < bufferLongest) this.text += data.replace(/\s+/g, " ");
  }

  line(): void {
    if (this.text.length < bufferLongest) this.text += "\n";
  }

  /** A mark in a table is often a picture. */
  picture(alt: string): void {
    if (alt) this.write(` ${alt} `);
  }

  reach(element: Element): void {
    const id = element.attribs.id ?? (element.name === "a" ? element.attribs.name : undefined);
    if (id && this.ids.length < 20) this.ids.push(id.slice(0, 100));
  }

  open(element: Element): void {
    this.reach(element);
    if (element.name === "a" || element.name === "sup") this.opened.push({ element, at: this.text.length });
  }

  close(element: Element): void {
    if (this.opened.at(-1)?.element !== element) return;
    const at = this.opened.pop()?.at ?? 0;
    const label = fold(this.text.slice(at, at + longestLabel));
    if (element.name === "sup") this.raised(label, at);
    else if (element.attribs.href) this.linked(element.attribs.href.trim(), label, at);
  }

  /** Raised numbers name references, unless they begin the text, where they are its own, or follow a digit: 10². */
  private raised(label: string, at: number): void {
    const numbers = numbersOf(label);
    const before = this.text.slice(Math.max(0, at - 1), at);
    if (numbers.length === 0 || /\d/.test(before)) return;
    const rest = this.text.slice(0, at);
    if (rest.slice(this.start).trim() === "" && numbers.length === 1) this.text = `${rest}[${numbers[0]}] `;
    else this.cite(numbers, at);
  }

  private linked(address: string, label: string, at: number): void {
    const numbers = numbersOf(label);
    const inside = address.startsWith("#");
    if (inside && backwards.test(label)) this.text = this.text.slice(0, at);
    else if (numbers.length > 0 && this.text.slice(this.start, at).trim() !== "") this.cite(numbers, at);
    if (!inside && this.links.length < mostLinks) {
      this.links.push({ text: numbers.length > 0 ? "" : label, address: address.slice(0, 4_000) });
    }
  }

  private cite(numbers: readonly number[], at: number): void {
    for (const number of numbers) this.cited.add(number);
    this.text = this.text.slice(0, at);
  }

  /** The text of a cell that ends here. */
  cell(): string {
    const text = linesOf(this.text.slice(this.start));
    this.start = this.text.length;
    return text;
  }

  /** Ids of an empty element belong to what follows it. */
  keep(ids: readonly string[]): void {
    this.ids = [...ids];
  }

  take(): Pick<Piece, "text" | "links" | "ids" | "cited"> {
    const taken = { text: linesOf(this.text), links: this.links, ids: this.ids, cited: [...this.cited] };
    this.text = "";
    this.start = 0;
    this.links = [];
    this.ids = [];
    this.cited = new Set();
    this.opened.length = 0;
    return taken;
  }
}

/** `1`, `[1]`, `[1, 2]`, `1–3`: the numbers of a mark; none where it is anything else. */
function numbersOf(mark: string): number[] {
  const inner = mark.replace(/^[[(]?\^?|[\])]$/g, "");
  if (inner.length > 40 || !/^\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*$/.test(inner)) return [];
  const found = inner.split(/\s*[,;]\s*/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/\s*[–-]\s*/).map(Number);
    return to >= from && to - from < 50 ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : [from, to];
  });
  return found.filter((number) => number > 0);
}

function linesOf(text: string): string {
  return text
    .split("\n")
    .map(fold)
    .filter((line) => line !== "")
    .join("\n");
}

function fold(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

const parser = new MarkdownIt({ html: true, maxNesting: 24, breaks: true }).disable("code");

/**
 * Markdown as HTML: ends of lines stay, because text that was extracted from a page has its tables in lines.
 * Spec: https://github.github.com/gfm/; footnotes: https://docs.github.com/get-started/writing-on-github
 */
function htmlOfMarkdown(markdown: string): { html: string; defined: Map<number, Link> } {
  const env: Env = {};
  const html = parser.render(footnotes(markdown), env);
  const defined = new Map<number, Link>();
  for (const [label, { href, title }] of Object.entries(env.references ?? {})) {
    if (/^\d{1,4}$/.test(label) && Number(label) > 0) defined.set(Number(label), { address: href, text: title ?? "" });
  }
  return { html, defined };
}

const definition = /^ {0,3}\[\^([^\]\s]{1,60})\]:[ \t]*/gm;
const mark = /\[\^([^\]\s]{1,60})\]/g;

/** Footnotes, by their numbers: those they have, else as GitHub counts them, in the order of their first mention. */
function footnotes(markdown: string): string {
  const defined = new Set([...markdown.matchAll(definition)].map(([, label = ""]) => label));
  if (defined.size === 0) return markdown;
  const mentioned = new Set([...markdown.matchAll(mark)].map(([, label = ""]) => label));
  const order = [...mentioned].filter((label) => defined.has(label));
  const ownNumbers = order.every((label) => /^[1-9]\d{0,3}$/.test(label));
  const numbers = new Map(order.map((label, i) => [label, ownNumbers ? label : String(i + 1)]));
  return markdown
    .replace(definition, (_, label: string) => `\n\n&#91;${numbers.get(label)}&#93; `)
    .replace(mark, (whole, label: string) => (numbers.has(label) ? `<sup>${numbers.get(label)}</sup>` : whole));
}
