import { day } from "../describe.ts";
import type { Config } from "../model.ts";
import type { Part } from "./clip.ts";
import { code, words } from "./inert.ts";
import { ratingNames } from "./names.ts";
import type { Answered, Question } from "./question.ts";
import { ratingName } from "./resting.ts";

/** The answer that counts for each rating that has one: the latest. */
export function answeredRatings({ answers = [] }: Pick<Question, "answers">): ReadonlyMap<string, Answered> {
  return new Map([...answers].sort((a, b) => a.at - b.at).map((answer) => [answer.rating, answer]));
}

/** What was answered so far, and what is still asked. */
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

/** Where answers are that are not in config. */
function whereabouts({ pull, patch }: NonNullable<Question["gathered"]>): string[] {
  if (pull !== undefined) return [`The answers wait in #${pull}.`];
  return patch === undefined ? ["Their pull request is still to come."] : [];
}

/** What becomes of answers that are not in config, though the recheck was closed by hand. */
function unwritten(given: readonly Answered[], pull: number | undefined): string[] {
  if (given.every(({ settled }) => settled !== undefined)) return [];
  if (pull === undefined) return ["What is not in the config stays unwritten: this was closed before."];
  return [`What is not in the config yet waits in #${pull}: merging that writes it down, closing it withdraws it.`];
}

/** Of the recheck as a whole, with its reason. */
function wholeVerdict({ dismissed, closed }: Question): string[] {
  const reason = dismissed ?? closed?.because;
  if (reason === undefined || !closed) return [];
  const what = dismissed === undefined ? "The report stays as it is," : "Dismissed";
  const by = closed.by === undefined ? "" : `by ${code(closed.by, 60)} `;
  return [`- ${what} ${by}on ${day(closed.at)}${because(reason)}`];
}

/** The edit that nobody but people can make here; nothing where a pull request holds it. */
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

/** `TPU · Maturity: Medium → **High**, by `somebody` on 2026-11-20, because it runs now`. A code span mentions nobody. */
export function answerLine({ rating, verdict, level = "", because: reason, by, at }: Answered, config: Config): string {
  const now = config.ratings.get(rating)?.level ?? "";
  const changed = now === level ? "changed to" : `${words(now, 80)} →`;
  const what = verdict === "keep" ? `${words(now, 80)} kept` : `${changed} **${words(level, 80)}**`;
  return `${ratingName(rating, config)}: ${what}, by ${code(by, 60)} on ${day(at)}${because(reason)}`;
}

/** Last of all, so that nobody takes words of ours for the person's. */
function because(reason: string | undefined): string {
  return reason === undefined ? "" : `, because ${words(reason, 500)}`;
}
