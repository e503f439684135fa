import { nearestWord } from "../../language/nearest.ts";
import { correctedKey, isKeyOfClaim } from "../../model/claim.ts";
import type { Config } from "../../model/config.ts";
import { builtIn } from "../../model/firing.ts";
import { cell, code } from "../../model/markdown.ts";
import { enumerate, groupDigits, joinWords, pluralize } from "../../model/words.ts";
import { hasFile } from "../issue/question.ts";
import type { GivenAnswer } from "./answers.ts";

/** The matching name, or a sentence about why nothing matches. */
export type NameMatch = { readonly found: string } | { readonly says: string };

/** Closing quotation marks and emphasis after a name. */
const close = /^[`"'”’»*_]*(?=[\s,;:.]|$)/;

/** The spellings of ratings, by their first word. Each is written as its id, its name, or the last part of either. */
export function spellingsOf(ratings: readonly string[], { names }: Config) {
  const spellings = ratings.flatMap((id) => {
    const last = lastPart(id);
    const called = id.split("/").map((part) => names.get(part) ?? part);
    const all = [id, last, called.join(" "), names.get(last) ?? last];
    return all.map((name) => ({ id, words: wordsOf(name).map(({ word }) => word) }));
  });
  const byFirst = Map.groupBy(spellings, ({ words: [first = ""] }) => first);
  return { asked: ratings, byFirst, longest: Math.max(0, ...spellings.map(({ words }) => words.length)) };
}

/**
 * The rating that a text begins with, and the rest: by its id, by its name in the issue, or by the last part of either
 * if it is unique. Ignores case and punctuation.
 */
export function ratingAt(
  text: string,
  { asked, byFirst, longest }: ReturnType<typeof spellingsOf>,
  config: Config,
): { readonly found: string; readonly rest: string } | { readonly says: string } {
  const written = wordsOf(text, longest);
  const fitting = (written[0] ? (byFirst.get(written[0].word) ?? []) : [])
    .filter(({ words }) => words.every((word, at) => written[at]?.word === word))
    .flatMap(({ id, words }) => {
      const end = written[words.length - 1]?.end ?? 0;
      const closed = close.exec(text.slice(end));
      return closed ? [{ id, end: end + closed[0].length }] : [];
    });
  const end = Math.max(0, ...fitting.map((one) => one.end));
  const ids = [...new Set(fitting.filter((one) => one.end === end).map(({ id }) => id))];
  const [only] = ids;
  const [word = ""] = text.split(/[\s,;]/, 1);
  const exact = unwrap(word).toLowerCase();
  if (asked.includes(exact)) return { found: exact, rest: text.slice(word.length) };
  if (only === undefined) return { says: `${unknownRating(unwrap(word), asked, config)} ${asksAbout(asked)}` };
  if (ids.length === 1) return { found: only, rest: text.slice(end) };
  return { says: `${code(text.slice(0, end), 60)} can mean ${codeList(ids, "or")}: give the whole id.` };
}

function wordsOf(text: string, most = Number.POSITIVE_INFINITY): { readonly word: string; readonly end: number }[] {
  const found = text.slice(0, 1_000).matchAll(/[\p{L}\p{N}]+/gu);
  return [...found.take(most)].map(({ 0: word, index }) => ({ word: word.toLowerCase(), end: index + word.length }));
}

function unknownRating(word: string, asked: readonly string[], config: Config): string {
  const wanted = word.toLowerCase();
  const isOther = [...config.ratings.keys()].some((id) => id === wanted || lastPart(id) === wanted);
  if (isOther) return `This recheck does not ask about ${code(wanted)}.`;
  const meant = nearestWord(wanted, [...asked, ...asked.map(lastPart)]);
  return `No rating is called ${code(word, 60)}${meant === undefined ? "." : `; did you mean ${code(meant)}?`}`;
}

function asksAbout(asked: readonly string[]): string {
  return asked.length === 0 ? "No rating is affected here." : `This recheck asks about ${codeList(asked, "and")}.`;
}

/** The level that words name: one of the report's, ignoring case and punctuation; any text if the report has no levels. */
export function levelOf(text: string, config: Config): NameMatch {
  const bare = unwrap(text.trim().replace(/(?<![,;:]|\s[-–—])(?:[,;:]|\s[-–—])+$/, ""));
  if (config.levels.length === 0) return freeValue(bare);
  const level = levelSpelt(bare, config);
  if (level !== undefined) return { found: level };
  const meant = nearestWord(bare, config.levels);
  const hint = meant === undefined ? "." : `; did you mean ${code(meant)}?`;
  const what = bare === "" ? "The new level is missing." : `No level is called ${code(bare, 60)}${hint}`;
  return { says: `${what} The levels are ${codeList(config.levels, "and")}.` };
}

/** Most characters of a value: it goes into titles and table cells. */
const maxValueCharacters = 300;

function freeValue(text: string): NameMatch {
  if (text === "") return { says: "The new value is missing." };
  if (text.length <= maxValueCharacters) return { found: text };
  return { says: `The new value has ${groupDigits(text.length)} characters; the limit is ${maxValueCharacters}.` };
}

function levelSpelt(text: string, { levels }: Config): string | undefined {
  const exact = levels.find((one) => one.toLowerCase() === text.toLowerCase());
  if (exact !== undefined) return exact;
  const spelt = (name: string) =>
    wordsOf(name)
      .map(({ word }) => word)
      .join(" ");
  const wanted = spelt(text);
  const [only, ...others] = wanted === "" ? [] : levels.filter((one) => spelt(one) === wanted);
  return others.length > 0 ? undefined : only;
}

/** The level that words begin with, and the words after it. */
export function levelBefore(
  text: string,
  config: Config,
): { readonly level: string; readonly rest: string } | undefined {
  for (const { end } of wordsOf(text)) {
    const level = levelSpelt(text.slice(0, end), config);
    if (level !== undefined) return { level, rest: text.slice(end).trim() };
  }
  return undefined;
}

/** The level next to a rating's own, for an example. */
export function otherLevel(rating: string, { levels, ratings }: Config): string | undefined {
  const now = levels.indexOf(ratings.get(rating)?.level ?? "");
  return levels[now + 1] ?? levels[now - 1];
}

/** Removes the code span, emphasis or quotation marks around a word. */
function unwrap(text: string): string {
  const bare = text.trim();
  const [, inner] =
    /^(?:`([^`]*)`|"([^"]*)"|'([^']*)'|“([^”]*)”|‘([^’]*)’|«([^»]*)»|\*\*([^*]*)\*\*|\*([^*]*)\*)$/
      .exec(bare)
      ?.filter((x) => x !== undefined) ?? [];
  return (inner ?? bare).trim();
}

