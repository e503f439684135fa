import type { Block } from "../model/reading.ts";
import { type FoldedText, foldText, nth, original } from "./fold.ts";
import { anyOf, phrasesOf } from "./lexicon.ts";
import type { OtherNumber, WrittenNumber } from "./numbers.ts";
import { figureAt, type Quantity, sameQuantity, startOfFigure } from "./quantity.ts";

/** A distinct word, number or quantity. */
export interface Term {
  /** Equal for equal meanings, regardless of case, punctuation, spelling of figures and contractions. */
  readonly key: string;
  /** The key without a plural ending or a particle. */
  readonly stem: string;
  /** Its importance: low for function words. */
  readonly weight: number;
  readonly quantity?: Quantity;
  /** A number without a known unit. */
  readonly number?: number;
  /** Another number that the same signs may mean. */
  readonly other?: OtherNumber;
}

export interface Word {
  readonly term: Term;
  readonly start: number;
  readonly end: number;
}

/** All words of a text in order, in columns: word `i` is `terms[ids[i]]` in block `block[i]` at `start[i]..end[i]`. */
export interface Words {
  readonly blocks: readonly Block[];
  readonly terms: readonly Term[];
  readonly idOf: ReadonlyMap<string, number>;
  readonly ids: Int32Array;
  readonly block: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
}

// In this order: a footnote reference, a sign with meaning beside a figure, a figure's start, one character of a script
// without spaces, a word, a percent sign.
const token = new RegExp(
  [
    "\\[\\^?\\d{1,3}\\]",
    "[<>≤≥]=?(?= ?[$€£¥]?\\d)",
    `(?<figure>${startOfFigure})`,
    "[[\\p{L}\\p{Nl}]&&[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}]]",
    "[[\\p{L}_]--[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}]][[\\p{L}\\p{M}\\p{N}_]--[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}]]*(?:'\\p{L}+)?(?:\\+\\+|#)?",
    "%",
  ].join("|"),
  "gv",
);
const wordRest = /[[\p{L}\p{M}\p{N}_]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]]*/vy;
const after = /[\p{L}\p{N}_]/u;
/** A character of a script without spaces, or a sign that lengthens or repeats it. */
const unparted = /[[\p{L}\p{Nl}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]]/v;

const functionWords = phrasesOf("words.function");

/** The words of some text. Linear in its length. */
export function wordsIn(text: string): Word[] {
  const words: Word[] = [];
  scan(foldText(text), (term, start, end) => words.push({ term, start, end }));
  return words;
}

export function termsIn(text: string): Term[] {
  return wordsIn(text).map(({ term }) => term);
}

export function keysIn(text: string): string {
  return termsIn(text)
    .map(({ key }) => key)
    .join(" ");
}

/** The stems of words, in order and with repeats. */
export function stemsOf(words: readonly Pick<Word, "term">[]): string[] {
  return words.map(({ term }) => term.stem);
}

export function distinctiveStems(words: readonly Pick<Word, "term">[]): string[] {
  return words.flatMap(({ term }) => (term.weight >= 1 ? [term.stem] : []));
}

export function wordsOfText(text: string): Words {
  return wordsOfBlocks([{ path: [], kind: "paragraph", text }]);
}

export function wordsOfBlocks(blocks: readonly Block[]): Words {
  const ids: number[] = [];
  const columns: { block: number[]; start: number[]; end: number[] } = { block: [], start: [], end: [] };
  const terms: Term[] = [];
  const idOf = new Map<string, number>();
  blocks.forEach((block, index) => {
    scan(foldText(block.text), (term, start, end) => {
      let id = idOf.get(term.key);
      if (id === undefined) {
        id = terms.length;
        idOf.set(term.key, id);
        terms.push(term);
      }
      ids.push(id);
      columns.block.push(index);
      columns.start.push(start);
      columns.end.push(end);
    });
  });
  return {
    blocks,
    terms,
    idOf,
    ids: Int32Array.from(ids),
    block: Int32Array.from(columns.block),
    start: Int32Array.from(columns.start),
    end: Int32Array.from(columns.end),
  };
}

/** The distinct terms of a text without function words; all terms if it has no others. */
export function keywords(text: string): Term[] {
  const all = termsIn(text);
  const distinctive = all.filter((term) => term.weight >= 1);
  return [...new Map((distinctive.length > 0 ? distinctive : all).map((term) => [term.stem, term])).values()];
}

