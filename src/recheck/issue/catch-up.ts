import { builtIn, type Firing } from "../../model/firing.ts";
import { paragraph, words } from "../../model/markdown.ts";
import { day } from "../../model/time.ts";
import { counted, triggerName } from "../../model/words.ts";
import { answeredPart, endingOf, patchPart, standingPart } from "./answered.ts";
import { decisionParts, follows, type RecheckIssue, snoozedLines } from "./body.ts";
import { entriesWithin, foldedAfter, mostShownWords, shownWords, wordsOfParts } from "./budget.ts";
import { clip, maxBodyCharacters, type Part } from "./clip.ts";
import { evidenceEntries } from "./evidence.ts";
import { answerParts, closingLines } from "./how-to-answer.ts";
import type { Label } from "./labels.ts";
import { beginLine } from "./marker.ts";
import { askedRatings, type Question, strongestFirst, triggerOf } from "./question.ts";
import { ratingNames } from "./rating-names.ts";
import { relatedLines } from "./related.ts";
import { ratingParts } from "./rests.ts";
import { toldTogether } from "./together.ts";

/** The routine events since the audit, asked about together; contrary ones have rechecks of their own. */
export type CatchUpQuestion = Omit<Question, "trigger" | "claims">;

/**
 * Renders the one issue about routine events between the audit and the first look; undefined where there were none.
 * Pure.
 */
export function renderCatchUp(given: CatchUpQuestion, room = maxBodyCharacters): RecheckIssue | undefined {
  const { config, marker } = given;
  const firings = strongestFirst(given.firings.filter(({ weight }) => weight === "routine"));
  if (firings.length === 0) return undefined;
  const question: Question = { ...given, trigger: builtIn.catchUp, claims: [], firings };
  const asked = askedRatings(firings, config);
  const head = [
    beginLine(
      marker,
      builtIn.catchUp,
      firings,
      labels.map(({ name }) => name),
    ),
    lead(question, asked),
    ...snoozedLines(question),
    ...relatedLines(question.related ?? [], config),
  ];
  const answers = answeredPart(question, asked);
  const above = question.closed ? [answers, standingPart(asked, config)] : [];
  const below = [
    ...(question.closed ? [] : ratingParts(asked, config)),
    ...decisionParts(questionsOf(question)),
    ...(question.closed ? [] : [answers]),
    patchPart(question),
    ...answerParts(question, asked),
  ];
  const tail = closingLines(question).join("\n\n");
  const left = mostShownWords - shownWords(head.join("\n")) - shownWords(tail) - wordsOfParts([...above, ...below]);
  const body = clip(head.join("\n\n"), [...above, ...triggerParts(question, left), ...below], tail, room);
  return { title: triggerName(builtIn.catchUp, config), body, labels };
}

const labels: readonly Label[] = [
  { name: "recheck", color: "0e8a16", description: "A source has moved under a rating" },
  { name: "catch-up", color: "c2e0c6", description: "What happened between the audit and the first look" },
];

function lead(question: Question, asked: readonly string[]): string {
  const { config, firings, previous } = question;
  const since = day(config.report.audited);
  const what = `**${counted(firings.length, "routine event")} between the audit of ${since} and the first look.**`;
  const stands =
    endingOf(question, asked) ??
    "Each of them is a reason to look again; none is known to say otherwise than the report.";
  return [what, stands, ...(previous ? [follows(previous)] : [])].join(" ");
}

/**
 * A part for each trigger, with as many events as fit. Events are numbered across triggers, so that each is told once.
 */
function triggerParts(question: Question, room: number): Part[] {
  const { firings } = question;
  const byTrigger = Map.groupBy(firings, ({ trigger }) => trigger);
  const told = [...byTrigger].map(([id, its]) => ({ id, its, entries: toldTogether(its) }));
  const entries = evidenceEntries(
    told.flatMap((one) => one.entries),
    question,
  );
  const headings = told.map(({ id, its }) => headingOf(id, its, question));
  let left = room - shownWords(headings.flat().join("\n"));
  return told.flatMap(({ entries: { length } }, index) => {
    const own = entries.splice(0, length);
    const shown = entriesWithin(own, left);
    left -= shownWords(own.slice(0, shown).join("\n"));
    // After an event that did not fit, later ones are not shown either.
    if (shown < length) left = 0;
    const part: Part = {
      head: headings[index] ?? [],
      entries: own,
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

/** The questions of all triggers, each with its trigger: two triggers may ask the same. */
function questionsOf({ config, firings }: Question): string[] {
  const byTrigger = Map.groupBy(firings, ({ trigger }) => trigger);
  return [...byTrigger].flatMap(([id, its]) => {
    const { name, ask } = triggerOf({ trigger: id, config, firings: its });
    return ask.map((line) => `${paragraph(line)} · *${words(name, 100)}*`);
  });
}
