import { correctionOf } from "../../model/claim.ts";
import type { Permission } from "../../model/ports/index.ts";
import { claimKey } from "../../model/rests.ts";
import type { Instant } from "../../model/time.ts";
import { enumerate } from "../../model/words.ts";
import { isUntrue, offerOf, untrueSentences } from "../correct.ts";
import type { AnswerStatus, GivenAnswer } from "./answers.ts";
import type { Command } from "./command.ts";
import type { FullRecheck, WatchedRepository } from "./repository.ts";
import { presentFiles } from "./write-pull.ts";

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
  if (asked.length === 0) return { kind: "close", by: speaker.by, because };
  const isNamed = ratings.length > 0;
  const kept = isNamed ? ratings : open;
  if (kept.length === 0) return { kind: "nothing", says: allAnswered };
  // Without names, a rating's own answer takes precedence, even if it arrives later.
  const given = { verdict: "keep", because, ...speaker, ...(isNamed && { comment }) } as const;
  const answers = kept.map((rating): GivenAnswer => ({ rating, ...given }));
  return { kind: "answers", answers };
}

const allAnswered =
  "Every rating has an answer; merge the pull request to close this issue. To change an answer, name its rating: `/recheck keep RATING`.";

const permissionsLeastFirst: readonly Permission[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** The ways to answer: a command in a comment, or a box, which only people with write access can tick. */
export type AnswerForm = "command" | "box";

const leastPermission: Readonly<Record<AnswerForm, Permission>> = { command: "triage", box: "write" };

export function mayAnswer(permission: Permission, form: AnswerForm): boolean {
  return permissionsLeastFirst.indexOf(permission) >= permissionsLeastFirst.indexOf(leastPermission[form]);
}

export const mayNotAnswer =
  "Nothing was changed: `/recheck` needs triage access or more to this repository. Other comments are welcome.";

/** Accepts the corrections that can be made in the report as it is now. @throws GitHubProblem */
export async function acceptance(
  { because }: Extract<Command, { kind: "accept" }>,
  { firings, standing, recheck }: FullRecheck,
  repository: WatchedRepository,
  speaker: Speaker,
): Promise<RequestedAction> {
  const states = await repository.store.claims();
  const accepted = new Set(standing.accepted.keys());
  const all = untrueSentences(firings, repository.config);
  const open = all.filter((one) => isUntrue(one, states, accepted));
  if (open.length === 0 && accepted.size > 0) {
    const pull = recheck.pull?.number;
    return refuseAction(`The correction is accepted already${pull === undefined ? "" : `: merge #${pull}`}.`);
  }
  const { corrections, sentences } = offerOf(open, await presentFiles(repository));
  if (corrections.length === 0) {
    const why = sentences.flatMap(({ says }) => says ?? []);
    const because = why.length > 0 ? `, because ${enumerate([...new Set(why)])}` : "";
    return refuseAction(`There is no correction to accept${because}: edit the report and its claim by hand.`);
  }
  const answers = corrections.map(({ claim, figure }) => ({
    ...({ rating: correctionOf(claimKey(claim)), verdict: "change", level: figure.now } as const),
    because,
    ...speaker,
  }));
  return { kind: "answers", answers };
}

function refuseAction(why: string): RequestedAction {
  return { kind: "nothing", says: `Nothing was changed. ${why}` };
}