export function codeList(words: readonly string[], join: "and" | "or"): string {
  const shown = words.slice(0, 20).map((word) => code(word, 80));
  if (words.length > shown.length) return `${shown.join(", ")}, …`;
  return joinWords(shown, join);
}

/** The ratings and corrections that answers are about: `a` and the correction of `b`. */
export function subjectList(subjects: readonly string[]): string {
  const names = subjects.map((subject) => {
    const key = correctedKey(subject);
    if (key === undefined) return code(subject, 80);
    return `the ${isKeyOfClaim(key) ? "correction" : "address"} of ${code(key, 80)}`;
  });
  return enumerate(names, 20);
}

/** `2 sentences corrected` and `1 address replaced`, of the answers that accept such corrections. */
export function correctionCounts(answers: readonly Pick<GivenAnswer, "rating">[]): string[] {
  const keys = answers.flatMap(({ rating }) => correctedKey(rating) ?? []);
  const sentences = keys.filter(isKeyOfClaim).length;
  const addresses = keys.length - sentences;
  return [
    ...(sentences > 0 ? [`${pluralize(sentences, "sentence")} corrected`] : []),
    ...(addresses > 0 ? [`${pluralize(addresses, "address", "addresses")} replaced`] : []),
  ];
}

function lastPart(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

/** The answer to `/recheck help` on a recheck of this trigger, as Markdown. */
export function help(asked: readonly string[], config: Config, trigger: string): string {
  const rows = commands(asked, config, trigger).map(([command, does]) => `| ${cell(code(command, 120))} | ${does} |`);
  return ["| first line of a comment | effect |", "|---|---|", ...rows, "", aboutText(asked, config)].join("\n");
}

/** The commands and their effects, with these ratings as examples. */
function commands(ratings: readonly string[], config: Config, trigger: string): [string, string][] {
  const [rating = "RATING"] = ratings;
  const level = otherLevel(rating, config) ?? "VALUE";
  const all =
    ratings.length === 0
      ? "keeps the report as it is, and closes this issue"
      : "keeps all ratings that have no answer yet";
  const against = hasFile(trigger, config) ? "the" : "no";
  const joins = trigger !== builtIn.catchUp;
  const ofRatings: [string, string][] = [
    [`/recheck keep ${rating}`, "keeps this rating; several can be named"],
    [`/recheck change ${rating} ${level} because …`, "changes this rating, and says why"],
  ];
  return [
    ["/recheck accept", "corrects the sentence and its claim, or the address, as suggested"],
    ["/recheck keep", all],
    ...(ratings.length > 0 ? ofRatings : []),
    ["/recheck dismiss because …", `this does not matter: closes this issue, and counts against ${against} trigger`],
    ["/recheck snooze 14d", `asks again in 14 days; a date${joins ? " or `until-next-event`" : ""} works as well`],
    ["/recheck check", "checks the sources again now"],
  ];
}

function aboutText(asked: readonly string[], config: Config): string {
  if (asked.length === 0) return "No rating is affected here.";
  const levels = config.levels.length > 0 ? ` The levels are ${codeList(config.levels, "and")}.` : "";
  return `This recheck asks about ${codeList(asked, "and")}. Write a rating's id, its name, or the last part of either if it is unique.${levels}`;
}
