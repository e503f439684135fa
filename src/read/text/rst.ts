import { wordSet } from "../../model/cache.ts";
import type { Block } from "../../model/reading.ts";
import { blocksOf } from "../html/html.ts";
import { lastName } from "../shared/address.ts";
import { escapeHtml } from "../shared/body.ts";
import { csvRows, tableOfRows } from "../shared/csv.ts";
import { Size } from "../shared/size.ts";
import { bareAddress } from "./bare-addresses.ts";

/**
 * reStructuredText as blocks, through HTML like Markdown: sections, lists, tables, literal blocks, and the content of
 * Sphinx's common directives. Spec: https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
 * @throws Failure `too-many`
 */
export function blocksOfRst(text: string): Block[] {
  return blocksOf(rstHtml(text));
}

/** reStructuredText as HTML, for formats that may contain it. */
export function rstHtml(text: string): string {
  const lines = text.split("\n").map((line) => line.replaceAll("\t", "        ").trimEnd());
  return bodyHtml(lines, { styles: [], substitutions: substitutionsOf(lines), size: new Size(), depth: 0 });
}

export interface Body {
  /** Adornments of headings in the order of their appearance, outermost first. */
  readonly styles: string[];
  readonly substitutions: Substitutions;
  /** Limits the number of pieces. Each becomes at least one block. */
  readonly size: Size;
  readonly depth: number;
}

