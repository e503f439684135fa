import { andOthers, phrasesOf, visitNote } from "../language/lexicon.ts";
import { namesIn } from "../report/cite/styles.ts";
import type { CitedWork, RegisteredAuthor, RegisteredWork } from "./cited-work.ts";
import {
  type Alignment,
  align,
  isSameWord,
  lettersAndDigits,
  scriptOf,
  type Token,
  tokensOf,
  wordsOf,
} from "./tokens.ts";
import { isCutFrom, isOpaque, isSameVenue, tellingWords } from "./venues.ts";

export interface Match {
  /** How the titles compare. `near`: they may be the same. `absent`: the citation has none. */
  readonly title: "same" | "near" | "other" | "absent";
  /** The title has other words in one place. */
  readonly isReworded: boolean;
  /** Whether the citation names the first author. `absent`: the citation, or the registry, names nobody. */
  readonly firstAuthor: "same" | "other" | "absent";
  readonly authors: number;
  /** Somebody whom the citation names among the authors, and who is none of them. */
  readonly stranger: string | undefined;
  readonly year: "same" | "other" | "absent";
  readonly venue: "same" | "other" | "absent";
  /** The citation has the work's volume, page or article number. */
  readonly isLocated: boolean;
}

/** The share of a title's words that must be found. */
const sameShare = 0.82;
const nearShare = 0.55;
/** The most years between preprint, online version and print of one work. */
const maxYears = 2;
const maxYearsOfPreprint = 3;

export function compare(work: RegisteredWork, cited: CitedWork): Match {
  const tokens = tokensOf(withoutAddresses(cited.text));
  const titlePlace = titleIn(work, cited, tokens);
  const before = tokens.slice(0, titlePlace.start ?? 0);
  const outside =
    titlePlace.start === undefined ? tokens : [...tokens.slice(0, titlePlace.start), ...tokens.slice(titlePlace.end)];
  return {
    title: titlePlace.title,
    isReworded: isReworded(work, cited),
    ...authorsIn(work, cited, before, outside),
    stranger: strangerIn(work, cited),
    year: yearIn(work, cited, outside),
    venue: venueIn(work, cited),
    isLocated: isLocated(work, cited, outside),
  };
}

export function withoutAddresses(text: string): string {
  return text.replace(/https?:\S+|\bdoi:?\s?(?=10\.)|10\.\d{4,9}\/\S+|\barxiv:\s?\S+/gi, " ");
}

interface TitleMatch {
  readonly title: Match["title"];
  readonly start?: number;
  readonly end?: number;
}

const ranks = { same: 3, near: 2, other: 1, absent: 0 } as const;

function titleIn(work: RegisteredWork, cited: CitedWork, tokens: readonly Token[]): TitleMatch {
  const titles = [work.title, ...(work.otherTitles ?? [])].map(withoutNotice);
  const matches = titles.map((title) => oneTitleIn(title, cited, tokens));
  const best = matches.toSorted((a, b) => ranks[b.title] - ranks[a.title])[0] ?? { title: "other" as const };
  if (best.title === "same" || best.title === "near") return best;
  return hasTitle(cited, work) ? { title: "other" } : { title: "absent" };
}

export function withoutNotice(title: string): string {
  return title.replace(/^\[?(?:retracted|withdrawn|removed)(?: article| paper)?\]?\s?[:–—-]?\s+/i, "");
}

function oneTitleIn(title: string, cited: CitedWork, tokens: readonly Token[]): TitleMatch {
  const words = wordsOf(title);
  if (words.length === 0) return { title: "other" };
  const aligned = align(words, tokens);
  const place = aligned && { start: aligned.start, end: aligned.end };
  const share = cited.title === undefined ? 0 : similarity(title, cited.title);
  if (share >= sameShare) return { title: "same", ...place };
  const letters = lettersAndDigits(title);
  const whole = tokens.map(({ word }) => word).join("");
  const isThere = letters.length >= 12 && whole.includes(letters);
  const isWhole = aligned !== undefined && isBetweenMarks(aligned, tokens, words.length);
  // The order of words may have misled us about the title: then the whole text decides.
  const mayBe = cited.title === undefined || (!cited.isStructured && letters.length >= 8);
  if (mayBe && isWhole && aligned.density >= 0.7 && (isThere || aligned.share >= sameShare))
    return { title: "same", ...place };
  if (cited.title !== undefined) return { title: share >= nearShare ? "near" : "other", ...place };
  return { title: (aligned?.share ?? 0) >= nearShare && (aligned?.density ?? 0) >= 0.5 ? "near" : "other", ...place };
}

