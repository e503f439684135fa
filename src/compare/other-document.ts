import type { Block } from "../model/model.ts";
import { wordsOf } from "./page/text.ts";

/** Tells another document from the same one rewritten: by its title, and by what the two share. Pure. */

/** A text with the title that its page gives. */
export interface TitledText {
  readonly title: string | undefined;
  readonly blocks: readonly Block[];
}

/** Shorter texts say too little of what they are, in characters. */
const leastOfDocument = 300;
/** With more of the old runs of words in the new text, it may be the old one rewritten. */
const mostShared = 0.05;
/** Words in a run: two texts about one thing share words, and hardly ever three in a row. */
const run = 3;
/** Characters of a text that are compared. */
const maxSample = 20_000;

/** Whether what came is about something else: under another title, and without what stood there. */
export function isOtherDocument(before: TitledText, after: TitledText): boolean {
  const text = sampleOf(before.blocks);
  if (text.length < leastOfDocument || sharesTitle(before, after)) return false;
  const [held, holds] = [runsOf(text), runsOf(sampleOf(after.blocks))];
  let shared = 0;
  for (const one of held) if (holds.has(one)) shared++;
  return shared <= mostShared * held.size;
}

/**
 * Whether both go by one title, in the page's head or above its text: "Release notes of 6.0" give way to "Release notes of
 * 6.1" as a whole, and are the same page. The name of the site in both titles says nothing. Where nothing is known of a
 * title, nothing tells.
 */
function sharesTitle(before: TitledText, after: TitledText): boolean {
  if (before.title === undefined) return true;
  const [was, is] = [headingsOf(before.blocks), headingsOf(after.blocks)];
  const [[old], [now]] = [was, is];
  if (isAmong(old, is) || isAmong(now, was)) return true;
  const [olds, news] = [partsOf(before.title), partsOf(after.title ?? "")];
  const common = [...olds].filter((part) => news.has(part));
  return (
    (common.length === olds.size && common.length === news.size) || common.some((part) => was.has(part) || is.has(part))
  );
}

/** The parts of a title, without numbers: "Install 2.0 - The Mill" is "install" and "the mill". */
function partsOf(title: string): ReadonlySet<string> {
  return new Set(title.split(/\s[-\u2013\u2014|\u00b7\u2022\u00bb:]\s|:\s/).map(unnumbered));
}

function headingsOf(blocks: readonly Block[]): ReadonlySet<string> {
  return new Set(blocks.flatMap(({ kind, text }) => (kind === "heading" ? [unnumbered(text)] : [])));
}

function unnumbered(text: string): string {
  return wordsOf(text)
    .split(" ")
    .filter((word) => !/\d/.test(word))
    .join(" ");
}

/** Whether a heading shares a word with one of the others; the shortest words name nothing. */
function isAmong(heading: string | undefined, others: ReadonlySet<string>): boolean {
  if (heading === undefined) return false;
  const words = new Set(heading.split(" ").filter((word) => word.length > 3));
  return [...others].some((other) => other === heading || other.split(" ").some((word) => words.has(word)));
}

function runsOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text).split(" ");
  return new Set(words.slice(run - 1).map((_, i) => words.slice(i, i + run).join(" ")));
}

/** The beginning of a text, as much as tells what it is. */
export function sampleOf(blocks: readonly Block[]): string {
  let text = "";
  for (const block of blocks) if (text.length < maxSample) text += ` ${block.text}`;
  return text;
}
