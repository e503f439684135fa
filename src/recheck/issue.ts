import { builtIn } from "../askers.ts";
import type { Firing, Trigger } from "../model.ts";
import { closingLines } from "./answer.ts";
import { answeredPart, patchPart } from "./answered.ts";
import { clip, mostCharacters, type Part } from "./clip.ts";
import { standingPart } from "./closed.ts";
import { conclusionPart } from "./conclusions.ts";
import { evidenceEntries } from "./evidence.ts";
import { headline, title } from "./headline.ts";
import { cut, paragraph, words } from "./inert.ts";
import { type Label, labelsOf } from "./labels.ts";
import { beginLine } from "./marker.ts";
import { askedRatings, claimOf, inOrder, leadOf, type Question, triggerOf } from "./question.ts";
import { relatedLines } from "./related.ts";
import { claimRows, ratingPart } from "./resting.ts";
import { snoozedLines, summary } from "./summary.ts";

export interface RecheckIssue {
  readonly title: string;
  /** The bot's section, from its first marker to its last. */
  readonly body: string;
  readonly labels: readonly Label[];
}

/** A recheck issue, as people will see it. `room`: characters that its section may take. Pure. */
export function renderIssue(question: Question, room = mostCharacters): RecheckIssue {
  const { config } = question;
  const trigger = triggerOf(question);
  const firings = inOrder(question.firings);
  const asked = askedRatings(firings, config);
  const labels = labelsOf(trigger, asked, firings, config);
  const mark = beginLine(
    question.marker,
    trigger.id,
    firings,
    labels.map(({ name }) => name),
  );
  return {
    title: cut(`Recheck ${title(trigger.name, 100)}: ${titleOf(firings, question)}`, 200),
    body: bodyOf({ ...question, firings }, mark, asked, room),
    labels,
  };
}

/** What a title tells beside the trigger's name: the strongest event, or the report's words that were not found. */
function titleOf(firings: readonly Firing[], { trigger, config }: Question): string {
  const [strongest] = firings;
  if (!strongest) return "";
  const says = claimOf(leadOf(strongest)?.claim, config)?.says;
  if (trigger !== builtIn.notFound || says === undefined) return headline(strongest, config).text;
  const more = firings.length > 1 ? ` and ${firings.length - 1} more` : "";
  return `“${title(says, 90)}”${more}`;
}

function bodyOf(question: Question, mark: string, asked: readonly string[], room: number): string {
  const { config } = question;
  const trigger = triggerOf(question);
  const also = relatedLines(question.related ?? [], config).join("\n");
  const opening = [mark, summary(question, asked), ...snoozedLines(question), also, ...wordingOf(trigger)];
  const head = opening.filter((paragraph) => paragraph !== "").join("\n\n");
  const answers = answeredPart(question, asked);
  const parts = [
    ...(question.closed ? [answers, standingPart(asked, config)] : []),
    evidencePart(question),
    ...(question.closed ? [] : [ratingPart(asked, config)]),
    ...headed(claimParts(question, asked), question.closed ? ["### Claims of the report", ""] : []),
    conclusionPart(asked, config),
    decisionPart(trigger.ask.map((line) => paragraph(line))),
    ...(question.closed ? [] : [answers]),
    patchPart(question),
  ];
  return clip(head, parts, closingLines(question, asked).join("\n\n"), room);
}

/** What people are to find out: Markdown of a line each, ticked off by them. */
export function decisionPart(questions: readonly string[]): Part {
  return {
    head: ["### To decide", ""],
    entries: questions.map((line) => `- [ ] ${line}`),
    between: "\n",
    least: 1,
    one: "question",
    many: "questions",
  };
}

/** No body has room for more, however short they are. */
const mostSightings = 300;

function evidencePart(question: Question): Part {
  const { firings } = question;
  return {
    head: ["### What was seen", ""],
    entries: evidenceEntries(firings.slice(0, mostSightings), question),
    beyond: Math.max(0, firings.length - mostSightings),
    between: "\n\n",
    least: 1,
    one: "sighting",
    many: "sightings",
  };
}

/** Few claims in one table; of many, those not in question are folded away. */
function claimParts(question: Question, asked: readonly string[]): Part[] {
  const { inQuestion, others } = claimRows(question, asked, question.firings);
  const head = ["| claim in the report | source | state |", "|---|---|---|"];
  const all = [...inQuestion, ...others];
  if (all.length <= 8) return [table("claim", "claims", head, all)];
  const what = inQuestion.length > 0 ? "more claims, not in question" : "claims, none in question";
  const folded = [`<details><summary>${others.length} ${what}</summary>`, "", ...head];
  return [
    table("claim", "claims", head, inQuestion),
    { ...table("claim", "claims", folded, others), tail: ["", "</details>"] },
  ];
}

/** A heading above the first of these that has something to show. */
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
