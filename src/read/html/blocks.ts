import type { Element, ParentNode } from "domhandler";
import { isContentsTitle } from "../../language/boilerplate.ts";
import { wordSet } from "../../model/cache.ts";
import type { Block, BlockKind } from "../../model/reading.ts";
import type { Size } from "../shared/size.ts";
import { isInline, isStruckOut, isYesOrNo } from "./inline.ts";
import { isListing } from "./survey.ts";
import { drawnAs, ownText, walk } from "./tree.ts";

const kinds: Readonly<Record<string, BlockKind>> = {
  li: "item",
  option: "item",
  dt: "term",
  dd: "term",
  blockquote: "quote",
};

/** Turns the content below `root` into blocks. `omit`: what is not content. `layout`: tables that are not data. */
export function blocksBelow(
  root: ParentNode,
  omit: (element: Element) => boolean,
  layout: ReadonlySet<Element>,
  size: Size,
): Block[] {
  const writer = new Writer(layout, size);
  walk(root, {
    enter(element) {
      if (omit(element)) {
        writer.omitted(element);
        return false;
      }
      return writer.enter(element);
    },
    text(data) {
      writer.text(data);
    },
    leave(element) {
      writer.leave(element);
    },
  });
  writer.flush();
  return writer.blocks;
}

/** Pronunciations of characters, as in ruby text. A quotation leaves them out. */
const reading = new Set(["rt", "rp", "rtc"]);

const longestHeading = 250;

/** Characters of a bold line, at most: a longer one is an emphasised sentence. */
const longestBoldLine = 80;

/** Elements whose text is code, in a text or a cell. A `pre` outside of tables is a block of its own. */
const codeNames = wordSet("code kbd samp tt pre");
/** Characters of a piece of code that are compared by their signs, at most. */
const longestPiece = 2_000;
/** The level of bold lines, below every heading. */
const boldLevel = 7;

interface Table {
  header?: string;
  rows: number;
}

/** In nested list entries, at most this many outer entries are in the path of a text. */
const mostEntries = 3;

interface Entry {
  name?: string | undefined;
  /** Whether its name is also in the path of its own texts. */
  readonly isOver: boolean;
}

class Writer {
  readonly blocks: Block[] = [];
  private readonly layout: ReadonlySet<Element>;
  private buffer = "";
  private readonly kind: BlockKind[] = [];
  private readonly path: { level: number; text: string }[] = [];
  private headings: readonly string[] = [];
  /** The path of the next text, once a text needs it. */
  private place: readonly string[] | undefined;
  /** Open entries, outermost first, named by their first text, or in a description list by their term. */
  private readonly entries: Entry[] = [];
  /** Entries before this index began before the last heading, which replaces them in the path. */
  private headedAt = 0;
  /** The last term of each open description list, outermost first. */
  private readonly terms: (string | undefined)[] = [];
  /** The number of blocks when the last term began. */
  private termAt = 0;
  private heading = 0;
  private bold = 0;
  /** Whether all text of the current block is bold; undefined if it has none. */
  private isBold: boolean | undefined;
  /** The last bold line: the text after it is below it. */
  private boldLine: string | undefined;
  private readonly tables: (Table | undefined)[] = [];
  private cells: string[] | undefined;
  /** The meaning of the current cell's icons, if their names give one. */
  private icon: string | undefined;
  private headed = false;
  /** The outermost listing of code that is open. */
  private listing: Element | undefined;
  /** The outermost piece of code that is open in a text. */
  private piece: Element | undefined;
  /** The pieces of code in the current text. */
  private code: string[] = [];
  private breaks = 0;
  private readonly size: Size;

  constructor(layout: ReadonlySet<Element>, size: Size) {
    this.layout = layout;
    this.size = size;
  }

