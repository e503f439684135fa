import type { Element } from "domhandler";
import { decodePart } from "../../read/shared/address.ts";
import { noteReference } from "../../read/shared/body.ts";
import type { WrittenCell } from "../rate/grid.ts";
import { isLevel } from "../rate/levels.ts";
import type { ReportLink, ReportMark, ReportPart } from "./report-text.ts";

/** A mark that may link to an entry of the report's own list, by its id. */
type UnresolvedMark = ReportMark & { readonly entry?: string };
export type UnresolvedPart = Omit<ReportPart, "marks"> & { readonly marks: readonly UnresolvedMark[] };

/** Everything that is marked in the text of a part. */
export type PartMarks = Pick<UnresolvedPart, "links" | "ids" | "cited" | "marks" | "code">;

/** Longer parts are cut. */
const maxPartCharacters = 20_000;
const maxLabelCharacters = 300;
const maxLinks = 5_000;

/** Labels of links back from a footnote, and of a heading's link to itself: `↩`, `¶`, `🔗`. */
const backwards = /^(?:[\s^¶§#]|\u21a9|\u2191|\u2934|\u{1f517}|\ufe0e|\ufe0f)+$/u;

/** Class names of the usual icon fonts. */
const icons: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[-_ ])(?:check|tick|ok|yes)(?:[-_ ]|$)/i, "✓"],
  [/(?:^|[-_ ])(?:times|cross|xmark|close|remove|no)(?:[-_ ]|$)/i, "✗"],
];

/** An element that may end in a later part. `added`: its link is known by a text in an earlier one. */
interface OpenElement {
  readonly element: Element;
  readonly at: number;
  readonly added: boolean;
}

/** Collects the visible text of a part, its links and its citation marks. */
export class Buffer {
  private text = "";
  /** The beginning of the current cell, in `text` and in `links`. */
  private start = 0;
  private firstLink = 0;
  private readonly links: ReportLink[] = [];
  private readonly ids: string[];
  private readonly cited = new Set<number>();
  private readonly marks: UnresolvedMark[] = [];
  private firstMark = 0;
  /** Text of code elements: addresses there are examples. */
  private code = "";
  private codeCharacters = 0;
  /** How many characters of the current cell come from pictures. */
  private pictureCharacters = 0;
  private readonly opened: OpenElement[];
  /** How many links were open at the last picture. */
  private pictured: number;

  /** `ids`: those of an empty element belong to the next part. `around`: a link that began in an earlier part. */
  constructor(ids: readonly string[] = [], around?: OpenElement & { pictured: boolean }) {
    this.ids = [...ids];
    this.opened = around ? [{ ...around, at: 0 }] : [];
    this.pictured = around?.pictured ? 1 : 0;
  }

  /** The innermost link that goes on in the next part. It is also a link of this part if it has text here. */
  linkAround(): (OpenElement & { pictured: boolean }) | undefined {
    const link = this.opened.findLast(({ element }) => element.attribs.href);
    if (!link) return undefined;
    const label = this.labelFrom(link.at);
    const pictured = this.pictured === this.opened.length;
    if (label !== "")
      this.addLink(link.element.attribs.href?.trim() ?? "", { label, at: link.at, inRow: false, pictured });
    return { ...link, added: link.added || label !== "", pictured };
  }

  private labelFrom(at: number): string {
    return fold(this.text.slice(at, at + maxLabelCharacters));
  }

  write(data: string): void {
    if (this.text.length < maxPartCharacters) this.text += data.replace(/\s+/g, " ");
  }

  line(): void {
    if (this.text.length < maxPartCharacters) this.text += "\n";
  }

