import { builtIn } from "../../model/firing.ts";
import { paragraph, words } from "../../model/markdown.ts";
import { day } from "../../model/time.ts";
import { counted, triggerName } from "../../model/words.ts";
import { answeredPart, endingOf, patchPart, standingPart } from "./answered.ts";
import { decisionPart, follows, type RecheckIssue, snoozedLines } from "./body.ts";
import { clip, maxBodyCharacters, type Part } from "./clip.ts";
import { evidenceEntries } from "./evidence.ts";
import { closingLines } from "./how-to-answer.ts";
import type { Label } from "./labels.ts";
import { beginLine } from "./marker.ts";
import { askedRatings, type Question, strongestFirst, triggerOf } from "./question.ts";
import { ratingNames } from "./rating-names.ts";
import { relatedLines } from "./related.ts";
import { ratingPart } from "./rests.ts";
import { toldTogether } from "./together.ts";

/** The routine events since the audit, put to people at once; contrary ones have rechecks of their own. */
export type CatchUpQuestion = Omit<Question, "trigger" | "claims">;

/** The one issue of what was routine between the audit and the first look; undefined where nothing was. Pure. */
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
  const parts = [
    ...(question.closed ? [answers, standingPart(asked, config)] : []),
    ...triggerParts(question),
    ...(question.closed ? [] : [ratingPart(asked, config)]),
    decisionPart(questionsOf(question)),
    ...(question.closed ? [] : [answers]),
    patchPart(question),
  ];
  const body = clip(head.join("\n\n"), parts, closingLines(question, asked).join("\n\n"), room);
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

/** A part for each trigger. Numbered through, so that what several triggers ask about is told once. */
function triggerParts(question: Question): Part[] {
  const { config, firings } = question;
  const byTrigger = Map.groupBy(firings, ({ trigger }) => trigger);
  const told = [...byTrigger].map(([id, its]) => ({ id, its, entries: toldTogether(its) }));
  const entries = evidenceEntries(
    told.flatMap((one) => one.entries),
    question,
  );
  return told.map(({ id, its, entries: { length } }) => {
    const { name } = triggerOf({ trigger: id, config, firings: its });
    const asked = askedRatings(its, config);
    const about = asked.length > 0 ? [`About ${ratingNames(asked, config)}.`, ""] : [];
    return {
      head: [`### ${words(name, 100)}`, "", ...about],
      entries: entries.splice(0, length),
      between: "\n\n",
      least: 0,
      one: "event",
      many: "events",
    };
  });
}

/** The questions of all triggers, each with its trigger: two may ask alike. */
function questionsOf({ config, firings }: Question): string[] {
  const byTrigger = Map.groupBy(firings, ({ trigger }) => trigger);
  return [...byTrigger].flatMap(([id, its]) => {
    const { name, ask } = triggerOf({ trigger: id, config, firings: its });
    return ask.map((line) => `${paragraph(line)} · *${words(name, 100)}*`);
  });
}
