import type { Firing } from "../../model/firing.ts";
import { isOver, type StoredRecheck } from "../../model/ports/index.ts";
import { tally } from "../../model/words.ts";
import type { GivenAnswer } from "./answers.ts";

export interface Figures {
  /** Rechecks with a verdict; those closed by hand have none. */
  readonly answered: number;
  /** Rechecks with *keep* or *change*: the question was right. */
  readonly relevant: number;
  readonly consequential: number;
}

export function figures(history: readonly AnsweredRecheck[]): Figures {
  const of = (...verdicts: AnsweredRecheck["verdict"][]) =>
    history.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return { answered: history.length, relevant: of("keep", "change"), consequential: of("change") };
}

/** The fewest answers for which the share of relevant ones is meaningful. */
const minAnswers = 5;

/** `answered 7: relevant 6 of 7, consequential 2 of 7`; with fewer than five answers only the counts. */
export function figuresText({ answered, relevant, consequential }: Figures): string {
  if (answered === 0) return "not answered yet";
  if (answered >= minAnswers) {
    return `answered ${answered}: relevant ${relevant} of ${answered}, consequential ${consequential} of ${answered}`;
  }
  const counts = tally([
    [consequential, "changed"],
    [relevant - consequential, "kept"],
    [answered - relevant, "dismissed"],
  ]);
  return `answered ${answered}: ${counts}`;
}

export interface AnsweredRecheck {
  readonly verdict: "keep" | "change" | "dismiss";
  readonly firings: readonly Firing[];
}

/** The verdicts of a trigger: a recheck with one changed rating is *change*, one with kept ratings only is *keep*. */
export function historyOf(
  trigger: string,
  rechecks: readonly StoredRecheck[],
  firings: readonly (Firing & { readonly recheck?: number })[],
  answers: readonly (GivenAnswer & { readonly recheck: number })[],
): AnsweredRecheck[] {
  const over = rechecks.filter(isOver).filter((one) => one.trigger === trigger);
  return over.flatMap(({ id, verdict: whole }) => {
    const given = answers.filter((answer) => answer.recheck === id && answer.settled !== undefined);
    const verdict = whole?.kind === "dismiss" ? "dismiss" : verdictOf(given);
    return verdict ? [{ verdict, firings: firings.filter(({ recheck }) => recheck === id) }] : [];
  });
}

function verdictOf(answers: readonly GivenAnswer[]): "keep" | "change" | undefined {
  if (answers.some(({ verdict }) => verdict === "change")) return "change";
  return answers.length > 0 ? "keep" : undefined;
}