  enter(element: Element): boolean {
    const name = element.name;
    if (name === "br") return this.lineBreak();
    if (name === "img") return this.image(element);
    if (reading.has(name)) return false;
    if (name === "b" || name === "strong") this.bold++;
    if (this.cells) this.labelled(element);
    else if (name === "i" || name === "span") this.crossed(element);
    if (name === "sup" && /\d$/.test(this.buffer) && raisedFigure.test(ownText(element, 20))) this.buffer += "^";
    if (name === "sup" && this.isNoteOfWord(ownText(element, 20))) {
      this.text(superscript(ownText(element, 20).trim()));
      return false;
    }
    if (isInline(element)) {
      if (isStruckOut(element)) return false;
      this.beginCode(element);
      return true;
    }
    if (name === "table") this.tables.push(this.layout.has(element) ? undefined : { rows: 0 });
    if (this.cells || this.isLineOfListing(element)) {
      this.buffer += " ";
      this.beginCode(element);
      return true;
    }
    this.flush();
    if (!this.listing && isListing(element)) this.listing = element;
    const kind = this.kindOf(element);
    if (kind) this.kind.push(kind);
    this.open(element);
    if (name === "tr" && this.tables.at(-1)) this.openRow();
    const level = levelOf(element);
    if (level > 0) this.heading = level;
    return true;
  }

  /** After a word, or a unit other than a length, a raised number is a note: `16 GB¹`, but not `5 mm²`. */
  private isNoteOfWord(text: string): boolean {
    const [word = ""] = /[\p{L}/]{0,12}$/u.exec(this.buffer.slice(-12)) ?? [];
    return noteNumber.test(text) && (word.length > 3 || (word.length > 1 && /\p{Lu}/u.test(word)));
  }

  /** Handles a part that was left out: what is before it and after it are two texts. */
  omitted(element: Element): void {
    if (isFixedBox(element) && (this.cells || this.kind.at(-1) === "item")) {
      this.text(element.attribs.checked === undefined ? "[ ] " : "[x] ");
    }
    if (!lists.has(element.name)) return;
    if (this.cells || this.listing) this.buffer += " ";
    else this.flush();
  }

  text(data: string): void {
    this.buffer += data;
    if (/\S/.test(data)) this.inked(data);
  }

  private inked(data: string): void {
    this.breaks = 0;
    if (this.bold > 0) this.isBold ??= true;
    else if (data.trim() !== ":" || this.isBold === undefined) this.isBold = false;
  }

  private beginCode(element: Element): void {
    if (!codeNames.has(element.name) || this.listing || this.piece) return;
    this.piece = element;
    this.code.push(ownText(element, longestPiece));
  }

  leave(element: Element): void {
    const name = element.name;
    if ((name === "b" || name === "strong") && this.bold > 0) this.bold--;
    if (element === this.piece) this.piece = undefined;
    if (isInline(element)) return;
    if (name === "table") this.tables.pop();
    if (this.cells) this.leaveInRow(element);
    else this.leaveBlock(element);
  }

  private leaveBlock(element: Element): void {
    if (this.isLineOfListing(element)) {
      this.buffer += " ";
      return;
    }
    this.flush();
    if (this.kindOf(element)) this.kind.pop();
    if (element === this.listing) this.listing = undefined;
    this.close(element);
    if (levelOf(element) > 0) this.heading = 0;
  }

  private kindOf(element: Element): BlockKind | undefined {
    return element === this.listing ? "code" : kinds[element.name];
  }

  /** Lines of a listing are text, or boxes: a box that moves to another line is not another text. */
  private isLineOfListing(element: Element): boolean {
    return this.listing !== undefined && element !== this.listing && element.name === "div";
  }

  private leaveInRow(element: Element): void {
    if (element.name === "td" || element.name === "th") {
      this.cells?.push(foldSpace(this.buffer) || (this.icon ?? iconMark(element.attribs[drawnAs] ?? "") ?? ""));
      if (element.name === "td") this.headed = false;
      this.buffer = "";
      this.icon = undefined;
    } else if (element.name === "tr") this.closeRow();
    else this.buffer += " ";
  }

  private openRow(): void {
    this.beginBoldPart();
    this.cells = [];
    this.headed = true;
  }

  private closeRow(): void {
    const table = this.tables.at(-1);
    const cells = this.cells ?? [];
    const rest = foldSpace(this.buffer);
    if (rest) cells.push(rest);
    this.buffer = "";
    this.isBold = undefined;
    this.cells = undefined;
    if (!cells.some((cell) => cell !== "")) return;
    const text = cells.join(" | ");
    this.add({ path: this.pathOfText(), kind: "row", text, ...(table?.header && { header: table.header }) });
    if (table && table.rows++ === 0 && this.headed && cells.length > 1) table.header = text;
  }

  private lineBreak(): boolean {
    if (++this.breaks > 1 && !this.cells && !this.listing) this.flush();
    else this.buffer += " ";
    return false;
  }

