import { dateIn, datesIn, dayIn, withoutDays } from "../../language/dates.ts";
import type { Block } from "../../model/reading.ts";
import { aDay, type Instant } from "../../model/time.ts";
import { wordsOf } from "./text.ts";

/** Characters of a text that is only a date, and of one with dates in it, at most. */
const longest = 30;
const longestDated = 120;

/** The day of a text that is only a date. */
export function dayOf(text: string): Instant | undefined {
  return text.length > longest ? undefined : dayIn(text);
}

/**
 * The words and days of a short text, or its instant if it is only a time with a zone: the same for each spelling.
 * Undefined without a day, or if one is ambiguous: "2/3/2026".
 */
export function datedWordsOf(text: string): string | undefined {
  if (text.length > longestDated) return undefined;
  const date = dateIn(text);
  if (date?.precision === "time") return String(date.at);
  const days = datesIn(text).flatMap(({ precision, days }) => (precision === "day" ? [days] : []));
  if (days.length === 0 || days.some(({ length }) => length !== 1)) return undefined;
  return `${wordsOf(withoutDays(text, " "))} ${days.join(" ")}`;
}

/**
 * Whether all dates of a page, at least two, moved by one day in one direction: they are shown in another time zone.
 * Only past dates count, as future ones may be postponed.
 */
export function isRezoned(before: readonly Block[], after: readonly Block[], at: Instant): boolean {
  const days = (blocks: readonly Block[]) => blocks.flatMap(({ text }) => dayOf(text) ?? []);
  const [olds, news] = [days(before), days(after)];
  const shift = (news[0] ?? 0) - (olds[0] ?? 0);
  if (new Set(olds).size < 2 || olds.length !== news.length || Math.abs(shift) !== aDay) return false;
  return olds.every((day, i) => news[i] === day + shift && day <= at && day + shift <= at);
}
