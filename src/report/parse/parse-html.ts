import type { Element, ParentNode } from "domhandler";
import { wordSet } from "../../model/cache.ts";
import { cutLine } from "../../model/markdown.ts";
import { isStruckOut, inline as ofLine } from "../../read/html/inline.ts";
import { walk } from "../../read/html/tree.ts";
import { addressesIn } from "../../read/text/bare-addresses.ts";
import { isReferencesHeading } from "../cite/bibliography.ts";
import { maxColumns, spansOf, tableOf, type WrittenCell } from "../rate/grid.ts";
import { Buffer, levelInName, type PartMarks, type UnresolvedPart } from "./buffer.ts";
import type { ReportPart, ReportTable } from "./report-text.ts";

/** More than in real reports. */
const maxParts = 50_000;
const maxTables = 2_000;

/** Elements that do not end a line. Pictures may be inside a line. */
const inline = new Set([...ofLine, "g-emoji", "img", "ins", "picture", "source"]);

/** Elements whose text does not belong to the report. */
const skipped = wordSet("nav footer form button select textarea pre head");
const lists = new Set(["ol", "ul"]);

export interface ParsedHtml {
  readonly parts: readonly ReportPart[];
  readonly tables: readonly ReportTable[];
  readonly full: boolean;
}

/** Parses an HTML tree into parts and tables. The `head` is skipped; `report-text.ts` reads it. */
export function parseHtml(root: ParentNode): ParsedHtml {
  const gatherer = new HtmlParser();
  walk(root, {
    enter: (element) => gatherer.enter(element),
    text: (data) => gatherer.buffer.write(data),
    leave: (element) => gatherer.leave(element),
  });
  gatherer.flush();
  const { tables } = gatherer;
  const parts = resolveEntries(gatherer.parts);
  return {
    parts: parts.slice(0, maxParts),
    tables: tables.flatMap((one) => one ?? []),
    full: gatherer.isCut || parts.length > maxParts,
  };
}

/** Typical ids of entries in a list of references. */
const entryId = /^(?:ref|cite|citeref|bib|bibitem|fn|note|source)(?:[-_:.]|(?=[A-Z0-9]))/i;

/**
 * Resolves citations such as `(Reel 2020)` that link to an entry of the list of references, if the entry has exactly
 * one address.
 */
function resolveEntries(parts: readonly UnresolvedPart[]): ReportPart[] {
  const entryIds = new Set(parts.flatMap(({ marks }) => marks.flatMap(({ entry }) => entry ?? [])));
  const entries = new Map<string, string>();
  for (const { ids, text, links, path, kind } of entryIds.size > 0 ? parts : []) {
    const isListed = kind !== "heading" && isReferencesHeading(path.at(-1) ?? "");
    const [address, ...more] = new Set([...links.map((link) => link.address), ...addressesIn(text)]);
    for (const id of ids) {
      const isEntry = entryIds.has(id) && !entries.has(id) && (isListed || entryId.test(id));
      if (isEntry && address !== undefined && more.length === 0) entries.set(id, address);
    }
  }
  return parts.map((part) => ({
    ...part,
    marks: part.marks.flatMap(({ entry, ...mark }) => {
      const address = entry === undefined ? mark.address : entries.get(entry);
      return entry === undefined ? mark : address === undefined ? [] : { ...mark, address };
    }),
  }));
}

class HtmlParser {
  readonly parts: UnresolvedPart[] = [];
  buffer = new Buffer();
  readonly tables: (ReportTable | undefined)[] = [];
  private readonly path: { level: number; text: string }[] = [];
  private above: readonly string[] = [];
  /** The next number of each open list; undefined for unordered lists. */
  private readonly numbers: (number | undefined)[] = [];
  /** The open list items; the number is removed once it is used. */
  private readonly items: { number?: number }[] = [];
  private heading = 0;
  /** The rows of each open table. Tables inside a cell are not among them. */
  private readonly open: WrittenCell[][][] = [];
  /** The caption of the open table: the last of the headings above it. */
  private caption: readonly string[] = [];
  private cells: WrittenCell[] | undefined;
  /** How many tables are open inside the current cell. They are read as text. */
  private nestedTables = 0;
  private inHead = false;
  /** Part of the first cell of the row is struck out. */
  private isWithdrawn = false;
  /** A table has too many columns. */
  isCut = false;

  enter(element: Element): boolean {
    const { name } = element;
    if (skipped.has(name) || this.parts.length > maxParts) return false;
    // Only in tables: elsewhere a link that is struck out still leads to a source.
    if (this.cells && isStruckOut(element)) {
      this.isWithdrawn ||= this.cells.length === 0;
      return false;
    }
    if (name === "br") this.buffer.line();
    else if (name === "img") this.buffer.picture(element, this.cells !== undefined);
    else if (inline.has(name)) this.buffer.open(element);
    else this.enterBlock(element);
    return true;
  }

  private enterBlock(element: Element): void {
    if (this.cells) {
      if (element.name === "table") this.nestedTables++;
      this.buffer.line();
    } else this.enterFlow(element);
  }

