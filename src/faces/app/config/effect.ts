import { isDeepStrictEqual } from "node:util";
import { problemText } from "../../../config/problems.ts";
import type { Claim } from "../../../model/claim.ts";
import type { Config } from "../../../model/config.ts";
import type { Firing } from "../../../model/firing.ts";
import { cell, clean, code, cut, words } from "../../../model/markdown.ts";
import type { Problem } from "../../../model/problem.ts";
import { claimKey } from "../../../model/rests.ts";
import { day, type Instant } from "../../../model/time.ts";
import { firstOf, groupDigits, pluralize, tally, upTo } from "../../../model/words.ts";
import type { Part } from "../../../recheck/issue/layout.ts";
import { ratingName } from "../../../recheck/issue/question.ts";
import { headline } from "../../../recheck/issue/title.ts";

export interface Effect {
  readonly sources: IdChanges;
  /** By `source/claim`. */
  readonly claims: IdChanges;
  readonly triggers: IdChanges;
  readonly ratings: IdChanges;
  readonly audited?: { readonly before: Instant; readonly after: Instant };
  /** Keys of `sources.yaml` under which something else changed. */
  readonly others: readonly string[];
}

export interface IdChanges {
  readonly added: readonly string[];
  readonly dropped: readonly string[];
  readonly changed: readonly string[];
}

/** Compares two valid configs; a different order does not count. Pure. */
function effectOf(before: Config, after: Config): Effect {
  const isAudited = before.report.audited !== after.report.audited;
  return {
    sources: changesBetween(withoutClaims(before), withoutClaims(after)),
    claims: changesBetween(claimsOf(before), claimsOf(after)),
    triggers: changesBetween(before.triggers, after.triggers),
    ratings: changesBetween(before.ratings, after.ratings),
    ...(isAudited && { audited: { before: before.report.audited, after: after.report.audited } }),
    others: others(before, after),
  };
}

/** Whether the change could have altered past questions. */
function isReplayed({ sources, claims, triggers, others }: Effect): boolean {
  return [sources, claims, triggers].some((one) => countOf(one) > 0) || others.includes("products");
}

function isNone({ sources, claims, triggers, ratings, audited, others }: Effect): boolean {
  const quiet = [sources, claims, triggers, ratings].every((one) => countOf(one) === 0);
  return quiet && audited === undefined && others.length === 0;
}

function countOf({ added, dropped, changed }: IdChanges): number {
  return added.length + dropped.length + changed.length;
}

function changesBetween(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): IdChanges {
  const kept = [...after.keys()].filter((id) => before.has(id));
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    dropped: [...before.keys()].filter((id) => !after.has(id)),
    changed: kept.filter((id) => !isDeepStrictEqual(before.get(id), after.get(id))),
  };
}

function withoutClaims({ sources }: Config): Map<string, unknown> {
  return new Map([...sources].map(([id, { claims: _, ...source }]) => [id, source]));
}

function claimsOf({ sources }: Config): Map<string, Claim> {
  const claims = [...sources.values()].flatMap((source) => source.claims);
  return new Map(claims.map((claim) => [claimKey(claim), claim]));
}

function others(before: Config, after: Config): string[] {
  const { audited: _, ...old } = before.report;
  const { audited: __, ...now } = after.report;
  const keys = [
    "documents",
    "levels",
    "volatility",
    "axes",
    "names",
    "rubric",
    "conclusions",
    "products",
    "schedule",
    "unwatchable",
    "baseline",
    "overview",
    "limits",
  ] as const;
  const report = isDeepStrictEqual(old, now) ? [] : ["report"];
  return [...report, ...keys.filter((key) => !isDeepStrictEqual(before[key], after[key]))];
}

/** The firings and rechecks that a change of config would have made different over the stored past. */
export interface ReplayedChange {
  readonly came: readonly Firing[];
  readonly went: readonly Firing[];
  /** Added and removed rechecks; events of one trigger join its open recheck. */
  readonly rechecks: { readonly came: number; readonly went: number };
  /** Sources that are new or have another address, so that they have no stored past. */
  readonly unplayed: readonly string[];
  readonly days: number;
}

/** The result of a replay, or that it was stopped; undefined if nothing is stored. */
export type ReplayOutcome = ReplayedChange | "given up" | undefined;

const maxNames = 30;
const maxFirings = 10;

/** `+2, −9 rechecks in 90 days; 2 sources added`. */
function effectTitle(effect: Effect, past: ReplayOutcome): string {
  const { sources, claims, triggers, ratings, audited, others } = effect;
  const parts = [
    ...(past && past !== "given up" ? [balance(past)] : []),
    ...changesOf(sources, "source"),
    ...changesOf(triggers, "trigger"),
    ...changesOf(claims, "claim"),
    ...changesOf(ratings, "rating"),
    ...(audited ? ["a new audit"] : []),
    ...(others.length > 0 ? [`${others.slice(0, 3).join(", ")} changed`] : []),
  ];
  return parts.slice(0, 3).join("; ") + (parts.length > 3 ? " …" : "");
}