  /** In a table, a picture is often a rating: use its alternative text, or else its file name if that is a level. */
  picture({ attribs: { alt = "", src = "" } }: Element, inRow: boolean): void {
    this.pictured = this.opened.length;
    if (!inRow) return;
    const file = /([^/?#]{1,60})(?:[?#]|$)/.exec(src.slice(-300))?.[1] ?? "";
    const shown = alt.trim() || (levelInName(file.replace(/\.\w{2,4}$/, "")) ?? "");
    if (shown) this.write(` ${shown} `);
    this.pictureCharacters += shown.length;
  }

  addId(element: Element): void {
    const id = element.attribs.id ?? (element.name === "a" ? element.attribs.name : undefined);
    if (id && this.ids.length < 20) this.ids.push(id.slice(0, 100));
  }

  open(element: Element): void {
    this.addId(element);
    if (element.name === "a" || element.name === "sup" || element.name === "code" || isTooltip(element))
      this.opened.push({ element, at: this.text.length, added: false });
    this.pictured = 0;
  }

  close(element: Element, inRow: boolean): void {
    if (inRow && element.children.length === 0 && /^(?:i|span)$/.test(element.name)) this.icon(element);
    if (this.opened.at(-1)?.element !== element) return;
    const pictured = this.pictured === this.opened.length;
    const { at = 0, added = false } = this.opened.pop() ?? {};
    const label = this.labelFrom(at);
    if (element.name === "code") {
      this.code += ` ${label}`;
      this.codeCharacters += label.length;
    }
    if (isTooltip(element)) this.text = this.text.slice(0, at);
    else if (element.name === "sup") this.addSuperscript(label, at, element.attribs.role === noteReference);
    else if (element.attribs.href && !(added && label === ""))
      this.addLink(element.attribs.href.trim(), { label, at, inRow, pictured });
  }

  private icon({ attribs }: Element): void {
    const shown = icons.find(([classes]) => classes.test((attribs.class ?? "").slice(0, 200)))?.[1];
    if (shown) this.write(shown);
  }

  /**
   * Superscript numbers are citations. At the start of a text they are its own number; after a digit they are exponents
   * (10²), unless markup says that they refer to a note.
   */
  private addSuperscript(label: string, at: number, refersToNote: boolean): void {
    const numbers = numbersOf(label);
    const before = this.text.slice(Math.max(0, at - 1), at);
    if (numbers.length === 0 || (!refersToNote && /\d/.test(before))) return;
    const rest = this.text.slice(0, at);
    if (rest.slice(this.start).trim() === "" && numbers.length === 1) this.text = `${rest}[${numbers[0]}] `;
    else this.cite(numbers, at);
  }

  private addLink(
    address: string,
    { label, at, inRow, pictured }: { label: string; at: number; inRow: boolean; pictured: boolean },
  ): void {
    const inside = address.startsWith("#");
    const numbers = numbersOf(label);
    if (inside && backwards.test(label)) this.text = this.text.slice(0, at);
    else if (numbers.length > 0 && this.text.slice(this.start, at).trim() !== "") this.cite(numbers, at);
    const isEntry = inside && numbers.length === 0 && /\p{L}/u.test(label);
    // `[Lee20]` is a citation, and no part of the sentence.
    if (isEntry && /^\[[^\]]+\]$/.test(label)) this.text = this.text.slice(0, at);
    if (isEntry && this.marks.length < maxLinks)
      this.marks.push({ at: this.text.length, entry: decodePart(address.slice(1, 101)) });
    if (inside || this.links.length >= maxLinks) return;
    const text = numbers.length > 0 || (pictured && inRow) ? "" : label;
    const link = {
      text,
      address: address.slice(0, 4_000),
      ...(pictured && (inRow || label === "") && { picture: true }),
    };
    this.links.push(link);
    this.marks.push({ at: this.text.length, address: link.address });
  }

  private cite(numbers: readonly number[], at: number): void {
    this.text = this.text.slice(0, at);
    for (const number of numbers) {
      this.cited.add(number);
      this.marks.push({ at, number });
    }
  }

  /** Ends the current cell and returns it. */
  cell(): Pick<WrittenCell, "text" | "links" | "cited" | "code" | "picture"> {
    const text = linesOf(this.text.slice(this.start));
    const code = text !== "" && this.codeCharacters >= 0.8 * text.length;
    const picture = text !== "" && this.pictureCharacters >= 0.8 * text.length;
    const cited = this.marks.slice(this.firstMark).flatMap(({ number }) => number ?? []);
    const links = this.links.slice(this.firstLink);
    const cell = {
      text,
      links,
      ...(cited.length > 0 && { cited }),
      ...(code && { code }),
      ...(picture && { picture }),
    };
    this.firstMark = this.marks.length;
    this.codeCharacters = 0;
    this.pictureCharacters = 0;
    this.start = this.text.length;
    this.firstLink = this.links.length;
    return cell;
  }

  part(): Pick<ReportPart, "text"> & PartMarks {
    const { text: written, links, ids, cited, code } = this;
    const text = linesOf(written);
    const marks = marksInLines(this.marks, written, text);
    return { text, links, ids, cited: [...cited], marks, ...(code.includes("://") && { code }) };
  }
}

/** The numbers of a citation mark: `1`, `[1]`, `[1, 2]`, `1–3`. Empty for any other text. */
function numbersOf(mark: string): number[] {
  const inner = mark.replace(/^[[(]?\^?|[\])]$/g, "");
  if (inner.length > 40 || !/^\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*$/.test(inner)) return [];
  const found = inner.split(/(?<!\s)\s*[,;]\s*/).flatMap((part) => {
    const [from = 0, to = from] = part.split(/(?<!\s)\s*[–-]\s*/).map(Number);
    return to >= from && to - from < 50 ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : [from, to];
  });
  return found.filter((number) => number > 0);
}

/**
 * Moves marks from their place in the raw text to their place in the folded text, which differs in white space only.
 */
function marksInLines(marks: readonly UnresolvedMark[], written: string, lines: string): UnresolvedMark[] {
  let read = 0;
  let at = 0;
  return marks.map((mark) => {
    for (; read < Math.min(mark.at, written.length); read++) {
      if (/\s/.test(written.charAt(read))) continue;
      while (/\s/.test(lines.charAt(at))) at++;
      at++;
    }
    return { ...mark, at };
  });
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

/** Text that is visible only while the pointer is on a cell. */
function isTooltip({ attribs }: Element): boolean {
  return attribs.role === "tooltip" || /\btooltip-?(?:text|content|inner)\b/i.test(attribs.class?.slice(0, 200) ?? "");
}

/** The first level among the words of a name. Colours count only without another level. */
export function levelInName(name: string): string | undefined {
  const words = decodePart(name.slice(0, 200)).split(/[\s_-]+/);
  const levels = words.filter((word) => word.length > 1 && isLevel(word));
  const others = levels.filter((word) => !/^(?:red|orange|yellow|amber|green)$/i.test(word));
  return (others.length > 0 ? others : levels)[0];
}
