import { nth } from "../../language/fold.ts";
import { type Span, wordsOfBlocks } from "../../language/words.ts";
import type { Block } from "../../model/reading.ts";
import { cellsOf } from "./places.ts";
import { findQuote } from "./quote.ts";

/** The parts of a text directive, https://wicg.github.io/scroll-to-text-fragment/#syntax */
interface Directive {
  readonly prefix?: string;
  readonly start: string;
  readonly end?: string;
  readonly suffix?: string;
}

/**
 * The longest passage in one piece. A longer one is given by its first and last words, so that a line break inside does
 * no harm.
 */
const maxLiteral = 120;
/** The longest passage that may also be in a menu, which blocks do not show: it always gets context. */
const short = 20;
const contextWords = [0, 3, 6, 12, 24];

/**
 * The text fragment with which a browser scrolls to the passage: `#:~:text=…`; empty if the passage is not there. It
 * consists of the page's own text, from which the quote may differ.
 */
export function fragmentOf(
  passage: string,
  blocks: readonly Block[],
  context: { readonly prefix?: string; readonly suffix?: string } = {},
): string {
  const found = findQuote(wordsOfBlocks(blocks), { exact: passage, ...context });
  if (found.status === "absent") return "";
  const { lines, selection } = linesOf(blocks, found.span);
  if (selection === undefined) return "";
  return `#:~:text=${written(directiveOf(lines, selection))}`;
}

/** The shortest directive that leads to this selection, and to nothing before it. */
function directiveOf(lines: readonly Line[], target: Selection): Directive {
  let directive: Directive = { start: "" };
  for (const count of contextWords) {
    directive = directiveWith(lines, target, count);
    if (count === 0 && length(directive) < short && isSurrounded(lines, target)) continue;
    const first = locate(lines, directive);
    if (first !== undefined && isSame(first, target)) return directive;
  }
  return directive;
}

function directiveWith(lines: readonly Line[], target: Selection, count: number): Directive {
  const opening = nth(lines, target.line).text;
  const closing = nth(lines, target.lastLine).text;
  const isOne = target.line === target.lastLine;
  const prefix = count === 0 ? "" : previous(lines, target.line, target.start, count);
  const suffix = count === 0 ? "" : next(lines, target.lastLine, target.end, count);
  const around = { ...(prefix === "" ? {} : { prefix }), ...(suffix === "" ? {} : { suffix }) };
  if (isOne && target.end - target.start <= maxLiteral)
    return { ...around, start: opening.slice(target.start, target.end) };
  const range = 4 + count;
  const first: Line = { text: opening.slice(0, isOne ? target.end : undefined) };
  const last: Line = { text: closing.slice(isOne ? target.start : 0, target.end) };
  const start = next([first], 0, target.start, range);
  const end = previous([last], 0, last.text.length, range);
  return { ...around, start, end };
}

/** Whether the block has more words, so that context is certainly next to the passage. */
function isSurrounded(lines: readonly Line[], target: Selection): boolean {
  const text = nth(lines, target.line).text;
  return target.start > 0 || target.end < text.length;
}

function isSame(a: Selection, b: Selection): boolean {
  return a.line === b.line && a.start === b.start && a.lastLine === b.lastLine && a.end === b.end;
}

function length(directive: Directive): number {
  return directive.start.length + (directive.end?.length ?? 0);
}

function written(directive: Directive): string {
  const parts = [encode(directive.start)];
  if (directive.prefix !== undefined) parts.unshift(`${encode(directive.prefix)}-`);
  if (directive.end !== undefined) parts.push(encode(directive.end));
  if (directive.suffix !== undefined) parts.push(`-${encode(directive.suffix)}`);
  return parts.join(",");
}

/** `-`, `,` and `&` are syntax; brackets, quotes and asterisks would break a Markdown link. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[-!'()*~_]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A run of text that a browser searches as one: a block, or one cell of a row. */
export interface Line {
  readonly text: string;
}

/** A stretch of text, from an offset in one line to an offset in the same or a later one. */
export interface Selection {
  readonly line: number;
  readonly start: number;
  readonly lastLine: number;
  readonly end: number;
}

/** Created at the first use: that takes long, and most commands need none. */
let segmenter: Intl.Segmenter | undefined;

function segmentAt(text: string, offset: number): Intl.SegmentData | undefined {
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  return segmenter.segment(text).containing(offset);
}

const wordCharacter = /[\p{L}\p{M}\p{N}_]/u;
const unparted = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Characters around a place that are searched for context. */
const reach = 2000;
/** Characters of a run without spaces, at most. */
const maxWord = 60;

/** The lines of a page, and the place of a span of its blocks in them, extended to whole words. */
function linesOf(blocks: readonly Block[], span: Span): { lines: Line[]; selection?: Selection } {
  const lines: Line[] = [];
  let opening: { line: number; at: number } | undefined;
  let closing: { line: number; at: number } | undefined;
  blocks.forEach((block, index) => {
    for (const { text, start } of block.kind === "row" ? cellsOf(block) : [{ text: block.text, start: 0 }]) {
      if (index === span.block && opening === undefined && span.start < start + text.length)
        opening = { line: lines.length, at: Math.max(0, span.start - start) };
      if (index === span.lastBlock && span.end > start)
        closing = { line: lines.length, at: Math.min(text.length, span.end - start) };
      lines.push({ text });
    }
  });
  if (opening === undefined || closing === undefined) return { lines };
  const start = toStart(nth(lines, opening.line).text, opening.at);
  const end = toEnd(nth(lines, closing.line).text, closing.at);
  return { lines, selection: { line: opening.line, start, lastLine: closing.line, end } };
}

