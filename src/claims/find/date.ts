import { datesIn } from "../../language/dates.ts";
import type { Instant } from "../../model/time.ts";

/** A day, however it is written: `1 March 2027`, `March 1st, 2027`, `2027-03-01`, `01.03.2027`, `2027年3月1日`. */
export interface FoundDate {
  /** The first instant of each day that it may be: of two, if figures alone do not tell the day from the month. */
  readonly days: readonly Instant[];
  readonly end: number;
}

/** Characters of a date, at most. */
const longest = 48;

/** The day that is written from this place of a text on, if one is. */
export function dateAt(text: string, start: number): FoundDate | undefined {
  const [date] = datesIn(text.slice(start, start + longest));
  if (date?.from !== 0 || date.precision !== "day" || date.days.length === 0) return undefined;
  return { days: date.days, end: start + date.to };
}