const depthLimit = 16;
const adornment = /^([!-/:-@[-`{-~])\1{2,}$/;
const bullet = /^(?:[*+•‣-]|\(?(?:\d{1,4}|#|[a-zA-Z]|[ivxlc]{1,6})[.)])(?: +|$)/;
const field = /^:([^:`]{1,80}):(?: +|$)/;
const explicit = /^\.\.(?: +|$)/;
const directive = /^\.\. +([\w+.:-]{1,60}?) ?::(?: (.*))?$/s;

/** A piece of the document, and the line after it. */
type Piece = readonly [html: string, next: number];

/** Converts the lines of one body (the document, or an indented part of it) to HTML. */
function bodyHtml(lines: readonly string[], body: Body): string {
  if (body.depth > depthLimit) return `<p>${escapeHtml(lines.join(" "))}</p>`;
  const inner = { ...body, depth: body.depth + 1 };
  let html = "";
  for (let i = 0; i < lines.length; ) {
    const [piece, next] = (lines[i] ?? "") === "" ? ["", i + 1] : pieceAt(lines, i, inner);
    if (piece !== "") inner.size.count();
    html += piece;
    i = Math.max(next, i + 1);
  }
  return html;
}

/** `.. |name| replace:: text`, anywhere in the document. */
function substitutionsOf(lines: readonly string[]): Substitutions {
  const found = lines.flatMap((line) => {
    const match = /^\s*\.\. +\|([^|]{1,80})\| +replace:: (.*)$/s.exec(line);
    return match ? [[match[1] ?? "", match[2]?.trimStart() ?? ""] as const] : [];
  });
  return { texts: new Map(found), size: new Size() };
}

function pieceAt(lines: readonly string[], i: number, body: Body): Piece {
  const line = lines[i] ?? "";
  if (line.startsWith(" ")) return indentedPiece(lines, i, body, "blockquote");
  if (simpleBorder.test(line)) return simpleTablePiece(lines, i, body);
  if (gridBorder.test(line)) return grid(lines, i, body);
  if (adornment.test(line)) return heading(lines, i + 1, `${line[0]}${line[0]}`, body) ?? ["", i + 1];
  if (explicit.test(line)) return explicitAt(lines, i, body);
  if (bullet.test(line)) return markedPiece(lines, i, body, bullet, "li");
  if (field.test(line)) return fieldAt(lines, i, body);
  if (/^\|(?: |$)/.test(line)) return [`<p>${inlineHtml(line.slice(2), body.substitutions)}</p>`, i + 1];
  const under = lines[i + 1] ?? "";
  if (adornment.test(under) && (under.length >= 4 || under.length >= line.length)) {
    return heading(lines, i, under[0] ?? "", body) ?? ["", i + 1];
  }
  if (under.startsWith(" ")) return definition(lines, i, body);
  return paragraph(lines, i, body);
}

/** `at`: the line of the title. The same adornment with an overline is a different style. */
function heading(lines: readonly string[], at: number, style: string, body: Body): Piece | undefined {
  const title = lines[at]?.trim() ?? "";
  const under = lines[at + 1] ?? "";
  if (title === "" || !adornment.test(under) || !style.startsWith(under[0] ?? " ")) return undefined;
  if (!body.styles.includes(style)) body.styles.push(style);
  const level = Math.min(body.styles.indexOf(style) + 1, 6);
  return [`<h${level}>${inlineHtml(title, body.substitutions)}</h${level}>`, at + 2];
}

/** The end of the indented lines below line `i`. */
function endOf(lines: readonly string[], i: number): number {
  let end = i + 1;
  for (let at = end; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line === "") continue;
    if (!line.startsWith(" ")) break;
    end = at + 1;
  }
  return end;
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Removes the common indentation, up to `most` columns. */
function dedent(lines: readonly string[], most = 1_000): string[] {
  let least = most;
  for (const line of lines) if (line !== "") least = Math.min(least, indentOf(line));
  return lines.map((line) => line.slice(least));
}

function indentedPiece(lines: readonly string[], i: number, body: Body, tag: string): Piece {
  const end = endOf(lines, i);
  return [`<${tag}>${bodyHtml(dedent(lines.slice(i, end)), body)}</${tag}>`, end];
}

function markedPiece(lines: readonly string[], i: number, body: Body, marker: RegExp, tag: string): Piece {
  const line = lines[i] ?? "";
  const width = marker.exec(line)?.[0].length ?? 0;
  const end = endOf(lines, i);
  const inside = [line.slice(width), ...dedent(lines.slice(i + 1, end), marker === bullet ? width : undefined)];
  return [`<${tag}>${bodyHtml(inside, body)}</${tag}>`, end];
}

function fieldAt(lines: readonly string[], i: number, body: Body): Piece {
  const name = field.exec(lines[i] ?? "")?.[1] ?? "";
  const [html, next] = markedPiece(lines, i, body, field, "dd");
  return [html === "<dd></dd>" ? "" : `<dt>${inlineHtml(name, body.substitutions)}</dt>${html}`, next];
}

function definition(lines: readonly string[], i: number, body: Body): Piece {
  const [html, next] = indentedPiece(lines, i + 1, body, "dd");
  return [`<dt>${inlineHtml(lines[i] ?? "", body.substitutions)}</dt>${html}`, next];
}

/** Directives and footnotes; comments, targets and substitutions show nothing. */
function explicitAt(lines: readonly string[], i: number, body: Body): Piece {
  const line = lines[i] ?? "";
  const end = endOf(lines, i);
  const inside = dedent(lines.slice(i + 1, end));
  const known = directive.exec(line);
  if (known) {
    const [, name = "", argument = ""] = known;
    const html = (within: readonly string[]) => bodyHtml(within, body);
    return [directiveHtml(name, argument.trimStart(), inside, body.substitutions, html), end];
  }
  const note = /^\.\. +\[[^\]]{1,40}\] (.*)$/s.exec(line);
  return [note ? bodyHtml([note[1]?.trimStart() ?? "", ...inside], body) : "", end];
}

function paragraph(lines: readonly string[], i: number, body: Body): Piece {
  let end = i + 1;
  while (end < lines.length && (lines[end] ?? "") !== "") end++;
  const text = lines
    .slice(i, end)
    .map((line) => line.trim())
    .join("\n");
  const html = text === "::" ? "" : `<p>${inlineHtml(text.replace(/::$/, ":"), body.substitutions)}</p>`;
  if (!text.endsWith("::")) return [html, end];
  const stop = endOf(lines, end);
  return [`${html}<pre>${escapeHtml(dedent(lines.slice(end, stop)).join("\n"))}</pre>`, stop];
}