/** Moves to the start of the word, and of the line if only punctuation precedes. */
function toStart(text: string, at: number): number {
  const start = breakBefore(text, at);
  return wordCharacter.test(text.slice(Math.max(0, start - reach), start)) ? start : Math.max(0, start - reach);
}

/** Moves to the end of the word, and of the line if only punctuation follows. */
function toEnd(text: string, at: number): number {
  const end = breakAfter(text, at);
  return wordCharacter.test(text.slice(end, end + reach)) ? end : Math.min(text.length, end + reach);
}

/** Finds the text that a browser would select: the first place at which all parts match, at whole words, in any case. */
function locate(lines: readonly Line[], wanted: Directive): Selection | undefined {
  const folded = lines.map((line) => ({ text: lower(line.text) }));
  const { prefix, start, end, suffix } = {
    start: lower(wanted.start),
    prefix: wanted.prefix && lower(wanted.prefix),
    end: wanted.end && lower(wanted.end),
    suffix: wanted.suffix && lower(wanted.suffix),
  };
  const precedes = (line: number, at: number) => prefix === undefined || runBefore(folded, line, at).endsWith(prefix);
  const follows = (line: number, at: number) => suffix === undefined || runAfter(folded, line, at).startsWith(suffix);
  for (const opening of hits(folded, start, 0, 0)) {
    if (!precedes(opening.line, opening.at)) continue;
    const after = opening.at + start.length;
    if (end === undefined) {
      if (!follows(opening.line, after)) continue;
      return { line: opening.line, start: opening.at, lastLine: opening.line, end: after };
    }
    for (const closing of hits(folded, end, opening.line, after))
      if (follows(closing.line, closing.at + end.length))
        return { line: opening.line, start: opening.at, lastLine: closing.line, end: closing.at + end.length };
    return undefined;
  }
  return undefined;
}

function* hits(
  lines: readonly Line[],
  text: string,
  line: number,
  from: number,
): Generator<{ line: number; at: number }> {
  if (text === "") return;
  for (let index = line; index < lines.length; index++) {
    const there = nth(lines, index).text;
    for (let at = there.indexOf(text, index === line ? from : 0); at >= 0; at = there.indexOf(text, at + 1))
      if (isBreak(there, at) && isBreak(there, at + text.length)) yield { line: index, at };
  }
}

/** Up to `count` words before a place: in its own line, or at the end of the line before. */
function previous(lines: readonly Line[], line: number, at: number, count: number): string {
  const text = runBefore(lines, line, at);
  let start = text.length;
  for (let left = count; left > 0 && start > 0; left--) {
    const gap = text.lastIndexOf(" ", start - 2);
    start = start - gap > maxWord ? breakAfter(text, start - maxWord) : gap + 1;
  }
  return text.slice(start).trim();
}

/** Up to `count` words after a place: in its own line, or at the start of the next. */
function next(lines: readonly Line[], line: number, at: number, count: number): string {
  const text = runAfter(lines, line, at);
  let end = 0;
  for (let left = count; left > 0 && end < text.length; left--) {
    const gap = text.indexOf(" ", end + 1);
    const stop = gap < 0 ? text.length : gap;
    end = stop - end > maxWord ? breakBefore(text, end + maxWord) : stop;
  }
  return text.slice(0, end).trim();
}

function runBefore(lines: readonly Line[], line: number, at: number): string {
  const own = nth(lines, line)
    .text.slice(Math.max(0, at - reach), at)
    .trimEnd();
  for (let index = line - 1, run = own; ; index--) {
    if (run !== "" || index < 0) return run;
    run = nth(lines, index).text.trimEnd();
  }
}

function runAfter(lines: readonly Line[], line: number, at: number): string {
  const own = nth(lines, line)
    .text.slice(at, at + reach)
    .trimStart();
  for (let index = line + 1, run = own; ; index++) {
    if (run !== "" || index >= lines.length) return run;
    run = nth(lines, index).text.trimStart();
  }
}

/** The start of the word at this offset. */
function breakBefore(text: string, at: number): number {
  const from = Math.max(0, at - 200);
  const segment = segmentAt(text.slice(from, at + 200), at - from);
  return segment === undefined ? at : from + segment.index;
}

/** The end of the word that ends at or after this offset. */
function breakAfter(text: string, at: number): number {
  const from = Math.max(0, at - 200);
  const segment = at === 0 ? undefined : segmentAt(text.slice(from, at + 200), at - 1 - from);
  return segment === undefined ? at : from + segment.index + segment.segment.length;
}

function isBreak(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  const after = text.charAt(at);
  if (!wordCharacter.test(before) || !wordCharacter.test(after)) return true;
  return unparted.test(before) || unparted.test(after);
}

/** Lower case of the same length, which keeps offsets. */
function lower(text: string): string {
  const folded = text.toLowerCase();
  return folded.length === text.length ? folded : text;
}
