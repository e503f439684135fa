import type { Block, Reading } from "../model/reading.ts";
import { textsOf, wordsOf } from "./page/text.ts";

/** Distinguishes another document from a rewritten one, by its title and the text that both share. Pure. */

export interface TitledText {
  readonly title: string | undefined;
  readonly blocks: readonly Block[];
}

/** The fewest characters of a text that can be judged. */
const leastOfDocument = 300;
/** With a larger share of the old runs of words, the new text may be the old one rewritten. */
const mostShared = 0.05;
/** Words in a run: two texts on one subject share words, but hardly three in a row. */
const run = 3;
const maxSample = 20_000;

/** Whether a new text is about something else: it has another title, and shares nothing with the old one. */
export function isOtherDocument(before: TitledText, after: TitledText): boolean {
  const text = sampleOf(before.blocks);
  if (text.length < leastOfDocument || sharesTitle(before, after)) return false;
  const [oldRuns, newRuns] = [runsOf(text), runsOf(sampleOf(after.blocks))];
  let shared = 0;
  for (const one of oldRuns) if (newRuns.has(one)) shared++;
  return shared <= mostShared * oldRuns.size;
}

/**
 * Whether both have the same title, in the head or as a heading: all of "Release notes of 6.0" may be replaced by
 * "Release notes of 6.1". The site's name in both does not count. An unknown title counts as the same.
 */
function sharesTitle(before: TitledText, after: TitledText): boolean {
  if (before.title === undefined) return true;
  const [oldHeadings, newHeadings] = [headingsOf(before.blocks), headingsOf(after.blocks)];
  const [[old], [now]] = [oldHeadings, newHeadings];
  if (isAmong(old, newHeadings) || isAmong(now, oldHeadings)) return true;
  const [olds, news] = [partsOf(before.title), partsOf(after.title ?? "")];
  const common = [...olds].filter((part) => news.has(part));
  return (
    (common.length === olds.size && common.length === news.size) ||
    common.some((part) => oldHeadings.has(part) || newHeadings.has(part))
  );
}

/** The parts of a title, without numbers: "Install 2.0 - The Mill" gives "install" and "the mill". */
function partsOf(title: string): ReadonlySet<string> {
  return new Set(title.split(/\s[-\u2013\u2014|\u00b7\u2022\u00bb:]\s|:\s/).map(withoutNumbers));
}

function headingsOf(blocks: readonly Block[]): ReadonlySet<string> {
  return new Set(blocks.flatMap(({ kind, text }) => (kind === "heading" ? [withoutNumbers(text)] : [])));
}

function withoutNumbers(text: string): string {
  return wordsOf(text)
    .split(" ")
    .filter((word) => !/\d/.test(word))
    .join(" ");
}

/** Whether a heading shares a word with one of the others, apart from the shortest words. */
function isAmong(heading: string | undefined, others: ReadonlySet<string>): boolean {
  if (heading === undefined) return false;
  const words = new Set(heading.split(" ").filter((word) => word.length > 3));
  return [...others].some((other) => other === heading || other.split(" ").some((word) => words.has(word)));
}

function runsOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text).split(" ");
  return new Set(words.slice(run - 1).map((_, i) => words.slice(i, i + run).join(" ")));
}

/** The beginning of a text, enough to recognise it. */
export function sampleOf(blocks: readonly Block[]): string {
  let text = "";
  for (const block of blocks) if (text.length < maxSample) text += ` ${block.text}`;
  return text;
}

/** Recognises a page that was rewritten, as opposed to another page, by the menus around its content. Pure. */

export interface FramedPage {
  readonly whole: Pick<Reading, "title" | "language" | "blocks">;
  readonly content: readonly Block[];
}

/** The fewest texts around the content that identify a page. */
const leastAround = 8;
/** The share of these texts that must remain. In another language, or on another page, the menus change too. */
const leastKept = 0.5;

/** Whether menus, header and footer are as before, in the same language, and the page shows more than these. */
export function isFrameKept(before: FramedPage, after: FramedPage): boolean {
  if (before.whole.language !== after.whole.language) return false;
  const [olds, news] = [textsAround(before), textsAround(after)];
  if (after.content.every(({ text }) => olds.has(text))) return false;
  return olds.size >= leastAround && olds.intersection(news).size >= leastKept * Math.max(olds.size, news.size);
}

function textsAround({ whole, content }: FramedPage): Set<string> {
  return textsOf(whole.blocks ?? []).difference(textsOf(content));
}
