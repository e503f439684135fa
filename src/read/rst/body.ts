import { escapeHtml } from "../escape.ts";
import { directiveHtml } from "./directive.ts";
import { inlineHtml, type Substitutions } from "./inline.ts";
import { gridBorder, gridTable, simpleBorder, simpleTable, tableHtml } from "./table.ts";

/** What the parts of a document share. */
export interface Body {
  /** Adornments of headings in the order in which they were met: the outermost first. */
  readonly styles: string[];
  readonly substitutions: Substitutions;
  readonly depth: number;
}

const depthLimit = 16;
const adornment = /^([!-/:-@[-`{-~])\1{2,}$/;
const bullet = /^(?:[*+•‣-]|\(?(?:\d{1,4}|#|[a-zA-Z]|[ivxlc]{1,6})[.)])(?: +|$)/;
const field = /^:([^:`]{1,80}):(?: +|$)/;
const explicit = /^\.\.(?: +|$)/;
const directive = /^\.\. +([\w+.:-]{1,60}?) ?::(?: +(.*))?$/;

/** A piece of the document, and the line after it. */
type Piece = readonly [html: string, next: number];

/** Lines of one body (the document, or what is indented below something) as HTML. */
export function bodyHtml(lines: readonly string[], body: Body): string {
  if (body.depth > depthLimit) return `<p>${escapeHtml(lines.join(" "))}</p>`;
  const inner = { ...body, depth: body.depth + 1 };
  let html = "";
  for (let i = 0; i < lines.length; ) {
    const [piece, next] = (lines[i] ?? "") === "" ? ["", i + 1] : pieceAt(lines, i, inner);
    html += piece;
    i = Math.max(next, i + 1);
  }
  return html;
}

/** `.. |name| replace:: text`, anywhere in the document. */
export function substitutionsOf(lines: readonly string[]): Substitutions {
  const found = lines.flatMap((line) => {
    const match = /^\s*\.\. +\|([^|]{1,80})\| +replace:: +(.*)$/.exec(line);
    return match ? [[match[1] ?? "", match[2] ?? ""] as const] : [];
  });
  return new Map(found);
}

function pieceAt(lines: readonly string[], i: number, body: Body): Piece {
  const line = lines[i] ?? "";
  if (line.startsWith(" ")) return indented(lines, i, body, "blockquote");
  if (simpleBorder.test(line)) return simple(lines, i, body);
  if (gridBorder.test(line)) return grid(lines, i, body);
  if (adornment.test(line)) return heading(lines, i + 1, `${line[0]}${line[0]}`, body) ?? ["", i + 1];
  if (explicit.test(line)) return explicitAt(lines, i, body);
  if (bullet.test(line)) return marked(lines, i, body, bullet, "li");
  if (field.test(line)) return fieldAt(lines, i, body);
  if (/^\|(?: |$)/.test(line)) return [`<p>${inlineHtml(line.slice(2), body.substitutions)}</p>`, i + 1];
  const under = lines[i + 1] ?? "";
  if (adornment.test(under) && (under.length >= 4 || under.length >= line.length)) {
    return heading(lines, i, under[0] ?? "", body) ?? ["", i + 1];
  }
  if (under.startsWith(" ")) return definition(lines, i, body);
  return paragraph(lines, i, body);
}

/** `at`: the line of the title. An overlined style is another than the same mark below. */
function heading(lines: readonly string[], at: number, style: string, body: Body): Piece | undefined {
  const title = lines[at]?.trim() ?? "";
  const under = lines[at + 1] ?? "";
  if (title === "" || !adornment.test(under) || !style.startsWith(under[0] ?? " ")) return undefined;
  if (!body.styles.includes(style)) body.styles.push(style);
  const level = Math.min(body.styles.indexOf(style) + 1, 6);
  return [`<h${level}>${inlineHtml(title, body.substitutions)}</h${level}>`, at + 2];
}

/** Where what is indented below line `i` ends, by at least `by` columns. */
function endOf(lines: readonly string[], i: number, by = 1): number {
  let end = i + 1;
  for (let at = end; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line === "") continue;
    if (indentOf(line) < by) break;
    end = at + 1;
  }
  return end;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Without the indentation that all lines have, of at most `most` columns. */
function dedent(lines: readonly string[], most = 1_000): string[] {
  let least = most;
  for (const line of lines) if (line !== "") least = Math.min(least, indentOf(line));
  return lines.map((line) => line.slice(least));
}

function indented(lines: readonly string[], i: number, body: Body, tag: string): Piece {
  const end = endOf(lines, i);
  return [`<${tag}>${bodyHtml(dedent(lines.slice(i, end)), body)}</${tag}>`, end];
}

function marked(lines: readonly string[], i: number, body: Body, marker: RegExp, tag: string): Piece {
  const line = lines[i] ?? "";
  const width = marker.exec(line)?.[0].length ?? 0;
  const end = endOf(lines, i);
  const inside = [line.slice(width), ...dedent(lines.slice(i + 1, end), marker === bullet ? width : undefined)];
  return [`<${tag}>${bodyHtml(inside, body)}</${tag}>`, end];
}

function fieldAt(lines: readonly string[], i: number, body: Body): Piece {
  const name = field.exec(lines[i] ?? "")?.[1] ?? "";
  const [html, next] = marked(lines, i, body, field, "dd");
  return [html === "<dd></dd>" ? "" : `<dt>${inlineHtml(name, body.substitutions)}</dt>${html}`, next];
}

function definition(lines: readonly string[], i: number, body: Body): Piece {
  const [html, next] = indented(lines, i + 1, body, "dd");
  return [`<dt>${inlineHtml(lines[i] ?? "", body.substitutions)}</dt>${html}`, next];
}

/** Directives and footnotes; comments, targets and substitutions show nothing. */
function explicitAt(lines: readonly string[], i: number, body: Body): Piece {
  const line = lines[i] ?? "";
  const end = endOf(lines, i);
  const inside = dedent(lines.slice(i + 1, end));
  const known = directive.exec(line);
  if (known) {
    const found = { name: known[1] ?? "", argument: known[2] ?? "", lines: inside };
    return [directiveHtml(found, body.substitutions, (within) => bodyHtml(within, body)), end];
  }
  const note = /^\.\. +\[[^\]]{1,40}\] +(.*)$/.exec(line);
  return [note ? bodyHtml([note[1] ?? "", ...inside], body) : "", end];
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

function simple(lines: readonly string[], i: number, body: Body): Piece {
  const borders: number[] = [];
  let end = i;
  for (; end < lines.length; end++) {
    if (!simpleBorder.test(lines[end] ?? "")) continue;
    borders.push(end);
    if (borders.length > 1 && (lines[end + 1] ?? "") === "") break;
  }
  const last = borders.at(-1) ?? i;
  return last === i ? ["", i + 1] : [tableHtml(simpleTable(lines.slice(i, last + 1)), body.substitutions), last + 1];
}

function grid(lines: readonly string[], i: number, body: Body): Piece {
  let end = i;
  while (/^[+|]/.test(lines[end] ?? "")) end++;
  return [tableHtml(gridTable(lines.slice(i, end)), body.substitutions), end];
}