function simpleTablePiece(lines: readonly string[], i: number, body: Body): Piece {
  const borders: number[] = [];
  let end = i;
  for (; end < lines.length; end++) {
    if (!simpleBorder.test(lines[end] ?? "")) continue;
    borders.push(end);
    if (borders.length > 1 && (lines[end + 1] ?? "") === "") break;
  }
  const last = borders.at(-1) ?? i;
  if (last === i) return ["", i + 1];
  return [simpleTable(lines.slice(i, last + 1), body.substitutions), last + 1];
}

function grid(lines: readonly string[], i: number, body: Body): Piece {
  let end = i;
  while (/^[+|]/.test(lines[end] ?? "")) end++;
  return [gridTable(lines.slice(i, end), body), end];
}

export const code = wordSet(
  "code code-block code-cell sourcecode literalinclude prompt parsed-literal math doctest testcode graphviz mermaid",
);
export const silent = wordSet(
  "image include contents meta highlight raw currentmodule default-role index role sectnum target-notes " +
    "bibliography only-html title tableofcontents",
);
/** One name a line, of a function or a document. Spec: https://www.sphinx-doc.org/en/master/usage/restructuredtext/directives.html */
const lists = wordSet("autosummary toctree");
/** Their argument is the name of a class or a file, or a measure. */
const untitled = wordSet("container class rst-class cssclass grid grid-item columns figure");
const quotes = wordSet(
  "note warning tip important caution attention danger error hint seealso admonition todo versionadded versionchanged " +
    "deprecated epigraph highlights pull-quote",
);

/** `name:: argument` and the indented lines below it as HTML. An unknown one keeps its title and content: tabs, cards. */
function directiveHtml(
  name: string,
  argument: string,
  lines: readonly string[],
  substitutions: Substitutions,
  bodyHtml: (lines: readonly string[]) => string,
): string {
  const split = lines.findIndex((line) => line.trim() !== "" && !/^\s*:[\w-]+:(?:\s|$)/.test(line));
  const options = lines.slice(0, split < 0 ? lines.length : split);
  const content = split < 0 ? [] : lines.slice(split);
  if (code.has(name))
    return `<pre>${escapeHtml([argument.includes(" ") ? argument : "", ...content].join("\n"))}</pre>`;
  if (name === "raw" && argument.trim() === "html") return content.join("\n");
  if (silent.has(name)) return "";
  const heading = argument || (option(options, "caption") ?? "");
  const title = heading === "" || untitled.has(name) ? "" : `<p>${inlineHtml(heading, substitutions)}</p>`;
  const header = option(options, "header");
  const headings = header === undefined ? Number(option(options, "header-rows") ?? 0) : 1;
  if (name === "list-table") return title + tableHtml(listTable(content), headings, substitutions);
  if (name === "csv-table") {
    const rows = csvRows(content.join("\n"), ",");
    return title + tableHtml(header === undefined ? rows : [...csvRows(header, ","), ...rows], headings, substitutions);
  }
  const entry = (line: string) => line && `- ${roleText(line.trim(), undefined)}`;
  const inside = title + bodyHtml(lists.has(name) ? content.map(entry) : content);
  // A toctree leads to the chapters: a page shows it, and a report cites nothing in it.
  if (name === "toctree") return `<nav>${inside}</nav>`;
  return quotes.has(name) ? `<blockquote>${inside}</blockquote>` : inside;
}

function option(lines: readonly string[], name: string): string | undefined {
  const line = lines.map((written) => written.trim()).find((written) => written.startsWith(`:${name}:`));
  return line?.slice(name.length + 2).trim();
}

/** The text of `|name|`. */
export interface Substitutions {
  readonly texts: ReadonlyMap<string, string>;
  /** Counts all substituted text, and cells of tables. Both may grow faster than the source. */
  readonly size: Size;
}

