import { cacheByText } from "../model/cache.ts";

/** A part of a text, of its words or of its numbers. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

const anyDigit = /\p{Nd}/gu;
const digit = /^\p{Nd}$/u;

/** Converts the digits of any script to 0–9: `٣` becomes 3. In each script the digits are consecutive, from zero on. */
export function asciiDigits(text: string): string {
  return text.replace(anyDigit, digitOf);
}

function digitOf(written: string): string {
  const code = written.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && digit.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

/**
 * Text without differences that readers do not see: NFKC, one kind of dash, quote, space, cedilla and digit, no
 * invisible characters and signs of trade marks. Case is kept (`GB` is not `Gb`). Offsets lead back to the original text.
 */
export interface FoldedText {
  readonly text: string;
  /** The original offset of each character of `text`, and of its end. Absent: the offsets are the same. */
  readonly at?: Int32Array;
}

const plain = /^[\x20-\x7e]*$/;
const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Cc}/u;
const allInvisible = new RegExp(invisible, "gu");
const space = /\s/u;
const mark = /\p{M}/u;
const superscript = /[\u00b2\u00b3\u00b9\u2070-\u2079]/u;
const letterOrCloser = /[\p{L}%)\].,"']/u;
const maxMarks = 8;

export function foldText(text: string): FoldedText {
  if (plain.test(text)) return { text };
  const pieces: string[] = [];
  const offsets: number[] = [];
  let before = "";
  for (let i = 0; i < text.length; ) {
    const from = i;
    const base = String.fromCodePoint(text.codePointAt(i) ?? 0);
    i += base.length;
    let cluster = base;
    if (base > "\x7f" || (text.charCodeAt(i) > 0x2ff && mark.test(text.charAt(i)))) {
      for (let marks = 0; i < text.length && mark.test(text.charAt(i)); i++, marks++)
        if (marks < maxMarks) cluster += text.charAt(i);
    }
    const folded = keepsGroup(text, from, cluster) ? "'" : foldCharacter(cluster, before);
    for (let k = 0; k < folded.length; k++) offsets.push(from);
    if (folded !== "") {
      pieces.push(folded);
      before = folded.slice(-1);
    }
  }
  offsets.push(text.length);
  return { text: pieces.join(""), at: Int32Array.from(offsets) };
}

const noBreak = /[\u00a0\u2007\u2009\u202f]/;
const lastDigit = /\p{Nd}$/u;
const groupOfThree = /^\p{Nd}{3}(?!\p{Nd})/u;

/** A no-break space separates the groups of a number, like an apostrophe: `1 299`. */
function keepsGroup(text: string, at: number, cluster: string): boolean {
  if (!noBreak.test(cluster) || !groupOfThree.test(text.slice(at + 1, at + 9))) return false;
  return lastDigit.test(text.slice(Math.max(0, at - 2), at));
}

/** The place in the original of a range of folded text. */
export function original(folded: FoldedText, start: number, end: number): { start: number; end: number } {
  if (folded.at === undefined) return { start, end };
  return { start: nth(folded.at, start), end: nth(folded.at, end) };
}

/** A superscript digit after a word is a footnote mark and dropped; after a digit it is an exponent and separated. */
function foldCharacter(cluster: string, before: string): string {
  if (cluster >= " " && cluster <= "~" && cluster.length === 1) return cluster;
  if (space.test(cluster)) return " ";
  if (invisible.test(cluster)) return cluster.replace(allInvisible, "").normalize("NFKC");
  if (superscript.test(cluster)) return letterOrCloser.test(before) ? "" : `^${cluster.normalize("NFKC")}`;
  return sameSigns.get(cluster) ?? normalized(cluster);
}

/** Pages write them beside a name at its first mention, or not at all. NFKC makes letters of them. */
const tradeSigns = /[™℠®]/g;

/** Signs that look the same to readers as the first of them. */
const sameSigns = new Map(
  ["-‐‑‒–—―−﹣", ".٫", ",٬", "%٪", "'‘’ʼ‚‛′", '"“”„«»″', "țţ", "ȚŢ", "șş", "ȘŞ", "uµμ"].flatMap(
    ([sign = "", ...others]) => others.map((other) => [other, sign] as const),
  ),
);

const maxFormLength = 8;

/** A text repeats the same few clusters. */
const normalized = cacheByText(10_000, (cluster) => {
  // "2½" is not "21⁄2".
  const form = fraction.test(cluster) ? cluster : asciiDigits(cluster.replace(tradeSigns, "").normalize("NFKC"));
  // One character may expand to a whole sentence, and so a page to eighteen pages. Such a character is kept.
  return form.length > maxFormLength ? cluster : form;
});

const fraction = /^[¼-¾⅐-⅞]$/;

/** The words of a text in lower case. For words with their numbers and stems: `wordsIn` of `words.ts`. */
export function plainWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A text without accents, ligatures and wide letters: for names that people write with other letters. */
export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}+/gu, "");
}

/** The entry at an index, without a check that it exists. */
export function nth<T>(column: ArrayLike<T>, index: number): T {
  return column[index] as T;
}

/** A table of single words and signs: `pairsIn("ss=ß o=ø")`. */
export function pairsIn(written: string): Readonly<Record<string, string>> {
  return Object.fromEntries(written.split(" ").map((pair) => pair.split(/(?<=.)=/)));
}

/**
 * Cyrillic letters as in passports of Russia, Ukraine and Bulgaria, without accents.
 * Spec: https://www.icao.int/publications/Documents/9303_p3_cons_en.pdf
 */
export const cyrillicAsLatin = pairsIn(
  "а=a б=b в=v г=g ґ=g д=d е=e є=ie ж=zh з=z и=i і=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh " +
    "щ=shch ъ= ы=y ь= э=e ю=iu я=ia",
);
