import type { Instant } from "../../model.ts";
import type { StoredAnswer } from "../../ports.ts";
import { headline } from "../../recheck/headline.ts";
import type { Edition } from "../edition.ts";
import { verdictWords } from "./issue.ts";
import { sentence } from "./words.ts";

/** One thing that happened since the audit: what was seen, or how it was answered. */
export interface Happened {
  readonly at: Instant;
  readonly trigger: string;
  readonly kind: "contrary" | "routine" | "verdict";
  readonly says: string;
  /** The recheck that asks or asked about it, by its number in the store. */
  readonly recheck?: number;
}

const day = 86_400_000;

/** Newest first. */
export function happened({ firings, rechecks, answers, config }: Edition): Happened[] {
  const seen = firings.map((firing): Happened => {
    const { trigger, weight: kind, seen: at, recheck } = firing;
    return { at, trigger, kind, says: headline(firing, config).sentence, recheck };
  });
  const verdicts = rechecks.flatMap(({ id, trigger, dismissed, because, closed }): Happened[] => {
    const days = Map.groupBy(
      answers.filter(({ recheck }) => recheck === id),
      ({ at }) => Math.floor(at / day),
    );
    const given = [...days.values()].map((its) => ({ at: latest(its), says: sentence(verdictWords(its)) }));
    const word = dismissed === undefined ? because && `Kept: ${because}` : `Dismissed: ${dismissed}`;
    const ended = word !== undefined && closed !== undefined ? [{ at: closed, says: word }] : [];
    return [...given, ...ended].map((one) => ({ ...one, trigger, kind: "verdict", recheck: id }));
  });
  return [...seen, ...verdicts].sort((a, b) => b.at - a.at);
}

function latest(answers: readonly StoredAnswer[]): Instant {
  return Math.max(...answers.map(({ at }) => at));
}
