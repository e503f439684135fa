import { nth } from "./column.ts";
import type { Words } from "./words.ts";

/** A stretch of a page: from an offset in one block to an offset in the same or a later one. */
export interface Span {
  readonly block: number;
  readonly start: number;
  readonly lastBlock: number;
  readonly end: number;
  /** As it stands on the page, with no more than a space between blocks. */
  readonly text: string;
}

/** How far, in words, an end of a passage that no longer matches may be searched for its sentence's end. */
const reach = 8;
const endsSentence = /[.!?](?:["')\]]*)(?:\s|$)|[。！？]| \| /u;
const maxText = 2000;
/** A sentence is cut this many words before and after what it is shown for. */
const maxSentence = 40;

/** The stretch from word `first` to word `last`, both within. */
export function spanAt(page: Words, first: number, last: number): Span {
  const block = nth(page.block, first);
  const lastBlock = nth(page.block, last);
  const start = nth(page.start, first);
  const end = closed(nth(page.blocks, lastBlock).text, block === lastBlock ? start : 0, nth(page.end, last));
  return { block, start, lastBlock, end, text: textOf(page, { block, start, lastBlock, end }) };
}

/** Takes along the brackets that close what was opened. */
function closed(text: string, start: number, end: number): number {
  let to = end;
  for (const close = /[)\]]/y; to - end < 3; to++) {
    close.lastIndex = to;
    const bracket = close.exec(text)?.[0];
    if (bracket === undefined) break;
    const inside = text.slice(Math.max(start, to - maxText), to);
    const open = bracket === ")" ? "(" : "[";
    if (inside.split(open).length <= inside.split(bracket).length) break;
  }
  return to;
}

function textOf(page: Words, span: Omit<Span, "text">): string {
  const parts: string[] = [];
  for (let b = span.block; b <= span.lastBlock; b++) {
    const { text } = nth(page.blocks, b);
    const from = b === span.block ? span.start : 0;
    parts.push(text.slice(from, b === span.lastBlock ? span.end : text.length));
  }
  return parts.join(" ").slice(0, maxText);
}

/** The sentence, or the cell, around these words. */
export function sentenceAt(page: Words, first: number, last: number): [first: number, last: number] {
  let from = first;
  while (from > 0 && first - from < maxSentence && !isParted(page, from - 1)) from--;
  let to = last;
  while (to < page.ids.length - 1 && to - last < maxSentence && !isParted(page, to)) to++;
  return [from, to];
}

/** Stretches an altered passage, at an end that no longer matches, to the end of its sentence, cell or block. */
export function wholeSentences(
  page: Words,
  first: number,
  last: number,
  missing: { readonly head: number; readonly tail: number },
): [first: number, last: number] {
  const from = missing.head === 0 ? first : edge(page, first, -1, missing.head + reach);
  const to = missing.tail === 0 ? last : edge(page, last, 1, missing.tail + reach);
  return [from, to];
}

/** The last word this side of the next parting, if it is within reach; else the word itself. */
function edge(page: Words, word: number, direction: 1 | -1, steps: number): number {
  for (let at = word, left = steps; left >= 0; at += direction, left--) {
    const end = direction === 1 ? page.ids.length - 1 : 0;
    if (at === end || isParted(page, direction === 1 ? at : at - 1)) return at;
  }
  return word;
}

/** Whether a sentence, cell or block ends between this word and the next. */
function isParted(page: Words, word: number): boolean {
  const block = nth(page.block, word);
  if (page.block[word + 1] !== block) return true;
  const between = nth(page.blocks, block).text.slice(page.end[word], page.start[word + 1]);
  return endsSentence.test(between.slice(0, 80));
}
