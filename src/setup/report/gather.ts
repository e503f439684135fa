import type { Element, ParentNode } from "domhandler";
import { walk } from "../../read/html/tree.ts";
import { Buffer } from "./buffer.ts";
import type { Piece } from "./piece.ts";

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
export function gather(root: ParentNode): { pieces: Piece[]; full: boolean } {
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
