import { cacheByText } from "../../model/cache.ts";
import type { Trace } from "../../model/heuristics.ts";
import type { Block } from "../../model/reading.ts";
import type { ChangedText, Differences } from "./difference.ts";
import { aFewPages, keyOf, minDistinctiveLetters, nameOf, partsOf, wordsOf } from "./text.ts";
import { allowance, occurrences, type SideOfComparison } from "./text-search.ts";

/**
 * Compares texts by position. Part of a text's name is the text before it: "Deprecated since 3.2." under one more
 * function is news, although other functions are deprecated already. Texts that each side has once divide it into gaps.
 * Gaps between the same two texts are compared; if the order changed, there are none.
 */

interface Side {
  readonly blocks: readonly Block[];
  readonly text: SideOfComparison;
}

interface Part {
  readonly text: string;
  readonly block: number;
}

interface WordedPart extends Part {
  readonly words: string;
}

/** The parts between two texts. */
interface Gap {
  readonly above: string;
  readonly below: string;
  /** Whether it is before the first of these texts, or after the last one. */
  readonly isAtEdge: boolean;
  readonly parts: readonly Part[];
}

/** A part that occurs more often in its gap than in the same gap of the other side. */
interface Surplus extends WordedPart {
  readonly above: string;
  /** Whether the other side has no surplus in this gap. */
  readonly isAlone: boolean;
  readonly isAtEdge: boolean;
  /** The only other text of the gap, which has all words of this one, or the reverse: counting words misses both. */
  readonly partner?: Part;
}

/** With more places at once, the layout changed. */
const maxPlaces = 3;
/** A text with fewer letters and digits is a label: "Yes", "Copy". */
const minLetters = 8;
/** Characters of a text that are used to name a place, at most. */
export const longestPlace = 300;

/** Texts that came to a place or left it. `isReported`: whether a text is news already, as one side lacks it. */
export function differenceByPosition(
  before: Side,
  after: Side,
  isReported: (side: "added" | "removed", part: Part) => boolean,
  trace: Trace | undefined,
): Differences {
  const [olds, news] = [partsIn(before.blocks), partsIn(after.blocks)];
  const [oldTimes, newTimes] = [olds, news].map((parts) => timesOf(parts.map(({ text }) => text)));
  const isAnchor = (text: string) => oldTimes?.get(text) === 1 && newTimes?.get(text) === 1;
  const isRepeated = ({ text }: Part) => (oldTimes?.get(text) ?? 0) > 1 || (newTimes?.get(text) ?? 0) > 1;
  const surpluses = surplusesOf(gapsOf(olds, isAnchor), gapsOf(news, isAnchor));
  const went = surpluses.went.filter((part) => !isReported("removed", part));
  const came = surpluses.came.filter((part) => !isReported("added", part));
  const leftWords = wordsOfInner(went);
  const reachedWords = wordsOfInner(came);
  const isMove = (part: Surplus) => isRepeated(part) && leftWords.has(part.words) && reachedWords.has(part.words);
  const surplusOfWords = cacheByText(aFewPages, (words) => after.text.times(words) - before.text.times(words));
  const headings = headingsOf([...before.blocks, ...after.blocks]);
  const isNew = (part: Surplus, other: "added" | "removed", isMore: boolean) =>
    part.partner ? !isReported(other, part.partner) : isMore || isMove(part);
  const newParts = came.filter((part) => isNew(part, "removed", surplusOfWords(part.words) > 0));
  const oldParts = went.filter((part) => isNew(part, "added", surplusOfWords(part.words) < 0));
  const added = separateLabels(newParts, headings, trace);
  const removed = separateLabels(oldParts, headings, trace);
  return {
    added: added.texts,
    removed: removed.texts,
    labels: { added: added.labels, removed: removed.labels },
  };
}

function wordsOfInner(parts: readonly Surplus[]): ReadonlySet<string> {
  return new Set(parts.filter(({ isAtEdge }) => !isAtEdge).map(({ words }) => words));
}

/**
 * A text that appeared alone is a label of the layout if it is short, appeared at many places, or repeats a heading
 * together with others, as in a table of contents, or is at the edge of the page.
 */
function separateLabels(parts: readonly Surplus[], headings: ReadonlySet<string>, trace: Trace | undefined) {
  const aloneParts = parts.filter(({ isAlone }) => isAlone);
  const alone = Map.groupBy(aloneParts, ({ words }) => words);
  const isContents = [...alone.keys()].filter((words) => headings.has(words)).length > 1;
  const isLabel = ({ text, words, isAlone, isAtEdge }: Surplus) => {
    if (!isAlone) return false;
    if (isAtEdge || (isContents && headings.has(words))) return true;
    const [letters, places] = [keyOf(words).length, alone.get(words)?.length ?? 0];
    const about = text.slice(0, 60);
    trace?.({ threshold: "letters of a text that came to one more place", value: letters, limit: minLetters, about });
    trace?.({ threshold: "places that a text came to at once", value: places, limit: maxPlaces, about });
    return letters < minLetters || places > maxPlaces;
  };
  const separated = Map.groupBy(parts, isLabel);
  const textsOf = (key: boolean) => (separated.get(key) ?? []).map(changedText);
  return { texts: textsOf(false), labels: textsOf(true) };
}