type Emit = (term: Term, start: number, end: number) => void;

function scan(folded: FoldedText, emit: Emit): void {
  const { text } = folded;
  const emitTerm: Emit = (term, start, end) => {
    const at = original(folded, start, end);
    emit(term, at.start, at.end);
  };
  token.lastIndex = 0;
  for (let m = token.exec(text); m !== null; m = token.exec(text)) {
    const [written] = m;
    if (written.startsWith("[")) continue;
    const first = written.charAt(0);
    const end = m.index + written.length;
    if (isVersionSign(written, text, end)) {
      token.lastIndex = figure(text, m.index + 1, (term, _, to) => emitTerm(term, m.index, to));
    } else if (m.groups?.figure !== undefined) token.lastIndex = figure(text, m.index, emitTerm);
    else if (unparted.test(first) || !after.test(first)) emitTerm(wordTerm(written), m.index, end);
    else wordsInToken(written, m.index, emitTerm);
  }
}

/** Whether `v` begins a version, as in `v2.1`. `v2` may be a name. */
function isVersionSign(written: string, text: string, end: number): boolean {
  return /^v\d+$/i.test(written) && /^\.\d/.test(text.slice(end, end + 2));
}

/** Emits a figure, or a word that begins with a digit (`3D`, `2.14.0rc1`). Returns the offset after it. */
function figure(text: string, at: number, emit: Emit): number {
  const figureHere = figureAt(text, at);
  if (figureHere === undefined) return at + 1;
  if (figureHere.quantity !== undefined) {
    const start = text.charAt(at - 1) === "-" && figureHere.quantity.from < 0 ? at - 1 : at;
    emit(quantityTerm(figureHere.quantity), start, figureHere.end);
    return figureHere.perEnd === undefined
      ? figureHere.end
      : timeOfPayment(text, figureHere.end, figureHere.perEnd, figureHere.quantity, emit);
  }
  wordRest.lastIndex = figureHere.end;
  const rest = wordRest.exec(text)?.[0] ?? "";
  const end = figureHere.end + rest.length;
  const negative = text.charAt(at - 1) === "-" && !after.test(text.charAt(at - 2));
  if (rest !== "") emit(wordTerm(figureHere.number.digits + rest), at, end);
  else emit(numberTerm(figureHere.number, negative), at, end);
  return end;
}

/** `/month`, `a month` and `/mo` become `per month`. */
function timeOfPayment(text: string, from: number, to: number, { per = "" }: Quantity, put: Emit): number {
  for (const { 0: written, index } of text.slice(from, to).matchAll(/\/|[a-z]+/gi)) {
    const end = from + index + written.length;
    const isLink = /^(?:\/|per|an?)$/i.test(written);
    const isTime = end === to && !/ly$/i.test(written);
    put(wordTerm(isLink ? "per" : isTime ? per : written), from + index, end);
  }
  return to;
}

/** Words that lose their vowel before another vowel: `l'espace`, `qu'elle`, `dell'unità`. */
const elided = new RegExp(`^${anyOf("words.elided")}'(?=\\p{L}{2})`, "u");

/** Words that mean the same as two others. */
const longForms: Readonly<Record<string, readonly [verb: string, denial: string]>> = {
  cannot: ["can", "not"],
  "can't": ["can", "not"],
  "won't": ["will", "not"],
  lacks: ["has", "no"],
  lack: ["have", "no"],
  lacked: ["had", "no"],
};

/** Emits contractions as their long form: `isn't` as `is not`, `cannot` as `can not`, and `lacks` as `has no`. */
function wordsInToken(written: string, at: number, emit: Emit): void {
  const end = at + written.length;
  const lower = written.toLowerCase();
  const contracted = lower.endsWith("n't") ? ([lower.slice(0, -3), "not"] as const) : undefined;
  const long = Object.hasOwn(longForms, lower) ? longForms[lower] : contracted;
  const article = long === undefined ? elided.exec(lower)?.[0] : undefined;
  if (long !== undefined) {
    for (const word of long) emit(wordTerm(word), at, end);
  } else if (article !== undefined) {
    emit({ key: article, stem: article, weight: little }, at, at + article.length);
    emit(wordTerm(lower.slice(article.length)), at + article.length, end);
  } else {
    emit(wordTerm(lower.endsWith("'s") ? lower.slice(0, -2) : lower), at, end);
  }
}

