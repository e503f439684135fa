import type { Instant } from "../../model/model.ts";
import { sourcesUnder } from "../../model/rests.ts";
import type { Given } from "./answers.ts";
import { type AskingHome, type Case, closing, idsOf, type Keeping, nothing } from "./case.ts";
import type { Deed, Speaker } from "./deed.ts";
import { help } from "./help.ts";
import { tightening } from "./tighten.ts";

/** The outcome of an action. */
export interface Done {
  readonly keep: Keeping;
  /** Tells in Markdown what a reaction cannot. */
  readonly says?: string;
}

export async function carryOut(
  deed: Deed,
  one: Case,
  home: AskingHome,
  { at, comment }: Pick<Speaker, "at" | "comment">,
): Promise<Done> {
  const { recheck, answers, standing } = one;
  const { id } = recheck;
  const last = comment === undefined ? {} : { said: comment };
  switch (deed.kind) {
    case "answers":
      return {
        keep: async (tx) => {
          const given = deed.answers.filter((answer) => !isOvertaken(answer, answers));
          await tx.addAnswers(given.map((answer) => ({ ...answer, recheck: id })));
          if (isLate(comment, one)) return;
          await tx.updateRecheck(id, last);
          if (recheck.state === "open") await tx.updateRecheck(id, { state: "open", issue: recheck.issue });
        },
      };
    case "close": {
      const verdict = { kind: "keep", by: deed.by, because: deed.because } as const;
      return { keep: (tx) => tx.updateRecheck(id, { ...closing(recheck, at, verdict), ...last }) };
    }
    case "dismiss": {
      const verdict = { kind: "dismiss", by: deed.by, because: deed.because } as const;
      return {
        keep: async (tx) => {
          await tx.updateRecheck(id, { ...closing(recheck, at, verdict), ...last });
          await tx.withdrawAnswers(idsOf(answers.filter(({ settled }) => settled === undefined)));
        },
        says: await tightening(one, home),
      };
    }
    case "snooze": {
      if (recheck.state !== "open" || isLate(comment, one)) return { keep: nothing };
      const { state, issue } = recheck;
      return { keep: (tx) => tx.updateRecheck(id, { state, issue, snoozed: deed.until, ...last }) };
    }
    case "look": {
      const sources = sourcesOf(one, home);
      return { keep: lookAgain(sources, at) };
    }
    case "help":
      return { keep: nothing, says: help(standing.asked, home.config, recheck.trigger) };
    case "nothing":
      return { keep: nothing, says: deed.says };
  }
}

/** Webhooks come in no order: whether something that was said later was heard before. */
export function isLate(comment: number | undefined, { recheck }: Pick<Case, "recheck">): boolean {
  return comment !== undefined && comment < (recheck.said ?? 0);
}

/** Of one rating, too, the last word holds. */
function isOvertaken({ rating, comment }: Given, known: readonly Given[]): boolean {
  return comment !== undefined && known.some((one) => one.rating === rating && (one.comment ?? 0) > comment);
}

/** Where the evidence was seen, and what the ratings that are asked about rest on. */
function sourcesOf({ firings, standing }: Case, { config }: AskingHome): string[] {
  const seen = firings.flatMap(({ evidence }) => evidence.map(({ source }) => source));
  const ratings = standing.asked.flatMap((id) => config.ratings.get(id) ?? []);
  const all = [...seen, ...ratings.flatMap((rating) => sourcesUnder(rating, config))];
  return [...new Set(all)].filter((source) => config.sources.has(source));
}

/** Somebody asks to look at these sources again now: the overview tells once that is done. */
export function lookAgain(sources: readonly string[], at: Instant): Keeping {
  return async (tx) => {
    await tx.hurry(sources, at);
    await tx.updateRepository({ asked: at });
  };
}
