import { isDeepStrictEqual } from "node:util";
import { problemText } from "../../../config/problems.ts";
import type { Claim } from "../../../model/claim.ts";
import type { Config } from "../../../model/config.ts";
import { claimKey } from "../../../model/dependencies.ts";
import type { Firing } from "../../../model/firing.ts";
import { clean, code, cut, words } from "../../../model/markdown.ts";
import type { Problem } from "../../../model/problem.ts";
import { day, type Instant } from "../../../model/time.ts";
import { asSentence, firstOf, groupDigits, pluralize, tally, upTo } from "../../../model/words.ts";
import type { Part } from "../../../recheck/issue/layout.ts";
import { headline } from "../../../recheck/issue/title.ts";
import type { BothReplays } from "../../../watch/replay/both.ts";

interface Effect {
  /** In words, by kind: `1 source added, 1 dropped`. Empty if nothing changes but the order. */
  readonly changes: readonly string[];
  readonly audited?: { readonly before: Instant; readonly after: Instant };
  /** Whether the change could have altered past questions. */
  readonly isReplayed: boolean;
}

/** Compares two valid configs. Pure. */
function effectOf(before: Config, after: Config): Effect {
  const { audited, ...report } = before.report;
  const { audited: now, ...reportNow } = after.report;
  const asking = [
    ...changesBetween(withoutClaims(before), withoutClaims(after), "source"),
    ...changesBetween(before.triggers, after.triggers, "trigger"),
    ...changesBetween(claimsOf(before), claimsOf(after), "claim"),
  ];
  const { sources: _, triggers: __, ratings, ...rest } = { ...before, report };
  const restNow: Readonly<Record<string, unknown>> = { ...after, report: reportNow };
  const changed = Object.entries(rest).flatMap(([key, value]) =>
    isDeepStrictEqual(value, restNow[key]) ? [] : [key === "channels" ? "notify" : key],
  );
  return {
    changes: [
      ...asking,
      ...changesBetween(ratings, after.ratings, "rating"),
      ...(audited === now ? [] : ["a new audit"]),
      ...(changed.length > 0 ? [`${changed.join(", ")} changed`] : []),
    ],
    ...(audited !== now && { audited: { before: audited, after: now } }),
    isReplayed: asking.length > 0 || changed.includes("products"),
  };
}

function changesBetween(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  noun: string,
): string[] {
  const kept = [...after.keys()].filter((id) => before.has(id));
  const changed = kept.filter((id) => !isDeepStrictEqual(before.get(id), after.get(id)));
  const [added, dropped] = [after.size - kept.length, before.size - kept.length];
  const words = tally(
    [
      [added, "added"],
      [dropped, "dropped"],
      [changed.length, "changed"],
    ],
    noun,
  );
  return words === "" ? [] : [words];
}

function withoutClaims({ sources }: Config): Map<string, unknown> {
  return new Map([...sources].map(([id, { claims: _, ...source }]) => [id, source]));
}

function claimsOf({ sources }: Config): Map<string, Claim> {
  const claims = [...sources.values()].flatMap((source) => source.claims);
  return new Map(claims.map((claim) => [claimKey(claim), claim]));
}

/** The firings and rechecks that a change would have made different over the stored past. */
type ReplayedChange = Pick<BothReplays, "rechecks" | "unplayed" | "days"> &
  Readonly<Record<"came" | "went", readonly Firing[]>>;

/** The result of a replay, or that it was stopped; undefined if nothing is stored. */
export type ReplayOutcome = ReplayedChange | "given up" | undefined;

const maxNames = 30;
const maxFirings = 10;
const maxTitleParts = 3;

/** `+2, −9 rechecks in 90 days; 2 sources added`. */
function effectTitle({ changes }: Effect, past: ReplayOutcome): string {
  const parts = [...(past && past !== "given up" ? [balance(past)] : []), ...changes];
  return parts.slice(0, maxTitleParts).join("; ") + (parts.length > maxTitleParts ? " …" : "");
}

/** What the diff of the commit does not show. `after` is the config of the commit. */
function effectLines({ changes, audited }: Effect, before: Config, after: Config, past: ReplayOutcome): string[] {
  const answered = audited && audited.after > audited.before ? audited.after : undefined;
  return [
    `${asSentence(changes.join("; "))}.`,
    ...(answered === undefined ? [] : ["", `Everything seen before ${day(answered)} is answered with *keep*.`]),
    ...(past === "given up" ? ["", notReplayed] : past ? ["", ...pastLines(past, before, after)] : []),
  ];
}

const notReplayed =
  "Its effect on past events is unknown: the replay of the stored responses took too long or too much memory.";

function pastLines(past: ReplayedChange, before: Config, after: Config): string[] {
  const { came, went, unplayed } = past;
  const names = firstOf(
    unplayed.map((id) => code(id)),
    maxNames,
  );
  return [
    `**${balance(past)}**, if this had been in use (replayed from stored responses, nothing was fetched). ${joining}`,
    ...(names === "" ? [] : ["", `Not included, because they are new or moved: ${names}.`]),
    ...firingLines("would have been added", came, after),
    ...firingLines("would have been left out", went, before),
  ];
}