/** The importance of a function word. */
const little = 0.2;

function wordTerm(written: string): Term {
  const key = written.toLowerCase();
  return { key, stem: stem(key), weight: functionWords.has(key) ? little : 1 };
}

function numberTerm({ digits, value, other }: WrittenNumber, isNegative: boolean): Term {
  const key = isNegative ? `-${digits}` : digits;
  const sign = isNegative ? -1 : 1;
  return {
    ...{ key, stem: key, weight: 1 },
    ...(!Number.isNaN(value) && { number: sign * value }),
    ...(other && { other: { ...other, value: sign * other.value } }),
  };
}

function quantityTerm(quantity: Quantity): Term {
  const key = `\u0001${quantity.dimension} ${quantity.from} ${quantity.to}`;
  return { key, stem: key, weight: 1, quantity };
}

export function isSame(one: Term, other: Term): boolean {
  if (one.key === other.key) return true;
  if (one.quantity && other.quantity) return sameQuantity(one.quantity, other.quantity);
  if (one.other === undefined && other.other === undefined) return false;
  return numbersOf(one).some((number) => numbersOf(other).includes(number));
}

export function numbersOf({ number, other }: Pick<Term, "number" | "other">): number[] {
  return [number, other?.value].flatMap((one) => one ?? []);
}

/** A Korean noun with its particle. */
const particle = /^(\p{Script=Hangul}{2,})(?:을|를|은|는|이|가|의|에|로|으로|와|과|도|만)$/u;

function stem(key: string): string {
  const noun = particle.exec(key)?.[1];
  if (noun !== undefined) return noun;
  if (key.length < 4 || !key.endsWith("s") || key.endsWith("ss")) return key;
  return key.endsWith("ies") ? `${key.slice(0, -3)}y` : key.slice(0, -1);
}

/** A stretch of a page: it begins at an offset in a block, and may end in a later one. */
interface Span {
  readonly block: number;
  readonly start: number;
  /** The text on the page, with at most one space between blocks. */
  readonly text: string;
}

/** If an end of a passage no longer matches, the end of its sentence is searched within this many words. */
const reach = 8;
const endsSentence = /[.!?](?:["')\]]*)(?:\s|$)|[。！？]| \| /u;
const maxText = 2000;
/** Words of a sentence that are shown before and after its subject, at most. */
const maxSentence = 40;

export function spanAt(page: Words, first: number, last: number): Span {
  const block = nth(page.block, first);
  const lastBlock = nth(page.block, last);
  const start = nth(page.start, first);
  const end = includeClosingSigns(
    nth(page.blocks, lastBlock).text,
    block === lastBlock ? start : 0,
    nth(page.end, last),
  );
  const texts = page.blocks.slice(block, lastBlock + 1).map(({ text }) => text);
  texts.push(texts.pop()?.slice(0, end) ?? "");
  texts[0] = texts[0]?.slice(start) ?? "";
  return { block, start, text: texts.join(" ").slice(0, maxText) };
}

/** Includes the sign of `3.9+`, and brackets that close open ones. */
function includeClosingSigns(text: string, start: number, end: number): number {
  let to = end;
  if (text.charAt(to) === "+" && /\d/.test(text.charAt(to - 1))) to++;
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

/** The sentence, or the cell, around these words. */
export function sentenceAt(page: Words, first: number, last: number): [first: number, last: number] {
  let from = first;
  while (from > 0 && first - from < maxSentence && !isParted(page, from - 1)) from--;
  let to = last;
  while (to < page.ids.length - 1 && to - last < maxSentence && !isParted(page, to)) to++;
  return [from, to];
}

/** Extends an altered passage, at an end that no longer matches, to the end of its sentence, cell or block. */
export function wholeSentences(
  page: Words,
  first: number,
  last: number,
  missing: { readonly head: number; readonly tail: number },
): [first: number, last: number] {
  const from = missing.head === 0 ? first : boundaryNear(page, first, -1, missing.head + reach);
  const to = missing.tail === 0 ? last : boundaryNear(page, last, 1, missing.tail + reach);
  return [from, to];
}

/** The last word before the next boundary, if that is within reach; else the word itself. */
function boundaryNear(page: Words, word: number, direction: 1 | -1, steps: number): number {
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
