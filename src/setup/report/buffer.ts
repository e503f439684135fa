import type { Element } from "domhandler";
import type { Link, Piece } from "./piece.ts";

/** Characters of one piece; the rest of a longer one is left out. */
const longest = 20_000;
const longestLabel = 300;
const mostLinks = 2_000;

/** Back from a footnote to where it was named: `↩`. */
const backwards = /^(?:[\s^]|\u21a9|\u2191|\u2934|\ufe0e|\ufe0f)+$/u;

/** What was read of the piece at hand: text as people see it, links, and marks of citations set apart. */
export class Buffer {
  private text = "";
  /** Where the cell at hand begins. */
  private start = 0;
  private links: Link[] = [];
  private ids: string[] = [];
  private cited = new Set<number>();
  private readonly opened: { element: Element; at: number }[] = [];

  write(data: string): void {
    if (this.text.length < longest) this.text += data.replace(/\s+/g, " ");
  }

  line(): void {
    if (this.text.length < longest) this.text += "\n";
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
