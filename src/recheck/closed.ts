import { day } from "../describe.ts";
import type { Config } from "../model.ts";
import { list } from "../verdict/name.ts";
import { answeredRatings } from "./answered.ts";
import type { Part } from "./clip.ts";
import { cell, code, words } from "./inert.ts";
import type { Question } from "./question.ts";
import { ratingName } from "./resting.ts";

/** How a recheck ended, in a sentence; nothing while it is open. */
export function endingOf(question: Question, asked: readonly string[]): string | undefined {
  const { closed, dismissed } = question;
  if (!closed) return undefined;
  const by = closed.by === undefined ? "" : ` by ${code(closed.by, 60)}`;
  if (dismissed !== undefined) return `Dismissed${by} on ${day(closed.at)}: no rating changes.`;
  const given = [...answeredRatings(question).values()];
  const settled = given.filter((answer) => answer.settled !== undefined);
  const without = asked.length - settled.length;
  if (settled.length === 0) {
    if (closed.by !== undefined) return `Closed${by} on ${day(closed.at)}: the report stays as it is.`;
    return `Closed by hand on ${day(closed.at)}: what was seen is answered, and ${reviewedSince(question, asked)}.`;
  }
  const people = [...new Set(settled.map((answer) => answer.by))];
  const how = without > 0 && closed.by === undefined ? "Closed by hand" : "Closed";
  const rest = without > 0 ? `; ${without} ${without === 1 ? "was" : "were"} not reviewed` : "";
  return `${how} on ${day(closed.at)}: ${verdictCounts(settled)}, answered by ${list(people, "and")}${rest}.`;
}

/** Where people edit config themselves: what they have reviewed since the newest evidence was seen. */
function reviewedSince({ config, firings }: Question, asked: readonly string[]): string {
  const newest = day(Math.max(0, ...firings.map(({ seen }) => seen)));
  const reviewed = asked.flatMap((id) => config.ratings.get(id)?.reviewed ?? []).filter((at) => day(at) >= newest);
  if (reviewed.length === 0) return "no rating counts as reviewed";
  if (reviewed.length === asked.length)
    return asked.length === 1 ? "its rating was reviewed" : "its ratings were reviewed";
  return `${reviewed.length} of its ${asked.length} ratings ${reviewed.length === 1 ? "was" : "were"} reviewed`;
}

/** `1 rating changed, 3 kept`. */
function verdictCounts(settled: readonly { readonly verdict: string }[]): string {
  const changed = settled.filter(({ verdict }) => verdict === "change").length;
  const counts: [number, string][] = [
    [changed, "changed"],
    [settled.length - changed, "kept"],
  ];
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what], i) => `${count}${i === 0 ? ` ${count === 1 ? "rating" : "ratings"}` : ""} ${what}`)
    .join(", ");
}

/** A row for each rating: what it is now, and when a person reviewed it last. */
export function standingPart(asked: readonly string[], config: Config): Part {
  const entries = asked.map((id) => {
    const { level = "", reviewed } = config.ratings.get(id) ?? {};
    const since = reviewed === undefined ? `not since the audit of ${day(config.report.audited)}` : day(reviewed);
    return `| ${cell(ratingName(id, config))} | **${cell(words(level, 80))}** | ${since} |`;
  });
  const head = ["### How the ratings stand", "", "| rating | now | last reviewed |", "|---|---|---|"];
  return { head, entries, between: "\n", least: 0, one: "rating", many: "ratings" };
}

/** Instead of an answer: what comes of the same evidence, and of new one. */
export const afterwards =
  "The same evidence never opens this again; new evidence opens a new issue. Opening this one again asks all of it anew.";