/** The fewest letters of a word that is not a small one, a number or an abbreviation. */
const longWord = 5;

/**
 * Whether words of the cited title are others, and all words around them are the same. A title that was cut at a wrong
 * mark goes on with words of the record: a venue, a name.
 */
function isReworded(work: RegisteredWork, { title: cited = "" }: CitedWork): boolean {
  const { venues, publisher = "", otherTitles = [] } = work;
  const titles = [work.title, ...otherTitles];
  const parts = titles.map((title) => otherParts(wordsOf(title), wordsOf(cited)));
  return (
    parts.every((both) => both !== undefined) &&
    parts.some(({ shared, left, right }) => {
      if (shared < 3 || !isOther(left, right)) return false;
      const recorded = [...wordsOfRecord(work, publisher, ...venues)];
      const others = right.filter((word) => !recorded.some((one) => one.startsWith(word)));
      return isOther(others, left);
    })
  );
}

/**
 * The words in which two titles of equal length differ, or else their parts between a shared beginning and end; undefined
 * if only one of them has such a part.
 */
function otherParts(one: readonly string[], other: readonly string[]) {
  const isEqualAt = (i: number) => isSameWord(one.at(i) ?? "", other.at(i) ?? " ");
  const most = Math.min(one.length, other.length);
  const before = one.findIndex((_, i) => !isEqualAt(i));
  if (before < 0 || before >= most) return undefined;
  const own = one.filter((_, i) => !isEqualAt(i));
  if (one.length === other.length && own.length <= most / 3)
    return { shared: most - own.length, left: own, right: other.filter((_, i) => !isEqualAt(i)) };
  const behind = Array.from({ length: most - before }, (_, i) => i).findIndex((i) => !isEqualAt(-1 - i));
  if (behind < 0) return undefined;
  const [left, right] = [one.slice(before, one.length - behind), other.slice(before, other.length - behind)];
  return { shared: before + behind, left, right };
}

/** Whether most long words of a part are not among other words, in any form. */
function isOther(part: readonly string[], words: readonly string[]): boolean {
  const long = part.filter((word) => word.length >= longWord && !/\d/.test(word));
  const own = long.filter((word) => !words.some((one) => one.slice(0, 3) === word.slice(0, 3)));
  return own.length > 0 && own.length >= long.length / 2;
}

/** The share of one title that is in the other, both ways. A missing subtitle does not count. */
export function similarity(one: string, other: string): number {
  const [a, b] = [lettersAndDigits(one), lettersAndDigits(other)];
  if (a === b) return 1;
  const [short, long] = a.length < b.length ? [one, other] : [other, one];
  const tokens = tokensOf(long);
  const found = align(wordsOf(short), tokens);
  if (!found) return 0;
  const back = align(wordsOf(long), tokensOf(short));
  const isHead = found.start === 0 && (tokens[found.end]?.isAfterMark ?? true) && wordsOf(short).length >= 3;
  return isHead ? found.share : Math.min(found.share, (back?.share ?? 0) + 0.05);
}

/** A short title must be between punctuation marks: otherwise it may be part of a longer one. */
function isBetweenMarks({ start, end }: Alignment, tokens: readonly Token[], count: number): boolean {
  const begins = start <= 0 || (tokens[start]?.isAfterMark ?? true);
  const ends = end >= tokens.length || (tokens[end]?.isAfterMark ?? true);
  return count >= 7 ? begins || ends : begins && ends;
}

/** Whether the citation has words for a title besides names, numbers and a venue. */
function hasTitle(cited: CitedWork, work: RegisteredWork): boolean {
  const { title, text, isStructured } = cited;
  if (isStructured) return title !== undefined && wordsOf(title).length >= 3;
  // The last of the names may have been read as the title, as that of a group.
  const known = wordsOfRecord(work, ...work.venues);
  const own = wordsOf(title ?? withoutAddresses(text)).filter((word) => !known.has(word) && !/\d/.test(word));
  return title === undefined
    ? own.filter((word) => word.length > 2).length >= 5
    : own.length > 0 && wordsOf(title).length >= 3;
}

