import { phrasesOf } from "../language/lexicon.ts";
import { isSameWord, lettersAndDigits, wordsOf } from "./tokens.ts";

/** Words that many names of venues have. */
const small = phrasesOf("citations.venue");

/** The words of a venue's name that tell it from others: no small ones, numbers or letters of a series. */
export function tellingWords(name: string): string[] {
  return wordsOf(name).filter((word) => !small.has(word) && !/^(?:\d+|[ivx]+|[a-z])$/.test(word));
}

/** Whether two names may be of one journal or conference: by words, beginnings of words, or an acronym. */
export function isSameVenue(one: string, other: string): boolean {
  if (isWithin(one, other) || isWithin(other, one)) return true;
  const [few = [], many = []] = [one, other].map(tellingWords).toSorted((a, b) => a.length - b.length);
  const shared = few.filter((word) =>
    many.some((long) => (word.length >= 2 && long.startsWith(word)) || word.startsWith(long) || isSameWord(word, long)),
  ).length;
  // `Int J` is short for small words. The conference of a year has several names.
  const isOfYear = /\d{4}/.test(one + other);
  const most = isOfYear ? 1 : many.filter((word) => word.length > 3 || few.includes(word)).length;
  return few.length === 0 || shared >= Math.max(Math.min(2, most), few.length / 2);
}

/** Whether a name is a part of another one, or may be its acronym. */
function isWithin(name: string, other: string): boolean {
  const words = wordsOf(other).filter((word) => !/^(?:\d+|[ivx]+)$/.test(word));
  if (isPartOf(name, other) || acronymsIn(name, words).some((letters) => areBeginnings(letters, words))) return true;
  return isOpaque(name) && words.length >= 4 && acronymsIn(other, wordsOf(name)).length === 0;
}

/** Whether a name is in a longer one. A single word must be all of a part between marks. */
function isPartOf(name: string, longer: string): boolean {
  if (!lettersAndDigits(longer).includes(lettersAndDigits(name))) return false;
  const own = tellingWords(name);
  return own.length !== 1 || longer.split(/[^\p{L}\p{N}\s&'’-]/u).some((part) => `${tellingWords(part)}` === `${own}`);
}

/** Whether a name is a venue's, or has the beginnings of its words: `J Informetrics` for *Journal of Informetrics*. */
export function isShortFor(name: string, venue: string): boolean {
  const [short, long] = [name, venue].map((one) =>
    wordsOf(one.replace(/\s\([^()]{2,30}\)/g, "")).filter((word) => word.length > 3 || !small.has(word)),
  );
  if (!short?.length || short.length !== long?.length) return false;
  return short.every((word, i) => word === long[i] || (short.length > 1 && long[i]?.startsWith(word)));
}

/** Whether a name that ends at a mark is the beginning of a venue's. */
export function isCutFrom(venue: string, name: string): boolean {
  const words = tellingWords(venue);
  return tellingWords(name).every((word, i) => words[i]?.startsWith(word));
}

const longestAcronym = 12;

/**
 * Words of a name with two capitals, such as `NeurIPS` and `A&A`; or the only word of a name without capitals. One of both
 * names spells out nothing: `BMC Biology`, `BMC Genomics`.
 */
function acronymsIn(name: string, others: readonly string[]): string[] {
  const isLower = !/\p{Lu}/u.test(name) && tellingWords(name).length === 1;
  return (name.match(/[\p{L}&]+/gu) ?? [])
    .filter((word) => isLower || /\p{Lu}.*\p{Lu}/u.test(word))
    .map((word) => lettersAndDigits(word.replaceAll("&", "")))
    .filter((letters) => letters.length >= 2 && letters.length <= longestAcronym)
    .filter((letters) => !small.has(letters) && !others.includes(letters));
}

/** Whether a name is only an acronym. It may be of the same conference as a long name without one. */
export function isOpaque(name: string): boolean {
  return /^\P{Ll}{2,12}$/u.test(name);
}

/** Whether letters are beginnings of words in their order: `facct` of *Fairness, Accountability, and Transparency*. */
function areBeginnings(letters: string, words: readonly string[]): boolean {
  const reached = new Set([0]);
  for (const word of words)
    for (const at of [...reached])
      for (let i = 0; i < word.length && word[i] === letters[at + i]; i++) reached.add(at + i + 1);
  return reached.has(letters.length);
}
