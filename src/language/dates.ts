import type { Instant } from "../model/time.ts";
import { asciiDigits, type Stretch } from "./fold.ts";
import { phrasesOf } from "./lexicon.ts";
import { distinctMonthNames, foldName, monthNames, weekdayNames } from "./month-names.ts";
import { timeIn } from "./times.ts";

/** Reads dates. A text that may mean several days, or whose weekday is wrong, has no known day: nothing is guessed. */

export interface WrittenDate {
  /** The first instant of the day, month or year, or the instant itself, in UTC. Undefined: unknown. */
  readonly at: Instant | undefined;
  /** A time without a zone is local, and taken for UTC. */
  readonly precision: "year" | "month" | "day" | "local time" | "time";
  /** The first instant of each day that it may mean; none if its parts contradict each other. */
  readonly days: readonly Instant[];
}

export type DateAmong = WrittenDate & Stretch;

interface Token extends Stretch {
  readonly text: string;
}

/**
 * A text as tokens, and one letter for the kind of each: Y year, N day, month or short year, 0 other number, M month
 * name, W weekday name, B either name, o ordinal ending, f word between parts of a date, y, m and d signs for year,
 * month and day, v Vietnamese word for month, T time of day, c word of a script without spaces, x other word, ! other
 * sign, _ space.
 */
interface Scanned {
  readonly tokens: readonly Token[];
  readonly kinds: string;
}

const token = new RegExp(
  [
    String.raw`(?:(?<=\p{Nd})[Tt])?\p{Nd}{1,2}:\p{Nd}{1,2}(?!\p{Nd})(?::\p{Nd}{1,2})?(?:[.,]\p{Nd}{1,9})?`,
    String.raw`\p{Nd}+`,
    String.raw`(?:星期|周|週)\p{L}`,
    String.raw`[年月日号號]|(?<=\p{Nd} ?)[년월일]`,
    String.raw`[[\p{L}\p{M}]--[年月日号號]]+`,
    String.raw`[\s\u200e\u200f]+`,
    ".",
  ].join("|"),
  "gv",
);
const noSpaces = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}]$/v;
const signs: Readonly<Record<string, string>> = {
  ...{ 年: "y", 년: "y", 月: "m", 월: "m", 日: "d", 일: "d", 号: "d", 號: "d", tháng: "v" },
  ...{ "–": "-", "‑": "-", "‐": "-", "−": "-", "．": ".", "／": "/", "،": ",", "’": "'", "（": "(", "）": ")" },
};
const plainSigns = "./-,'()";
const ordinals = phrasesOf("dates.ordinal");
const fillers = phrasesOf("dates.between");

/** Every date has a year, unless two figures may be one. Most texts have none, and are not searched further. */
const year = /(?<!\d)(?:19|2[0-6])\d\d(?!\d)|[\p{Nd}--[0-9]]/v;

/** Only words within this many tokens of a number are looked up. */
const nearby = 7;

function scan(text: string): Scanned {
  const tokens = Array.from(text.matchAll(token), ({ 0: written, index }): Token => {
    const plain = beginsWithDigit.test(written) ? asciiDigits(written) : written.toLowerCase();
    return { text: plain, from: index, to: index + written.length };
  });
  const signed = tokens.map(({ text: word }, i) => kindOf(word, tokens[i - 1]?.text)).join("");
  const kinds = tokens.map(({ text: word }, i) =>
    signed[i] === "w" && /[NY]/.test(signed.slice(Math.max(0, i - nearby), i + nearby)) ? nameKind(word) : signed[i],
  );
  return { tokens, kinds: kinds.join("") };
}

const beginsWithDigit = /^[Tt]?\p{Nd}/u;

/** The kind of a token; w for a word that may be a name. `before`: the token before. */
function kindOf(word: string, before = ""): string {
  if (/^\d+$/.test(word)) return numberKind(word);
  if (word.includes(":") && word.length > 1) return "T";
  if (/^[\s\u200e\u200f]/.test(word)) return "_";
  const sign = signs[word];
  if (sign !== undefined) return sign;
  if (ordinals.has(word) && kindOf(before) === "N") return "o";
  if (!/^[\p{L}\p{M}]/u.test(word)) return plainSigns.includes(word) ? word : "!";
  return fillers.has(word) ? "f" : "w";
}

