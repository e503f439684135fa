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
  const { config } = question;
  const answered = answeredRatings(question);
  const { gathered, dismissed } = question;
  const open = dismissed === undefined ? asked.filter((id) => !answered.has(id)) : [];
  const still = open.length > 0 ? `Still asked: ${ratingNames(open, config)}.` : "Nothing is asked any more.";
  const where = gathered?.pull === undefined ? [] : [`The answers wait in #${gathered.pull}.`];
  const verdict = dismissed === undefined ? [] : [`- Dismissed: “${words(dismissed, 300)}”`];
  return {
    head: ["### Answered", ""],
    entries: [...[...answered.values()].map((answer) => answerLine(answer, config)), ...verdict],
    tail: ["", [...where, still].join(" ")],
    between: "\n",
    least: 0,
    one: "answer",
    many: "answers",
  };
}

/** The edit that nobody but people can make here; nothing where a pull request holds it. */
export function patchPart({ gathered }: Question): Part {
  return {
    head: ["<details><summary>What to write into the repository</summary>", ""],
    entries: gathered?.patch === undefined ? [] : [gathered.patch],
    tail: ["", "</details>"],
    between: "\n",
    least: 0,
    one: "patch",
    many: "patches",
  };
}

/** `- TPU · Maturity: Medium → High, by somebody on 2026-11-20: “it runs now”`. A code span mentions nobody. */
function answerLine({ rating, verdict, level = "", because, by, at }: Answered, config: Config): string {
  const now = words(config.ratings.get(rating)?.level ?? "", 80);
  const changed = config.ratings.get(rating)?.level === level ? "now" : `${now} →`;
  const what = verdict === "keep" ? `${now} kept` : `${changed} **${words(level, 80)}**`;
  const why = because === undefined ? "" : `: “${words(because, 300)}”`;
  return `- ${ratingName(rating, config)}: ${what}, by ${code(by, 60)} on ${day(at)}${why}`;
}
