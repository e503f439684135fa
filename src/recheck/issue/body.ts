import type { Config, Trigger } from "../../model/config.ts";
import { outOfDateWords } from "../../model/finding.ts";
import { builtIn, type Firing } from "../../model/firing.ts";
import { cut, link, paragraph, plain, words } from "../../model/markdown.ts";
import { touches } from "../../model/rests.ts";
import { day } from "../../model/time.ts";
import { counted, firstOf, triggerName } from "../../model/words.ts";
import { isAnswered } from "../answer/answers.ts";
import { findingsFirst, firstFindings } from "../first-check.ts";
import { answeredPart, answerParts, closingLines, endingOf, patchPart } from "./answer-help.ts";
import { evidenceEntries } from "./evidence.ts";
import {
  clip,
  entriesWithin,
  foldedAfter,
  maxBodyCharacters,
  mostShownWords,
  type Part,
  shownWords,
  wordsOfParts,
} from "./layout.ts";
import { beginLine } from "./marker.ts";
import {
  askedRatings,
  groupReleases,
  type Question,
  type Related,
  ratingNames,
  strongestFirst,
  triggerOf,
} from "./question.ts";
import { claimParts, conclusionPart, ratingParts, standingPart, withHeading } from "./rests.ts";
import { headline, type Label, labelsOf, title } from "./title.ts";

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
  const ordered = trigger.id === builtIn.notFound ? findingsFirst(firings, config) : firings;
  const groups = groupReleases(unansweredFirst(ordered, question));
  const asked = askedRatings(firings, config);
  const labels = labelsOf(trigger, asked, firings, config);
  const mark = beginLine(
    question.marker,
    trigger.id,
    firings,
    labels.map(({ name }) => name),
  );
  const shown = { ...question, firings: groups };
  return {
    title: cut(titleOf(trigger, groups, config), 200),
    body: bodyOf(shown, asked, contentsOf(shown, mark, asked), room),
    labels,
  };
}

/** Firings without an answer first; in a closed issue the strongest first. */
function unansweredFirst(firings: readonly Firing[], { answers = [], closed, config }: Question): readonly Firing[] {
  if (closed) return firings;
  const isDone = (firing: Firing) => {
    const asked = [...touches(firing, config)];
    return asked.length > 0 && asked.every((rating) => isAnswered(firing, rating, answers));
  };
  return [...firings.filter((one) => !isDone(one)), ...firings.filter(isDone)];
}

/** The trigger's name and the strongest event; or how much was out of date at the first check. */
function titleOf({ id, name }: Trigger, firings: readonly Firing[], config: Config): string {
  const [strongest] = firings;
  if (id === builtIn.notFound && strongest) {
    const { text } = headline(strongest, config);
    return firings.length === 1 ? text : `${outOfDateWords(firings.length)}: ${text}`;
  }
  return `Recheck ${title(name, 100)}: ${strongest ? headline(strongest, config).text : ""}`;
}

function contentsOf(question: Question, mark: string, asked: readonly string[]): Contents {
  const { config, closed, firings } = question;
  const trigger = triggerOf(question);
  const also = relatedLines(question.related ?? [], config).join("\n");
  return {
    opening: [
      mark,
      summary(question, asked),
      firings.length > 1 ? findingsList(firings, config) : "",
      ...snoozedLines(question),
      also,
      ...wordingOf(trigger),
    ],
    seen: (words) => {
      const evidence = evidencePart(question);
      return foldedAfter(evidence, Math.max(1, entriesWithin(evidence.entries, words)));
    },
    reasons: [
      ...withHeading(claimParts(question, asked), closed ? ["### Claims of the report", ""] : []),
      conclusionPart(asked, config),
    ],
    ask: trigger.ask.map((line) => paragraph(line)),
  };
}

/** Findings of the first check that are listed above the evidence. */
const maxFirstFindings = 30;

/** What was out of date at the first check, worst first. */
function findingsList(firings: readonly Firing[], config: Config): string {
  const all = firstFindings(firings, config);
  const more = all.length - maxFirstFindings;
  const lines = all.slice(0, maxFirstFindings).map(({ markdown }) => `1. ${markdown}`);
  return [...lines, ...(more > 0 ? ["", `and ${more} more.`] : [])].join("\n");
}

/** The same in the catch-up: another issue asks about it. */
function outOfDateLines({ outOfDate = [], config }: Question): string[] {
  if (outOfDate.length === 0) return [];
  const lead = `**${outOfDateWords(outOfDate.length)}**, and another issue asks about it:`;
  return [`${lead}\n\n${findingsList(outOfDate, config)}`];
}

