import { editAll, type ReviewFiles } from "../../config/edit/index.ts";
import type { ClaimState } from "../../model/claim.ts";
import type { Config } from "../../model/config.ts";
import { digest } from "../../model/digest.ts";
import { builtIn, type Firing, firstContradicted } from "../../model/firing.ts";
import { lengthOnGitHub } from "../../model/markdown.ts";
import { isOver, type NewRecheck, type StoredFiring, type StoredRecheck } from "../../model/ports/index.ts";
import type { FileChange } from "../../report/edit/splice.ts";
import { answerStatus } from "../answer/answers.ts";
import { isUntrue, movedSources, offerOf, placesIn, untrueSentences } from "../correct.ts";
import type { Outbox, State } from "../run.ts";
import { relatedTo, renderIssue } from "./body.ts";
import { firstLine, withSection } from "./marker.ts";
import { addressOf, type Question, strongestFirst } from "./question.ts";

export type IssueText = ReturnType<typeof issueText>;

export function issueText(recheck: StoredRecheck, state: State, outbox: Outbox) {
  const fed = state.firings.filter((firing) => firing.recheck === recheck.id);
  const question = questionOf(recheck, fed, state, outbox);
  const { title, labels, body } = renderIssue(question);
  return {
    title,
    labels,
    firings: question.firings,
    /** Stored after the section is written: a hash, so that only a changed section is written, and its hidden line. */
    stored: { written: digest(body), reported: firstLine(body) },
    body,
    /** The issue's body with this section instead of the old one, cut to the room that people's text leaves. */
    in: (old: string) =>
      withSection(old, (room) => (lengthOnGitHub(body) <= room ? body : renderIssue(question, room).body)),
  };
}

type Asked = StoredRecheck | (Omit<NewRecheck, "state"> & { readonly id?: undefined; readonly state: "planned" });

export function questionOf(
  recheck: Asked,
  firings: readonly StoredFiring[],
  state: State,
  outbox: Pick<Outbox, "config" | "link" | "folder" | "commands" | "page">,
): Question {
  const { config, link = addressOf, folder, commands, page } = outbox;
  const { id, trigger, marker, pull } = recheck;
  const answers = state.answers.filter((answer) => answer.recheck === id);
  const { answered, accepted, asked } = answerStatus(firings, answers, config);
  const corrected = new Set(accepted.keys());
  const untrue = untrueSentences(strongestFirst(firings), config).filter((one) =>
    isUntrue(one, state.claims, corrected),
  );
  const moved = movedSources(firings, config, link).filter(({ source }) => !corrected.has(source));
  return {
    config,
    trigger,
    marker,
    firings,
    claims: claimsAsReported(state),
    archived: state.archived,
    previous: previousOf(recheck, state),
    link,
    folder,
    commands,
    page,
    places: placesIn(state.files?.text, link),
    ...(!isOver(recheck) && { offer: offerOf(untrue, state.files, moved) }),
    ...(!isOver(recheck) && !commands && state.files && { kept: changesToKeep(state.files, asked, firings, config) }),
    answers: [...answered.values(), ...accepted.values()],
    ...(pull && pull.ended === undefined && { pending: { pull: pull.number, patch: pull.patch } }),
    ...(recheck.state === "open" && { snoozed: recheck.snoozed }),
    ...(isOver(recheck) && { closed: { at: recheck.closed, verdict: recheck.verdict } }),
    related: relatedTo(firings, otherRechecks(id, state)),
    ...(trigger === builtIn.catchUp && { outOfDate: outOfDateIn(state) }),
  };
}

/** Claims with the states that people know from other rechecks. */
function claimsAsReported({ claims, firings }: State): ClaimState[] {
  const contradicted = firstContradicted(firings);
  return claims.map((state) =>
    state.status === "not found" && contradicted.has(state.claim) ? { ...state, status: "contradicted" } : state,
  );
}

function outOfDateIn({ firings, rechecks }: State): Firing[] {
  const answered = new Set(rechecks.filter(isOver).map(({ id }) => id));
  return firings.filter(({ trigger, recheck = -1 }) => trigger === builtIn.notFound && !answered.has(recheck));
}

/**
 * The changes that keep these ratings. They have the day of the newest evidence: today's date would change the text every day.
 */
function changesToKeep(
  { log: _, ...files }: ReviewFiles,
  asked: readonly string[],
  firings: readonly StoredFiring[],
  config: Config,
): readonly FileChange[] {
  const at = Math.max(...firings.map(({ fired }) => fired));
  const reviews = asked.map((rating) => ({ rating, verdict: "keep" as const, at }));
  return editAll(reviews, config, files).changes;
}

function previousOf({ previous }: Pick<StoredRecheck, "previous">, state: State): Question["previous"] {
  const before = state.rechecks.find(({ id }) => id === previous);
  if (!before) return undefined;
  const { issue } = before;
  if (issue === undefined) return previousOf(before, state);
  if (!isOver(before)) return { issue };
  return { issue, closed: before.closed, ...(before.state === "closed" && before.gone && { gone: true }) };
}

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
