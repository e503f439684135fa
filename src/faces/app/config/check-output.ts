import { problemText } from "../../../config/problems.ts";
import type { Config } from "../../../model/config.ts";
import { code, words } from "../../../model/markdown.ts";
import type { Problem } from "../../../model/problem.ts";
import { day } from "../../../model/time.ts";
import { counted, grouped, upTo } from "../../../model/words.ts";
import { type Annotation, annotationOf, maxAnnotations, pathOf } from "./annotations.ts";
import { effectOf, isNone, isReplayed } from "./effect.ts";
import { effectLines, effectTitle, type ReplayOutcome } from "./effect-text.ts";

/** The text of a check run. */
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
  /** The config to compare with: the one at the start of its branch, or the one in use. */
  readonly before?: Config;
  /** Whether it is the config in use, because the branch started without a valid one. */
  readonly instead?: boolean;
  /** The folder of config in the repository, "" for the root. */
  readonly folder: string;
}

/** Checks a commit's config, and describes the effect of a valid change. */
export async function checkConfig(
  { parsed, before, instead, folder }: CheckedConfig,
  backtest?: Backtest,
): Promise<CheckOutput> {
  if (!parsed.config) return failed(parsed.problems, folder, before !== undefined);
  const { config, warnings = [] } = parsed;
  const output = await effectOn(config, { before, instead, folder }, backtest);
  return warnings.length > 0 ? withWarnings(output, warnings, folder) : output;
}

/** Compares a valid config with the earlier one. */
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
