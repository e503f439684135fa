import { nth, plainWords } from "../../language/fold.ts";
import { anyOf, matches, phrasesOf, says, wordsOf } from "../../language/lexicon.ts";
import { isMonthName } from "../../language/month-names.ts";
import { sentenceAt, spanAt, type Term, type Words } from "../../language/words.ts";
import { boundOf, denials, isStrict, maxBetween } from "./bound.ts";
import { occurrences, partsOf } from "./quote.ts";

const lacks = phrasesOf("negation.lack");
/** After a denial, these deny it in turn: `does not run without 16 GB`. */
const without = phrasesOf("negation.without");
/** One of these may be between a Chinese negation and the denied words: `不再支持`. */
const auxiliary = phrasesOf("negation.auxiliary");
/** After a denial, these cancel it: `not only supports`, `no more than 16 GB`, `not fast but supports`. */
const notAlone = phrasesOf("negation.not-alone");
const pairs = phrasesOf("negation.pair");
const parted = phrasesOf("negation.parted");
const unable = phrasesOf("negation.unable");
/** A denial after the denied words, at the end of its clause: `läuft auf Arm nicht mehr`. */
const isDenialBehind = matches(`^ ${anyOf("negation.behind")}(?=[^\\p{L}\\p{N} ]|$)`);
/** An ending that denies a Japanese verb, and what cancels it: `しか…ない`, `かもしれません`, `なければならない`, `でもかまいません`. */
const hasNegativeEnding = matches(`^\\p{Script=Hiragana}{0,8}${anyOf("negation.ending")}$`);
const endsOtherwise = says("negation.no-ending");
/** Up to three words of a passage before a restriction. */
const fewWords = "^[^\\p{L}\\p{N}]{0,3}(?:[\\p{L}\\p{N}.]+ ){0,3}?";
/**
 * Words that restrict a passage: `Windows 10, but only with`. Some count only directly after it: elsewhere `salvo` is a
 * verb.
 */
const isRestriction = matches(
  `${fewWords}${anyOf("negation.except")}(?![\\p{L}\\p{N}])|^[^\\p{L}\\p{N}]{0,3}${wordsOf("negation.except-beside")}`,
);
/** Words after one that leads to a last day. In most languages that word introduces an amount as well: `up to`. */
const until = new RegExp(`${fewWords}${anyOf("negation.until")} ([^,;:!?()\\n]{1,60})`, "iu");
const ofDay = phrasesOf("negation.of-day");

/** Whether a passage holds only until a day or year. */
function isUntilDay(behind: string): boolean {
  const words = plainWords(until.exec(behind)?.[1] ?? "");
  const [first = "", second = "", third = ""] = words.filter((word) => !ofDay.has(word));
  const isYear = (word: string) => /^(?:19|20|21)\d\d$/.test(word);
  const isFigure = (word: string) => /^\d{1,2}(?!\d)/.test(word);
  if (isYear(first)) return second === "" || isFigure(second) || ofDay.has(words[0] ?? "");
  if (isMonthName(first)) return isFigure(second) || isYear(second);
  return isFigure(first) && (isMonthName(second) || (isFigure(second) && isYear(third)));
}

/**
 * A passage with the words that deny or restrict it, if they are right before or after every place that has it word for
 * word, in the same sentence. If the passage leaves words out, one denied part is enough.
 */
export function denialOfPassage(page: Words, text: string): string | undefined {
  return partsOf(text)
    .map((part) => partTakenBack(page, part))
    .find((span) => span !== undefined);
}

function partTakenBack(page: Words, passage: readonly Term[]): string | undefined {
  const spans = occurrences(page, passage).map((at) => {
    const last = at + passage.length - 1;
    const from = denialBefore(page, at);
    return from === undefined ? restrictionAfter(page, at, last) : spanAt(page, from, last).text;
  });
  return spans.includes(undefined) ? undefined : spans[0];
}

/** The words from `at` to the end of their sentence, if the words after `last` deny or restrict them. */
function restrictionAfter(page: Words, at: number, last: number): string | undefined {
  const [, end] = sentenceAt(page, at, last);
  if (end === last || page.block[end] !== page.block[last]) return undefined;
  const { text, start } = spanAt(page, at, end);
  const behind = text.slice(nth(page.end, last) - start);
  const isDenied = isDenialBehind(behind) || (hasNegativeEnding(behind) && !endsOtherwise(behind));
  return isDenied || isRestriction(behind) || isUntilDay(behind) ? text : undefined;
}

/** The first word of the denial of the words from `at` on, in the same sentence and with no sign between. */
function denialBefore(page: Words, at: number, isSecond = false): number | undefined {
  const keyAt = (word: number) => page.terms[page.ids[word] ?? -1]?.key ?? "";
  const keysBetween = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => keyAt(from + i));
  const isFigure = /\d/.test(keyAt(at));
  for (let word = at - 1; word >= 0 && at - word <= maxBetween + 1; word--) {
    const block = nth(page.block, word);
    if (page.block[word + 1] !== block) return undefined;
    const between = nth(page.blocks, block).text.slice(page.end[word], page.start[word + 1]);
    if (/[^\s'"“‘-]/.test(between)) return undefined;
    const key = keyAt(word);
    if (notAlone.has(key) || (isFigure && isStrict(boundOf(keysBetween(word, at))))) return undefined;
    if (denials.has(key))
      return [word - 1, word].some((from) => boundOf(keysBetween(from, at)) !== undefined) ? undefined : word;
    if (unable.has(`${keyAt(word - 1)}${key}`)) return undefined;
    if (without.has(key) && !isSecond && denialBefore(page, word, true) !== undefined) return undefined;
    if (lacks.has(key) && (word === at - 1 || (word === at - 2 && auxiliary.has(keyAt(at - 1))))) return word;
    if (pairs.has(`${keyAt(word - 1)} ${key}`)) return word - 1;
    const first = [word - 1, word - 2].find((one) => parted.has(`${keyAt(one)} ${key}`));
    if (first !== undefined) return first;
  }
  return undefined;
}