const markup = new RegExp(
  [
    bareAddress,
    /``(?<literal>[^`]+(?:`(?!`)[^`]+)*)``/,
    /(?::(?<role>[\w+.-]{1,30}(?::[\w+.-]{1,30})?):)?`(?<text>[^`]+)`(?::[\w+.:-]{1,60}:|__?)?/,
    /\*\*(?<strong>[^*]+)\*\*/,
    /\*(?<emphasis>[^*\s][^*]*)\*/,
    /\|(?<name>[^|\s][^|\n]{0,80})\|_{0,2}/,
    /(?<note>\s?\[[#*\w.-]{1,40}\]_)/,
    /\b(?<word>[A-Za-z0-9]{1,80})__?(?![\w])/,
    /\\(?<escaped>[\s\S]|$)/,
  ]
    .map((part) => part.source)
    .join("|"),
  "gi",
);

/** Inline text as HTML, without marks, roles and link targets. Spec: …/restructuredtext.html#inline-markup */
function inlineHtml(text: string, substitutions: Substitutions): string {
  let html = "";
  let from = 0;
  for (const match of text.matchAll(markup)) {
    html += escapeHtml(text.slice(from, match.index));
    const groups = match.groups ?? {};
    const said = escapeHtml(substitute(groups, match[0], substitutions));
    const tag = groups.literal !== undefined ? "code" : groups.strong !== undefined ? "b" : undefined;
    html += tag === undefined ? said : `<${tag}>${said}</${tag}>`;
    from = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(from));
}

function substitute(groups: Record<string, string | undefined>, whole: string, substitutions: Substitutions): string {
  if (groups.name !== undefined) {
    const text = substitutions.texts.get(groups.name) ?? groups.name;
    substitutions.size.take(text.length);
    return text;
  }
  if (groups.note !== undefined) return "";
  if (groups.escaped !== undefined) return /\s/.test(groups.escaped) ? "" : groups.escaped;
  if (groups.text !== undefined) return roleText(groups.text, groups.role);
  return groups.literal ?? groups.strong ?? groups.emphasis ?? groups.word ?? whole;
}

/** The shown text: that of `` text <target> ``; for a role, the last part of `~torch.nn.Linear`. */
function roleText(text: string, role: string | undefined): string {
  const without = text.replace(/(?<!\s)\s*<[^<>]*>$/, "").trim();
  if (without === "") return lastPart(text.replace(/[<>]/g, ""));
  if (role === "doc") return lastPart(without);
  return role !== undefined && without.startsWith("~")
    ? (without.split(".").at(-1) ?? without)
    : without.replace(/^!/, "");
}

/** The name of a reference without words: `guide` for `../install/guide.md#steps`, `steps` for `#steps`. */
export function lastPart(target: string): string {
  const [path = "", part] = target.trim().split(/[?#]/);
  const name = lastName(path.replace(/(?<!\/)\/+$/, ""));
  return name === "" ? (part ?? target) : name.replace(/\.(?:md|rst|html?)$/i, "");
}

const simpleBorder = /^=+(?: +=+)+$/;
const gridBorder = /^\+(?:[-=]+\+)+$/;

/** The cost of a cell, even if it is empty. */
const cellWeight = 10;

/** Spec: …/restructuredtext.html#simple-tables. `lines` begin and end with a border. */
function simpleTable(lines: readonly string[], substitutions: Substitutions): string {
  const columns = [...(lines[0] ?? "").matchAll(/=+/g)].map((match) => match.index);
  const rows: string[][] = [];
  let header = 0;
  for (const line of lines.slice(1, -1)) {
    if (simpleBorder.test(line)) header ||= rows.length;
    else if (line.trim() !== "" && !/^[-\s]+$/.test(line)) {
      substitutions.size.take(cellWeight * columns.length);
      const cells = columns.map((start, i) => line.slice(start, columns[i + 1]).trim());
      const above = cells[0] === "" ? rows.pop() : undefined;
      rows.push(above ? cells.map((cell, i) => joinCells(above[i], cell)) : cells);
    }
  }
  return tableHtml(rows, header, substitutions);
}

/** Characters of two columns. Those beyond the basic plane have two units already. */
const wide =
  /(?![\u{10000}-\u{10ffff}])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/gu;

/** A grid table as HTML. A cell that spans rules and bars ends them. Spec: …/restructuredtext.html#grid-tables */
function gridTable(written: readonly string[], { substitutions, size }: Body): string {
  const lines = written.map((line) => line.replace(wide, "$&\0"));
  const rules = lines.flatMap((line, i) => (/\+[-=]{2,}\+/.test(line) ? i : []));
  const corners = rules.flatMap((at) =>
    [...(lines[at] ?? "").matchAll(/\+(?=[-=])|(?<=[-=])\+/g)].map(({ index }) => index),
  );
  const bars = [...new Set(corners)].sort((a, b) => a - b);
  size.take(cellWeight * bars.length * lines.length);
  const insideOf = (row: number, height = 1) => lines.slice((rules[row] ?? 0) + 1, rules[row + height]);
  const hasRule = (row: number, column: number) =>
    /^[-=+]+$/.test((lines[rules[row] ?? 0] ?? "").slice((bars[column] ?? 0) + 1, bars[column + 1]));
  const hasBar = (row: number, column: number) =>
    insideOf(row).every((line) => /[|+]/.test(line[bars[column] ?? 0] ?? ""));
  const header = rules.findIndex((at) => /=/.test(lines[at] ?? ""));
  const covered = new Set<string>();
  const rows = rules.slice(1).map((_, row) => {
    const cells = bars.slice(1).map((_, column) => {
      if (covered.has(`${row} ${column}`)) return "";
      let [width, height] = [1, 1];
      while (column + width < bars.length - 1 && !hasBar(row, column + width)) width++;
      while (row + height < rules.length - 1 && !hasRule(row + height, column)) height++;
      for (let i = 0; i < width * height; i++) covered.add(`${row + Math.floor(i / width)} ${column + (i % width)}`);
      const end = column + width < bars.length - 1 ? bars[column + width] : undefined;
      const inside = insideOf(row, height).map((line) => textBetween(line, bars[column], end));
      const tag = row < header ? "th" : "td";
      return `<${tag} colspan="${width}" rowspan="${height}">${cellHtml(inside.reduce(joinCells, ""), substitutions)}</${tag}>`;
    });
    return `<tr>${cells.join("")}</tr>`;
  });
  return `<table>${rows.join("")}</table>`;
}

/** The text of a cell in a line, without the mark of a line block. The last column may be longer than its rule. */
function textBetween(line: string, from = 0, to?: number): string {
  const text = to === undefined ? line.slice(from + 1).replace(/[|+]$/, "") : line.slice(from + 1, to);
  return text
    .replaceAll("\0", "")
    .trim()
    .replace(/^\|(?: |$)/, "");
}

/** The body of a `list-table`: a list of rows, each a list of cells. */
function listTable(lines: readonly string[]): string[][] {
  const rows: string[][] = [];
  for (const line of lines) {
    const first = /^\s*\*(?:\s+-(?:\s(.*))?)?$/.exec(line);
    const next = /^ {1,4}-(?: (.*))?$/.exec(line);
    const row = rows.at(-1);
    if (first) rows.push(line.endsWith("*") ? [] : [first[1] ?? ""]);
    else if (row && next) row.push(next[1] ?? "");
    else if (row && line.trim() !== "") row[row.length - 1] = joinCells(row.at(-1), line.trim());
  }
  return rows;
}

/** The first `header` rows are headings. */
function tableHtml(rows: readonly (readonly string[])[], header: number, substitutions: Substitutions): string {
  return tableOfRows(rows, header, (cell) => cellHtml(cell, substitutions));
}

function cellHtml(cell: string, substitutions: Substitutions): string {
  const raw = /^\.\. raw:: html\s/.exec(cell);
  return raw ? cell.slice(raw[0].length) : inlineHtml(cell, substitutions);
}

/** A cell and the text below it in the same row, both without space around them. */
function joinCells(cell = "", more: string): string {
  return cell === "" || more === "" ? cell + more : `${cell} ${more}`;
}