/** `after` is the config of the commit. */
function effectLines(effect: Effect, before: Config, after: Config, folder: string, past: ReplayOutcome): string[] {
  const parts = [
    ...(past === "given up" ? [[notReplayed]] : past ? [pastLines(past, before, after)] : []),
    ...audit(effect),
    changeLines("Sources", effect.sources, (id) => source(id, after.sources.has(id) ? after : before)),
    changeLines("Claims", effect.claims, (id) => code(id)),
    changeLines("Triggers", effect.triggers, (id) => code(pathOf(`triggers/${id}.yaml`, folder))),
    ratings(effect.ratings, before, after),
    effect.others.length > 0 ? [`Also changed: ${effect.others.map((key) => code(key)).join(", ")}.`] : [],
  ];
  return parts.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

const notReplayed =
  "Its effect on past events is unknown: the replay of the stored responses took too long or too much memory.";

function pastLines(past: ReplayedChange, before: Config, after: Config): string[] {
  const { came, went, unplayed } = past;
  return [
    `**${balance(past)}**, if this had been in use (replayed from stored responses, nothing was fetched). ${joining}`,
    ...(unplayed.length > 0 ? ["", `Not included, because they are new or moved: ${someOf(unplayed, code)}.`] : []),
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

function audit({ audited }: Effect): string[][] {
  if (!audited) return [];
  const { before, after } = audited;
  const answered = after > before ? ` Everything seen before ${day(after)} is answered with *keep*.` : "";
  return [[`**Audit**: ${day(before)} → ${day(after)}.${answered}`]];
}

function changeLines(what: string, difference: IdChanges, nameOf: (id: string) => string): string[] {
  if (countOf(difference) === 0) return [];
  const lines = kindsIn(difference).map(([verb, ids]) => `- ${ids.length} ${verb}: ${someOf(ids, nameOf)}`);
  return [`**${what}**`, "", ...lines];
}

function someOf(ids: readonly string[], nameOf: (id: string) => string): string {
  const names = ids.map((id) => nameOf(id));
  return firstOf(names, maxNames);
}

function source(id: string, config: Config): string {
  const title = config.sources.get(id)?.title;
  return title === undefined ? code(id) : `${code(id)} (${words(title, 80)})`;
}

function ratings({ added, dropped, changed }: IdChanges, before: Config, after: Config): string[] {
  const ids = [...added, ...dropped, ...changed];
  if (ids.length === 0) return [];
  const nameOf = (id: string) => ratingName(id, after.ratings.has(id) ? after : before);
  const named = Map.groupBy(ids, nameOf);
  const rows = ids.slice(0, maxNames).map((id) => {
    const name = nameOf(id);
    const [then, now] = [ratingWords(id, before, "new"), ratingWords(id, after, "dropped")];
    const alike = then === now;
    const which = alike || (named.get(name) ?? []).length > 1 ? ` (${code(id)})` : "";
    return `| ${cell(name + which)} | ${then} | ${alike ? ratingChanges(id, before, after) : now} |`;
  });
  const more = ids.length - rows.length;
  const rest = more > 0 ? ["", `And ${pluralize(more, "rating")} more.`] : [];
  return ["**Ratings**", "", "| rating | before | after |", "|---|---|---|", ...rows, ...rest];
}

function ratingWords(id: string, config: Config, without: string): string {
  const rating = config.ratings.get(id);
  if (!rating) return `*${without}*`;
  const reviewed = rating.reviewed === undefined ? "" : `, reviewed ${day(rating.reviewed)}`;
  return `${cell(words(rating.level, 80))}${reviewed}`;
}

function ratingChanges(id: string, before: Config, after: Config): string {
  const [then, now] = [before.ratings.get(id), after.ratings.get(id)];
  const keys = (["level", "reviewed", "volatility", "basis", "owners"] as const).filter(
    (key) => `${then?.[key]}` !== `${now?.[key]}`,
  );
  return `other ${keys.map((key) => code(key)).join(", ")}`;
}

function changesOf(difference: IdChanges, noun: string): string[] {
  const counts = kindsIn(difference).map(([verb, ids]) => [ids.length, verb] as const);
  return counts.length > 0 ? [tally(counts, noun)] : [];
}

/** The kinds of changes that there are. */
function kindsIn({ added, dropped, changed }: IdChanges): [verb: string, ids: readonly string[]][] {
  return Object.entries({ added, dropped, changed }).filter(([, ids]) => ids.length > 0);
}

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
  const lines = effectLines(effect, before, config, folder, past);
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
