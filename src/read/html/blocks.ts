import type { Element, ParentNode } from "domhandler";
import { nextElementSibling } from "domutils";
import { isContentsTitle } from "../../language/boilerplate.ts";
import type { Block, BlockKind } from "../../model/reading.ts";
import type { Size } from "../shared/size.ts";
import { inline, isStruckOut, tellsWhether } from "./inline.ts";
import { raised } from "./raised.ts";
import { ownText } from "./survey.ts";
import { drawnAs, walk } from "./tree.ts";

const kinds: Readonly<Record<string, BlockKind>> = {
  li: "item",
  option: "item",
  dt: "term",
  dd: "term",
  pre: "code",
  blockquote: "quote",
};

/**
 * Turns the content below `root` into blocks. `omit`: elements that are not content. `layout`: tables that are not
 * data.
 */
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

/** How characters beside them are read aloud: nobody who quotes those quotes it. */
const reading = new Set(["rt", "rp", "rtc"]);

/** Characters of a heading, at most, whatever the markup says. */
const longestHeading = 250;

/** Characters of a bold line, at most: a longer one is an emphasised sentence. */
const longestBoldLine = 80;
/** The level of bold lines, below every heading. */
const boldLevel = 7;

interface Table {
  header?: string;
  rows: number;
}

/** Of entries within each other, so many are over what is in the innermost. */
const mostEntries = 3;

interface Entry {
  name?: string | undefined;
  /** Its name is over its own texts, too. */
  readonly isOver: boolean;
}