function numberKind(digits: string): string {
  if (digits.length < 3) return "N";
  return digits.length === 4 && digits >= "1900" && digits < "2700" ? "Y" : "0";
}

function nameKind(word: string): string {
  const name = foldName(word);
  const [isMonth, isWeekday] = [monthNames.has(name), weekdayNames.has(name)];
  if (isMonth) return isWeekday ? "B" : "M";
  if (isWeekday) return "W";
  return noSpaces.test(word) ? "c" : "x";
}

/** A pattern with the parts of a date: Y its year, M its month, D its day; A and C its day and month in any order. */
function shape(pattern: string): RegExp {
  return new RegExp(pattern, "dg");
}

const notBefore = "(?<![NY0][.,:/-]?|[xMWBf])";
const month = "(?:f[_'])?(?<M>[MB])";
const shapes: readonly RegExp[] = [
  // 2026-03-03, 2026/3/3, 2026. 3. 3.
  shape(`${notBefore}(?<Y>Y)(?<s>[.\\/-])_?(?<M>N)\\k<s>_?(?<D>N)(?!\\k<s>?[NY0]|[xMWB])`),
  // 2026年3月3日, 2026년 3월
  shape(`(?<![N0])(?<Y>Y)_?y_?(?<M>N)_?m(?:_?(?<D>N)_?d)?`),
  // 03.03.2026
  shape(`${notBefore}(?<D>N)\\._?(?<M>N)\\._?(?<Y>Y)(?!\\.?[NY0]|[xMWB])`),
  // 03/03/2026
  shape(`${notBefore}(?<A>N)(?<s>[\\/-])(?<C>N)\\k<s>(?<Y>Y)(?!\\k<s>?[NY0]|[xMWB])`),
  // 3 tháng 3, 2026
  shape(`(?<![NY0][.,:/]?|[xMWB])(?<D>N)_v_(?<M>N),?_(?:f_)?(?<Y>Y)(?![NY0x])`),
  // 3rd March 2026, 3. března 2026, 3 de março de 2026, 03-Mar-2026
  shape(`(?<![NY0][.,:/]?|[xM])(?<D>N)o?\\.?[_-]?(?:f_)?${month}\\.?[_,-]{0,2}(?:f\\.?_)?(?<Y>Y)(?![NY0x])`),
  // March 3, 2026
  shape(`(?<![NY0])(?<M>[MB])\\.?_(?:f_)?(?<D>N)o?[.,]?_?(?:f_)?(?<Y>Y)(?![NY0x])`),
  // 2026. március 3., 2026 m. kovo 3 d., 2026-Mar-03
  shape(`${notBefore}(?<Y>Y)[._,-]{0,2}(?:f\\.?_)?(?<M>[MB])\\.?[_-](?<D>N)(?![NY0xo])`),
  // 2026. gada 3. martā
  shape(`${notBefore}(?<Y>Y)\\.?_(?:f\\.?_)?(?<D>N)\\.?_(?<M>[MB])(?![NY0x])`),
  // March 2026, marzo de 2026
  shape(`(?<![NY0]|No?\\.?_)(?<M>[MB])(?:[.,]?_|-)(?:f_)?(?<Y>Y)(?![NY0x])`),
];
/** Shapes that are dates only if the text has nothing else. */
const lonelyShapes: readonly RegExp[] = [
  // 11 04 2020
  shape("(?<=^(?:[WB][.,]*_)?)(?<A>N)_(?<C>N)_(?<Y>Y)(?![NY0xMWB.-])"),
  // 2020 04 11
  shape("^(?<Y>Y)_(?<M>N)_(?<D>N)(?![NY0xMWB.-])"),
  // Jan 02 10:00:00 CET 2026
  shape("(?<M>[MB])_(?<D>N)_T(?:_(?:[!-]0|[cfxMWB]))?_(?<Y>Y)"),
];
/** The same with two figures for the year. */
const shortShapes: readonly RegExp[] = [
  // 02.01.26
  shape("(?<=^(?:[WB][.,]*_)?)(?<D>N)\\.(?<M>N)\\.(?<Y>N)(?![NY0xMWB.-])"),
  // 02/01/26, 03-12-31
  shape("(?<=^(?:[WB][.,]*_)?)(?<A>N)(?<s>[\\/-])(?<C>N)\\k<s>(?<E>N)(?![NY0xMWB.-])"),
  // 06-Nov-94
  shape("(?<=^(?:[WB][.,]*_)?)(?<D>N)[_-](?<M>[MB])[_-](?<Y>N)(?![NY0xMWB.-])"),
];

