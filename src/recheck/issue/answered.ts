import type { Config } from "../../model/config.ts";
import { cell, code, words } from "../../model/markdown.ts";
import { day } from "../../model/time.ts";
import { verdictCounts } from "../../model/words.ts";
import { codeList } from "../answer/names.ts";
import type { Part } from "./clip.ts";
import type { Answered, Question } from "./question.ts";
import { ratingName, ratingNames } from "./rating-names.ts";

/** The answers so far, and what is still asked. */
export function answeredPart(question: Question, asked: readonly string[]): Part {
  const { config, gathered, closed } = question;
  const answered = answeredRatings(question);
  const open = asked.filter((id) => !answered.has(id));
  const still = open.length > 0 ? `Still asked: ${ratingNames(open, config)}.` : "Nothing is asked any more.";
  const where = gathered === undefined ? [] : whereabouts(gathered);
  const verdict = closed ? wholeVerdict(question) : [];
  const tail = closed ? unwritten([...answered.values()], gathered?.pull) : [[...where, still].join(" ")];
  return {
    head: ["### Answered", ""],
    entries: [...verdict, ...[...answered.values()].map((answer) => `- ${answerLine(answer, config)}`)],
    ...(tail.length > 0 && { tail: ["", ...tail] }),
    between: "\n",
    least: 0,
    one: "answer",
    many: "answers",
  };
}

/** The latest answer for each rating that has one. */
export function answeredRatings({ answers = [] }: Pick<Question, "answers">): ReadonlyMap<string, Answered> {
  return new Map([...answers].sort((a, b) => a.at - b.at).map((answer) => [answer.rating, answer]));
}

/**
 * `TPU · Maturity: Medium → **High**, by `somebody` on 2026-11-20, because it runs now`. The code span keeps the name
 * from notifying the person.
 */
export function answerLine({ rating, verdict, level = "", because: reason, by, at }: Answered, config: Config): string {
  const now = config.ratings.get(rating)?.level ?? "";
  const changed = now === level ? "changed to" : `${words(now, 80)} →`;
  const what = verdict === "keep" ? `${words(now, 80)} kept` : `${changed} **${words(level, 80)}**`;
  return `${ratingName(rating, config)}: ${what}, by ${code(by, 60)} on ${day(at)}${because(reason)}`;
}

/** The reason comes last, so that our words are not taken for the person's. */
function because(reason: string | undefined): string {
  return reason === undefined ? "" : `, because ${words(reason, 500)}`;
}

/** Says where answers wait that are not in config yet. */
function whereabouts({ pull, patch }: NonNullable<Question["gathered"]>): string[] {
  if (pull !== undefined) return [`The answers wait in #${pull}.`];
  return patch === undefined ? ["Their pull request is still to come."] : [];
}

/** The verdict on the whole recheck, where it gives a reason. */
function wholeVerdict({ closed: { at, verdict } = { at: 0 } }: Question): string[] {
  if (verdict?.because === undefined) return [];
  const what = verdict.kind === "keep" ? "The report stays as it is," : "Dismissed";
  return [`- ${what} by ${code(verdict.by, 60)} on ${day(at)}${because(verdict.because)}`];
}

/** Says what happens to answers that are not in config although the recheck was closed by hand. */
function unwritten(given: readonly Answered[], pull: number | undefined): string[] {
  if (given.every(({ settled }) => settled !== undefined)) return [];
  if (pull === undefined) return ["What is not in the config stays unwritten: this was closed before."];
  return [`What is not in the config yet waits in #${pull}: merging that writes it down, closing it withdraws it.`];
}

/** The edit that people have to make themselves; nothing where a pull request holds it. */
export function patchPart({ gathered, closed }: Question): Part {
  return {
    head: ["<details><summary>What to write into the repository</summary>", ""],
    entries: gathered?.patch === undefined || closed ? [] : [gathered.patch],
    tail: ["", "</details>"],
    between: "\n",
    least: 0,
    one: "patch",
    many: "patches",
  };
}

/** How a recheck ended, in a sentence; nothing while it is open. */
export function endingOf(question: Question, asked: readonly string[]): string | undefined {
  const { closed } = question;
  if (!closed) return undefined;
  const { verdict } = closed;
  const by = verdict && ` by ${code(verdict.by, 60)}`;
  if (verdict?.kind === "dismiss") return `Dismissed${by} on ${day(closed.at)}: no rating changes.`;
  const given = [...answeredRatings(question).values()];
  const settled = given.filter((answer) => answer.settled !== undefined);
  const without = asked.length - settled.length;
  if (settled.length === 0) {
    if (verdict) return `Closed${by} on ${day(closed.at)}: the report stays as it is.`;
    return `Closed by hand on ${day(closed.at)}: what was seen is answered, and ${reviewedSince(question, asked)}.`;
  }
  const people = [...new Set(settled.map((answer) => answer.by))];
  const how = without > 0 && !verdict ? "Closed by hand" : "Closed";
  const rest = without > 0 ? `; ${without} ${without === 1 ? "was" : "were"} not reviewed` : "";
  return `${how} on ${day(closed.at)}: ${verdictCounts(settled, "rating")}, answered by ${codeList(people, "and")}${rest}.`;
}

/** Where people edit config themselves: the ratings reviewed since the newest evidence was seen. */
function reviewedSince({ config, firings }: Question, asked: readonly string[]): string {
  const newest = day(Math.max(0, ...firings.map(({ seen }) => seen)));
  const reviewed = asked.flatMap((id) => config.ratings.get(id)?.reviewed ?? []).filter((at) => day(at) >= newest);
  if (reviewed.length === 0) return "no rating counts as reviewed";
  if (reviewed.length === asked.length)
    return asked.length === 1 ? "its rating was reviewed" : "its ratings were reviewed";
  return `${reviewed.length} of its ${asked.length} ratings ${reviewed.length === 1 ? "was" : "were"} reviewed`;
}

/** A row for each rating: its level now, and when a person last reviewed it. */
export function standingPart(asked: readonly string[], config: Config): Part {
  const entries = asked.map((id) => {
    const { level = "", reviewed } = config.ratings.get(id) ?? {};
    const since = reviewed === undefined ? `not since the audit of ${day(config.report.audited)}` : day(reviewed);
    return `| ${cell(ratingName(id, config))} | **${cell(words(level, 80))}** | ${since} |`;
  });
  const head = ["### How the ratings stand", "", "| rating | now | last reviewed |", "|---|---|---|"];
  return { head, entries, between: "\n", least: 0, one: "rating", many: "ratings" };
}
