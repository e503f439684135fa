import { builtIn } from "../askers.ts";
import type { Issue, StoredRecheck } from "../ports.ts";
import { renderCatchUp } from "./catch-up.ts";
import { mostCharacters } from "./clip.ts";
import { length } from "./inert.ts";
import { type RecheckIssue, renderIssue } from "./issue.ts";
import type { Label } from "./labels.ts";
import { around, firstLine } from "./marker.ts";
import { type Outbox, questionOf, type State, sectionHash } from "./outbox.ts";
import type { Question } from "./question.ts";
import { recordTable } from "./record.ts";

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
