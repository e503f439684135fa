import type { Config, Trigger } from "../../model/config.ts";
import { builtIn, type Firing } from "../../model/firing.ts";
import { cut, link, paragraph, words } from "../../model/markdown.ts";
import { claimOf, touches } from "../../model/rests.ts";
import { day } from "../../model/time.ts";
import { counted, withoutStop } from "../../model/words.ts";
import { isAnswered } from "../answer/answers.ts";
import { answeredPart, endingOf, patchPart, standingPart } from "./answered.ts";
import { entriesWithin, foldedAfter, mostShownWords, shownWords, wordsOfParts } from "./budget.ts";
import { clip, maxBodyCharacters, type Part } from "./clip.ts";
import { evidenceEntries } from "./evidence.ts";
import { headline, title } from "./headline.ts";
import { answerParts, closingLines } from "./how-to-answer.ts";
import { type Label, labelsOf } from "./labels.ts";
import { beginLine } from "./marker.ts";
import { askedRatings, leadOf, type Question, strongestFirst, triggerOf } from "./question.ts";
import { relatedLines } from "./related.ts";
import { claimRows, conclusionPart, ratingParts } from "./rests.ts";
import { toldTogether } from "./together.ts";

export interface RecheckIssue {
  readonly title: string;
  /** The bot's section, from its first marker to its last. */
  readonly body: string;
  readonly labels: readonly Label[];
}

/** Renders a recheck issue. `room`: characters that its section may take. Pure. */
export function renderIssue(question: Question, room = maxBodyCharacters): RecheckIssue {
  const { config } = question;
  const trigger = triggerOf(question);
  const firings = strongestFirst(question.firings);
  const told = toldTogether(unansweredFirst(firings, question));
  const asked = askedRatings(firings, config);
  const labels = labelsOf(trigger, asked, firings, config);
  const mark = beginLine(
    question.marker,
    trigger.id,
    firings,
    labels.map(({ name }) => name),
  );
  return {
    title: cut(`Recheck ${title(trigger.name, 100)}: ${titleOf(told, question)}`, 200),
    body: bodyOf({ ...question, firings: told }, mark, asked, room),
    labels,
  };
}

/** Puts what still asks first; a closed issue puts the strongest first. */
function unansweredFirst(firings: readonly Firing[], { answers = [], closed, config }: Question): readonly Firing[] {
  if (closed) return firings;
  const isDone = (firing: Firing) => {
    const asked = [...touches(firing, config)];
    return asked.length > 0 && asked.every((rating) => isAnswered(firing, rating, answers));
  };
  return [...firings.filter((one) => !isDone(one)), ...firings.filter(isDone)];
}

/** The part of the title after the trigger's name: the strongest event, or the report's words that were not found. */
function titleOf(firings: readonly Firing[], { trigger, config }: Question): string {
  const [strongest] = firings;
  if (!strongest) return "";
  const says = claimOf(leadOf(strongest)?.claim, config)?.says;
  if (trigger !== builtIn.notFound || says === undefined) return headline(strongest, config).text;
  const more = firings.length > 1 ? ` and ${firings.length - 1} more` : "";
  return `“${title(withoutStop(says), 90)}”${more}`;
}

function bodyOf(question: Question, mark: string, asked: readonly string[], room: number): string {
  const { config } = question;
  const trigger = triggerOf(question);
  const also = relatedLines(question.related ?? [], config).join("\n");
  const opening = [mark, summary(question, asked), ...snoozedLines(question), also, ...wordingOf(trigger)];
  const head = opening.filter((paragraph) => paragraph !== "").join("\n\n");
  const answers = answeredPart(question, asked);
  const above = question.closed ? [answers, standingPart(asked, config)] : [];
  const below = [
    ...(question.closed ? [] : ratingParts(asked, config)),
    ...headed(claimParts(question, asked), question.closed ? ["### Claims of the report", ""] : []),
    conclusionPart(asked, config),
    ...decisionParts(trigger.ask.map((line) => paragraph(line))),
    ...(question.closed ? [] : [answers]),
    patchPart(question),
    ...answerParts(question, asked),
  ];
  const tail = closingLines(question).join("\n\n");
  const left = mostShownWords - shownWords(head) - shownWords(tail) - wordsOfParts([...above, ...below]);
  const evidence = evidencePart(question);
  const shown = Math.max(1, entriesWithin(evidence.entries, left));
  return clip(head, [...above, ...foldedAfter(evidence, shown), ...below], tail, room);
}