  private enterFlow(element: Element): void {
    const { name } = element;
    if (this.items.length > 0 && !endsParagraph(name)) this.buffer.line();
    else this.flush();
    this.buffer.addId(element);
    if (lists.has(name)) this.numbers.push(name === "ol" ? startOf(element) : undefined);
    if (name === "li") this.items.push(this.itemNumber(element));
    if (name === "table") this.open.push([]);
    if (name === "thead") this.inHead = true;
    if (name === "tr") this.cells = [];
    this.heading = levelOf(name) || this.heading;
  }

  private itemNumber(element: Element): { number?: number } {
    const next = this.numbers.at(-1);
    if (next === undefined) return {};
    const own = /^\d{1,6}$/.test(element.attribs.value ?? "") ? Number(element.attribs.value) : next;
    this.numbers[this.numbers.length - 1] = own + 1;
    return { number: own };
  }

  leave(element: Element): void {
    const { name } = element;
    if (name === "br") return;
    if (inline.has(name)) this.buffer.close(element, this.cells !== undefined);
    else if (this.cells) this.leaveInRow(element);
    else this.leaveBlock(name);
  }

  private leaveInRow(element: Element): void {
    const { name } = element;
    if (this.nestedTables > 0) {
      if (name === "table") this.nestedTables--;
      this.buffer.line();
    } else if (name === "td" || name === "th") {
      const { class: classes = "" } = element.attribs;
      const head = this.inHead || name === "th";
      const cell = this.buffer.cell();
      const text = cell.text || (element.children.length === 0 ? (levelInName(classes) ?? "") : "");
      this.cells?.push({ ...cell, text, head, ...spansOf(element.attribs) });
    } else if (name === "tr") this.closeRow();
    else this.buffer.line();
  }

  private leaveBlock(name: string): void {
    if (this.items.length > 0 && !endsParagraph(name)) this.buffer.line();
    else this.flush();
    if (name === "caption") this.caption = this.parts.slice(-1).map(({ text }) => cutLine(text, 120));
    if (lists.has(name)) this.numbers.pop();
    if (name === "li") this.items.pop();
    if (name === "thead") this.inHead = false;
    if (name === "table") this.closeTable();
    if (levelOf(name) > 0) this.heading = 0;
  }

  private closeTable(): void {
    const rows = this.open.pop() ?? [];
    this.isCut ||= rows.some((row) => row.length > maxColumns);
    const path = [...this.above, ...this.caption];
    if (this.tables.length < maxTables) this.tables.push(tableOf(this.tables.length, path, rows));
    this.caption = [];
    this.inHead = false;
  }

  private closeRow(): void {
    const cells = this.cells ?? [];
    this.cells = undefined;
    const { text: _, ...rest } = this.buffer.part();
    this.buffer = new Buffer();
    if (cells.length === 0) return;
    // A thing whose name is struck out is no longer rated.
    if (!this.isWithdrawn || cells[0]?.text !== "") this.open.at(-1)?.push(cells);
    this.isWithdrawn = false;
    if (rest.links.length === 0 && cells.every(({ text }) => text === "")) return;
    const text = cells.map((cell) => cell.text.replace(/\n/g, " ")).join(" | ");
    this.parts.push({ kind: "row", path: this.above, text, ...rest, cells, table: this.tables.length });
  }

  flush(): void {
    const link = this.buffer.linkAround();
    const { text, ...rest } = this.buffer.part();
    const isEmpty = text === "" && rest.links.length === 0;
    this.buffer = new Buffer(isEmpty ? rest.ids : [], link);
    if (isEmpty) return;
    if (this.heading > 0 && text.length <= 250) this.addHeading(text.replace(/\n/g, " "), rest);
    else this.addText(text, rest);
  }

  private addText(text: string, rest: PartMarks): void {
    const item = this.items.at(-1);
    const number = item?.number;
    if (item) item.number = undefined;
    const listed = item ? { kind: "item" as const, depth: this.items.length } : { kind: "text" as const };
    this.parts.push({ ...listed, path: this.above, text, ...rest, ...(number !== undefined && { number }) });
  }

  private addHeading(text: string, rest: PartMarks): void {
    while ((this.path.at(-1)?.level ?? 0) >= this.heading) this.path.pop();
    this.above = this.path.map((one) => one.text);
    this.parts.push({ kind: "heading", path: this.above, text, level: this.heading, ...rest });
    this.path.push({ level: this.heading, text });
    this.above = this.path.map((one) => one.text);
  }
}

/** Whether an element ends the paragraph of a list item. Others only start a new line in it. */
function endsParagraph(name: string): boolean {
  return lists.has(name) || name === "li" || name === "table" || name === "tr" || levelOf(name) > 0;
}

function levelOf(name: string): number {
  return /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
}

function startOf(element: Element): number {
  return /^\d{1,6}$/.test(element.attribs.start ?? "") ? Number(element.attribs.start) : 1;
}