/** The contents of an issue apart from the ratings and their answers. */
interface Contents {
  /** Its first paragraphs, the hidden line included. */
  readonly opening: readonly string[];
  /** The events, within as many words as the rest leaves. */
  readonly seen: (words: number) => readonly Part[];
  /** The claims and conclusions that the events touch. */
  readonly reasons: readonly Part[];
  /** Questions to decide, in Markdown. */
  readonly ask: readonly string[];
}

/** Arranges an issue: a closed one begins with its answers, an open one with its events. */
function bodyOf(question: Question, asked: readonly string[], contents: Contents, room: number): string {
  const { config, closed } = question;
  const head = contents.opening.filter((paragraph) => paragraph !== "").join("\n\n");
  const answers = answeredPart(question, asked);
  const above = closed ? [answers, standingPart(asked, config)] : [];
  const below = [
    ...(closed ? [] : ratingParts(asked, config)),
    ...contents.reasons,
    ...decisionParts(contents.ask),
    ...(closed ? [] : [answers]),
    patchPart(question),
    ...answerParts(question, asked),
  ];
  const tail = closingLines(question).join("\n\n");
  const left = mostShownWords - shownWords(head) - shownWords(tail) - wordsOfParts([...above, ...below]);
  return clip(head, [...above, ...contents.seen(left), ...below], tail, room);
}