/** All dates in a text, in order, except years alone and dates with a two-figure year. */
export function datesIn(text: string): DateAmong[] {
  if (!year.test(text)) return [];
  return datesMatching(scan(text), shapes, {});
}

/** Replaces each day in a text, known or not. */
export function withoutDays(text: string, instead: string): string {
  const days = datesIn(text).filter(({ precision }) => precision === "day");
  return replaceDates(days, text, instead);
}

/** The days that a date may mean: of a month, all. */
export function daysOf({ precision, days }: WrittenDate): readonly Instant[] {
  const [first] = days;
  if (precision !== "month" || first === undefined) return days;
  const [year, month] = [new Date(first).getUTCFullYear(), new Date(first).getUTCMonth()];
  return Array.from({ length: 31 }, (_, i) => dayAt(year, month + 1, i + 1)).filter((day) => day !== undefined);
}

export function replaceDates(dates: readonly DateAmong[], text: string, instead: string): string {
  return dates.reduceRight((rest, { from, to }) => `${rest.slice(0, from)}${instead}${rest.slice(to)}`, text);
}

interface Reading {
  readonly now?: Instant | undefined;
  /** The text is only a date, so a word at its beginning is a weekday. */
  readonly isAlone?: true;
}

function datesMatching(scanned: Scanned, patterns: readonly RegExp[], how: Reading): DateAmong[] {
  const dates: DateAmong[] = [];
  const takenPlaces = new Set<number>();
  for (const pattern of patterns) {
    for (const match of scanned.kinds.matchAll(pattern)) {
      const places = Array.from(match[0], (_, i) => match.index + i);
      const date = places.some((i) => takenPlaces.has(i)) ? undefined : dateOf(match, scanned, how);
      if (!date) continue;
      dates.push(date);
      for (const i of places) takenPlaces.add(i);
    }
  }
  return dates.sort((a, b) => a.from - b.from);
}

function dateOf({ 0: { length }, index, indices }: RegExpExecArray, { tokens, kinds }: Scanned, how: Reading) {
  const at = (group: string) => indices?.groups?.[group]?.[0];
  const text = (group: string) => tokens[at(group) ?? -1]?.text;
  const [year, monthName, date] = [text("Y"), text("M"), text("D")];
  const isMonthAlone = at("D") === undefined && at("A") === undefined;
  const weekday = weekdayBeside({ tokens, kinds }, index, index + length, how);
  if (!how.isAlone && mayBeVersion(kinds.slice(index, index + length), monthName, date)) return undefined;
  if (isMonthAlone && !isSure(monthName, kinds[(at("M") ?? 0) + 1])) return undefined;
  const months = monthsOf(monthName, isMonthAlone ? undefined : kinds[(at("D") ?? 0) + 1] === ".");
  const [a, c, e] = [text("A"), text("C"), text("E")];
  const orders =
    a === undefined
      ? months.map((month) => [yearOf(year, monthName, how), month, Number(date ?? 1)])
      : [
          [yearOf(year ?? e, "", how), Number(c), Number(a)],
          [yearOf(year ?? e, "", how), Number(a), Number(c)],
          ...(e === undefined ? [] : [[yearOf(a, "", how), Number(c), Number(e)]]),
        ];
  const all = orders.flatMap(([y = 0, m = 0, d = 0]) => dayAt(y, m, d) ?? []);
  const days = [...new Set(all)].filter(
    (day) => isMonthAlone || (weekday?.weekdays.includes(new Date(day).getUTCDay()) ?? true),
  );
  return {
    at: days.length === 1 ? days[0] : undefined,
    precision: isMonthAlone ? ("month" as const) : ("day" as const),
    days,
    from: tokens[weekday?.first ?? index]?.from ?? 0,
    to: tokens[weekday?.last ?? index + length - 1]?.to ?? 0,
  };
}

