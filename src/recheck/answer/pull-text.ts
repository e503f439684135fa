import type { ReviewEdits } from "../../config/edit/index.ts";
import { correctedClaim } from "../../model/claim.ts";
import type { Config } from "../../model/config.ts";
import { code, cut, fence, fold, words } from "../../model/markdown.ts";
import { counted, triggerName } from "../../model/words.ts";
import { linesOfPatch, patchOf } from "../../report/edit/splice.ts";
import { answerLine } from "../issue/answer-help.ts";
import { clip, maxBodyCharacters, type Part } from "../issue/layout.ts";
import { answersMark, sectionEnd } from "../issue/marker.ts";
import { ratingName } from "../issue/question.ts";
import { title as inTitle } from "../issue/title.ts";
import type { GivenAnswer } from "./answers.ts";
import { codeList } from "./names.ts";

export interface PullAnswers {
  /** Config before the edit. */
  readonly config: Config;
  readonly trigger: string;
  readonly issue: number;
  readonly answers: readonly GivenAnswer[];
  /** Ratings in question without an answer. */
  readonly open: readonly string[];
  readonly edited: ReviewEdits;
  /** The recheck's random word, which identifies the pull request. */
  readonly marker: string;
}

export interface PullText {
  readonly title: string;
  readonly body: string;
  /** The commit message; its first line is the subject. */
  readonly commit: string;
}

/**
 * Renders the pull request that writes answers into config. Its text closes no issue, notifies nobody, and has no
 * outside links. Pure.
 */
export function renderPull(answering: PullAnswers, room = maxBodyCharacters): PullText {
  const subject = subjectOf(answering);
  const commit = [subject, "", ...answering.answers.map((answer) => `${answer.rating}: ${outcome(answer, answering)}`)];
  return {
    title: cut(subject, 200),
    body: bodyOf(answering, Math.min(room, maxPullCharacters)),
    commit: `${commit.join("\n")}\n`,
  };
}

/** `recheck/tpu-12`; `nth`: the number of pull requests of this recheck, including this one. */
export function branchOf(trigger: string, issue: number, nth = 1): string {
  return `recheck/${trigger}-${issue}${nth > 1 ? `-${nth}` : ""}`;
}

/** The edit as Markdown for the issue, if pull requests are not permitted. */
export function renderPatch(answering: PullAnswers): string {
  const patch = patchOf(answering.edited.changes);
  const crlf = patch.includes("\r\n");
  const how = `Save it as a file and run \`git apply${crlf ? " --ignore-whitespace" : ""}\` on it, or edit by hand.`;
  const shown = patch.length > 30_000 ? "It is too long to be shown here." : fence(linesOfPatch(patch), "diff");
  const without = "This repository does not let Recheck open pull requests, so here is the edit.";
  const tail = clip("", [answersPart(answering), ...toDo(answering)], "", maxPullCharacters / 2).trim();
  return patch === "" ? tail : [`${without} ${how}`, shown, tail].join("\n\n");
}

function subjectOf({ issue, answers, config, trigger }: PullAnswers): string {
  const corrected = answers.filter(({ rating }) => correctedClaim(rating) !== undefined).length;
  const changed = answers.filter(({ rating, verdict }) => verdict === "change" && correctedClaim(rating) === undefined);
  const keptCount = answers.length - changed.length - corrected;
  const [first] = changed;
  const more = changed.length > 1 ? ` and ${changed.length - 1} more` : "";
  const parts = [
    ...(corrected > 0 ? [`${counted(corrected, "sentence")} corrected`] : []),
    ...(first ? [`${first.rating} ${outcome(first, { config })}${more}`] : []),
    ...(keptCount > 0 ? [`${keptCount} kept`] : []),
  ];
  return `Answer recheck #${issue} (${inertText(triggerName(trigger, config), 60)}): ${parts.join(", ")}`;
}

/** Text for a title that becomes a commit message, in which an issue's address or number would notify or close that issue. */
function inertText(text: string, most: number): string {
  // The text is folded first, because removing an invisible character can join an address or a number.
  return inTitle(
    fold(text)
      .replace(/[a-z][a-z\d+.-]{0,20}:\/\/|www\./gi, " ")
      .replace(/GH-(?=\d)/gi, "GH "),
    most,
  );
}

/** The outcome with its levels. Free text is left out: it could hold a keyword that closes an issue. */
function outcome({ verdict, level = "", rating }: GivenAnswer, { config }: { readonly config: Config }): string {
  if (verdict === "keep") return "kept";
  if (correctedClaim(rating) !== undefined) return "corrected";
  const old = config.ratings.get(rating)?.level ?? "";
  const known = [old, level].every((one) => config.levels.includes(one));
  return known ? `${inertText(old, 40)} → ${inertText(level, 40)}` : "has a new value";
}

/** Limit of characters that leaves 5,000 of GitHub's limit for people's own words. */
const maxPullCharacters = maxBodyCharacters - 5_000;

function bodyOf(answering: PullAnswers, room: number): string {
  const { issue, open, marker } = answering;
  const left = `${codeList(open, "and")} ${open.length === 1 ? "is" : "are"} not answered yet: the issue stays open until then.`;
  const merging = open.length === 0 ? "Merging this closes the issue." : left;
  const lead = `Answers #${issue}. ${merging} Closing this without merging withdraws the answers.`;
  const parts = [answersPart(answering), ...toDo(answering)];
  return clip([answersMark(marker), lead].join("\n\n"), parts, sectionEnd, room);
}

function answersPart({ answers, config }: PullAnswers): Part {
  return { head: [], entries: answers.map((answer) => `- ${answerLine(answer, config)}`), one: "answer" };
}

const maxPlaces = 40;

/** Work for people: places to edit, ratings that were not found, and conclusions to read again. */
function toDo({ edited, config }: PullAnswers): Part[] {
  const { byHand, unfound, problems, conclusions } = edited;
  const places = byHand
    .slice(0, maxPlaces)
    .map(({ path, line, text }) => `- [ ] ${code(path, 120)}, line ${line}: ${code(text, 200)}`);
  const missing = unfound.map(
    (rating) => `- [ ] ${ratingName(rating, config)}: the report does not show it next to its name.`,
  );
  const hand = [...problems.map((says) => `- [ ] ${says}`), ...places, ...missing];
  const again = conclusions.slice(0, maxPlaces).map(({ text }) => `- [ ] *${words(text, 200)}*`);
  return [
    { head: ["### To edit by hand", ""], entries: hand, one: "place" },
    {
      head: ["### To read again", "", "These depend on the changed ratings:", ""],
      entries: again,
      one: "conclusion",
    },
  ];
}
