import { builtIn } from "../askers.ts";
import { day } from "../describe.ts";
import type { Config } from "../model.ts";
import { endingOf } from "./closed.ts";
import { headline } from "./headline.ts";
import { words } from "./inert.ts";
import { askedRatings, type Question } from "./question.ts";

/** The strongest event, its date, how many more; which ratings are asked about and since when, or how it ended. */
export function summary(question: Question, asked: readonly string[]): string {
  const { config, firings, previous } = question;
  const [strongest] = firings;
  const what = strongest
    ? `**${headline(strongest, config).markdown}, seen ${day(strongest.seen)}**`
    : "Nothing is asked here any more: what was seen is asked about elsewhere";
  const more = firings.length > 1 ? `, and ${firings.length - 1} more` : "";
  const ending = endingOf(question, asked);
  const stands = ending === undefined ? [...inQuestion(question, asked), lastChecked(asked, config)] : [ending];
  const sentences = [`${what}${more}.`, ...stands];
  return [...sentences, ...(previous ? [follows(previous)] : [])].join(" ");
}

/** That it is snoozed. */
export function snoozedLines({ snoozed, trigger }: Question): string[] {
  if (snoozed === undefined) return [];
  const until = snoozed === "next-event" ? "something new is seen" : day(snoozed);
  if (trigger === builtIn.catchUp) return [`*Snoozed until ${until}.*`];
  return [`*Snoozed until ${until}: what is seen meanwhile is told here, and not by comments.*`];
}

/** Which one came before it. */
export function follows({ issue, closed, gone }: NonNullable<Question["previous"]>): string {
  const on = closed === undefined ? "" : ` on ${day(closed)}`;
  if (gone) return `Follows #${issue}, deleted or moved away${on}.`;
  return `Follows #${issue}${closed === undefined ? "" : `, closed${on}`}.`;
}

function inQuestion({ config, firings }: Question, asked: readonly string[]): string[] {
  if (asked.length === 0) return [];
  const doubted = askedRatings(
    firings.filter(({ weight }) => weight === "contrary"),
    config,
  );
  const others = asked.length - doubted.length;
  const among = whole(asked, config);
  if (doubted.length === 0) return [`${share(others, among)} to review.`];
  const rest = others > 0 ? `, ${others} ${are(others)} to review` : "";
  return [`${share(doubted.length, among)} in doubt${rest}.`];
}

/** `2 of the 5 TPU ratings are`, `4 of the report's 20 ratings are`. */
function share(count: number, { row, size }: Whole): string {
  if (count < size) {
    const among = row === undefined ? `the report's ${size} ratings` : `the ${size} ${row} ratings`;
    return `${count} of ${among} ${are(count)}`;
  }
  if (size === 1) return row === undefined ? "The report's rating is" : `The ${row} rating is`;
  const all = size === 2 ? "Both" : `All ${size}`;
  return row === undefined ? `${all} ratings of the report are` : `${all} ${row} ratings are`;
}

function are(count: number): string {
  return count === 1 ? "is" : "are";
}

/** Ratings among which some are: of one platform, or whatever the first axis is; else all of the report. */
interface Whole {
  readonly row?: string;
  readonly size: number;
}

function whole(asked: readonly string[], config: Config): Whole {
  const values = new Set(asked.map((id) => id.split("/")[0] ?? id));
  const [value] = values;
  const all = [...config.ratings.keys()];
  if (values.size !== 1 || value === undefined || config.axes.length < 2) return { size: all.length };
  const siblings = all.filter((id) => id.split("/")[0] === value);
  return { row: words(config.names.get(value) ?? value, 60), size: siblings.length };
}

function lastChecked(asked: readonly string[], config: Config): string {
  const reviews = asked.map((id) => config.ratings.get(id)?.reviewed ?? config.report.audited);
  const since = reviews.length > 0 ? Math.min(...reviews) : config.report.audited;
  return since === config.report.audited
    ? `The report was last checked against its sources on ${day(since)}.`
    : `They were last reviewed on ${day(since)} or later.`;
}
