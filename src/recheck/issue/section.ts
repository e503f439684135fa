import { builtIn } from "../../model/firing.ts";
import { length, paragraph, words } from "../../model/markdown.ts";
import type { Issue, StoredRecheck } from "../../model/ports/index.ts";
import { day } from "../../model/time.ts";
import { counted, triggerName } from "../../model/words.ts";
import { type Outbox, questionOf, type State, sectionHash } from "../outbox.ts";
import { answeredPart, closingLines, endingOf, patchPart, standingPart } from "./answered.ts";
import { decisionPart, follows, type RecheckIssue, renderIssue, snoozedLines } from "./body.ts";
import { clip, mostCharacters, type Part } from "./clip.ts";
import { evidenceEntries } from "./evidence.ts";
import { around, beginLine, firstLine, recordTable } from "./marker.ts";
import { askedRatings, inOrder, type Label, type Question, triggerOf } from "./question.ts";
import { ratingNames, ratingPart, relatedLines } from "./rests.ts";

/** What an issue of ours is to say. */
interface Section {
  readonly title: string;
  readonly section: string;
  readonly labels: readonly Label[];
  readonly question: Question;
  /** What to remember of it once it is written. */
  readonly kept: { readonly written: string; readonly tells: string };
}

/** The bot's section of a recheck's issue, in the room that people's own words in it leave. */
export function sectionOf(recheck: StoredRecheck, state: State, outbox: Outbox, issue?: Pick<Issue, "body">): Section {
  const fed = state.firings.filter((firing) => firing.recheck === recheck.id);
  const question = questionOf(recheck, fed, state, outbox);
  const whole = render(question);
  const { before, after } = around(issue?.body ?? "");
  const { body: section } = issue ? render(question, mostCharacters - length(before) - length(after)) : whole;
  const kept = { written: sectionHash(whole.body), tells: firstLine(section) };
  return { title: whole.title, labels: whole.labels, section, question, kept };
}

/** The whole body of an issue that is to be made: the bot's section, and below it what people fill in. */
export function wholeBody(question: Question): string {
  const record = recordTable(question.config.report.record, question.commands);
  if (record === undefined) return render(question).body;
  return `${render(question, mostCharacters - length(record) - 2).body}\n\n${record}`;
}

/** An issue of ours, as people will see it. Pure. */
export function render(question: Question, room?: number): RecheckIssue {
  const caughtUp = question.trigger === builtIn.catchUp ? renderCatchUp(question, room) : undefined;
  return caughtUp ?? renderIssue(question, room);
}

/** The routine events since the audit, put to people at once; contrary ones have rechecks of their own. */
export type CatchUpQuestion = Omit<Question, "trigger" | "claims">;

/** The one issue of what was routine between the audit and the first look; undefined where nothing was. Pure. */
export function renderCatchUp(given: CatchUpQuestion, room = mostCharacters): RecheckIssue | undefined {
  const { config, marker } = given;
  const firings = inOrder(given.firings.filter(({ weight }) => weight === "routine"));
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
  const entries = evidenceEntries([...byTrigger.values()].flat(), question);
  return [...byTrigger].map(([id, its]) => {
    const { name } = triggerOf({ trigger: id, config, firings: its });
    const asked = askedRatings(its, config);
    const about = asked.length > 0 ? [`About ${ratingNames(asked, config)}.`, ""] : [];
    return {
      head: [`### ${words(name, 100)}`, "", ...about],
      entries: entries.splice(0, its.length),
      between: "\n\n",
      least: 0,
      one: "event",
      many: "events",
    };
  });
}

/** What the triggers ask, each question with its trigger: two may ask alike. */
function questionsOf({ config, firings }: Question): string[] {
  const byTrigger = Map.groupBy(firings, ({ trigger }) => trigger);
  return [...byTrigger].flatMap(([id, its]) => {
    const { name, ask } = triggerOf({ trigger: id, config, firings: its });
    return ask.map((line) => `${paragraph(line)} · *${words(name, 100)}*`);
  });
}
