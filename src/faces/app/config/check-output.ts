import { problemText } from "../../../config/problems.ts";
import type { Config } from "../../../model/config.ts";
import { clean, code, cut, words } from "../../../model/markdown.ts";
import type { Problem } from "../../../model/problem.ts";
import { day } from "../../../model/time.ts";
import { counted, grouped, upTo } from "../../../model/words.ts";
import { effectLines, effectOf, effectTitle, isNone, isReplayed, type ReplayOutcome } from "./effect.ts";

export interface CheckOutput {
  readonly conclusion: "success" | "failure" | "neutral";
  readonly title: string;
  /** Markdown, of at most 65,535 characters. */
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

/** Replays the stored past with both configs, without any request. */
export type Backtest = (before: Config, after: Config) => Promise<ReplayOutcome>;

export interface CheckedConfig {
  /** The config of the commit, or everything that is wrong with it. */
  readonly parsed:
    | { readonly config: Config; readonly warnings?: readonly Problem[] }
    | { readonly config?: undefined; readonly problems: readonly Problem[] };
  readonly before?: Config;
  /** Whether it is the config in use, because the branch started without a valid one. */
  readonly instead?: boolean;
  /** The folder of config in the repository, "" for the root. */
  readonly folder: string;
}

export async function checkConfig(
  { parsed, before, instead, folder }: CheckedConfig,
  backtest?: Backtest,
): Promise<CheckOutput> {
  if (!parsed.config) return failed(parsed.problems, folder, before !== undefined);
  const { config, warnings = [] } = parsed;
  const output = await effectOn(config, { before, instead, folder }, backtest);
  return warnings.length > 0 ? withWarnings(output, warnings, folder) : output;
}

async function effectOn(
  config: Config,
  { before, instead, folder }: Omit<CheckedConfig, "parsed">,
  backtest?: Backtest,
): Promise<CheckOutput> {
  if (!before) return valid("Valid: the first config", firstLines(config));
  const effect = effectOf(before, config);
  if (isNone(effect)) return { ...valid("Valid, and the same as before", []), conclusion: "neutral" };
  const past = isReplayed(effect) ? await backtest?.(before, config) : undefined;
  const lines = effectLines(effect, { before, after: config, folder }, past);
  return valid(`Valid: ${effectTitle(effect, past)}`, instead ? [...lines, "", insteadOf] : lines);
}

const insteadOf = "Compared with the config that is in use, because the branch began without a valid one.";

/** The output for a commit that has no `sources.yaml` any more. */
export const withoutConfig: CheckOutput = {
  conclusion: "neutral",
  title: "No config: nothing will be watched",
  summary:
    "`sources.yaml` was removed. On the default branch that stops the watch. The history is kept, and the watch continues once the file is back.",
  annotations: [],
};

function valid(title: string, lines: readonly string[]): CheckOutput {
  const summary = lines.length > 0 ? lines.join("\n") : "No source and no trigger changes.";
  return { conclusion: "success", title, summary, annotations: [] };
}

/** Warnings in the summary, at most: the others are in the annotations, and the effect of the change needs the room. */
const maxSummaryWarnings = 10;

function withWarnings(output: CheckOutput, warnings: readonly Problem[], folder: string): CheckOutput {
  const lines = problemLines(maxSummaryWarnings, warnings, folder);
  return {
    ...output,
    title: `${output.title}; ${counted(warnings.length, "place")} to check`,
    summary: ["The config is valid. Is this what you mean?", "", ...lines, "", output.summary].join("\n"),
    annotations: warnings.slice(0, maxAnnotations).map((one) => annotationOf(one, folder, "warning")),
  };
}

/** Problems in the summary, at most: the others are in the annotations. */
const maxSummaryProblems = 50;

function failed(problems: readonly Problem[], folder: string, inUse: boolean): CheckOutput {
  const files = new Set(problems.map(({ file }) => file)).size;
  const count = counted(problems.length, "problem");
  const lines = [
    inUse
      ? "The present config stays in use until these problems are fixed."
      : "Nothing is watched until these problems are fixed.",
    "",
    ...problemLines(maxSummaryProblems, problems, folder),
  ];
  return {
    conclusion: "failure",
    title: files === 1 ? count : `${count} in ${files} files`,
    summary: lines.join("\n"),
    annotations: problems.slice(0, maxAnnotations).map((problem) => annotationOf(problem, folder)),
  };
}

function problemLines(most: number, problems: readonly Problem[], folder: string): readonly string[] {
  const lines = problems.map((problem) => {
    const place = `${pathOf(problem.file, folder)}:${problem.line}:${problem.column}`;
    return `- ${code(place)} ${words(problemText(problem), 600)}`;
  });
  return upTo(most, lines, (more) => `\nAnd ${grouped(more)} more. \`recheck validate\` prints them all.`);
}

function firstLines({ sources, ratings, triggers, report }: Config): string[] {
  const claims = [...sources.values()].reduce((sum, source) => sum + source.claims.length, 0);
  const counts = [
    counted(sources.size, "source"),
    counted(claims, "claim"),
    counted(triggers.size, "trigger"),
    counted(ratings.size, "rating"),
  ];
  return [
    `*${words(report.title, 200)}*: ${counts.join(", ")}.`,
    "",
    `Once this is on the default branch, the watch starts. Entries dated after ${day(report.audited)} are reported at once. The first check of a page is its baseline.`,
  ];
}

/** A note on a line of a file, as GitHub's API takes it: https://docs.github.com/en/rest/checks/runs */
export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Columns are allowed only if the annotation starts and ends on the same line. */
  readonly start_column?: number;
  readonly end_column?: number;
  readonly annotation_level: "failure" | "warning";
  /** At most 64 KB. */
  readonly message: string;
  readonly title: string;
}

const maxAnnotationsPerRequest = 50;

/** Limit of annotations: people do not read more, and every fifty take another request. */
const maxAnnotations = 500;

/** Limit of characters of a message: none takes more than four bytes. */
const maxMessageCharacters = 64_000 / 4;

type Level = Annotation["annotation_level"];

const titles: Readonly<Record<Level, string>> = {
  failure: "Recheck cannot read this",
  warning: "Is this what you mean?",
};

/** The annotation for a problem. `folder`: the folder of config in the repository, "" for the root. */
function annotationOf(problem: Problem, folder: string, level: Level = "failure"): Annotation {
  const line = Math.max(1, problem.line);
  const column = Math.max(1, problem.column);
  return {
    path: pathOf(problem.file, folder),
    start_line: line,
    end_line: line,
    start_column: column,
    end_column: column,
    annotation_level: level,
    message: cut(clean(problemText(problem)), maxMessageCharacters) || "is not valid here",
    title: titles[level],
  };
}

/** The file of a problem, from the root of the repository. */
export function pathOf(file: string, folder: string): string {
  return folder === "" || file.startsWith(`${folder}/`) ? file : `${folder}/${file}`;
}

/** Batches of one request each; one empty batch if there are none, because the output is sent in any case. */
export function batches(annotations: readonly Annotation[]): Annotation[][] {
  const parts: Annotation[][] = [];
  for (let at = 0; at < annotations.length || parts.length === 0; at += maxAnnotationsPerRequest)
    parts.push(annotations.slice(at, at + maxAnnotationsPerRequest));
  return parts;
}
