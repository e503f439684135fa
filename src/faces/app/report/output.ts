import type { SeenCitations } from "../../../audit/check/changed-citations.ts";
import type { ReportFinding } from "../../../audit/check/findings.ts";
import type { ReportChange } from "../../../claims/mine/changed.ts";
import { clean, code, cut, words } from "../../../model/markdown.ts";
import { counted, upTo } from "../../../model/words.ts";
import type { Annotation } from "../config/annotations.ts";
import type { CheckOutput } from "../config/check-output.ts";

export type ReportOutput = CheckOutput;

export interface CheckedReport {
  readonly findings: readonly ReportFinding[];
  readonly change: ReportChange;
  readonly seen: Pick<SeenCitations, "read" | "unread">;
  /** Whether findings fail the check. */
  readonly required: boolean;
}

/** Limit of annotations: people do not read more, and every fifty take another request. */
const maxAnnotations = 200;
const maxUnread = 20;
const maxMessageCharacters = 1_000;

/** The check run of a pull request that touches the report. Pure. */
export function reportOutput({ findings, change, seen, required }: CheckedReport): ReportOutput {
  const { sentences, cut: partly } = change;
  const shown = findings.filter(({ line }) => line !== undefined).slice(0, maxAnnotations);
  const others = findings.filter((one) => !shown.includes(one));
  const count = counted(findings.length, "finding");
  const lines = [
    `${counted(sentences.length, "changed sentence")} with citations; ${counted(seen.read, "cited page")} read.`,
    ...(findings.length > 0 && !required ? ["", "This is advice only; it does not block the pull request."] : []),
    ...(others.length > 0 ? ["", ...others.slice(0, maxAnnotations).map(unplaced)] : []),
    ...(seen.unread.length > 0 ? ["", ...unreadLines(seen.unread)] : []),
    ...(partly.length > 0 ? ["", ...partly.map((path) => `${code(path)} is longer than the limit for reports.`)] : []),
  ];
  return {
    conclusion: findings.length === 0 ? "success" : required ? "failure" : "neutral",
    title: findings.length > 0 ? `${count} in what this changes` : quietTitle(sentences.length),
    summary: lines.join("\n"),
    annotations: shown.map((one) => annotationOf(one, required)),
  };
}

function quietTitle(sentences: number): string {
  return sentences === 0 ? "No sentence with a citation is changed" : "No contradiction of a cited page";
}

function annotationOf({ file, line = 1, title, message }: ReportFinding, required: boolean): Annotation {
  return {
    path: file,
    start_line: line,
    end_line: line,
    annotation_level: required ? "failure" : "warning",
    message: cut(clean(message), maxMessageCharacters),
    title,
  };
}

function unplaced({ file, line, message }: ReportFinding): string {
  return `- ${code(line === undefined ? file : `${file}:${line}`)} ${words(message)}`;
}

function unreadLines(unread: SeenCitations["unread"]): string[] {
  const pages = unread.map(({ address, because }) => `${code(address)} ${words(because)}`);
  const shown = upTo(maxUnread, pages).map((page) => `- ${page}`);
  return ["These pages were not read, so their content is unknown:", "", ...shown];
}

/** The output where reading the report takes more time or memory than it may. */
export const reportGivenUp: ReportOutput = {
  conclusion: "neutral",
  title: "Stopped: the report was not read",
  summary: "Reading the changes was stopped: it takes too long, or too much memory.",
  annotations: [],
};
