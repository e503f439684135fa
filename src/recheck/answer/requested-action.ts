import type { Instant } from "../../model/time.ts";
import type { AnswerStatus, GivenAnswer } from "./answers.ts";
import type { Command } from "./command.ts";

export type RequestedAction =
  /** Store these answers, and update the pull request. */
  | { readonly kind: "answers"; readonly answers: readonly GivenAnswer[] }
  /** Close with *keep*: no rating is in question, so there is nothing to edit. */
  | { readonly kind: "close"; readonly by: string; readonly because?: string }
  | { readonly kind: "dismiss"; readonly because: string; readonly by: string }
  | { readonly kind: "snooze"; readonly until: Instant | "next-event" }
  | { readonly kind: "check" }
  | { readonly kind: "help" }
  /** Do nothing; `says`: the reason, in Markdown. */
  | { readonly kind: "nothing"; readonly says: string };

export interface Speaker {
  readonly by: string;
  readonly at: Instant;
  readonly comment?: number;
}

/** Derives the action from a command and the state of answers. A ticked `keep` is a *keep* without names. Pure. */
export function requestedAction(
  command: Exclude<Command, { kind: "accept" }>,
  standing: AnswerStatus,
  { by, ...speaker }: Speaker,
): RequestedAction {
  switch (command.kind) {
    case "keep":
      return keep(command, standing, { by, ...speaker });
    case "change": {
      const { rating, level, because } = command;
      return { kind: "answers", answers: [{ rating, verdict: "change", level, because, by, ...speaker }] };
    }
    case "dismiss":
      return { ...command, by };
    case "snooze":
    case "check":
    case "help":
      return command;
  }
}

function keep(
  { ratings, because }: Extract<Command, { kind: "keep" }>,
  { asked, open }: AnswerStatus,
  { comment, ...speaker }: Speaker,
): RequestedAction {
  if (asked.length === 0) return { kind: "close", by: speaker.by, ...(because && { because }) };
  const isNamed = ratings.length > 0;
  const kept = isNamed ? ratings : open;
  if (kept.length === 0) return { kind: "nothing", says: allAnswered };
  // Without names, a rating's own answer takes precedence, even if it arrives later.
  const given = { verdict: "keep", ...(because && { because }), ...speaker, ...(isNamed && { comment }) } as const;
  const answers = kept.map((rating): GivenAnswer => ({ rating, ...given }));
  return { kind: "answers", answers };
}

const allAnswered =
  "Every rating has an answer; merge the pull request to close this issue. To change an answer, name its rating: `/recheck keep RATING`.";