/** Questions that people are to answer, each one line of Markdown to be ticked off. */
export function decisionParts(questions: readonly string[]): Part[] {
  const part: Part = {
    head: ["### To decide", ""],
    entries: questions.map((line) => `- [ ] ${line}`),
    between: "\n",
    least: 1,
    one: "question",
    many: "questions",
  };
  return foldedAfter(part, Math.max(1, entriesWithin(part.entries, mostWordsOfQuestions)));
}

/** Words of a list of questions that are shown; the rest is folded. */
const mostWordsOfQuestions = 150;

/** Sightings in a body, at most: more do not fit, however short they are. */
const maxSightings = 300;

function evidencePart(question: Question): Part {
  const { firings } = question;
  return {
    head: ["### What was seen", ""],
    entries: evidenceEntries(firings.slice(0, maxSightings), question),
    beyond: Math.max(0, firings.length - maxSightings),
    between: "\n\n",
    least: 1,
    one: "sighting",
    many: "sightings",
  };
}

/** Shows few claims in one table; of many, those that are not in question are folded. */
function claimParts(question: Question, asked: readonly string[]): Part[] {
  const { inQuestion, others } = claimRows(question, asked, question.firings);
  const head = ["| claim in the report | source | state |", "|---|---|---|"];
  const all = [...inQuestion, ...others];
  if (all.length <= maxUnfoldedClaims) return [table("claim", "claims", head, all)];
  const what =
    inQuestion.length > 0
      ? `${counted(others.length, "more claim", "more claims")}, not in question`
      : `${counted(others.length, "claim")}, none in question`;
  const folded = [`<details><summary>${what}</summary>`, "", ...head];
  return [
    ...foldedAfter(table("claim", "claims", head, inQuestion), maxUnfoldedClaims, head),
    { ...table("claim", "claims", folded, others), tail: ["", "</details>"] },
  ];
}

const maxUnfoldedClaims = 5;

/** Puts a heading above the first of the parts that shows anything. */
function headed(parts: readonly Part[], heading: readonly string[]): Part[] {
  const first = parts.find(({ entries }) => entries.length > 0);
  return parts.map((part) => (part === first ? { ...part, head: [...heading, ...part.head] } : part));
}

function table(one: string, many: string, head: readonly string[], rows: readonly string[]): Part {
  return { head, entries: rows, between: "\n", least: 0, one, many };
}

/** The report's own words, once. */
function wordingOf({ wording }: Trigger): string[] {
  return wording ? [`The report asks to look again at: “${words(wording)}”`] : [];
}

/**
 * Summarises: the strongest event, its date and how many more; the ratings asked about and since when, or how it ended.
 */
function summary(question: Question, asked: readonly string[]): string {
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

/** Says until when people get no comments; empty where the recheck is not snoozed. */
export function snoozedLines({ snoozed, trigger }: Question): string[] {
  if (snoozed === undefined) return [];
  const until = snoozed === "next-event" ? "something new is seen" : day(snoozed);
  if (trigger === builtIn.catchUp) return [`*Snoozed until ${until}.*`];
  return [`*Snoozed until ${until}: what is seen meanwhile is told here, and not by comments.*`];
}

/** Names the previous recheck, and how it ended. */
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

/** The ratings that some are counted among: those of one platform (of the first axis), else all of the report. */
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
  const report = link("The report", config.report.url);
  return since === config.report.audited
    ? `${report} was last checked against its sources on ${day(since)}.`
    : `They were last reviewed on ${day(since)} or later.`;
}