const joining = "Events that join the open recheck of their trigger count as one.";

function balance({ rechecks: { came, went }, days, unplayed }: ReplayedChange): string {
  const noun = came + went === 1 ? "recheck" : "rechecks";
  const without = unplayed.length > 0 ? ", without what is new or moved" : "";
  return `+${came}, −${went} ${noun} in ${pluralize(days, "day")}${without}`;
}

function firingLines(what: string, firings: readonly Firing[], config: Config): string[] {
  if (firings.length === 0) return [];
  const lines = firings.map((one) => `${day(one.seen)} ${code(one.trigger)}: ${headline(one, config).markdown}`);
  const shown = upTo(maxFirings, lines).map((line) => `- ${line}`);
  return ["", `${pluralize(firings.length, "event")} ${what}:`, "", ...shown];
}

export interface CheckOutput {
  readonly conclusion: "success" | "failure" | "neutral";
  readonly title: string;
  /** Markdown, of at most 65,535 characters. */
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

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
  const output = await effectOn(config, { before, instead }, backtest);
  return warnings.length > 0 ? withWarnings(output, warnings, folder) : output;
}

async function effectOn(
  config: Config,
  { before, instead }: Pick<CheckedConfig, "before" | "instead">,
  backtest?: Backtest,
): Promise<CheckOutput> {
  if (!before) return valid("Valid: the first config", firstLines(config));
  const effect = effectOf(before, config);
  if (effect.changes.length === 0) return { ...valid("Valid, and the same as before", []), conclusion: "neutral" };
  const past = effect.isReplayed ? await backtest?.(before, config) : undefined;
  const lines = effectLines(effect, before, config, past);
  return valid(`Valid: ${effectTitle(effect, past)}`, instead ? [...lines, "", insteadOf] : lines);
}

const insteadOf = "Compared with the config that is in use, because the branch began without a valid one.";

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
    title: `${output.title}; ${pluralize(warnings.length, "place")} to check`,
    summary: ["The config is valid. Is this what you mean?", "", ...lines, "", output.summary].join("\n"),
    annotations: warnings.slice(0, maxAnnotations).map((one) => annotationOf(one, folder, "warning")),
  };
}

/** Problems in one text, at most: annotations and `recheck validate` have the others. */
const maxSummaryProblems = 50;

function failed(problems: readonly Problem[], folder: string, inUse: boolean): CheckOutput {
  const files = new Set(problems.map(({ file }) => file)).size;
  const count = pluralize(problems.length, "problem");
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
  const lines = problems.map((problem) => problemLine(problem, folder));
  return upTo(most, lines, (more) => `\nAnd ${groupDigits(more)} more. \`recheck validate\` prints them all.`);
}

type AddressOfLine = (path: string, line: number) => string;

function problemLine(problem: Problem, folder: string, address?: AddressOfLine): string {
  const path = pathOf(problem.file, folder);
  const place = code(`${path}:${problem.line}:${problem.column}`);
  return `- ${address ? `[${place}](${address(path, problem.line)})` : place} ${words(problemText(problem), 600)}`;
}

/** The problems of a config as a part of an issue or a pull request, with links if the addresses of lines are known. */
export function problemsPart(problems: readonly Problem[], folder: string, address?: AddressOfLine): Part {
  const listed = problems.slice(0, maxSummaryProblems);
  const more = problems.length - listed.length;
  return {
    head: ["### What is wrong", ""],
    entries: listed.map((problem) => problemLine(problem, folder, address)),
    tail: more > 0 ? ["", `And ${groupDigits(more)} more.`] : undefined,
    least: 1,
    one: "problem",
  };
}

function firstLines({ sources, ratings, triggers, report }: Config): string[] {
  const claims = [...sources.values()].reduce((sum, source) => sum + source.claims.length, 0);
  const counts = [
    pluralize(sources.size, "source"),
    pluralize(claims, "claim"),
    pluralize(triggers.size, "trigger"),
    pluralize(ratings.size, "rating"),
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

function annotationOf(problem: Problem, folder: string, level: Level = "failure"): Annotation {
  const column = Math.max(1, problem.column);
  return {
    ...annotationAt(pathOf(problem.file, folder), problem.line, titles[level], problemText(problem), level),
    start_column: column,
    end_column: column,
  };
}

export function annotationAt(path: string, line: number, title: string, says: string, level: Level): Annotation {
  const at = Math.max(1, line);
  const message = cut(clean(says), maxMessageCharacters) || "is not valid here";
  return { path, start_line: at, end_line: at, annotation_level: level, message, title };
}

function pathOf(file: string, folder: string): string {
  return folder === "" || file.startsWith(`${folder}/`) ? file : `${folder}/${file}`;
}

/** Batches of one request each; one empty batch if there are none, because the output is sent in any case. */
export function batches(annotations: readonly Annotation[]): Annotation[][] {
  const parts: Annotation[][] = [];
  for (let at = 0; at < annotations.length || parts.length === 0; at += maxAnnotationsPerRequest)
    parts.push(annotations.slice(at, at + maxAnnotationsPerRequest));
  return parts;
}
