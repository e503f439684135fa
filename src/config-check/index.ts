import { type Problem, problemText } from "../config/problem.ts";
import { counted } from "../describe.ts";
import type { Config, Firing } from "../model.ts";
import { code, words } from "../recheck/inert.ts";
import { type Annotation, annotationOf, mostAnnotations, pathOf } from "./annotation.ts";
import { type Effect, effectOf, isNone } from "./effect.ts";
import { effectLines, effectTitle, firstLines } from "./lines.ts";

export { type Annotation, batches } from "./annotation.ts";
export { type ProblemIssue, renderMended, renderProblemIssue } from "./issue.ts";

/** What a check run tells. */
export interface CheckOutput {
  readonly conclusion: "success" | "failure" | "neutral";
  readonly title: string;
  /** Markdown, of at most 65,535 characters. */
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

/** What a replay of what is stored says of a change. */
export interface Backtested {
  /** What would have been asked beyond, and what would not have been asked. */
  readonly came: readonly Firing[];
  readonly went: readonly Firing[];
  /** Rechecks that would have been opened beyond, and that would not: events of one trigger join its open one. */
  readonly rechecks: { readonly came: number; readonly went: number };
  /** Sources that are new or moved: nothing is stored of them. */
  readonly unplayed: readonly string[];
  /** How far back what is stored reaches. */
  readonly days: number;
}

/** What a replay says; that it did not end. Undefined where nothing is stored. */
export type Past = Backtested | "unended" | undefined;

/** Replays what is stored with both configs, and fetches nothing. */
export type Backtest = (before: Config, after: Config) => Promise<Past>;

export interface Checked {
  /** The config of the commit, or all that is wrong with it. */
  readonly parsed: { readonly config: Config } | { readonly config?: undefined; readonly problems: readonly Problem[] };
  /** The config that it is compared with: what its branch began with, or what is in use. */
  readonly before?: Config;
  /** It is what is in use, for its branch began with none, or a broken one. */
  readonly instead?: boolean;
  /** Where config lives in the repository, "" for its root. */
  readonly folder: string;
}

/** Checks a commit's config, and tells what a valid change of it does. */
export async function checkConfig(
  { parsed, before, instead, folder }: Checked,
  backtest?: Backtest,
): Promise<CheckOutput> {
  if (!parsed.config) return failed(parsed.problems, folder, before !== undefined);
  const { config } = parsed;
  if (!before) return valid("Valid: the first config", firstLines(config));
  const effect = effectOf(before, config);
  if (isNone(effect)) return { ...valid("Valid, and the same as before", []), conclusion: "neutral" };
  const past = isReplayed(effect) ? await backtest?.(before, config) : undefined;
  const lines = effectLines(effect, { before, after: config, folder }, past);
  return valid(`Valid: ${effectTitle(effect, past)}`, instead ? [...lines, "", insteadOf] : lines);
}

const insteadOf = "Compared with the config that is in use: the branch began with none, or with a broken one.";

/** Of a commit that has no `sources.yaml` any more. */
export const withoutConfig: CheckOutput = {
  conclusion: "neutral",
  title: "No config: nothing would be watched",
  summary:
    "There is no `sources.yaml` here any more. On the default branch that ends the watch; what is remembered is kept, and goes on once there is one again.",
  annotations: [],
};

/** Whether what was stored would have been asked about otherwise. */
function isReplayed({ sources, claims, triggers, others }: Effect): boolean {
  const moved = [sources, claims, triggers].some(
    ({ added, dropped, changed }) => added.length + dropped.length + changed.length > 0,
  );
  return moved || others.includes("products");
}

function valid(title: string, lines: readonly string[]): CheckOutput {
  const summary = lines.length > 0 ? lines.join("\n") : "Nothing that is watched or asked changes.";
  return { conclusion: "success", title, summary, annotations: [] };
}

/** Lines of a summary: the rest stands in the annotations. */
const mostLines = 50;

function failed(problems: readonly Problem[], folder: string, inUse: boolean): CheckOutput {
  const files = new Set(problems.map(({ file }) => file)).size;
  const count = counted(problems.length, "problem");
  const rest = problems.length - mostLines;
  const lines = [
    inUse
      ? "The config that is in use stays in use until these are mended."
      : "Nothing is watched until these are mended.",
    "",
    ...problems.slice(0, mostLines).map((problem) => problemLine(problem, folder)),
    ...(rest > 0 ? ["", `And ${rest.toLocaleString("en")} more. \`npm run validate\` tells them all.`] : []),
  ];
  return {
    conclusion: "failure",
    title: files === 1 ? count : `${count} in ${files} files`,
    summary: lines.join("\n"),
    annotations: problems.slice(0, mostAnnotations).map((problem) => annotationOf(problem, folder)),
  };
}

function problemLine(problem: Problem, folder: string): string {
  const place = `${pathOf(problem.file, folder)}:${problem.line}:${problem.column}`;
  return `- ${code(place)} ${words(problemText(problem), 600)}`;
}
