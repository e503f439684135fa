import { dateIn, datesIn, withoutDays } from "../../language/dates.ts";
import type { Block } from "../../model/reading.ts";
import type { Instant } from "../../model/time.ts";
import type { ChangedText, TextDifference } from "./difference.ts";
import type { Sides as Comparison } from "./pair.ts";
import { isPastDay, isRelativeDate, sectionNumber, wordsOf } from "./text.ts";

type Sides = Pick<Comparison, "before" | "after">;

/** Changed texts that are only written differently: dates in another format, headings with another number. */
export function respellings(units: TextDifference, sides: Sides, at: Instant): ReadonlySet<ChangedText> {
  return dateRespellings(units, sides, at).union(sectionRenumberings(units, sides));
}

/** Headings in which only the number of the section changed: "2.1 Limits", "Chapter 3. Limits". */
function sectionRenumberings({ added, removed }: TextDifference, { before, after }: Sides): ReadonlySet<ChangedText> {
  const [went, came] = [titlesOf(removed, before), titlesOf(added, after)];
  const both = new Set(went.values()).intersection(new Set(came.values()));
  return new Set([...went, ...came].flatMap(([unit, title]) => (both.has(title) ? [unit] : [])));
}

function titlesOf(units: readonly ChangedText[], blocks: readonly Block[]): Map<ChangedText, string> {
  const headings = units.filter(({ block, text }) => blocks[block]?.kind === "heading" && sectionNumber.test(text));
  return new Map(headings.map((unit) => [unit, wordsOf(unit.text.replace(sectionNumber, ""))]));
}

/** Dates that are only written differently: "over a month ago" became "16 March 2026", or got another format. */
function dateRespellings({ added, removed }: TextDifference, { before, after }: Sides, at: Instant): Set<ChangedText> {
  const exact = [
    ...findExactDates(added, after, removed, before, at),
    ...findExactDates(removed, before, added, after, at),
  ];
  const says = (units: readonly ChangedText[]) => new Set(units.flatMap(({ text }) => datedWordsOf(text) ?? []));
  const same = says(removed).intersection(says(added));
  const isSame = ({ text }: ChangedText) => same.has(datedWordsOf(text) ?? "");
  return new Set([...exact, ...[...added, ...removed].filter(isSame)]);
}

/** Exact dates that replaced relative ones, and these. A relative date alone is found by the block before it. */
function findExactDates(
  exact: readonly ChangedText[],
  ownBlocks: readonly Block[],
  others: readonly ChangedText[],
  other: readonly Block[],
  at: Instant,
): ChangedText[] {
  const days = exact.filter(({ text }) => isPastDay(text, at));
  if (days.length === 0) return [];
  const relative = others.filter(({ text }) => isRelativeDate(text));
  const relativePlaces = new Set(relative.map(({ place }) => place));
  const above = new Set(other.flatMap(({ text }, i) => (isRelativeDate(text) ? [other[i - 1]?.text] : [])));
  const same = days.filter(({ place, block }) => relativePlaces.has(place) || above.has(ownBlocks[block - 1]?.text));
  const places = new Set(same.map(({ place }) => place));
  return [...same, ...relative.filter(({ place }) => places.has(place))];
}

/** Characters of a text with dates in it, at most. */
const longestDated = 120;

/**
 * The words and days of a short text, or its instant if it is only a time with a zone: the same for each spelling.
 * Undefined without a day, or if one is ambiguous: "2/3/2026".
 */
function datedWordsOf(text: string): string | undefined {
  if (text.length > longestDated) return undefined;
  const date = dateIn(text);
  if (date?.precision === "time") return String(date.at);
  const days = datesIn(text).flatMap(({ precision, days }) => (precision === "day" ? [days] : []));
  if (days.length === 0 || days.some(({ length }) => length !== 1)) return undefined;
  return `${wordsOf(withoutDays(text, " "))} ${days.join(" ")}`;
}
