import type { Block } from "../model.ts";
import { nth } from "./column.ts";
import { type Line, linesOf, locate, next, previous, type Selection } from "./line.ts";
import { findQuote } from "./quote.ts";
import { wordsOf } from "./words.ts";

/** The parts of a text directive, https://wicg.github.io/scroll-to-text-fragment/#syntax */
interface Directive {
  readonly prefix?: string;
  readonly start: string;
  readonly end?: string;
  readonly suffix?: string;
}

/** A longer passage is told by its first and last words, so that a line break between them does no harm. */
const maxLiteral = 120;
/** A passage this short may stand in a menu too, which blocks do not show: it gets context at once. */
const short = 20;
const contextWords = [0, 3, 6, 12, 24];

/**
 * The text fragment that makes a browser scroll to the passage: `#:~:text=…`. Empty where the passage is not there.
 * The passage may be quoted freely: what goes into the fragment is the page's own text.
 */
export function fragmentOf(
  passage: string,
  blocks: readonly Block[],
  context: { readonly prefix?: string; readonly suffix?: string } = {},
): string {
  const found = findQuote(wordsOf(blocks), { exact: passage, ...context });
  if (found.status === "absent") return "";
  const { lines, selection } = linesOf(blocks, found.span);
  if (selection === undefined) return "";
  return `#:~:text=${written(directiveOf(lines, selection))}`;
}

/** The shortest directive that leads to this selection and to nothing before it. */
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

/** Whether there are other words in the same block, so that context is sure to be text beside it. */
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