/** `2026.3.1`, while `2026.03.01` is a date. */
function mayBeVersion(kinds: string, month = "", date = ""): boolean {
  return kinds === "Y.N.N" && (month.length < 2 || date.length < 2);
}

/** Whether a word before a year is surely a month: "out" and "des" have other meanings. */
function isSure(name = "", behind: string | undefined): boolean {
  return /^\d/.test(name) || behind === "." || distinctMonthNames.has(foldName(name));
}

/** `3. listopada` is Croatian for October, `3 listopada` Polish for November. */
function monthsOf(name = "", isPointed: boolean | undefined): number[] {
  if (/^\d/.test(name)) return [Number(name)];
  const all = monthNames.get(foldName(name)) ?? [];
  const fitting = all.length > 1 ? all.filter((one) => one.isPointed === isPointed) : all;
  return (fitting.length > 0 ? fitting : all).map(({ month }) => month);
}

/** The first year of the Buddhist calendar, in which Thai dates are written. */
const buddhist = 543;
const lastYear = 2199;
/** Two figures never mean an earlier year. */
const firstShortYear = 1970;

function yearOf(written = "", month: string | undefined, { now }: Reading): number | undefined {
  const latest = now === undefined ? lastYear : new Date(now).getUTCFullYear() + 1;
  const year = Number(written) - (written > "2400" && /^\p{Script=Thai}/u.test(month ?? "") ? buddhist : 0);
  if (written.length === 4) return year <= latest ? year : undefined;
  if (now === undefined || written.length !== 2) return undefined;
  return [2000 + year, 1900 + year].find((one) => one <= latest && one >= firstShortYear);
}

/** The first instant of a day; undefined if the calendar does not have it. */
function dayAt(year: number, month: number, date: number): Instant | undefined {
  const at = new Date(0).setUTCFullYear(year, month - 1, date);
  const day = new Date(at);
  return year > 0 && day.getUTCMonth() === month - 1 && day.getUTCDate() === date ? at : undefined;
}

/** The weekday right before a date, or after it in brackets or at the end of the text. */
function weekdayBeside({ tokens, kinds }: Scanned, start: number, end: number, { isAlone }: Reading) {
  const daysOf = (i: number) => weekdayNames.get(foldName(tokens[i]?.text ?? ""));
  const before = /[WB]([.,]{0,2}_?)$/.exec(kinds.slice(Math.max(0, start - 4), start));
  if (before) {
    const first = start - before[0].length;
    const weekdays = daysOf(first);
    if (weekdays && (isAlone || /[.,]/.test(before[1] ?? "") || isDistinctive(tokens[first]?.text)))
      return { weekdays, first, last: end - 1 };
  }
  const behind = /^_?\([WBd]\.?\)|^[.,]?_[WB]\.?$/.exec(kinds.slice(end, end + 8));
  const at = behind ? end + behind[0].search(/[WBd]/) : -1;
  const weekdays = daysOf(at);
  return behind && weekdays ? { weekdays, first: start, last: end + behind[0].length - 1 } : undefined;
}

/** Whether a weekday has no other meaning, unlike "per", "to" and "so". */
function isDistinctive(name = ""): boolean {
  return name.length > 3 || /^(?:mon|tue|wed|thu|fri|sat|sun)$/.test(name);
}

/** Characters of a text that is only a date, at most. */
const longest = 80;

/** The date of a text that is only one, perhaps with a time. `now`: allows short years, and none after the next. */
export function dateIn(text: string, now?: Instant): WrittenDate | undefined {
  const written = text.trim();
  if (written.length > longest || !/\p{Nd}/u.test(written)) return undefined;
  return isoDate(written, now) ?? dateInWords(written, now);
}

