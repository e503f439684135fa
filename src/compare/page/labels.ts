/**
 * Words of a short label that change every day, in the languages of pages: how long ago it was written, how many
 * read it, how long that takes. In prose the same words are just words. Each label comes in small letters, without apostrophes.
 */

import { isAgoAlone, withoutAgoBehindName, withoutToday } from "../../language/ago.ts";
import { anyOf, matches, wordsOf } from "../../language/lexicon.ts";

/** Few enough characters that one word can be a counter or a date and nothing else. */
export const labelLength = 60;

const figure = "\\d[\\d.,]{0,40}";
const crowd = "view|read|like|comment|reaction|share|follower|clap|review|rating|vote";

/** Counters of a crowd beside whatever else. */
const counter = new RegExp(
  [
    "(?:\\d{1,3}(?:,\\d{3}){1,3}|\\d{3,9}|\\d{1,4}(?:\\.\\d)?[km])\\+? (?=(?:stars|forks|watchers)\\b)",
    `${figure}\\s?[km]?\\+? (?=(?:(?:${crowd}|upvote)s?|replies|min(?:utes?)? read)\\b)`,
    `${figure}\\s?[km]?\\+? (?=(?:out )?of \\d[\\d.,]* (?:\\w+ )?found this\\b)`,
    "(?<=of )\\d[\\d.,]*(?= (?:\\w+ )?found this)",
    `(?<=\\b(?:(?:${crowd})s|replies)(?:: ?| ?\\())${figure}[km]?\\+?`,
    `(?<=\\b(?:viewed|read|shared) )${figure}[km]? (?=times\\b)`,
  ].join("|"),
  "gu",
);

/** Words of an allowance or a plan: such a label gives a limit, and counts nobody. */
const isLimitLabel = matches(`${wordsOf("labels.limit")}|/ ?(?:day|week|mo|month|yr|year|user|seat)\\b`);

/**
 * Words of a page on its last edit, before or behind the date. It says more of the text with "as of", "valid from" or
 * "reviewed": these are not among them.
 */
const edited = anyOf("labels.edited");
/** Words of the first and the last edit. */
const dated = anyOf("labels.edited", "labels.posted");

/** Signs and words between such words and the date. */
const onDay = `(?: ?[:：]| ${anyOf("labels.on")})? ?`;
const beforeEdit = new RegExp(`^${edited}${onDay}`, "u");
const beforeDate = new RegExp(`^${dated}${onDay}`, "u");
const behindDate = new RegExp(` ?${dated}$`, "u");

/** The date behind words that tell of the last edit, where a label begins with them. */
export function dateOfEdit(label: string): string | undefined {
  const date = label.replace(beforeEdit, "");
  return date === label ? undefined : date;
}

const count = `(?:\\d{1,3}(?:[., ]\\d{3}){1,3}|\\d{1,9}(?:[.,]\\d)?(?: ?${anyOf("labels.thousand")})?)`;
const minutes = `\\d{1,3} ?${anyOf("labels.minutes")}`;

/** Counters of a crowd, and the time that it takes to read, where a label says nothing else. */
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

/** A label without what it says another way every day. A row is none: its columns say what its figures are. */
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

/** A label without how long ago something was: the words that it was an edit remain; undefined for any other label. */
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
