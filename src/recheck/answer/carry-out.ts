import { sourcesUnder } from "../../model/rests.ts";
import type { Instant } from "../../model/time.ts";
import type { GivenAnswer } from "./answers.ts";
import { help } from "./names.ts";
import {
  closingState,
  type FullRecheck,
  idsOf,
  noUpdate,
  type StoreUpdate,
  type WatchedRepository,
} from "./repository.ts";
import type { RequestedAction, Speaker } from "./requested-action.ts";
import { tighteningMarkdown } from "./tighten.ts";

/** The result of a requested action: the update that carries it out. */
export interface CarriedOut {
  readonly keep: StoreUpdate;
  /** A reply in Markdown, if a reaction is not enough. */
  readonly says?: string;
}

export async function carryOut(
  action: RequestedAction,
  full: FullRecheck,
  repository: WatchedRepository,
  { at, comment }: Pick<Speaker, "at" | "comment">,
): Promise<CarriedOut> {
  const { recheck, answers, standing } = full;
  const { id } = recheck;
  const last = comment === undefined ? {} : { said: comment };
  switch (action.kind) {
    case "answers":
      return {
        keep: async (tx) => {
          const given = action.answers.filter((answer) => !isOvertaken(answer, answers));
          await tx.addAnswers(given.map((answer) => ({ ...answer, recheck: id })));
          if (isLate(comment, full)) return;
          await tx.updateRecheck(id, last);
          if (recheck.state === "open") await tx.updateRecheck(id, { state: "open", issue: recheck.issue });
        },
      };
    case "close": {
      const verdict = { kind: "keep", by: action.by, because: action.because } as const;
      return { keep: (tx) => tx.updateRecheck(id, { ...closingState(recheck, at, verdict), ...last }) };
    }
    case "dismiss": {
      const verdict = { kind: "dismiss", by: action.by, because: action.because } as const;
      return {
        keep: async (tx) => {
          await tx.updateRecheck(id, { ...closingState(recheck, at, verdict), ...last });
          await tx.withdrawAnswers(idsOf(answers.filter(({ settled }) => settled === undefined)));
        },
        says: await tighteningMarkdown(full, repository),
      };
    }
    case "snooze": {
      if (recheck.state !== "open" || isLate(comment, full)) return { keep: noUpdate };
      const { state, issue } = recheck;
      return { keep: (tx) => tx.updateRecheck(id, { state, issue, snoozed: action.until, ...last }) };
    }
    case "check": {
      const sources = sourcesOf(full, repository);
      return { keep: checkAgain(sources, at) };
    }
    case "help":
      return { keep: noUpdate, says: help(standing.asked, repository.config, recheck.trigger) };
    case "nothing":
      return { keep: noUpdate, says: action.says };
  }
}

/** Whether a later comment was handled before this one: webhooks come in any order. */
export function isLate(comment: number | undefined, { recheck }: Pick<FullRecheck, "recheck">): boolean {
  return comment !== undefined && comment < (recheck.said ?? 0);
}

/** Whether a later answer about the same rating exists: the later comment counts. */
function isOvertaken({ rating, comment }: GivenAnswer, known: readonly GivenAnswer[]): boolean {
  return comment !== undefined && known.some((one) => one.rating === rating && (one.comment ?? 0) > comment);
}

function sourcesOf({ firings, standing }: FullRecheck, { config }: WatchedRepository): string[] {
  const seen = firings.flatMap(({ evidence }) => evidence.map(({ source }) => source));
  const ratings = standing.asked.flatMap((id) => config.ratings.get(id) ?? []);
  const all = [...seen, ...ratings.flatMap((rating) => sourcesUnder(rating, config))];
  return [...new Set(all)].filter((source) => config.sources.has(source));
}

/** Makes these sources due now because a person asked; the overview reports when they were checked. */
export function checkAgain(sources: readonly string[], at: Instant): StoreUpdate {
  return async (tx) => {
    await tx.hurry(sources, at);
    await tx.updateRepository({ asked: at });
  };
}