function dateInWords(written: string, now: Instant | undefined): WrittenDate | undefined {
  if (now === undefined && !year.test(written)) return undefined;
  const scanned = scan(written);
  const short = now === undefined ? [] : shortShapes;
  const [date, other] = datesMatching(scanned, [...lonelyShapes, ...shapes, ...short], { now, isAlone: true });
  if (!date || other) return undefined;
  const { at, days, precision } = date;
  const time = timeIn(asciiDigits(restBeside(written, scanned, date)));
  if (time === "none" || (time && !time.isKnown)) return { at, days, precision };
  if (time === undefined || precision !== "day") return undefined;
  return { at: at === undefined ? at : time.on(at), days: days.map((day) => time.on(day)), precision: time.precision };
}

/** The rest of the text beside a date and within it: at most a time of day and its zone. */
function restBeside(written: string, { tokens, kinds }: Scanned, { from, to }: DateAmong): string {
  const clock = kinds.indexOf("T");
  return tokens
    .filter(({ from: start, to: end }, i) => {
      const isTimed = clock >= 0 && i >= clock;
      if (start >= from && end <= to) return isTimed && (tokens[clock]?.from ?? 0) > from && kinds[i] !== "Y";
      return isTimed || !/[fWBd()]/.test(kinds[i] ?? "");
    })
    .map(({ from: start, to: end }) => written.slice(start, end))
    .join("");
}

/** ISO 8601 with common deviations: other signs, no zone, or a space before the zone. */
const iso = new RegExp(
  [
    String.raw`^(\d{4})(-?)(\d{2})\2(\d{2})[T ]`,
    String.raw`(\d{2}):?(\d{2})(?::?(\d{2})([.,]\d{1,9})?)?`,
    String.raw`\s?(Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?Z?)?$`,
  ].join(""),
  "i",
);
const isoDay = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?|(\d{2})(\d{2}))?$/;

function isoDate(written: string, now: Instant | undefined): WrittenDate | undefined {
  const [, year, month = "01", day = "01", m = month, d = day] = isoDay.exec(written) ?? [];
  const timed = year === undefined ? iso.exec(written) : null;
  if (timed) {
    const [, y = "", , month = "", date = "", hour, minute, second = "00", fraction = "", zone = ""] = timed;
    const time = timeIn(`${hour}:${minute}:${second}${fraction}${zone}`);
    if (time === undefined || time === "none") return undefined;
    const on = dayOfIso(y, month, date, now);
    return exactDate(on === undefined ? on : time.on(on), time.precision);
  }
  if (year === undefined) return undefined;
  const precision = written.length === 4 ? "year" : written.length === 7 ? "month" : "day";
  return exactDate(dayOfIso(year, m, d, now), precision);
}

function exactDate(at: Instant | undefined, precision: WrittenDate["precision"]): WrittenDate {
  return { at, days: at === undefined ? [] : [at], precision };
}

function dayOfIso(year: string, month: string, date: string, now: Instant | undefined): Instant | undefined {
  const isBeyond = now !== undefined && Number(year) > new Date(now).getUTCFullYear() + 1;
  return isBeyond ? undefined : dayAt(Number(year), Number(month), Number(date));
}

/** The instant of an ISO 8601 date or time, as programs write it; not a number for anything else. */
export function isoInstant(written: string): Instant {
  return isoDate(written, undefined)?.at ?? Number.NaN;
}

/** The first instant of a day that is written as `2026-03-03`, if the calendar has it. */
export function isoDayOf(written: string): Instant | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(written) ? isoDate(written, undefined)?.at : undefined;
}

/** The year 9999 says "never". */
const endOfPromises = Date.UTC(9999, 0);

/** The instant of a text that is only a date. Without a zone it is UTC, never the zone of this machine. */
export function instantOf(written: string | undefined, now?: Instant): Instant | undefined {
  const at = written === undefined ? undefined : dateIn(written, now)?.at;
  return at !== undefined && at > 0 && at < endOfPromises ? at : undefined;
}
