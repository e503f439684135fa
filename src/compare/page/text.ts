import { withoutAgo } from "../../language/ago.ts";
import { placeholders, saysRights } from "../../language/boilerplate.ts";
import { dateIn, datesIn } from "../../language/dates.ts";
import { cacheByText } from "../../model/cache.ts";
import type { Block } from "../../model/reading.ts";
import { aDay, type Instant } from "../../model/time.ts";
import { dateOfEdit, isAgo, labelLength, withoutPassing } from "./labels.ts";

/** Normalises texts for comparison: texts that a reader would call the same get the same words. */

/** A text with at least this many letters and digits identifies itself. Shorter texts are counted. */
export const minDistinctiveLetters = 16;

/** In characters: both sides of a comparison have nearly the same texts, and need them several times. */
export const aFewPages = 1_500_000;

const entities: Readonly<Record<string, string>> = { amp: "&", nbsp: " ", quot: '"', lt: "<", gt: ">", apos: "'" };

/**
 * Words in lower case, separated by one space, without punctuation, decoration and changes without meaning: relative
 * dates, counters, copyright years, queries, hashes, entities that were escaped twice. Meaningful signs stay:
 * currencies, per cent, comparisons, plus and minus at a number, ticks, crosses and boxes, colours and thumbs that
 * rate, and signs that are alone in a cell.
 */
export const wordsOf = cacheByText(aFewPages, foldedWords);

