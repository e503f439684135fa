import { dateIn, dayIn } from "../../language/dates.ts";
import type { Block } from "../../model/reading.ts";
import { aDay, type Instant } from "../../model/time.ts";

/** Characters of a text that is only a date, and of one that is only a time, at most. */
const longest = 30;
const longestTime = 40;

/** The day of a text that is only a date. */
export function dayOf(text: string): Instant | undefined {
  return text.length > longest ? undefined : dayIn(text);
}

/** The time of a text that is only a time with its own zone; undefined for any other. */
export function zonedTimeOf(text: string): Instant | undefined {
  const date = text.length > longestTime ? undefined : dateIn(text);
  return date?.precision === "time" ? date.at : undefined;
}

/**
 * Whether all dates of a page, at least two, are a day later or all a day earlier than before: shown in another time
 * zone. Past dates do not move; future ones may all be postponed.
 */
export function isRezoned(before: readonly Block[], after: readonly Block[], at: Instant): boolean {
  const days = (blocks: readonly Block[]) => blocks.flatMap(({ text }) => dayOf(text) ?? []);
  const [olds, news] = [days(before), days(after)];
  const shift = (news[0] ?? 0) - (olds[0] ?? 0);
  if (new Set(olds).size < 2 || olds.length !== news.length || Math.abs(shift) !== aDay) return false;
  return olds.every((day, i) => news[i] === day + shift && day <= at && day + shift <= at);
}
