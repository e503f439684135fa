import { digest } from "../../model/digest.ts";
import { builtIn, type Firing } from "../../model/firing.ts";
import { lengthOnGitHub } from "../../model/markdown.ts";
import { isOver, type NewRecheck, type StoredFiring, type StoredRecheck } from "../../model/ports/index.ts";
import { answerStatus } from "../answer/answers.ts";
import type { Outbox, State } from "../run.ts";
import { type RecheckIssue, relatedTo, renderCatchUp, renderIssue } from "./body.ts";
import { maxBodyCharacters } from "./layout.ts";
import { firstLine, recordTable, withSection } from "./marker.ts";
import { addressOf, type Question } from "./question.ts";
import type { Label } from "./title.ts";

/** The text of a recheck's issue, rendered once per run. */
export interface IssueText {
  readonly title: string;
  readonly labels: readonly Label[];
  readonly firings: Question["firings"];
  /** Stored after the section is written: a hash, so that only a changed section is written, and its hidden line. */
  readonly kept: { readonly written: string; readonly tells: string };
  /** The body of an issue to be created. */
  readonly whole: string;
  /** The issue's body with this section instead of the old one, cut to the room that people's text leaves. */
  readonly in: (body: string) => string;
}

export function issueText(recheck: StoredRecheck, state: State, outbox: Outbox): IssueText {
  const fed = state.firings.filter((firing) => firing.recheck === recheck.id);
  const question = questionOf(recheck, fed, state, outbox);
  const { title, labels, body } = render(question);
  return {
    title,
    labels,
    firings: question.firings,
    kept: { written: digest(body), tells: firstLine(body) },
    whole: wholeBody(question, body),
    in: (old) => withSection(old, (room) => within(room, question, body)),
  };
}

/** The body of a new issue: our section, and below it the table that people fill in. */
export function wholeBody(question: Question, section = render(question).body): string {
  const record = recordTable(question.config.report.record, question.commands);
  if (record === undefined) return section;
  return `${within(maxBodyCharacters - lengthOnGitHub(record) - 2, question, section)}\n\n${record}`;
}

/** The section if it fits, else a shorter rendering. */
function within(room: number, question: Question, section: string): string {
  return lengthOnGitHub(section) <= room ? section : render(question, room).body;
}

/** Renders an issue. Pure. */
export function render(question: Question, room?: number): RecheckIssue {
  const caughtUp = question.trigger === builtIn.catchUp ? renderCatchUp(question, room) : undefined;
  return caughtUp ?? renderIssue(question, room);
}

/** A recheck, or one that would be opened. */
type Asked = StoredRecheck | (Omit<NewRecheck, "state"> & { readonly id?: undefined; readonly state: "planned" });

/** The question of a recheck with its firings. */
export function questionOf(
  recheck: Asked,
  firings: readonly StoredFiring[],
  state: State,
  {
    config,
    link = addressOf,
    folder,
    commands,
    byHand,
  }: Pick<Outbox, "config" | "link" | "folder" | "commands" | "byHand">,
): Question {
  const { id, trigger, marker, pull } = recheck;
  const given = state.answers.filter((answer) => answer.recheck === id);
  return {
    config,
    trigger,
    marker,
    firings,
    claims: state.claims,
    contradictedAtFirst: contradictedAtFirst(state),
    archived: state.archived,
    previous: previousOf(recheck, state),
    link,
    folder,
    commands,
    ...(!commands && byHand && { byHand }),
    answers: [...answerStatus(firings, given, config).answered.values()],
    ...(pull && pull.ended === undefined && { gathered: { pull: pull.number, patch: pull.patch } }),
    ...(recheck.state === "open" && { snoozed: recheck.snoozed }),
    ...(isOver(recheck) && { closed: { at: recheck.closed, verdict: recheck.verdict } }),
    related: relatedTo(firings, otherRechecks(id, state)),
    ...(trigger === builtIn.catchUp && { outOfDate: outOfDateIn(state) }),
  };
}

function outOfDateIn({ firings, rechecks }: State): Firing[] {
  const answered = new Set(rechecks.filter(isOver).map(({ id }) => id));
  return firings.filter(({ trigger, recheck = -1 }) => trigger === builtIn.notFound && !answered.has(recheck));
}

/**
 * Keys of claims that their source contradicted at the first check. Firings about an earlier proof do not count.
 */
function contradictedAtFirst({ firings, claims }: State): ReadonlySet<string> {
  const since = new Map(claims.map((state) => [state.claim, state.since]));
  const keys = firings.flatMap(({ evidence }) =>
    evidence.flatMap(({ change, seen }) => {
      const isToldOfIt = change.kind === "claim" && change.otherwise && seen >= (since.get(change.claim) ?? Infinity);
      return isToldOfIt ? [change.claim] : [];
    }),
  );
  return new Set(keys);
}

/** The nearest earlier recheck that has an issue. */
function previousOf({ previous }: Pick<StoredRecheck, "previous">, state: State): Question["previous"] {
  const before = state.rechecks.find(({ id }) => id === previous);
  if (!before) return undefined;
  const { issue } = before;
  if (issue === undefined) return previousOf(before, state);
  if (!isOver(before)) return { issue };
  return { issue, closed: before.closed, ...(before.state === "closed" && before.gone && { gone: true }) };
}

/** The other open rechecks with their firings. */
function otherRechecks(
  id: number | undefined,
  { rechecks, firings }: State,
): { issue: number; firings: StoredFiring[] }[] {
  return rechecks.flatMap((other) => {
    const { issue, state } = other;
    if (other.id === id || issue === undefined || state !== "open") return [];
    return [{ issue, firings: firings.filter(({ recheck }) => recheck === other.id) }];
  });
}