/** The words of a record's names and of some of its other parts. */
function wordsOfRecord({ authors }: RegisteredWork, ...parts: readonly string[]): ReadonlySet<string> {
  return new Set([...parts, ...authors.flatMap(({ family, given = "" }) => [family, given])].flatMap(wordsOf));
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ word }) => word).join(" ");
}

/** Names of organisations and groups have many words: this share of them is enough. */
const groupShare = 0.6;

const groupWords = phrasesOf("citations.group");

/** `before`: the words before the title. `outside`: those before and after it. */
function authorsIn(
  work: RegisteredWork,
  cited: CitedWork,
  before: readonly Token[],
  outside: readonly Token[],
): Pick<Match, "firstAuthor" | "authors"> {
  const [first] = work.authors;
  const names =
    cited.authors?.filter((name) => !/^(?:others|et al\.?|…)$/i.test(name.trim()) && wordsOf(name).some(isLong)) ?? [];
  // Authors come before the title, or in lists of links after it.
  const named = cited.authors === undefined && before.length > 0 ? before : outside;
  const isUnnamed = names.length === 0 && (cited.isStructured || !named.some(({ word }) => isDistinctiveWord(word)));
  if (first === undefined || first.family === "" || outside.length === 0 || isUnnamed)
    return { firstAuthor: "absent", authors: 1 };
  const all = textOf(outside);
  const isText = names.length === 0;
  const writtenNames = isText ? before.map(({ word }) => word).filter(isDistinctiveWord) : names;
  const people = writtenNames.map((name) => writtenName(name, isText));
  const written = isText ? [writtenName(all, true)] : people;
  const isNamed = (author: RegisteredAuthor) => written.some((name) => isSameName(author, name));
  const isReordered =
    people.length > 0 && people.every((name) => work.authors.some((author) => isSameName(author, name)));
  const there = work.authors.slice(0, 60).filter(isNamed).length;
  const count = Math.max(
    1,
    Math.min(work.authors.length, isText ? Math.min(4, Math.floor(outside.length / 4)) : names.length),
  );
  // A citation may name a group and the registry its members, or the other way round. A body has one name.
  const nameWords = [first.given ?? "", first.family, ...names].flatMap(wordsOf);
  const isOfGroup =
    (work.authors.length === 1 && first.given === undefined && !/\p{Script=Han}/u.test(first.family)) ||
    [...nameWords, ...before.map(({ word }) => word)].some((word) => groupWords.has(word));
  // Names in the script of the report, or of a translated entry, cannot be compared.
  const script = scriptOf(names.join(" ") || textOf(before) || all);
  const isTransliterated =
    script !== scriptOf(first.family) &&
    (script !== "Latin" || scriptOf(work.title) !== scriptOf(cited.title ?? cited.text));
  if ((isOfGroup || isTransliterated || isReordered) && !isNamed(first)) return { firstAuthor: "absent", authors: 1 };
  // A record may have initials in place of the family name.
  const isDistinctive = wordsOf(first.family).some(isLong);
  return {
    firstAuthor: isNamed(first) ? "same" : isDistinctive ? "other" : "absent",
    authors: Math.min(1, there / count),
  };
}

/** The most authors whose list a registry gives whole. */
const maxAuthors = 50;

/**
 * Somebody who is named in place of an author, or between the authors. Behind them a registry may lack some. Names of
 * groups, in other scripts, words of the title, and those that may be a missing author's other name do not count.
 */
