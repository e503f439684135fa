import { alignLocally } from "../language/align.ts";
import { nth, pairsIn, withoutAccents } from "../language/fold.ts";
import { editsBetween } from "../language/nearest.ts";
import { makeOnce } from "../model/cache.ts";

export interface Token {
  readonly word: string;
  /** A punctuation mark is between this word and the one before. */
  readonly isAfterMark: boolean;
}

/** Letters without a Unicode decomposition, written without marks. */
const letters = pairsIn("ß=ss ø=o ł=l đ=d ð=d þ=th æ=ae œ=oe ı=i ς=sigma ∞=infinity");
const greek = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho".split(" ");
const laterGreek = "sigma tau upsilon phi chi psi omega".split(" ");

/** Longer texts are cut before a comparison. */
const maxCharacters = 5_000;

/** A text without case, accents and ligatures; Greek letters are spelled out. */
function withoutMarks(text: string): string {
  return withoutAccents(text.slice(0, maxCharacters))
    .toLowerCase()
    .replace(/[ßøłđðþæœıς∞]/g, (letter) => letters[letter] ?? letter)
    .replaceAll("&", " and ")
    .replace(/[α-ρ]/g, (letter) => greek[letter.charCodeAt(0) - 0x3b1] ?? letter)
    .replace(/[σ-ω]/g, (letter) => laterGreek[letter.charCodeAt(0) - 0x3c3] ?? letter);
}

/** A sign that is a word by itself: Chinese, or of the Japanese syllabaries. */
export const ideograph = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/v;
export const word = new RegExp(`${ideograph.source}|[[\\p{L}\\p{M}]--${ideograph.source}]+|\\p{N}+`, "gv");

/** The words of a text in order. Each Chinese or Japanese character is a word. HTML markup is left out. */
export function tokensOf(text: string): Token[] {
  const plain = withoutMarks(text.replace(/<\/?[a-z][^<>]{0,60}>/gi, " "));
  const tokens: Token[] = [];
  let end = 0;
  for (const match of plain.matchAll(word)) {
    const gap = plain.slice(end, match.index);
    tokens.push({ word: match[0], isAfterMark: tokens.length === 0 || /[^\s'’-]/.test(gap) });
    end = match.index + match[0].length;
  }
  return tokens;
}

export function wordsOf(text: string): string[] {
  return tokensOf(text).map((token) => token.word);
}

/** Only the letters and digits, so that joined and split words compare as equal. */
export function lettersAndDigits(text: string): string {
  return wordsOf(text).join("");
}

const scripts = ["Latin", "Cyrillic", "Han", "Hangul", "Arabic", "Hebrew", "Greek"].map(
  (name) => [name, new RegExp(`\\p{Script=${name}}`, "gu")] as const,
);

/** The script of most letters of a text. */
export function scriptOf(text: string): string {
  const counts = scripts.map(([, letters]) => text.match(letters)?.length ?? 0);
  return scripts[counts.indexOf(Math.max(...counts))]?.[0] ?? "";
}

/** Whether two words are equal except for a typing error, an ending, or British and American spelling. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const length = Math.min(a.length, b.length);
  if (length < 4 || Math.abs(a.length - b.length) > 2 || /\d/.test(a) || /\d/.test(b)) return false;
  const most = length >= 8 ? 2 : 1;
  return editsBetween(a, b, most + 1) <= most;
}

/** The place of one text's words in another text. */
export interface Alignment {
  /** The share of the sought words that are there, in order; long words weigh more. */
  readonly share: number;
  /** The share of sought words among all words from start to end. */
  readonly density: number;
  /** The first token, and the one after the last. */
  readonly start: number;
  readonly end: number;
}

const weight = (word: string): number =>
  word.length <= 3 && !/\p{Script=Han}|\d/u.test(word) ? 1 : Math.min(word.length, 8);

const gap = (word: string): number => Math.min(weight(word), 2);

/** The cost of one word in place of another. */
const otherWord = 4;

/** The best run of `sought` in `text`: a local alignment. Its time grows with the product of both lengths. */
export function align(sought: readonly string[], text: readonly Token[]): Alignment | undefined {
  const words = text.map(({ word }) => word);
  const same = new Map<string, boolean>();
  const isSame = (a: string, b: string) => {
    if (a === b || !(a[0] === b[0] || a[0] === b[1] || a[1] === b[0])) return a === b;
    return makeOnce(same, `${a} ${b}`, () => isSameWord(a, b));
  };
  const [weights, prices, textPrices] = [sought.map(weight), sought.map(gap), words.map(gap)];
  const isSameAt = (i: number, j: number) => isSame(nth(sought, i), nth(words, j));
  const pairs = alignLocally(sought.length, words.length, {
    pair: (i, j) => (isSameAt(i, j) ? nth(weights, i) : -otherWord),
    leftOut: (i) => nth(prices, i),
    putIn: (j) => nth(textPrices, j),
  });
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (!first || !last) return undefined;
  const shared = pairs.filter(([i, j]) => isSameAt(i, j));
  const sum = (all: readonly number[]) => all.reduce((whole, one) => whole + one, 0);
  const [start, end] = [first[1], last[1] + 1];
  return {
    share: sum(shared.map(([i]) => nth(weights, i))) / sum(weights),
    density: shared.length / (end - start),
    start,
    end,
  };
}
