import names from "./month-names.json" with { type: "json" };

/**
 * Names of months and weekdays in many languages. `npm run languages` takes them from `Intl`: to do so at each start would
 * cost 100 ms, and each version of Node has names of its own.
 */

export interface MonthName {
  /** From 1 to 12. */
  readonly month: number;
  /** Whether a day before it has a point: `3. listopada`. */
  readonly isPointed: boolean;
}

/** By names as `foldName` gives them. */
export const monthNames: ReadonlyMap<string, readonly MonthName[]> = new Map(
  Object.entries<readonly MonthName[]>(names.months),
);

/** From 0, which is Sunday, to 6. By names as `foldName` gives them. */
export const weekdayNames: ReadonlyMap<string, readonly number[]> = new Map(
  Object.entries<readonly number[]>(names.weekdays),
);

/** Month names that are unlikely to be other words: long or English ones. */
export const distinctMonthNames: ReadonlySet<string> = new Set(names.distinct);

/** A name in lower case, without accents and points. */
export function foldName(word: string): string {
  const bare = word
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f.\u200e\u200f]/g, "");
  return bare.replaceAll("ı", "i").normalize("NFKC");
}

export function isMonthName(word: string): boolean {
  return monthNames.has(foldName(word));
}

export function isWeekday(word: string): boolean {
  return weekdayNames.has(foldName(word));
}