/** The questions of the trigger, each a line of Markdown to tick off. */
function decisionParts(questions: readonly string[]): Part[] {
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

/** Words of the questions that are shown; the rest is folded. */
const mostWordsOfQuestions = 150;

/** Most sightings in a body: more do not fit, even if they are short. */
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

/** The report's own words about when to check again. */
function wordingOf({ wording }: Trigger): string[] {
  return wording ? [`The report says when to check again: “${words(wording)}”`] : [];
}

/**
 * Summary: the strongest event, its date and the number of others; then the ratings in question, or how it ended.
 */
function summary(question: Question, asked: readonly string[]): string {
  const { config, firings, previous } = question;
  const [strongest] = firings;
  const what =
    firings.length > 1 && firings.every(({ trigger }) => trigger === builtIn.notFound)
      ? `**${outOfDateWords(firings.length)}, seen ${day(strongest?.seen ?? 0)}**`
      : strongest
        ? `**${headline(strongest, config).markdown}, seen ${day(strongest.seen)}**`
        : "Nothing is asked here any more: another issue asks about these events";
  const more = firings.length > 1 && strongest?.trigger !== builtIn.notFound ? `, and ${firings.length - 1} more` : "";
  const ending = endingOf(question, asked);
  const stands = ending === undefined ? [...inQuestion(question, asked), lastChecked(asked, config)] : [ending];
  const sentences = [`${what}${more}.`, ...stands];
  return [...sentences, ...(previous ? [previousText(previous)] : [])].join(" ");
}

/** Until when people get no comments; empty if the recheck is not snoozed. */
function snoozedLines({ snoozed, trigger }: Question): string[] {
  if (snoozed === undefined) return [];
  const until = snoozed === "next-event" ? "something new is seen" : day(snoozed);
  if (trigger === builtIn.catchUp) return [`*Snoozed until ${until}.*`];
  return [`*Snoozed until ${until}: until then, new events appear here without comments.*`];
}

/** Names the previous recheck, and how it ended. */
function previousText({ issue, closed, gone }: NonNullable<Question["previous"]>): string {
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
  const among = wholeOf(asked, config);
  if (doubted.length === 0) return [`${share(others, among)} up for review.`];
  const rest = others > 0 ? `, ${others} ${are(others)} up for review` : "";
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

/** The set that a share counts among: the ratings of one row (first axis), else all of the report. */
interface Whole {
  readonly row?: string;
  readonly size: number;
}

function wholeOf(asked: readonly string[], config: Config): Whole {
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

/** The routine events since the audit, in one issue; contrary ones have their own rechecks. */
export type CatchUpQuestion = Omit<Question, "trigger" | "claims">;

/**
 * Renders the one issue about routine events between the audit and the first check; undefined if there were none. Pure.
 */
export function renderCatchUp(given: CatchUpQuestion, room = maxBodyCharacters): RecheckIssue | undefined {
  const { config, marker } = given;
  const firings = strongestFirst(given.firings.filter(({ weight }) => weight === "routine"));
  if (firings.length === 0) return undefined;
  const question: Question = { ...given, trigger: builtIn.catchUp, claims: [], firings };
  const asked = askedRatings(firings, config);
  const names = labels.map(({ name }) => name);
  const contents: Contents = {
    opening: [
      beginLine(marker, builtIn.catchUp, firings, names),
      catchUpSummary(question, asked),
      ...outOfDateLines(question),
      ...snoozedLines(question),
      ...relatedLines(question.related ?? [], config),
    ],
    seen: (words) => triggerParts(question, words),
    reasons: [],
    ask: questionsOf(question),
  };
  const body = bodyOf(question, asked, contents, room);
  return { title: triggerName(builtIn.catchUp, config), body, labels };
}

const labels: readonly Label[] = [
  { name: "recheck", color: "0e8a16", description: "A source of the report has changed" },
  { name: "catch-up", color: "c2e0c6", description: "Events between the audit and the first check" },
];

function catchUpSummary(question: Question, asked: readonly string[]): string {
  const { config, firings, previous } = question;
  const since = day(config.report.audited);
  const what = `**${counted(firings.length, "routine event")} between the audit of ${since} and the first check.**`;
  const stands = endingOf(question, asked) ?? "Each is a reason to review a rating.";
  return [what, stands, ...(previous ? [previousText(previous)] : [])].join(" ");
}

/**
 * A part for each trigger, with as many events as fit. Events are numbered across triggers, so that each is shown once.
 */
function triggerParts(question: Question, room: number): Part[] {
  const { firings } = question;
  const byTrigger = Map.groupBy(firings, ({ trigger }) => trigger);
  const sections = [...byTrigger].map(([id, its]) => ({ id, its, entries: groupReleases(its) }));
  const entries = evidenceEntries(
    sections.flatMap((one) => one.entries),
    question,
  );
  const headings = sections.map(({ id, its }) => headingOf(id, its, question));
  let left = room - shownWords(headings.flat().join("\n"));
  return sections.flatMap(({ entries: { length } }, index) => {
    const shownEntries = entries.splice(0, length);
    const shown = entriesWithin(shownEntries, left);
    left -= shownWords(shownEntries.slice(0, shown).join("\n"));
    // After an event that did not fit, later ones are folded, too.
    if (shown < length) left = 0;
    const part: Part = {
      head: headings[index] ?? [],
      entries: shownEntries,
      between: "\n\n",
      least: 0,
      one: "event",
      many: "events",
    };
    return foldedAfter(part, shown);
  });
}

function headingOf(id: string, its: readonly Firing[], { config }: Question): string[] {
  const { name } = triggerOf({ trigger: id, config, firings: its });
  const asked = askedRatings(its, config);
  const about = asked.length > 0 ? [`About ${ratingNames(asked, config)}.`, ""] : [];
  return [`### ${words(name, 100)}`, "", ...about];
}

/** The questions of all triggers, each with the trigger's name: two triggers may ask the same. */
function questionsOf({ config, firings }: Question): string[] {
  const byTrigger = Map.groupBy(firings, ({ trigger }) => trigger);
  return [...byTrigger].flatMap(([id, its]) => {
    const { name, ask } = triggerOf({ trigger: id, config, firings: its });
    return ask.map((line) => `${paragraph(line)} · *${words(name, 100)}*`);
  });
}

const maxRelatedEvents = 5;

const maxRelatedIssues = 12;

/** Events that other open rechecks share with these firings: one release can affect many ratings. */
export function relatedTo(
  firings: readonly Firing[],
  others: readonly { readonly issue: number; readonly firings: readonly Firing[] }[],
): Related[] {
  const byKey = new Map<string, { firing: Firing; issues: Set<number> }>();
  for (const firing of firings) byKey.set(firing.event.key, { firing, issues: new Set() });
  for (const { issue, firings: theirs } of others) {
    for (const { event } of theirs) byKey.get(event.key)?.issues.add(issue);
  }
  return [...byKey.values()].flatMap(({ firing, issues }) =>
    issues.size > 0 ? [{ firing, issues: [...issues].sort((a, b) => a - b) }] : [],
  );
}

/** `Also asked about in #12, #13: PyTorch 2.13.0`, a line for each set of issues. */
function relatedLines(related: readonly Related[], config: Config): string[] {
  const together = Map.groupBy(related.slice(0, maxRelatedEvents), ({ issues }) => issues.join(" "));
  return [...together.values()].map((events) => {
    const issues = events[0]?.issues ?? [];
    const where = firstOf(
      issues.map((issue) => `#${issue}`),
      maxRelatedIssues,
    );
    return `Also asked about in ${where}: ${events.map(({ firing }) => eventName(firing, config)).join("; ")}`;
  });
}

function eventName(firing: Firing, config: Config): string {
  const { event } = firing;
  const product = event.product === undefined ? undefined : config.products.get(event.product);
  if (!product || event.version === undefined) return headline(firing, config).markdown;
  return `${words(product.name, 80)} ${words(plain(event.version, 40))}`;
}
