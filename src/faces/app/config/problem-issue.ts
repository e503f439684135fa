import { problemText } from "../../../config/problems.ts";
import { code, words } from "../../../model/markdown.ts";
import type { Problem } from "../../../model/problem.ts";
import { day, type Instant } from "../../../model/time.ts";
import { grouped } from "../../../model/words.ts";
import { clip, maxBodyCharacters } from "../../../recheck/issue/layout.ts";
import { beginLine, endedMark, sectionEnd } from "../../../recheck/issue/marker.ts";
import { pathOf } from "./effect.ts";

export interface ProblemIssue {
  readonly problems: readonly Problem[];
  /** The random word that identifies the issue. */
  readonly marker: string;
  /** The repository's web address: `https://github.com/owner/name`. */
  readonly web: string;
  readonly branch: string;
  readonly commit: string;
  /** The folder of config in the repository, "" for the root. */
  readonly folder: string;
  /** The commit whose config is still in use; without one, nothing is watched. */
  readonly inUse?: string;
}

/** Whether a section belongs to this issue, and not to another one of ours. */
export function isProblemSection(section: string): boolean {
  return section.includes(`\n**${cannotRead} on `);
}

const cannotRead = "Recheck cannot read its config";

const maxListedProblems = 50;

/** Renders the issue on a config of the default branch that cannot be read. `body`: the bot's section. Pure. */
export function renderProblemIssue(issue: ProblemIssue, room = maxBodyCharacters): { title: string; body: string } {
  const { problems, branch, commit } = issue;
  const count = problems.length === 1 ? "a problem" : `${grouped(problems.length)} problems`;
  const head = [
    beginLine(issue.marker, "", [], []),
    `**${cannotRead} on ${code(branch, 100)}: commit ${short(commit)} has ${count}.** ${meanwhile(issue)}`,
  ];
  const list = {
    head: ["### What is wrong", ""],
    entries: problems.slice(0, maxListedProblems).map((problem) => line(problem, issue)),
    beyond: 0,
    least: 1,
    one: "problem",
  };
  const more = problems.length - maxListedProblems;
  const tail = [
    ...(more > 0 ? [`And ${grouped(more)} more.`] : []),
    "This issue closes by itself when a commit fixes them. `recheck validate` prints the same before you push.",
    sectionEnd,
  ];
  return {
    title: cannotRead,
    body: clip(head.join("\n\n"), [list], tail.join("\n\n"), room),
  };
}

export function renderMended(mended: { marker: string; commit: string; at: Instant }): string {
  const told = `Commit ${short(mended.commit)} fixed it on ${day(mended.at)}: the config is read again.`;
  return [beginLine(mended.marker, "", [], []), endedMark, told, sectionEnd].join("\n\n");
}

function meanwhile({ inUse }: ProblemIssue): string {
  return inUse === undefined
    ? "Nothing is watched until it is fixed."
    : `The config of commit ${short(inUse)} stays in use until it is fixed.`;
}

function line(problem: Problem, { folder, web, commit }: ProblemIssue): string {
  const path = pathOf(problem.file, folder);
  const place = code(`${path}:${problem.line}:${problem.column}`);
  const address = `${web}/blob/${encodeURIComponent(commit)}/${path.split("/").map(encoded).join("/")}#L${problem.line}`;
  return `- [${place}](${address}) ${words(problemText(problem), 600)}`;
}

function encoded(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /[()'!*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function short(commit: string): string {
  return code(commit.slice(0, 7));
}