function headingsOf(blocks: readonly Block[]): ReadonlySet<string> {
  return new Set(blocks.flatMap((block) => (block.kind === "heading" ? partsOf(block).map(wordsOf) : [])));
}

function changedText({ text, words, block, above }: Surplus): ChangedText {
  const place = nameOf(wordsOf(above.slice(0, longestPlace)));
  return { name: nameOf(`${words} below ${place}`), text, block, place };
}

function partsIn(blocks: readonly Block[]): Part[] {
  return blocks.flatMap((block, index) => partsOf(block).map((text): Part => ({ text, block: index })));
}

export function timesOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return times;
}

function gapsOf(parts: readonly Part[], isAnchor: (text: string) => boolean): Gap[] {
  const gaps: Gap[] = [];
  let above = "";
  let within: Part[] = [];
  for (const part of parts) {
    if (!isAnchor(part.text)) {
      within.push(part);
      continue;
    }
    gaps.push({ above, below: part.text, isAtEdge: above === "", parts: within });
    above = part.text;
    within = [];
  }
  return [...gaps, { above, below: "", isAtEdge: true, parts: within }];
}

function keyOfGap({ above, below }: Gap): string {
  return `${above}\n${below}`;
}

function sameParts(olds: readonly Part[], news: readonly Part[]): boolean {
  return olds.length === news.length && olds.every(({ text }, i) => text === news[i]?.text);
}

/** The parts that are more frequent on one side of a gap, in all gaps that both sides have. */
function surplusesOf(olds: readonly Gap[], news: readonly Gap[]): { went: Surplus[]; came: Surplus[] } {
  const gaps = new Map(olds.map((gap) => [keyOfGap(gap), gap]));
  const [went, came]: [Surplus[], Surplus[]] = [[], []];
  let steps = allowance;
  for (const now of news) {
    const old = gaps.get(keyOfGap(now));
    if (!old || sameParts(old.parts, now.parts)) continue;
    const [had, has] = [wordedParts(old), wordedParts(now)];
    const [text, successor] = recutIn(had, has);
    if (text && successor) {
      went.push({ ...text, ...old, isAlone: false, partner: successor });
      came.push({ ...successor, ...now, isAlone: false, partner: text });
      continue;
    }
    const [before, after] = [textOf(had), textOf(has)];
    steps -= (before.length + after.length) * (had.length + has.length);
    if (steps < 0) break;
    const lost = surplusOf(had, before, after);
    const won = surplusOf(has, after, before);
    went.push(...withoutRespaced(lost, won).map((part) => ({ ...part, ...old, isAlone: won.length === 0 })));
    came.push(...withoutRespaced(won, lost).map((part) => ({ ...part, ...now, isAlone: lost.length === 0 })));
  }
  return { went, came };
}

/** The only texts in which two gaps differ, if one has all words of the other: a title that lost or gained a word. */
function recutIn(olds: readonly WordedPart[], news: readonly WordedPart[]): readonly WordedPart[] {
  if (olds.length !== news.length) return [];
  const changed = olds.flatMap((old, i) => (news[i] && news[i].words !== old.words ? [old, news[i]] : []));
  const [old, now, more] = changed;
  if (!old || !now || more) return [];
  const [short = "", long = ""] = [old.words, now.words].sort((a, b) => a.length - b.length);
  return ` ${long} `.includes(` ${short} `) ? changed : [];
}

/** Without texts that differ from one of `others` only in spaces. */
export function withoutRespaced<T extends { readonly text: string }>(
  texts: readonly T[],
  others: readonly T[],
): readonly T[] {
  const letters = ({ text }: T) => keyOf(wordsOf(text));
  const otherLetters = new Set(others.map(letters));
  return texts.filter((text) => !otherLetters.has(letters(text)));
}

function wordedParts({ parts }: Gap): WordedPart[] {
  return parts.map((part) => ({ ...part, words: wordsOf(part.text) })).filter(({ words }) => words !== "");
}

function textOf(parts: readonly WordedPart[]): string {
  return ` ${parts.map(({ words }) => words).join(" ")} `;
}

/** The last copies of each part that one side has more of. Spaces do not count. */
function surplusOf(parts: readonly WordedPart[], all: string, others: string): WordedPart[] {
  const [letters, otherLetters] = [keyOf(all), keyOf(others)];
  if (letters === otherLetters) return [];
  return [...Map.groupBy(parts, ({ words }) => words)].flatMap(([words, copies]) => {
    const key = keyOf(words);
    const [text, other, part] =
      key.length < minDistinctiveLetters ? [all, others, ` ${words} `] : [letters, otherLetters, key];
    const more = occurrences(text, part) - occurrences(other, part);
    return more > 0 ? copies.slice(-more) : [];
  });
}