  /** In tables and lists, pictures may be marks such as ticks. Other pictures are not text. */
  private image({ attribs: { alt, title } }: Element): boolean {
    if (alt && (this.cells || (this.kind.at(-1) === "item" && isYesOrNo(alt) && !bullet.test(alt))))
      this.buffer += ` ${alt} `;
    else if (this.cells) this.icon ??= titleMark(title);
    return false;
  }

  /** An icon drawn by CSS in a table gets its meaning from its label, its title or its class. */
  private labelled({ attribs, children }: Element): void {
    if (children.length > 0) return;
    const { "aria-label": label, class: classes, title } = attribs;
    if (label) this.buffer += ` ${label} `;
    else this.icon ??= titleMark(title) ?? (classes && iconMark(classes));
  }

  /** A cross drawn by CSS before a list entry means "no". A tick may be a plain bullet, so it means nothing. */
  private crossed({ attribs: { class: classes }, children }: Element): void {
    const isFirst = this.kind.at(-1) === "item" && this.buffer.trim() === "";
    if (!isFirst || !classes || children.length > 0 || !crosses.test(classes)) return;
    if (iconMark(classes) === "✗") this.buffer += "✗ ";
  }

  flush(): void {
    const text = foldSpace(this.buffer);
    const isBold = this.isBold === true;
    this.buffer = "";
    this.breaks = 0;
    this.isBold = undefined;
    if (text === "" || (text.length < 40 && this.kind.at(-1) !== "term" && isContentsTitle(text))) return;
    if (this.heading > 0 && text.length <= longestHeading)
      this.addHeading(text.replace(/(?<!\s)\s*(?<![#¶🔗])[#¶🔗]+$/u, ""));
    else this.addText(text, isBold);
  }

  /** A bold line above a text is its heading, until the next bold line. Alone it is not a heading. */
  private addText(text: string, isBold: boolean): void {
    const kind = this.kind.at(-1) ?? "paragraph";
    const isLine = isBold && kind === "paragraph" && text.length <= longestBoldLine && !/[.!?]$/.test(text);
    if (isLine) this.endBoldPart();
    else this.beginBoldPart();
    this.add({ path: this.pathOfText(), kind, text });
    this.name(kind, text);
    this.boldLine = isLine ? text.replace(/(?<!\s)\s*:$/, "") : undefined;
  }

  /** Begins an entry, or a term that names entries. */
  private open({ name }: Element): void {
    if (name === "dl") this.terms.push(undefined);
    if (name === "dt") this.termAt = this.blocks.length;
    if (name !== "li" && name !== "dd") return;
    this.entries.push(name === "dd" ? { name: this.terms.at(-1), isOver: true } : { isOver: false });
    this.place = undefined;
  }

  private close({ name }: Element): void {
    if (name === "dl") this.terms.pop();
    if (name === "dt" && this.terms.length > 0) this.terms[this.terms.length - 1] = this.nameSince(this.termAt);
    if (name !== "li" && name !== "dd") return;
    this.entries.pop();
    this.headedAt = Math.min(this.headedAt, this.entries.length);
    this.place = undefined;
  }

  /** An entry's first text becomes the name of its inner entries, unless it is a sentence. */
  private name(kind: BlockKind, text: string): void {
    const entry = this.entries.at(-1);
    if (kind === "item" && entry && !("name" in entry)) entry.name = nameOfEntry(text);
  }

  private nameSince(at: number): string | undefined {
    const term = this.blocks.length > at ? this.blocks.at(-1) : undefined;
    return term && nameOfEntry(term.text);
  }

  private beginBoldPart(): void {
    if (this.boldLine === undefined) return;
    this.path.push({ level: boldLevel, text: this.boldLine });
    this.head();
    this.boldLine = undefined;
  }

  private endBoldPart(): void {
    if (this.path.at(-1)?.level === boldLevel) this.path.pop();
    this.head();
  }

  private head(): void {
    this.headings = this.path.map(({ text }) => text);
    this.place = undefined;
  }

  /** The path of the next text: its headings, and the entries around it. */
  private pathOfText(): readonly string[] {
    if (this.place) return this.place;
    const last = this.entries.length - 1;
    const open = this.entries.slice(Math.max(this.headedAt, last - mostEntries));
    const names = open
      .filter((entry) => entry.isOver || entry !== this.entries[last])
      .flatMap(({ name }) => name ?? []);
    this.place = names.length > 0 ? [...this.headings, ...names] : this.headings;
    return this.place;
  }

  private addHeading(text: string): void {
    if (text === "") return;
    this.boldLine = undefined;
    while ((this.path.at(-1)?.level ?? 0) >= this.heading) this.path.pop();
    this.add({ path: this.path.map((above) => above.text), kind: "heading", text });
    this.path.push({ level: this.heading, text });
    this.headedAt = this.entries.length;
    this.head();
  }

  private add(block: Block): void {
    const code = this.code.join("\n");
    this.blocks.push(this.size.of(code ? { ...block, code } : block));
    this.code = [];
  }
}

/** Beginnings of icons' names: `fa-check`, `icon-yes`, `bi-x-lg`. */
const iconFonts = wordSet(
  "fa fas far fal fab icon icons ico glyphicon bi mdi ti ri bx bxs la las ph uil feather lucide " +
    "octicon codicon dashicons anticon heroicon i svg",
);
/** Words that name an icon without a prefix. */
const iconWords = wordSet("check checkmark tick cross xmark yes no supported unsupported included excluded");
const yesNames = wordSet("check checked checkmark tick ok yes true supported available included");
const noNames = wordSet("times cross xmark x close remove no ban false unsupported unavailable excluded");

/** The mark for an icon's name; undefined if the name means neither tick nor cross, or both. */
function iconMark(classes: string): string | undefined {
  const names = classes
    .slice(0, 300)
    .toLowerCase()
    .split(/\s+/)
    .filter((name) => iconWords.has(name) || (name.includes("-") && iconFonts.has(name.split("-", 1)[0] ?? "")));
  const words = names.flatMap((name) => name.split(/[-_]+/));
  const [yes, no] = [yesNames, noNames].map((set) => words.some((word) => set.has(word)));
  return yes === no ? undefined : yes ? "✓" : "✗";
}

/** Names of crosses that are not a close button or a logo. */
const crosses = /\b(?:times|xmark|cross|ban)\b/i;
/** Names of pictures that may be plain bullets. */
const bullet = /^(?:check|tick|true)/i;

/** The words of a title that replaces a mark. A title with figures is a date or a count instead. */
function titleMark(title: string | undefined): string | undefined {
  return title && title.length <= longestBoldLine && !/\d/.test(title) ? title : undefined;
}

/** A raised figure after a figure is an exponent or a note, not another digit. */
const raisedFigure = /^\s*[-−+]?\d/;

const noteNumber = /^\s*\d{1,2}\s*$/;

const lists = new Set(["nav", "ul", "ol", "div", "section"]);

/** Whether a checkbox is disabled, and so only shows a state. */
function isFixedBox({ name, attribs }: Element): boolean {
  return name === "input" && attribs.type === "checkbox" && attribs.disabled !== undefined;
}

/** Deeper `aria-level`s count as 6, since HTML has no deeper heading. */
const deepestHeading = 6;

function levelOf(element: Element): number {
  const name = element.name;
  if (name.length === 2 && name.startsWith("h")) {
    const level = name.charCodeAt(1) - 48;
    return level >= 1 && level <= 6 ? level : 0;
  }
  if (element.attribs.role !== "heading") return 0;
  const level = Math.trunc(Number(element.attribs["aria-level"]));
  return level >= 1 ? Math.min(level, deepestHeading) : 2;
}

/** An entry's text as the name of its inner entries, without its checkbox and final colon; undefined for a sentence. */
function nameOfEntry(text: string): string | undefined {
  if (text.length > longestBoldLine || /[.!?]$/.test(text)) return undefined;
  return text.replace(/^\[[ x]\] /, "").replace(/(?<!\s)\s*:$/, "");
}

/** Folds white space and removes invisible characters. */
export function foldSpace(text: string): string {
  // Most texts are printable ASCII, with nothing to fold.
  const trimmed = text.trim();
  if (!/[^!-~ ]| {2}/.test(trimmed)) return trimmed;
  return trimmed
    .replace(/(?!\s)[\p{Cc}\p{Cf}]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Figures in superscript, so that they are not digits of the text before them. */
export function superscript(digits: string): string {
  return digits.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(digit)));
}