class Writer {
  readonly blocks: Block[] = [];
  private readonly layout: ReadonlySet<Element>;
  private buffer = "";
  private readonly kind: BlockKind[] = [];
  private readonly path: { level: number; text: string }[] = [];
  private headings: readonly string[] = [];
  /** Where the next text is: its headings, and the entries around it. */
  private texts: readonly string[] = [];
  /** The entries that are open, outermost first, by their first text, those of a description by their term. */
  private readonly entries: Entry[] = [];
  /** Of them, those that began before the last heading, which is over what is in them. */
  private headedAt = 0;
  /** Of the descriptions that are open, outermost first, the last term. */
  private readonly terms: (string | undefined)[] = [];
  /** Number of blocks when that began. */
  private termAt = 0;
  private heading = 0;
  private bold = 0;
  /** Whether all text being read is bold; undefined if there is none. */
  private isBold: boolean | undefined;
  /** The last bold line: the text after it is below it. */
  private boldLine: string | undefined;
  private readonly tables: (Table | undefined)[] = [];
  private cells: string[] | undefined;
  /** The meaning of the current cell's icons, as far as their names tell. */
  private icon: string | undefined;
  private headed = false;
  private breaks = 0;
  private readonly size: Size;
  /** The number of blocks when a menu was left out: a heading that came last then was the menu's. */
  private menuAt = -1;
  /** The element that holds the last heading. */
  private headingIn: ParentNode | null = null;

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
      this.text(raised(ownText(element, 20).trim()));
      return false;
    }
    if (inline.has(name)) return !isStruckOut(element);
    if (name === "table") this.tables.push(this.layout.has(element) ? undefined : { rows: 0 });
    if (this.cells) {
      this.buffer += " ";
      return true;
    }
    this.flush();
    const kind = kinds[name];
    if (kind) this.kind.push(kind);
    this.open(element);
    if (name === "tr" && this.tables.at(-1)) this.openRow();
    const level = levelOf(element);
    if (level > 0) {
      this.heading = level;
      this.headingIn = element.parent;
    }
    return true;
  }

  /** Behind a whole word, or a unit that is none of length, a raised number is that of a note: `16 GB¹`, and not `5 mm²`. */
  private isNoteOfWord(text: string): boolean {
    const [word = ""] = /[\p{L}/]{0,12}$/u.exec(this.buffer.slice(-12)) ?? [];
    return noteNumber.test(text) && (word.length > 3 || (word.length > 1 && /\p{Lu}/u.test(word)));
  }

  /** A part that is not content was left out here; a heading of its own goes with it. */
  omitted(element: Element): void {
    if (isFixedBox(element) && (this.cells || this.kind.at(-1) === "item")) {
      this.text(element.attribs.checked === undefined ? "[ ] " : "[x] ");
    }
    if (!lists.has(element.name)) return;
    this.flush();
    this.menuAt = this.blocks.length;
    if (this.headingIn === element.parent && nextElementSibling(element) === null) this.dropHeadingOfMenu(0);
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

  leave(element: Element): void {
    const name = element.name;
    if ((name === "b" || name === "strong") && this.bold > 0) this.bold--;
    if (inline.has(name)) return;
    if (name === "table") this.tables.pop();
    if (this.cells) this.leaveInRow(element);
    else this.leaveBlock(element);
  }

  private leaveBlock(element: Element): void {
    this.flush();
    if (kinds[element.name]) this.kind.pop();
    this.close(element);
    if (levelOf(element) > 0) this.heading = 0;
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
    this.add({ path: this.texts, kind: "row", text, ...(table?.header && { header: table.header }) });
    if (table && table.rows++ === 0 && this.headed && cells.length > 1) table.header = text;
  }

  private lineBreak(): boolean {
    if (++this.breaks > 1 && !this.cells) this.flush();
    else this.buffer += " ";
    return false;
  }

  /** A mark in a table is often a picture, and in a list one that says whether an entry is so; others are not text. */
  private image({ attribs: { alt, title } }: Element): boolean {
    if (alt && (this.cells || (this.kind.at(-1) === "item" && tellsWhether(alt) && !bullet.test(alt))))
      this.buffer += ` ${alt} `;
    else if (this.cells) this.icon ??= titleMark(title);
    return false;
  }

  /**
   * An icon in a table that is drawn by its class says what it means to those who do not see it, or who point at it, or by
   * its name.
   */
  private labelled({ attribs, children }: Element): void {
    if (children.length > 0) return;
    const { "aria-label": label, class: classes, title } = attribs;
    if (label) this.buffer += ` ${label} `;
    else this.icon ??= titleMark(title) ?? (classes && iconMark(classes));
  }

  /** A cross before an entry of a list, drawn by its class: it is not so. A tick may as well be any entry's bullet. */
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

  /** A bold line above a text heads it, until the next one; on its own it is no heading. */
  private addText(text: string, isBold: boolean): void {
    const kind = this.kind.at(-1) ?? "paragraph";
    const isLine = isBold && kind === "paragraph" && text.length <= longestBoldLine && !/[.!?]$/.test(text);
    if (isLine) this.endBoldPart();
    else this.beginBoldPart();
    this.add({ path: this.texts, kind, text });
    this.name(kind, text);
    this.boldLine = isLine ? text.replace(/(?<!\s)\s*:$/, "") : undefined;
  }

  /** Begins an entry, or what names one. */
  private open({ name }: Element): void {
    if (name === "dl") this.terms.push(undefined);
    if (name === "dt") this.termAt = this.blocks.length;
    if (name !== "li" && name !== "dd") return;
    this.entries.push(name === "dd" ? { name: this.terms.at(-1), isOver: true } : { isOver: false });
    this.place();
  }

  private close({ name }: Element): void {
    if (name === "dl") this.terms.pop();
    if (name === "dt" && this.terms.length > 0) this.terms[this.terms.length - 1] = this.nameSince(this.termAt);
    if (name !== "li" && name !== "dd") return;
    this.entries.pop();
    this.headedAt = Math.min(this.headedAt, this.entries.length);
    this.place();
  }

  /** Entries within an entry are under its first text, where that is no sentence. */
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
    this.place();
  }

  private place(): void {
    const last = this.entries.length - 1;
    const open = this.entries.slice(Math.max(this.headedAt, last - mostEntries));
    const names = open
      .filter((entry) => entry.isOver || entry !== this.entries[last])
      .flatMap(({ name }) => name ?? []);
    this.texts = names.length > 0 ? [...this.headings, ...names] : this.headings;
  }

  private addHeading(text: string): void {
    if (text === "") return;
    this.boldLine = undefined;
    this.dropHeadingOfMenu(this.heading);
    while ((this.path.at(-1)?.level ?? 0) >= this.heading) this.path.pop();
    this.add({ path: this.path.map((above) => above.text), kind: "heading", text });
    this.path.push({ level: this.heading, text });
    this.headedAt = this.entries.length;
    this.head();
  }

  /** Drops a heading that has nothing below it but a menu that was left out. */
  private dropHeadingOfMenu(next: number): void {
    const last = this.blocks.at(-1);
    const level = this.path.at(-1)?.level ?? 0;
    if (this.menuAt !== this.blocks.length || last?.kind !== "heading" || level < Math.max(2, next)) return;
    this.blocks.pop();
    this.path.pop();
    this.head();
  }

  private add(block: Block): void {
    this.blocks.push(this.size.of(block));
  }
}