function strangerIn(work: RegisteredWork, cited: CitedWork): string | undefined {
  const { authors } = work;
  if (authors.length < 2 || authors.length > maxAuthors || authors.some(({ given }) => given === undefined))
    return undefined;
  const recordWords = wordsOfRecord(work, work.title, ...work.venues);
  const { text, title = text } = cited;
  const [head = ""] = text.slice(0, Math.max(0, text.indexOf(title))).split(/[([\d:“"«„]/u);
  const people = (cited.authors ?? namesIn(head)).filter((name) => isPerson(name, scriptOf(authors[0]?.family ?? "")));
  const written = people.map((name) => writtenName(name));
  const isKnown = (name: WrittenName) =>
    authors.some((author) => isSameName(author, name)) ||
    name.words.every((word) => word.length === 1 || recordWords.has(word));
  const isStranger = written.map((name) => !isKnown(name));
  const stranger = people[isStranger.indexOf(true)];
  const count = isStranger.filter(Boolean).length;
  if (stranger === undefined || 2 * count > people.length) return undefined;
  const missing = authors.filter((author) => !written.some((name) => isSameName(author, name)));
  const initials = new Set(wordsOf(stranger).map(([first]) => first));
  const isAlike = missing.some(({ given = "" }) => initials.has(wordsOf(given)[0]?.[0]));
  const isReplaced = missing.length >= count && !isAlike;
  const isBetween = missing.length === 0 && isStranger.at(-1) === false;
  return isReplaced || isBetween ? stranger : undefined;
}

function isPerson(name: string, script: string): boolean {
  const words = wordsOf(name);
  return (
    words.length >= 2 &&
    words.length <= 5 &&
    words.some((word) => word.length >= 3) &&
    /[\p{Lu}\p{Lo}]/u.test(name) &&
    !words.some((word) => /\d/.test(word) || groupWords.has(word)) &&
    scriptOf(name) === script &&
    !andOthers.test(name)
  );
}

/** Whether a word is more than an initial. */
function isLong(word: string): boolean {
  return word.length > 1 || /\p{Script=Han}/u.test(word);
}

/** Whether a word may be a name: initials, *et al.* and numbers are not. */
function isDistinctiveWord(word: string): boolean {
  return /\p{L}/u.test(word) && isLong(word) && !/^(?:et|al|and|others|pp|vol|no|in)$/.test(word);
}

/** A name as a citation writes it, or all words beside a title. */
interface WrittenName {
  readonly words: readonly string[];
  /** The words before the comma and those after it; without one, all words. */
  readonly families: readonly string[];
  readonly others: readonly string[];
  readonly isText: boolean;
}

function writtenName(written: string, isText = false): WrittenName {
  const parts = written.split(/,\s*/, 2);
  // `Z., Chen` has initials in place of the family name.
  const isTurned =
    parts[1] !== undefined &&
    wordsOf(parts[0] ?? "").every((word) => word.length === 1) &&
    wordsOf(parts[1]).some((word) => word.length > 1);
  const [before = "", after] = isTurned ? parts.toReversed() : parts;
  const words = wordsOf(written);
  if (after === undefined) return { words, families: words, others: words, isText };
  return { words, families: wordsOf(before), others: wordsOf(after), isText };
}

/** Whether a written name may be that of an author, even with family and given name exchanged. */
function isSameName({ family, given = "" }: RegisteredAuthor, written: WrittenName): boolean {
  const { words: all, families, others, isText } = written;
  const [familyWords, givens] = [wordsOf(family), wordsOf(given)];
  const joined = all.join("");
  if ([family + given, given + family, family].some((name) => joined === lettersAndDigits(name))) return true;
  if (/\p{Script=Han}/u.test(family))
    return joined.includes(lettersAndDigits(family)) && joined.includes(lettersAndDigits(given));
  const longWords = (words: readonly string[]) => words.filter((word) => word.length > 1);
  const longFamily = longWords(familyWords);
  if (given === "" && familyWords.length > 1)
    return (
      longFamily.filter((word) => all.some((one) => isSameWord(one, word))).length >= groupShare * longFamily.length ||
      all.some((word) => word.length > 2 && word === familyWords.at(-1))
    );
  // Some lists have no space before the initials: `LiuY.`
  const [initial = ""] = givens[0] ?? "";
  if (longFamily.some((word) => families.some((one) => isSameWord(one, word) || one === word + initial))) return true;
  if (familyWords.join("").length > 3 && families.join("").includes(familyWords.join(""))) return true;
  return (
    longWords(givens).some((word) => families.includes(word)) &&
    ((isText && all.length === 1) ||
      familyWords.some((word) => others.some((one) => one === word || (one.length === 1 && word.startsWith(one)))))
  );
}

/** The years that a citation may mean: those in brackets first; no volumes, pages or days of access. */
export function yearsOf(cited: CitedWork): number[] {
  if (cited.year !== undefined) return [cited.year];
  if (cited.isStructured) return [];
  const text = cited.text.replace(visitNote, " ").replace(/10\.\d{4,9}\/\S+|https?:\S+|arxiv:\S+/gi, " ");
  const bracketed = [
    ...text.matchAll(/(?<!\d)[([](?:[^()[\]\d]{0,20}\s)?((?:1[5-9]|20)\d\d)[a-z]?(?:[,;\s–/-][^()[\]]{0,20})?[)\]]/g),
  ].map(([, year]) => Number(year));
  const bareIn = (words: string) =>
    [...words.matchAll(/(?<![\p{L}\d.–:-])((?:1[5-9]|20)\d\d)[a-z]?(?![\d–]|-\d|\(|:\d)/gu)].map(([, year]) =>
      Number(year),
    );
  // The year of a conference may be another than that of the citation, and counts only if there is no other.
  const years = [...bracketed, ...bareIn(cited.venue === undefined ? text : text.replaceAll(cited.venue, " "))];
  return [...new Set(years.length > 0 ? years : bareIn(text))];
}

function yearIn(work: RegisteredWork, cited: CitedWork, outside: readonly Token[]): Match["year"] {
  const inTitle = new Set(
    wordsOf(cited.text).filter((word) => /^\d{4}$/.test(word) && !outside.some((token) => token.word === word)),
  );
  const own = yearsOf(cited).filter((year) => !inTitle.has(String(year)));
  const others = own.filter((year) => String(year) !== work.volume);
  const years = others.length > 0 ? others : own;
  if (years.length === 0 || work.years.length === 0) return "absent";
  const isNear = (limit: number) => years.some((year) => work.years.some((one) => Math.abs(year - one) <= limit));
  const isPreprint = work.isPreprint || work.publishedAs !== undefined || /arxiv|preprint|rxiv/i.test(cited.text);
  return isNear(isPreprint ? maxYearsOfPreprint : maxYears) ? "same" : "other";
}

function venueIn(work: RegisteredWork, cited: CitedWork): Match["venue"] {
  const venue = venueOf(work, cited);
  const named = work.venues.filter((name) => name.trim() !== "");
  // An acronym that another name spells out may not be of any other long name.
  const registered = named.every(isOpaque) ? named : named.filter((name) => !isOpaque(name) || name === venue);
  if (venue === undefined || registered.length === 0) return "absent";
  const isSame = (name: string) => isSameVenue(name, venue) || (!cited.isStructured && isCutFrom(name, venue));
  return registered.some(isSame) ? "same" : "other";
}

/** The cited venue, unless it is a mistake: words of the title, or a name. */
function venueOf(work: RegisteredWork, { venue, isStructured }: CitedWork): string | undefined {
  if (venue === undefined || isStructured) return venue;
  const others = wordsOfRecord(work, work.title);
  const words = tellingWords(venue);
  return words.filter((word) => !others.has(word)).length > words.length / 2 ? venue : undefined;
}

/** Whether the citation gives a page or an article number other than the work's. */
export function isElsewhere({ pages }: RegisteredWork, cited: CitedWork): boolean {
  const first = /^\w*?(\d+)/.exec(pages ?? "")?.[1];
  if (first === undefined) return false;
  const ranges = [...withoutAddresses(cited.text).matchAll(/(?<![\d/(])(\d{1,6})\s?[-–]{1,2}\s?\d{1,6}(?!\d)/g)].map(
    ([, from]) => from,
  );
  return ranges.length > 0 && !ranges.includes(first);
}

function isLocated({ volume, pages }: RegisteredWork, cited: CitedWork, outside: readonly Token[]): boolean {
  const words = new Set(cited.isStructured ? wordsOf(cited.text) : outside.map(({ word }) => word));
  const first = pages === undefined ? undefined : wordsOf(pages.split(/[-–]/)[0] ?? "").join("");
  const hasVolume = volume !== undefined && wordsOf(volume).every((word) => words.has(word));
  const hasPage =
    first !== undefined &&
    !/^1?$/.test(first) &&
    new RegExp(`(?<!\\d)${first}(?!\\d)`).test([...words].join("").concat(" ", [...words].join(" ")));
  return hasVolume && (hasPage || first === undefined);
}
