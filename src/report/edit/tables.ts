import type { CheerioAPI } from "cheerio/slim";
import type { Element } from "domhandler";
import { Parser, parseDocument } from "htmlparser2";
import { plainWords } from "../../language/fold.ts";
import type { Config } from "../../model/config.ts";
import { documentOver } from "../../read/html/document.ts";
import { Fences } from "../../read/text/fences.ts";
import { spansOf, spread } from "../rate/grid.ts";

/** A table with more rows has no ratings. */
const maxRows = 2_000;
/** A longer cell is neither a label nor a level. */
const maxCellCharacters = 2_000;

/** Deeper than in real pages. The parser's time grows with the square of the depth. */
const maxDepth = 500;

/** The tables of an HTML text with the offsets of their cells. Nested tables are separate. */
export function htmlTables(text: string): Table[] {
  if (isTooDeep(text)) return [];
  const $ = documentOver(parseDocument(text, { withStartIndices: true, withEndIndices: true }));
  const lines = Map.groupBy($("tr").toArray(), tableAbove);
  return [...lines].flatMap(([table, own]) => (table ? [tableOf($, own, text)] : []));
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let tooDeep = false;
  const parser: Parser = new Parser({
    onopentagname() {
      tooDeep ||= ++depth > maxDepth;
      if (tooDeep) parser.pause();
    },
    onclosetag() {
      depth--;
    },
  });
  parser.end(text);
  return tooDeep;
}

function tableOf($: CheerioAPI, lines: readonly Element[], text: string): Table {
  const rows = lines.slice(0, maxRows).map((line) => $(line).children("td, th").toArray());
  const isHeader = (cells: readonly Element[]) => cells.length > 0 && cells.every(({ name }) => name === "th");
  const headers = rows.findIndex((cells) => !isHeader(cells));
  const written = rows.map((cells) => cells.map((cell) => ({ ...cellOf($, cell, text), ...spansOf(cell.attribs) })));
  return { rows: spread(written), headers: Math.max(1, headers < 0 ? rows.length : headers) };
}

function cellOf($: CheerioAPI, element: Element, text: string): Cell {
  const tag = element.startIndex ?? 0;
  const [first] = element.children;
  const from = first?.startIndex ?? tag;
  const last = element.children.at(-1)?.endIndex;
  const to = first && typeof last === "number" ? Math.min(last + 1, text.length) : from;
  return { shown: to - from > maxCellCharacters ? "" : ($(element).prop("innerText") ?? ""), from, to, tag };
}

/** A loop: `closest` is ten times slower in deeply nested tables. */
function tableAbove(element: Element): Element | undefined {
  let above = element.parent;
  while (above && !("name" in above && above.name === "table")) above = above.parent;
  return above as Element | undefined;
}

interface Line {
  readonly text: string;
  readonly from: number;
}

/**
 * The tables of a Markdown text without fenced code. Linear time. Spec:
 * https://github.github.com/gfm/#tables-extension-
 */
export function markdownTables(text: string): Table[] {
  const lines = linesOf(text);
  const tables: Table[] = [];
  for (let at = 1; at < lines.length; at++) {
    const [header, delimiter] = [lines[at - 1], lines[at]];
    if (!header || !delimiter || !isDelimiter(delimiter.text)) continue;
    const first = cellsOf(header);
    if (!header.text.includes("|") || first.length !== cellsOf(delimiter).length) continue;
    const rows = [first];
    for (at++; at < lines.length; at++) {
      const line = lines[at];
      if (!line || line.text.trim() === "" || !line.text.includes("|")) break;
      rows.push(cellsOf(line));
    }
    tables.push({ rows, headers: 1 });
  }
  return tables;
}

function linesOf(text: string): Line[] {
  let from = 0;
  return text.split("\n").map((line) => {
    const start = from;
    from += line.length + 1;
    return { text: line.replace(/\r$/, ""), from: start };
  });
}

function isDelimiter(line: string): boolean {
  return line.includes("-") && cellsIn(line).every(([from, to]) => /^:?-+:?$/.test(line.slice(from, to)));
}

function cellsOf({ text, from }: Line): Cell[] {
  return cellsIn(text).map(([start, end]) => ({
    shown: shownText(text.slice(start, end)),
    from: from + start,
    to: from + end,
    tag: from + start,
  }));
}

/** The offsets of a row's trimmed cells; an escaped bar is no separator. */
function cellsIn(line: string): [number, number][] {
  const bars: number[] = [];
  for (let i = 0; i < line.length; i++) {
    if (line[i] === "\\") i++;
    else if (line[i] === "|") bars.push(i);
  }
  const opens = line.slice(0, bars[0] ?? 0).trim() === "" && bars.length > 0;
  const closes = bars.length > (opens ? 1 : 0) && line.slice((bars.at(-1) ?? 0) + 1).trim() === "";
  const edges = [...(opens ? [] : [-1]), ...bars, ...(closes ? [] : [line.length])];
  return edges.slice(1).map((end, i) => trimRange(line, (edges[i] ?? -1) + 1, end));
}

function trimRange(line: string, from: number, to: number): [number, number] {
  const part = line.slice(from, to);
  const start = from + part.length - part.trimStart().length;
  return [start, Math.max(start, from + part.trimEnd().length)];
}

/** A table cell, by the offsets of its content. */
export interface Cell {
  /** Its visible text. */
  readonly shown: string;
  readonly from: number;
  readonly to: number;
  /** The offset of its HTML tag, whose class may repeat the level. */
  readonly tag: number;
}

/** Rows from top to bottom. A cell that spans several rows or columns is in each of them. */
export interface Table {
  readonly rows: readonly (readonly Cell[])[];
  /** How many rows at the top are headers. */
  readonly headers: number;
}

/** Blanks fenced code without changing offsets. */
export function withoutFences(text: string): string {
  const code = new Fences();
  return text
    .split("\n")
    .map((line) => (code.hold(line) ? " ".repeat(line.length) : line))
    .join("\n");
}

/** Words for the comparison of labels, without case and punctuation. */
export function labelWords(text: string): string[] {
  return plainWords(text.normalize("NFKC"));
}

/** The visible text of a Markdown cell. Linear time. */
function shownText(markdown: string): string {
  return markdown
    .replace(/<[^<>]*>/g, " ")
    .replace(/\[\^[^[\]]*\]/g, " ")
    .replace(/\]\([^()]*\)/g, "] ")
    .replace(/\\(?=\p{P})/gu, "");
}

/** How well a label fits a part of a rating's id. */
export type Fit = "exact" | "near" | "none";

/** A label is *near* if it contains all words of the name in sequence, or the name all of the label. */
export function fitOf(label: string, part: string, config: Config): Fit {
  const words = labelWords(label);
  if (words.length === 0) return "none";
  const names = [config.names.get(part) ?? part, part].map(labelWords);
  if (names.some((name) => name.join(" ") === words.join(" "))) return "exact";
  return names.some((name) => holds(name, words) || holds(words, name)) ? "near" : "none";
}

function holds(whole: readonly string[], piece: readonly string[]): boolean {
  return piece.length > 0 && ` ${whole.join(" ")} `.includes(` ${piece.join(" ")} `);
}