/** Beginnings of icons' names: `fa-check`, `icon-yes`, `bi-x-lg`. */
const iconFonts = new Set(
  (
    "fa fas far fal fab icon icons ico glyphicon bi mdi ti ri bx bxs la las ph uil feather lucide " +
    "octicon codicon dashicons anticon heroicon i svg"
  ).split(" "),
);
/** Words that name an icon alone. */
const iconWords = new Set("check checkmark tick cross xmark yes no supported unsupported included excluded".split(" "));
const yesNames = new Set("check checked checkmark tick ok yes true supported available included".split(" "));
const noNames = new Set("times cross xmark x close remove no ban false unsupported unavailable excluded".split(" "));

/** The mark that an icon's name stands for; undefined if it names neither, or both. */
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

/** Names of crosses that are neither a button nor the sign of a site. */
const crosses = /\b(?:times|xmark|cross|ban)\b/i;
/** How a picture is called that may as well be any entry's bullet. */
const bullet = /^(?:check|tick|true)/i;

/** The words of a title in place of a mark. One with figures is of a day, or of something that was counted there. */
function titleMark(title: string | undefined): string | undefined {
  return title && title.length <= longestBoldLine && !/\d/.test(title) ? title : undefined;
}

/** Behind a figure it is its power, or the number of a note: no digit of it. */
const raisedFigure = /^\s*[-−+]?\d/;

const noteNumber = /^\s*\d{1,2}\s*$/;

const lists = new Set(["nav", "ul", "ol", "div", "section"]);

/** Whether a box cannot be ticked, and so shows a state. */
function isFixedBox({ name, attribs }: Element): boolean {
  return name === "input" && attribs.type === "checkbox" && attribs.disabled !== undefined;
}

/** Levels given by `role` may be any number. Deeper ones count as 6, as no page has a seventh level of its own. */
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

/**
 * An entry's text as the name of what is within it, neither with a box, which is ticked one day, nor with a colon;
 * undefined for a sentence.
 */
function nameOfEntry(text: string): string | undefined {
  if (text.length > longestBoldLine || /[.!?]$/.test(text)) return undefined;
  return text.replace(/^\[[ x]\] /, "").replace(/(?<!\s)\s*:$/, "");
}

/** White space folded, characters that cannot be seen taken out. */
export function foldSpace(text: string): string {
  // Most texts are printable ASCII, with nothing to fold.
  const trimmed = text.trim();
  if (!/[^!-~ ]| {2}/.test(trimmed)) return trimmed;
  return trimmed
    .replace(/(?!\s)[\p{Cc}\p{Cf}]/gu, "")
    .replace(/\s+/g, " ")
    .trim();
}
