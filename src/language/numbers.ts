import { anyOf, phrasesBySteps, phrasesOf, taggedPhrases } from "./lexicon.ts";

/**
 * Reads numbers in any language: digits in groups, decimal signs, fractions, and words and signs for thousands and
 * more. The text must be folded (`foldText`): all digits are `0`–`9`, apostrophes are `'`, and a space that keeps a
 * group of digits together is one of those.
 */

/** The sign before decimals: `1.5` or `1,5`. */
export type DecimalSign = "." | ",";

export interface WrittenNumber {
  /** Without groups and with a decimal point: `1299.50`. With several points it is a version, a day or an address. */
  readonly digits: string;
  /** No number if it has several points. */
  readonly value: number;
  /** Another number that the same signs may mean. */
  readonly other?: OtherNumber;
  readonly sign?: DecimalSign;
  readonly end: number;
}

/**
 * `comma`: the number if the comma is the decimal sign, as 1299 for `1.299`, while the first number takes the point.
 * `space`: the number if the digits before it belong to it, as 15256 for `Kite 15 256 GB`.
 */
export interface OtherNumber {
  readonly value: number;
  readonly because: "comma" | "space";
}

/** Groups of three digits with one separator; also as in India, `12,34,567`. */
const grouped = /\d{1,3}([,.'])\d{3}(?:\1\d{3})*(?!\d)|\d{1,2}(?:(,)\d{2})+,\d{3}(?!\d)/y;
/** Groups of three digits separated by spaces, which might also separate numbers. */
const spaced = /(?<!(?<![\d.,])\d{1,3} |\p{L}-|[/:.,#])[1-9]\d{0,2}(?: \d{3})+(?! ?\d)/uy;
const decimals = /([.,])(\d+)(?!\d|[.,]\d)/y;
/** A decimal comma, not the comma of a list (`8,16,32`). */
const withComma = /(?<!\d,)(?:0,\d{1,9}|\d+,\d{1,2})(?!\d|,\d|\.\d)/y;
const withPoints = /\d+(?:\.\d+)*/y;
/** A fraction after a whole number: `2½`, `2 1/2`. */
const fraction = / ?(?:([¼-¾⅐-⅞])|(?<= )([1-9])\/([2-9]|1[0-6]))(?![\d/])/y;

/** Characters that begin a number. */
export const firstOfNumber = "\\d¼-¾⅐-⅞";

/** The number at this offset. `isSum`: right after a sign or code of a currency. */
export function numberAt(text: string, at: number, isSum = false): WrittenNumber | undefined {
  const part = partOf(text.charAt(at));
  if (part !== undefined) return { digits: String(part), value: part, end: at + 1 };
  return inGroups(text, at, isSum) ?? afterComma(text, at) ?? afterPoint(text, at);
}

function inGroups(text: string, at: number, isSum: boolean): WrittenNumber | undefined {
  grouped.lastIndex = at;
  const match = grouped.exec(text) ?? inSpaces(text, at, isSum);
  if (match === null) return undefined;
  const [written, by, indian] = match;
  if (written.startsWith("0") && written.length > 7) return undefined;
  const group = by ?? indian ?? " ";
  const wholeDigits = written.replace(/\D/g, "");
  const end = at + written.length;
  decimals.lastIndex = end;
  const [behind = "", sign, rest] = decimals.exec(text) ?? [];
  if (sign === group || (sign === undefined && /[.,]\d/.test(text.slice(end, end + 2)))) return undefined;
  if (sign !== undefined)
    return { ...toNumber(`${wholeDigits}.${rest}`), sign: sign as DecimalSign, end: end + behind.length };
  const isOne = written.length <= 7;
  // `0.125` and `0,125` both have decimals.
  if (isOne && written.startsWith("0") && group !== "'")
    return { ...toNumber(written.replace(group, ".")), sign: group as DecimalSign, end };
  if (group === " " || group === "'") return { ...toNumber(wholeDigits), end };
  const other = { value: Number(written.replace(group, ".")), because: "comma" } as const;
  if (!isOne) return { ...toNumber(wholeDigits), sign: group === "." ? "," : ".", end };
  if (group === ",") return { ...toNumber(wholeDigits), other, end };
  return { ...toNumber(written), other: { ...other, value: Number(wholeDigits) }, end };
}

function toNumber(digits: string): Pick<WrittenNumber, "digits" | "value"> {
  return { digits, value: digits.length < 20 ? Number(digits) : Number.NaN };
}

/** Digits in groups, unless a name, or a word for a numbered thing, is right before them: `Table 1 299 rows`. */
function inSpaces(text: string, at: number, isSum: boolean): RegExpExecArray | null {
  spaced.lastIndex = at;
  const match = spaced.exec(text);
  if (match === null) return null;
  return !isSum && isCalledByNumber(text.slice(Math.max(0, at - longestWord), at)) ? null : match;
}

const longestWord = 24;
/** Words for numbered things, right before the number. */
const withNumber = new RegExp(`(?:^|[^\\p{L}])${anyOf("figures.numbered")}\\.? $`, "iu");

/** Whether a text ends with a name or a word for a numbered thing: the number behind it counts nothing. */
export function isCalledByNumber(before: string): boolean {
  const isName = /(?:^|[^\p{L}\p{N}])\p{L}{0,40}\p{Lu}[\p{L}\p{N}]{0,40} $/u.test(before);
  return isName || withNumber.test(before);
}

function afterComma(text: string, at: number): WrittenNumber | undefined {
  withComma.lastIndex = at;
  const written = withComma.exec(text)?.[0];
  return written === undefined
    ? undefined
    : { ...toNumber(written.replace(",", ".")), sign: ",", end: at + written.length };
}

function afterPoint(text: string, at: number): WrittenNumber | undefined {
  withPoints.lastIndex = at;
  const written = withPoints.exec(text)?.[0];
  if (written === undefined) return undefined;
  const end = at + written.length;
  const points = written.split(".").length - 1;
  if (points > 1) return { digits: written, value: Number.NaN, end };
  if (points === 1) return { ...toNumber(written), sign: ".", end };
  fraction.lastIndex = end;
  const [behind = "", sign = "", above = "", below = ""] = fraction.exec(text) ?? [];
  const part = partOf(sign) ?? Number(above) / Number(below);
  if (behind !== "" && part < 1) return { ...toNumber(String(Number(written) + part)), end: end + behind.length };
  const first =
    written.length === 3 ? /(?<![\d.,/:])[1-9]\d{0,2} $/.exec(text.slice(Math.max(0, at - 5), at))?.[0] : "";
  if (!first) return { ...toNumber(written), end };
  return { ...toNumber(written), other: { value: Number(first.trim() + written), because: "space" }, end };
}

/** The value of a fraction sign: a half for `½`. */
function partOf(sign: string): number | undefined {
  const [above, below, ...more] = sign === "" ? [] : sign.normalize("NFKC").split("⁄");
  return above && below && more.length === 0 ? Number(above) / Number(below) : undefined;
}

/** Words and signs that multiply the number before them, in lower case. */
const scaleOf = new Map(
  phrasesBySteps("figures.scale").flatMap(([factor, words]) => words.map((word) => [word, Number(factor)] as const)),
);
const signsOfScale = [...scaleOf.keys()].filter((word) => /^[\p{scx=Han}\p{scx=Hang}]$/u.test(word)).join("");
/** Abbreviations with a point: `2 Mio. Euro`. */
export const shortScales = anyOf("figures.scale-abbreviated");
const shortScale = new RegExp(`${shortScales}\\.(?= [\\p{L}\\p{Sc}])`, "uy");
/** Words between a scale and the counted things: `3 millones de unidades`. */
export const linkWords = phrasesOf("figures.of");
/** Letters right after the digits: `1.5M`, `100k`. A single digit with `K` is a name: `4K`. */
const letters: ReadonlyMap<string, number> = new Map([
  ["k", 1e3],
  ["K", 1e3],
  ["M", 1e6],
]);

const scaleWord = /( ?-?)([\p{sc=Latin}\p{sc=Cyrillic}]{1,12})(?![\p{sc=Latin}\p{sc=Cyrillic}\p{N}_])/uy;
const scaleSign = new RegExp(` ?([${signsOfScale}])(?![\\d${signsOfScale}百十])`, "uy");

/** The factor of a word or sign after a number. */
export function scaleAt(text: string, { digits, end }: WrittenNumber): { factor: number; end: number } | undefined {
  scaleSign.lastIndex = end;
  const sign = scaleOf.get(scaleSign.exec(text)?.[1] ?? "");
  if (sign !== undefined) return { factor: sign, end: scaleSign.lastIndex };
  scaleWord.lastIndex = end;
  const [, gap = "", word = ""] = scaleWord.exec(text) ?? [];
  const isName = word === "K" && digits.length < 2;
  const factor = scaleOf.get(word.toLowerCase()) ?? (gap === "" && !isName ? letters.get(word) : undefined);
  if (factor === undefined) return undefined;
  shortScale.lastIndex = end + gap.length;
  return { factor, end: shortScale.test(text) ? shortScale.lastIndex : scaleWord.lastIndex };
}

/** The link between both ends of a range, before a figure: `10–20`, `10 bis 20`, `de 10 à 20`. */
export const rangeLink = new RegExp(` ?(?:-|~|(?<= )${anyOf("figures.range")} )\\s?(?=[$€£¥₹]?\\d)`, "y");

/** In some languages it depends on the country, as in Spanish and Portuguese. */
const signOfLanguage = new Map(taggedPhrases("figures.decimal-sign").map(([tag, [sign]]) => [tag, sign]));

/** The decimal sign of a text: that of all its numbers if they agree, else that of its language. */
export function decimalSignOf(signs: readonly DecimalSign[], language: string | undefined): DecimalSign | undefined {
  const [first, ...more] = new Set(signs);
  if (first !== undefined) return more.length === 0 ? first : undefined;
  return language === undefined ? undefined : (signOfLanguage.get(language) as DecimalSign | undefined);
}
