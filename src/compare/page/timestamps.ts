import { datesIn, withoutDays } from "../../language/dates.ts";
import { anyOf, matches } from "../../language/lexicon.ts";
import { aDay, type Instant } from "../../model/time.ts";
import type { ChangedText, TextDifference } from "./difference.ts";
import { dateOfEdit, dateOfPublication } from "./labels.ts";
import { nameOf } from "./text.ts";

/**
 * Stamps of a program: a date since the last check, with a time of day, or in a text that says a program made it. Its
 * other numbers, such as the program's version, belong to the stamp. Any other date may be news.
 */

/** A longer text, in characters, is not only a stamp. */
const longest = 300;

/** For other time zones, and for builds that are published later. */
const slack = aDay;

/** The changed texts that are stamps of a program. `last`: the last check that read the page. */
export function clockStamps(
  { added, removed }: TextDifference,
  { at, last }: { readonly at: Instant; readonly last?: Instant | undefined },
): ReadonlySet<ChangedText> {
  if (last === undefined || removed.length === 0) return new Set();
  const timed = (units: readonly ChangedText[]) =>
    units.flatMap((unit) => {
      const time = timeOf(unit);
      return time === undefined ? [] : [{ unit, time, form: formOf(labelled(unit)) }];
    });
  const additions = timed(added).filter(({ time }) => time >= last - slack && time <= at + slack);
  if (additions.length === 0) return new Set();
  const removals = timed(removed);
  const times = new Map(removals.map(({ form, time }) => [form, time]));
  // Dates have no time: a later one of the same day is equal.
  const moved = additions.filter(({ form, time }) => (times.get(form) ?? Infinity) <= time);
  const forms = new Set(moved.map(({ form }) => form));
  return new Set([...moved, ...removals.filter(({ form }) => forms.has(form))].map(({ unit }) => unit));
}

function labelled({ text, label }: ChangedText): string {
  return label === undefined ? text : `${label} ${text}`;
}

function timeOf(unit: ChangedText): Instant | undefined {
  const text = labelled(unit);
  const [, seconds, rest = "000"] = sinceEpoch.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds + rest);
  // As a field, the day of publication is the document's. In prose, it may be that of something else.
  const isField = unit.label !== undefined && dateOfPublication(text) !== undefined;
  const isMade = isField || isDrafted(text) || text.split(betweenParts).some((part) => dateOfEdit(part) !== undefined);
  if (text.length > longest || (!isMade && !timeOfDay.test(text))) return undefined;
  const dates = datesIn(text);
  const [date] = dates;
  if (dates.length !== 1 || !date) return undefined;
  const beside = text.slice(Math.max(0, date.from - beforeIt), date.to + behindIt);
  return isMade || timeOfDay.test(beside) ? date.at : undefined;
}

/** A moment in seconds, perhaps with a fraction, or in milliseconds since 1970. */
const sinceEpoch = /(?:^|: )(1\d{9})(?:\.\d+|(\d{3}))?$/;

const betweenParts = / [·•—–|-] /;

/** Words for documents only. Software is built and released. */
const isDrafted = matches(`^(?:[\\p{L}\\p{N}-]{1,20} ){0,4}${anyOf("stamps.drafted")}(?!\\p{L})`);

const timeOfDay = /(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?![\d:])/;
/** Characters between a date and its time of day: `11:33, 2 July`, `2 July 2021 at 11:33:28`. */
const beforeIt = 12;
const behindIt = 20;

/** A time with its half of the day or its time zone: `9:37 PM`, `11:33:28 CEST`, `午後3:20`. Both change with it. */
const clockTime = /\p{Lo}{0,4}\d{1,2}:\d\d(?::\d\d)?(?:\s?[\p{L}.]{1,5}(?![\p{L}.]))?/gu;

/** A name for the text without its dates, times and numbers. Those of a row's first cell say which row it is. */
function formOf(text: string): string {
  const dateless = withoutDays(text, "#").replace(clockTime, "#");
  const behindName = Math.max(0, dateless.indexOf(" | "));
  return nameOf(dateless.slice(0, behindName) + dateless.slice(behindName).replace(/\d+(?:[.:]\d+)*/g, "#"));
}
