import { editsBetween } from "../language/nearest.ts";

/** A word of a text, folded for comparison. */
export interface Token {
  readonly word: string;
  /** There is a mark of punctuation between this word and the one before. */
  readonly isAfterMark: boolean;
}

/** Letters that do not decompose, as they are written without marks. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ı: "i",
  "&": " and ",
  ς: "sigma",
  "∞": "infinity",
};
const greek = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho".split(" ");
const laterGreek = "sigma tau upsilon phi chi psi omega".split(" ");

/** Longest text that is compared, in characters. */
const maxCharacters = 5_000;

/** A text without case, accents and ligatures; Greek letters are spelled out. */
function folded(text: string): string {
  return text
    .slice(0, maxCharacters)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[ßøłđðþæœı&ς∞]/g, (letter) => letters[letter] ?? letter)
    .replace(/[α-ρ]/g, (letter) => greek[letter.charCodeAt(0) - 0x3b1] ?? letter)
    .replace(/[σ-ω]/g, (letter) => laterGreek[letter.charCodeAt(0) - 0x3c3] ?? letter);
}

const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|\p{N}+/gu;

/** The words of a text in order. A character of Chinese or Japanese is a word. Markup of HTML is left out. */
export function tokensOf(text: string): Token[] {
  const plain = folded(text.replace(/<\/?[a-z][^<>]{0,60}>/gi, " "));
  const found: Token[] = [];
  let end = 0;
  for (const match of plain.matchAll(word)) {
    const gap = plain.slice(end, match.index);
    found.push({ word: match[0], isAfterMark: found.length === 0 || /[^\s'’-]/.test(gap) });
    end = match.index + match[0].length;
  }
  return found;
}

export function wordsOf(text: string): string[] {
  return tokensOf(text).map((token) => token.word);
}

/** Only the letters and digits: words that are joined or split compare as equal. */
export function squeezed(text: string): string {
  return wordsOf(text).join("");
}

/** Whether two words are the same but for a slip of the pen, an ending, or British and American spelling. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  const length = Math.min(a.length, b.length);
  if (length < 4 || Math.abs(a.length - b.length) > 2 || /\d/.test(a) || /\d/.test(b)) return false;
  const most = length >= 8 ? 2 : 1;
  return editsBetween(a, b, most + 1) <= most;
}

/** Where the words of one text run through another. */
export interface Alignment {
  /** The share of the sought words that are there, in order; long words count for more. */
  readonly share: number;
  /** The share of the words in between that are sought ones. */
  readonly density: number;
  /** The first token, and the one behind the last. */
  readonly start: number;
  readonly end: number;
}

const weight = (word: string): number =>
  word.length <= 3 && !/\p{Script=Han}|\d/u.test(word) ? 1 : Math.min(word.length, 8);

/** The price of a word that only one text has. */
const gap = (word: string): number => Math.min(weight(word), 2);

/** The best run of `sought` in `text`: a local alignment. Takes the product of both lengths. */
export function align(sought: readonly string[], text: readonly Token[]): Alignment | undefined {
  const width = text.length + 1;
  const scores = new Float64Array((sought.length + 1) * width);
  const same = new Map<string, boolean>();
  let best = 0;
  let at = 0;
  for (let i = 1; i <= sought.length; i++) {
    const a = sought[i - 1] ?? "";
    for (let j = 1; j <= text.length; j++) {
      const b = text[j - 1]?.word ?? "";
      let isSame = a === b;
      if (!isSame && (a[0] === b[0] || a[0] === b[1] || a[1] === b[0])) {
        const key = `${a} ${b}`;
        const known = same.get(key);
        isSame = known ?? isSameWord(a, b);
        if (known === undefined) same.set(key, isSame);
      }
      const score = Math.max(
        0,
        (scores[(i - 1) * width + j - 1] ?? 0) + (isSame ? weight(a) : -4),
        (scores[(i - 1) * width + j] ?? 0) - gap(a),
        (scores[i * width + j - 1] ?? 0) - gap(b),
      );
      scores[i * width + j] = score;
      if (score > best) {
        best = score;
        at = i * width + j;
      }
    }
  }
  if (best === 0) return undefined;
  let i = Math.floor(at / width);
  let j = at % width;
  const end = j;
  let shared = 0;
  let count = 0;
  while (i > 0 && j > 0 && (scores[i * width + j] ?? 0) > 0) {
    const score = scores[i * width + j] ?? 0;
    const a = sought[i - 1] ?? "";
    if (Math.abs(score - ((scores[(i - 1) * width + j - 1] ?? 0) + weight(a))) < 1e-9) {
      shared += weight(a);
      count++;
      i--;
      j--;
    } else if (Math.abs(score - ((scores[(i - 1) * width + j] ?? 0) - gap(a))) < 1e-9) i--;
    else if (Math.abs(score - ((scores[i * width + j - 1] ?? 0) - gap(text[j - 1]?.word ?? ""))) < 1e-9) j--;
    else {
      i--;
      j--;
    }
  }
  const all = sought.reduce((sum, one) => sum + weight(one), 0);
  return { share: shared / all, density: count / (end - j), start: j, end };
}
