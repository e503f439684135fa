/**
 * Parts of a short label that change daily: how long ago it was written, how many people read it, how long that takes.
 * In prose the same words are content. Labels come in lower case, without apostrophes.
 */

import { isAgoAlone, withoutAgoBehindName, withoutToday } from "../../language/ago.ts";
import { dateIn, type WrittenDate } from "../../language/dates.ts";
import { anyOf, matches, wordsOf } from "../../language/lexicon.ts";

/** In a text this short, one word can be a counter or a date. */
export const labelLength = 60;

const figure = "\\d(?:[\\d.,]{0,40}\\d)?";
const crowd = "view|read|like|comment|reaction|share|follower|clap|review|rating|vote";

/** Counts of people, beside any other words. */
const counter = new RegExp(
  [
    "(?:\\d{1,3}(?:,\\d{3}){1,3}|\\d{3,9}|\\d{1,4}(?:\\.\\d)?[km])\\+? (?=(?:stars|forks|watchers)\\b)",
    `${figure}\\s?[km]?\\+? (?=(?:(?:${crowd}|upvote)s?|replies|min(?:utes?)? read)\\b)`,
    `${figure} (?:out )?of ${figure}(?= (?:\\w+ )?found this\\b)`,
    `(?<=(?:^|[^\\p{L}\\s] ?)(?:\\p{L}{1,20} )?(?:(?:${crowd})s|replies)(?:: ?| ?\\())${figure}[km]?\\+?`,
    `(?<=\\b(?:viewed|read|shared) )${figure}[km]? (?=times\\b)`,
  ].join("|"),
  "gu",
);

/** Words for an allowance or a plan: such a label states a limit, not a count of people. */
const isLimitLabel = matches(`${wordsOf("labels.limit")}|/ ?(?:day|week|mo|month|yr|year|user|seat)\\b`);

/** Words for a page's last edit beside the date; not "as of" and "reviewed", which say more about the text. */
const edited = anyOf("labels.edited");
/** Words for the first or last edit. */
const dated = anyOf("labels.edited", "labels.posted");

/** Signs and words between these words and the date. */
const onDay = `(?: ?[:：]| ${anyOf("labels.on")})? ?`;
const beforeEdit = new RegExp(`^${edited}${onDay}`, "u");
const beforeDate = new RegExp(`^${dated}${onDay}`, "u");
const behindDate = new RegExp(` ?${dated}$`, "u");

/** The date of the last edit, if a label gives nothing else, in any language. */
export function dateOfEdit(label: string): WrittenDate | undefined {
  return dateBehind(beforeEdit, label);
}

/** The date of the first or last edit, if a label gives nothing else. */
export function dateOfPublication(label: string): WrittenDate | undefined {
  return dateBehind(beforeDate, label);
}

/** Between the words of a key in data: `last_updated`. */
const keyJoints = /(?<=\p{L})[_-](?=\p{L})/gu;

function dateBehind(form: RegExp, label: string): WrittenDate | undefined {
  const words = label.toLowerCase().replace(keyJoints, " ").replace(/\.$/, "");
  const date = words.replace(form, "");
  return date === words ? undefined : dateIn(date);
}

const count = `(?:\\d{1,3}(?:[., ]\\d{3}){1,3}|\\d{1,9}(?:[.,]\\d)?(?: ?${anyOf("labels.thousand")})?)`;
const minutes = `\\d{1,3} ?${anyOf("labels.minutes")}`;

/** A count of people, or a reading time, without other words. */
const crowdAlone = new RegExp(
  [
    `${count}\\+? ?${anyOf("labels.crowd")}`,
    `${anyOf("labels.crowd-before")} ?(?:[:：(] ?)?${count}\\+? ?${anyOf("labels.counter")}?\\)?`,
    `${minutes} ?${anyOf("labels.to-read")}`,
    `${anyOf("labels.reading")} ?:? ?(?:ca\\.? ?|~ ?)?${minutes}`,
  ]
    .map((form) => `^(?:${form})$`)
    .join("|"),
  "u",
);

/** The sign between the parts of a label: "Anna · 3 days ago". */
const between = /( [·•—–] |, )/;

/** A label without its parts that change daily. For a row, parts alone are kept: its columns say what its figures mean. */
export function withoutPassing(label: string): string {
  const isLimit = isLimitLabel(label);
  let words = withoutAgoBehindName(withoutToday(label));
  if (!label.includes(" |"))
    words = words
      .split(between)
      .map((part) => withoutAlone(part, isLimit))
      .join("");
  return /\d/.test(words) && !isLimit ? words.replace(counter, " ") : words;
}

function withoutAlone(part: string, isLimit: boolean): string {
  return !isLimit && crowdAlone.test(part.trim().replace(/\.$/, "")) ? " " : (withoutOnlyAgo(part) ?? part);
}

/** A label that only says how long ago something was, without the time but with the words for an edit; else undefined. */
function withoutOnlyAgo(label: string): string | undefined {
  const written = label.trim();
  const [before = ""] = beforeDate.exec(written) ?? [];
  const date = written.slice(before.length);
  const [behind = ""] = behindDate.exec(date) ?? [];
  return isAgoAlone(date.slice(0, date.length - behind.length).trim()) ? `${before} ${behind}` : undefined;
}

/** Whether a label says how long ago something was. */
export function isAgo(label: string): boolean {
  return withoutToday(label) !== label || withoutOnlyAgo(label) !== undefined;
}
