import type { ChildNode, Element } from "domhandler";
import { DomUtils, Parser, parseDocument } from "htmlparser2";
import type { Cell, Table } from "./table.ts";

/** Cells and rows beyond these are no table of ratings. */
const mostRows = 2_000;
const mostColumns = 200;
/** Characters of a cell beyond which it is neither a label nor a level. */
const mostCharacters = 2_000;

/** Nothing that a person wrote nests deeper, and the parser's time grows with the square of it. */
const deepest = 500;

/** Tables of HTML, with the offsets of what stands in their cells. Tables within tables are told apart. */
export function htmlTables(text: string): Table[] {
  if (isTooDeep(text)) return [];
  const document = parseDocument(text, { withStartIndices: true, withEndIndices: true });
  const lines = Map.groupBy(rowsIn(document.children), tableAbove);
  return [...lines].flatMap(([table, own]) => (table ? [tableOf(own, text)] : []));
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let tooDeep = false;
  const parser: Parser = new Parser({
    onopentagname() {
      tooDeep ||= ++depth > deepest;
      if (tooDeep) parser.pause();
    },
    onclosetag() {
      depth--;
    },
  });
  parser.end(text);
  return tooDeep;
}

/** Table rows in their order, however deep they stand. */
function rowsIn(nodes: readonly ChildNode[]): Element[] {
  const found: Element[] = [];
  const open = nodes.toReversed();
  for (let node = open.pop(); node; node = open.pop()) {
    if (!("children" in node)) continue;
    if ("name" in node && node.name === "tr") found.push(node);
    for (const child of node.children.toReversed()) open.push(child);
  }
  return found;
}

function tableOf(lines: readonly Element[], text: string): Table {
  const rows: (Cell | undefined)[][] = [];
  let headers = 0;
  for (const [index, line] of lines.slice(0, mostRows).entries()) {
    const cells = line.children.filter(isCell);
    if (index === headers && cells.length > 0 && cells.every(({ name }) => name === "th")) headers++;
    place(rows, index, cells, text);
  }
  return { rows, headers: Math.max(1, headers) };
}

/** Puts cells where they stand: spans from rows above come first. */
function place(rows: (Cell | undefined)[][], index: number, cells: readonly Element[], text: string): void {
  let column = 0;
  for (const element of cells) {
    while (rows[index]?.[column] !== undefined) column++;
    const cell = cellOf(element, text);
    const [wide, high] = [spanOf(element, "colspan"), spanOf(element, "rowspan")];
    for (let down = 0; down < high; down++) {
      const row = rows[index + down] ?? [];
      rows[index + down] = row;
      for (let right = 0; right < wide && column + right < mostColumns; right++) row[column + right] = cell;
    }
    column += wide;
  }
  rows[index] ??= [];
}

function cellOf(element: Element, text: string): Cell {
  const tag = element.startIndex ?? 0;
  const [first] = element.children;
  const from = first?.startIndex ?? tag;
  const last = element.children.at(-1)?.endIndex;
  const to = first && typeof last === "number" ? Math.min(last + 1, text.length) : from;
  return { shown: to - from > mostCharacters ? "" : DomUtils.innerText(element), from, to, tag };
}

function spanOf(element: Element, name: string): number {
  const span = Number(element.attribs[name] ?? 1);
  return Number.isInteger(span) && span >= 1 ? Math.min(span, mostColumns) : 1;
}

function isCell(node: unknown): node is Element {
  const { type, name } = node as Element;
  return type === "tag" && (name === "td" || name === "th");
}

function tableAbove(element: Element): Element | undefined {
  let above = element.parent;
  while (above && !("name" in above && above.name === "table")) above = above.parent;
  return above as Element | undefined;
}
