import { correctionOf } from "../../model/claim.ts";
import { claimKey, sourcesUnder } from "../../model/dependencies.ts";
import type { WholeVerdict } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { enumerate } from "../../model/words.ts";
import { isUntrue, movedSources, offerOf, untrueSentences } from "../correct.ts";
import { idsOf } from "../plan.ts";
import { type AnswerStatus, answersTo, type GivenAnswer, type Speaker } from "./answers.ts";
import type { Command } from "./command.ts";
import { help } from "./names.ts";
import { closingState, type FullRecheck, noUpdate, type StoreUpdate, type WatchedRepository } from "./repository.ts";
import { tighteningMarkdown } from "./tighten.ts";
import { presentFiles } from "./write-pull.ts";

/** The result of a command: the update that carries it out. */
export interface CommandResult {
  readonly update: StoreUpdate;
  /** A reply in Markdown, if a reaction is not enough. */
  readonly says?: string;
  /** Nothing is done, and `says` why. */
  readonly isRefused?: true;
}

/** Whether a command ends the recheck. A *keep* does if no rating is in question, so that there is nothing to edit. */
export function isFinal({ kind }: Command, { asked }: Pick<AnswerStatus, "asked">): boolean {
  return kind === "dismiss" || (kind === "keep" && asked.length === 0);
}

/** @throws GitHubProblem */
export async function carryOut(
  command: Command,
  full: FullRecheck,
  repository: WatchedRepository,
  speaker: Speaker,
): Promise<CommandResult> {
  const { recheck, status } = full;
  const { by, at, comment } = speaker;
  switch (command.kind) {
    case "accept": {
      const accepted = await acceptance(command, full, repository, speaker);
      return typeof accepted === "string"
        ? refuse(`Nothing was changed. ${accepted}`)
        : answer(accepted, full, speaker);
    }
    case "keep": {
      if (isFinal(command, status))
        return { update: end({ kind: "keep", by, because: command.because }, full, speaker) };
      const kept = answersTo(command, status, speaker);
      return kept.length > 0 ? answer(kept, full, speaker) : refuse(allAnswered);
    }
    case "change":
      return answer(answersTo(command, status, speaker), full, speaker);
    case "dismiss":
      return {
        update: end({ ...command, by }, full, speaker),
        says: await tighteningMarkdown(full, repository),
      };
    case "snooze": {
      if (recheck.state !== "open" || isLate(comment, full)) return { update: noUpdate };
      const { id, state, issue } = recheck;
      return { update: (tx) => tx.updateRecheck(id, { state, issue, snoozed: command.until, ...noteOf(speaker) }) };
    }
    case "check":
      return { update: checkAgain(sourcesOf(full, repository), at) };
    case "help":
      return { update: noUpdate, says: help(status.asked, repository.config, recheck.trigger) };
  }
}

const allAnswered =
  "Every rating has an answer; merge the pull request to close this issue. To change an answer, name its rating: `/recheck keep RATING`.";

function refuse(says: string): CommandResult {
  return { update: noUpdate, says, isRefused: true };
}

/** Stores answers; the pull request is updated with them. */
function answer(given: readonly GivenAnswer[], full: FullRecheck, speaker: Speaker): CommandResult {
  const { recheck, answers } = full;
  return {
    update: async (tx) => {
      const fresh = given.filter((one) => !isOvertaken(one, answers));
      await tx.addAnswers(fresh.map((one) => ({ ...one, recheck: recheck.id })));
      if (isLate(speaker.comment, full)) return;
      await tx.updateRecheck(recheck.id, noteOf(speaker));
      if (recheck.state === "open") await tx.updateRecheck(recheck.id, { state: "open", issue: recheck.issue });
    },
  };
}

/** Closes the recheck with a verdict on the whole. A dismissal withdraws the answers that are not in config. */
function end(verdict: WholeVerdict, { recheck, answers }: FullRecheck, speaker: Speaker): StoreUpdate {
  return async (tx) => {
    await tx.updateRecheck(recheck.id, { ...closingState(recheck, speaker.at, verdict), ...noteOf(speaker) });
    if (verdict.kind === "dismiss")
      await tx.withdrawAnswers(idsOf(answers.filter(({ settled }) => settled === undefined)));
  };
}

/** Notes the comment as the last one that was carried out. */
function noteOf({ comment }: Speaker): { readonly command?: number } {
  return comment === undefined ? {} : { command: comment };
}

/** The corrections of sentences and addresses that can be made in the report as it is now, or why there is none. @throws GitHubProblem */
async function acceptance(
  { because }: Extract<Command, { kind: "accept" }>,
  { firings, status, recheck }: FullRecheck,
  repository: WatchedRepository,
  speaker: Speaker,
): Promise<readonly GivenAnswer[] | string> {
  const states = await repository.store.claims();
  const accepted = new Set(status.accepted.keys());
  const all = untrueSentences(firings, repository.config);
  const open = all.filter((one) => isUntrue(one, states, accepted));
  const moved = movedSources(firings, repository.config, repository.link).filter(({ source }) => !accepted.has(source));
  if (open.length + moved.length === 0 && accepted.size > 0) {
    const pull = recheck.pull?.number;
    return `The correction is accepted already${pull === undefined ? "" : `: merge #${pull}`}.`;
  }
  const { corrections, sentences, moves } = offerOf(open, await presentFiles(repository), moved);
  const edits = [
    ...corrections.map(({ claim, figure: { now } }) => ({ key: claimKey(claim), now })),
    ...moves.map(({ source, now }) => ({ key: source, now })),
  ];
  if (edits.length === 0) {
    const why = sentences.flatMap(({ says }) => says ?? []);
    const because = why.length > 0 ? `, because ${enumerate([...new Set(why)])}` : "";
    return `There is no correction to accept${because}: edit the report and its claim by hand.`;
  }
  return edits.map(({ key, now }) => ({
    ...({ rating: correctionOf(key), verdict: "change", level: now } as const),
    because,
    ...speaker,
  }));
}

/** Whether a later comment was handled before this one: webhooks come in any order. */
export function isLate(comment: number | undefined, { recheck }: Pick<FullRecheck, "recheck">): boolean {
  return comment !== undefined && comment < (recheck.command ?? 0);
}

/** Whether a later answer about the same rating exists: the later comment counts. */
function isOvertaken({ rating, comment }: GivenAnswer, known: readonly GivenAnswer[]): boolean {
  return comment !== undefined && known.some((one) => one.rating === rating && (one.comment ?? 0) > comment);
}

function sourcesOf({ firings, status }: FullRecheck, { config }: WatchedRepository): string[] {
  const seen = firings.flatMap(({ evidence }) => evidence.map(({ source }) => source));
  const ratings = status.asked.flatMap((id) => config.ratings.get(id) ?? []);
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