function foldedWords(text: string): string {
  let words = normalise(text);
  if (words.includes(" |")) words = withSignsOfCells(words);
  if (words.includes("=")) words = words.replace(/[<>!~]=+/g, (sign) => comparisons[sign[0] ?? ""] ?? sign);
  if (words.includes("<")) words = words.replace(less, " < ");
  if (words.includes("~")) words = words.replace(about, "≈ ");
  words = withoutAgo(words);
  if (text.length < labelLength) words = withoutPassing(words);
  if (words.startsWith("[")) words = words.replace(/^\[([ x])\](?= )/, (_, tick) => (tick === "x" ? "✓" : "☐"));
  words = withoutMarks(words);
  if (beyondAscii.test(words)) {
    words = words
      .replace(/[✔✅☑]/gu, "✓")
      .replace(/[✘❌☒✖]/gu, "✗")
      .replace(/[🔴🟠🟡🟢🟥🟧🟨🟩👍👎]/gu, (sign) => ` u${sign.codePointAt(0)?.toString(16)} `)
      .replace(/[^\p{L}\p{M}\p{N}\p{Sc}%<>=≤≥≠≈±✓✗☐+#_ -]+/gu, " ");
  } else words = words.replace(/[^a-z0-9$%<>=+#_ -]+/g, " ");
  // An underscore within a name matters; around it, it is decoration.
  if (words.includes("_")) words = words.replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, " ");
  words = words.replace(/ {2,}/g, " ");
  if (/[#<>=+-]/.test(words)) words = withoutLoneSigns(words);
  words = words.trim();
  return placeholders.has(words) ? "" : words;
}

/** Comparisons in code, by their first sign. */
const comparisons: Readonly<Record<string, string>> = { "<": "≤", ">": "≥", "!": "≠", "~": "≈" };

/** The sign "less than" in code: "if (a<b)". That of a tag or type is soon closed: "List<Anvil>". */
const less = /(?<=[\p{L}\p{N}_)\]])<(?=[\p{L}_(])(?![^>]{0,80}>)/gu;

/** "About" before a figure. */
const about = /(?<=^|[\s(|])~ ?(?=\d)/gu;

/** Signs that are kept as they are. */
const ticks = "✓✔✅☑✗✘❌☒✖☐";
/** Signs of a rating in a cell: circles, stars, coloured squares, "++". */
const rating = new RegExp(`(?![${ticks}])[\\p{S}?]`, "gu");
const saying = new RegExp(`[\\p{L}\\p{N}${ticks}]`, "u");

/**
 * A row in which signs of cells without words become their code points, as "u25cf" for "●". An empty cell, or a dash,
 * becomes "u0" if a filled one follows, since the meaning of a cell depends on its column.
 */
function withSignsOfCells(row: string): string {
  const cells = row
    .split(/ \|(?= |$)/)
    .map((cell) =>
      saying.test(cell) ? cell : cell.replace(rating, (sign) => ` u${sign.codePointAt(0)?.toString(16)}`),
    );
  const last = cells.findLastIndex((cell) => saying.test(cell));
  return cells.map((cell, i) => (i > 0 && i < last && !saying.test(cell) ? " u0" : cell)).join(" |");
}

/** Removes copyright years, queries of addresses and hashes. Each is only searched for if it can occur. */
function withoutMarks(text: string): string {
  let words = text;
  if (words.length < longestNotice && isNotice(words)) words = words.replace(years, " ");
  else if (/©|\(c\)|copyright/.test(words))
    words = words.replace(/(©|\(c\)|copyright)[\s©(c)]{0,20}\d{4}(?:\s?[-–—,]\s?\d{4})*/gu, "$1 ");
  if (words.includes("line")) words = words.replace(lineOfFile, "$1 ");
  if (words.includes("0x")) words = words.replace(/\bat 0x[0-9a-f]{6,16}\b/g, "at");
  if (words.includes("-packages/")) words = words.replace(lineOfLibrary, "$1 ");
  if (words.includes("/tmp/")) words = words.replace(temporary, "/tmp ");
  if (words.includes("@")) words = words.replace(identity, "$1");
  if (words.includes("?")) words = words.replace(query, " ");
  if (/\d[a-f-]|[a-f-]\d/.test(words)) {
    words = words.replace(/\b[0-9a-f][0-9a-f-]{15,127}\b/g, (hash) =>
      /\d/.test(hash) && /[a-f]/.test(hash) ? " " : hash,
    );
  }
  return words;
}

/** Characters of a copyright notice, at most. Its years are those of the last build. */
export const longestNotice = 160;
const years = /\b(?:19|20)\d{2}(?: ?[-–—] ?(?:(?:19|20)\d{2}|present))?\b/g;

/** Whether a line is a copyright notice, perhaps with the date of the build. */
export function isNoticeLine(text: string): boolean {
  return text.length < longestNotice && isNotice(text.toLowerCase());
}

/** Whether a short text is a copyright notice: by its sign, by reserved rights, or by the word with a year at its end. */
export function isNotice(words: string): boolean {
  return words.includes("©") || saysRights(words) || /^copyright\b[^.;:]{0,60}\b(?:19|20)\d{2}\.?$/.test(words);
}

/** The query of an address. */
export const query = /(?<=[a-z0-9/])\?[\w.-]+=\S*/giu;

/** The line number in a source file, as in listings and stack traces: it changes with each edit above it. */
const lineOfFile = /(\bfile ["']?[\w./-]{1,200}\.[a-z]{1,4}["']?, line )\d+/g;
/** The same in an installed library, as in warnings. */
const lineOfLibrary = /(\b(?:site|dist)-packages\/[\w./-]{1,200}\.py:)\d+/g;

/** A temporary folder of a program, and the number of a notebook's cell in it. */
const temporary =
  /\/tmp\/(?:rtmp\w{6}|tmp\w{8}|ipykernel_\d{1,9})\b(?:\/(?:\d{1,12}\.py|[a-z_-]{0,30}(?=\w{0,30}\d)[0-9a-f]{8,32}))?/g;
/** A memory address of an object or a function: "org.engine.Crank@1f2e3d4c"; after a file it is a commit. */
const identity =
  /([a-z_]\.[a-z_$][\w$.]{0,100}?|\$(?=lambda))(?:lambda\$?\d{0,9}\/[0-9a-fx]{1,18})?(?<!\.(?:git|ya?ml|m?js))@(?=[a-f]{0,8}\d)[0-9a-f]{6,8}(?![\w-]|\.\w)/g;

/** Removes signs without meaning, as hyphens and marks of headings. A plus after a figure means "or more". */
function withoutLoneSigns(words: string): string {
  return words
    .replace(
      /#{2,}|(?<!\p{L})#|(?<! )<(?! ?\d)|<(?! )(?!\d)|[>=](?! ?\d)|-(?!\d)|(?<=\S)-|(?<![\p{L}\d+])\+(?!\d)/gu,
      " ",
    )
    .replace(/ {2,}/g, " ");
}

const beyondAscii = /[^\0-\x7f]/;

/** More marks on one letter than any script has: the time to normalise them grows with the square of their number. */
const stack = /(\p{M}{30})\p{M}+/gu;

/** The border between a figure and its exponent or note. */
const raised = /(?<=\d)(?=\u207b?[\u00b2\u00b3\u00b9\u2070\u2074-\u2079])/g;

function normalise(text: string): string {
  let words = beyondAscii.test(text) ? text.replace(stack, "$1").replace(raised, " ").normalize("NFKC") : text;
  if (words.includes("&")) {
    words = words.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (all, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0;
      if (code > 0 && code <= 0x10ffff) return String.fromCodePoint(code);
      return entities[name] ?? all;
    });
  }
  // In lower case a bit would look like a byte.
  if (/\d\s?[KMGTP]i?b/.test(words)) words = words.replace(/(\d\s?[KMGTP]i?)b(?=ps\b|[^\p{L}\p{N}]|$)/gu, "$1bit");
  return words
    .toLowerCase()
    .replaceAll("\u2212", "-")
    .replace(/(?:[\u2018\u2019'’]|\ufe0e|\ufe0f)/g, "")
    .replace(/\s{2,}|[^\S ]/g, " ");
}

export function isRelativeDate(text: string): boolean {
  if (text.length >= labelLength) return false;
  const words = normalise(text);
  return withoutAgo(words) !== words || isAgo(words);
}

/** Whether a short text is only a past day, perhaps with words for an edit. */
export function isPastDay(text: string, now: Instant): boolean {
  if (text.length >= labelLength) return false;
  const date = dateIn(text) ?? dateOfEdit(normalise(text));
  if (!date || date.precision === "month" || date.precision === "year" || date.days.length === 0) return false;
  return date.days.every((day) => day <= now + aDay);
}

/** Letters and digits without spaces, but with a sign between separate numbers. */
export function keyOf(words: string): string {
  return words.replace(/(\d) (?=\d)/g, "$1·").replaceAll(" ", "");
}

/** The texts of all blocks, as they are written. */
export function textsOf(blocks: readonly Block[]): Set<string> {
  return new Set(blocks.map(({ text }) => text));
}

/** Numbers before a text: "2.", "(iv)", "3.1." */
const enumerator = /^\(?(?:\d{1,3}(?:\.\d{1,3}){0,3}|[a-z]|[ivxlc]{1,5})[.)]:?$/i;

/** A name with its value, which belong together. */
const label = /^[^.!?:;]{1,40}: [^.!?:;]{1,40}$/;

/** The number of a section before its title: a word with a plain number and a mark, or a number alone. */
export const sectionNumber = /^(?:\p{L}{1,15}\s\d{1,3}[.:)]|\d{1,3}(?:\.\d{1,3}){0,5}[.:)]?)\s+(?=\p{L})/u;

/** The parts that are compared separately: a row, value, numbered heading or label as a whole, else sentences. */
export function partsOf({ kind, text }: Block): readonly string[] {
  const isWhole = kind === "row" || kind === "value" || (kind === "heading" && sectionNumber.test(text));
  return isWhole ? [text] : partsOfText(text);
}

/** The names of the texts of a block that are not in the other one. */
export function namesOnlyOf(block: Block | undefined, other: Block | undefined): string[] {
  const wordings = (of: Block | undefined) => (of ? partsOf(of).map(wordsOf) : []);
  const had = new Set(wordings(other));
  return wordings(block)
    .filter((words) => words !== "" && !had.has(words))
    .map(nameOf);
}

const partsOfText = cacheByText(aFewPages, (text): readonly string[] => (isLabel(text) ? [text] : sentencesOf(text)));

/** Whether a short text belongs together: "Replies: 3 · Views: 502", "Kite Ltd. 2026. All rights reserved." */
function isLabel(text: string): boolean {
  return label.test(text) || isNoticeLine(text) || (text.length < labelLength && / [·•] /.test(text));
}

/** The sentences of a text. A full stop within a number, a name or a date does not end one, nor does one after "2." */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = "";
  let end = 0;
  for (const part of text.split(/(?<=[.!?;:][)"'”’\]]?)\s+(?=\P{Ll})|(?<=[。！？；])/u)) {
    const sentence = start === "" ? part : `${start} ${part}`;
    end = text.indexOf(part, end) + part.length;
    const isCut = enumerator.test(sentence) || isWithinDate(text, end);
    start = isCut ? sentence : "";
    if (start === "") sentences.push(sentence);
  }
  if (start !== "") sentences.push(start);
  return sentences;
}

const longestDate = 40;

/** Whether a text has a date around a place: "until 3. March 2026". */
function isWithinDate(text: string, place: number): boolean {
  if (!/\d\.$/.test(text.slice(Math.max(0, place - 2), place))) return false;
  const start = Math.max(0, place - longestDate);
  const dates = datesIn(text.slice(start, place + longestDate));
  return dates.some(({ from, to }) => start + from < place && place < start + to);
}

/** A short name for a text: 53 bits, enough to tell the texts of one page apart. */
export function nameOf(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
