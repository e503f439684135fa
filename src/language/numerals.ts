import { foldText } from "./fold.ts";
import { phrasesBySteps, phrasesOf } from "./lexicon.ts";

/**
 * Words for numbers. Words for one are left out, as they are articles, and so are words with another meaning in another
 * language: Danish `to days`, Hungarian `hat Tage`.
 */
const numbers = new Map(
  phrasesBySteps("figures.spelled").flatMap(([number, words]) =>
    words.map((word) => [foldText(word).text, Number(number)] as const),
  ),
);

/** Further words that continue a number: `one hundred two`. */
const larger = phrasesOf("figures.larger");

const digits = "〇一二三四五六七八九";
/** Below a hundred: 三, 十, 十四, 三十, 三十五. */
const ofSigns = /^(?:([二三四五六七八九])?(十))?([一二三四五六七八九])?$/;
const mostSigns = 3;
const sign = /^[〇一二三四五六七八九十百千万两]$/;

/** Links between the words of one number: `treinta y dos`, `one hundred and five`. */
const links = phrasesOf("figures.joint");

/** Whether a number may continue after this word and a link. */
function isRound(key: string): boolean {
  return larger.has(key) || (numbers.get(key) ?? 0) >= 20;
}

/** The number at the first of these keys, before a counted thing. `length`: of its keys. `twenty-two years` is not two. */
export function spelledNumber(keyAt: (offset: number) => string | undefined) {
  const first = keyAt(0) ?? "";
  const before = keyAt(-1) ?? "";
  if (numbers.has(before) || larger.has(before) || sign.test(before)) return undefined;
  if (links.has(before) && isRound(keyAt(-2) ?? "")) return undefined;
  const known = numbers.get(first);
  if (known !== undefined) return keyAt(1) === undefined ? undefined : { number: known, length: 1 };
  if (first !== "十" && !digits.includes(first)) return undefined;
  const signs: string[] = [];
  for (let key = keyAt(0); key && /^[十一二三四五六七八九]$/.test(key) && signs.length <= mostSigns; )
    key = keyAt(signs.push(key));
  const [, tens, ten, one] = ofSigns.exec(signs.join("")) ?? [];
  if ((ten ?? one) === undefined || keyAt(signs.length) === undefined) return undefined;
  const number =
    (ten === undefined ? 0 : 10 * (tens === undefined ? 1 : digits.indexOf(tens))) + digits.indexOf(one ?? "〇");
  return { number, length: signs.length };
}
