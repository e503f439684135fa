import { problemText } from "../../../config/problems.ts";
import { cell, clean, code, cut, words } from "../../../model/markdown.ts";
import type { Claim, Config, Firing, Instant } from "../../../model/model.ts";
import type { Problem } from "../../../model/problem.ts";
import { day } from "../../../model/time.ts";
import { counted, some } from "../../../model/words.ts";
import { clip, mostCharacters } from "../../../recheck/issue/clip.ts";
import { headline } from "../../../recheck/issue/headline.ts";
import { beginLine, end } from "../../../recheck/issue/marker.ts";
import { ratingName } from "../../../recheck/issue/rests.ts";

/** What a check run tells. */
export interface CheckOutput {
  readonly conclusion: "success" | "failure" | "neutral";
  readonly title: string;
  /** Markdown, of at most 65,535 characters. */
  readonly summary: string;
  readonly annotations: readonly Annotation[];
}

/** What a replay of what is stored says of a change. */
export interface ReplayedChange {
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
export type ReplayOutcome = ReplayedChange | "unended" | undefined;

/** Replays what is stored with both configs, and fetches nothing. */
export type Backtest = (before: Config, after: Config) => Promise<ReplayOutcome>;

export interface CheckedConfig {
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
  { parsed, before, instead, folder }: CheckedConfig,
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
    ...(rest > 0 ? ["", `And ${rest.toLocaleString("en")} more. \`npx recheck-bot validate\` tells them all.`] : []),
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

/** Names in one line of a summary, and firings that are told. */
const mostNames = 30;
const mostFirings = 10;

/** What a first config watches. */
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
    `On the default branch it is watched from then on: what is dated after ${day(report.audited)} is told at once; of a page, the first look is what later ones are compared with.`,
  ];
}

/** `+2, −9 rechecks in 90 days; 2 sources added`. */
function effectTitle(effect: Effect, past: ReplayOutcome): string {
  const { sources, claims, triggers, ratings, audited, others } = effect;
  const told = [
    ...(past && past !== "unended" ? [balance(past)] : []),
    ...changesOf(sources, "source"),
    ...changesOf(triggers, "trigger"),
    ...changesOf(claims, "claim"),
    ...changesOf(ratings, "rating"),
    ...(audited ? ["a new audit"] : []),
    ...(others.length > 0 ? [`${others.slice(0, 3).join(", ")} changed`] : []),
  ];
  return told.slice(0, 3).join("; ") + (told.length > 3 ? " …" : "");
}

/** Config before and after a commit, and where it lives in the repository, "" for its root. */
interface Change {
  readonly before: Config;
  readonly after: Config;
  readonly folder: string;
}

/** The effect of a valid change, for the summary of a check run. */
function effectLines(effect: Effect, change: Change, past: ReplayOutcome): string[] {
  const { before, after, folder } = change;
  const parts = [
    ...(past === "unended" ? [[notReplayed]] : past ? [pastLines(past, before, after)] : []),
    ...audit(effect),
    named("Sources", effect.sources, (id) => source(id, after.sources.has(id) ? after : before)),
    named("Claims", effect.claims, (id) => code(id)),
    named("Triggers", effect.triggers, (id) => code(pathOf(`triggers/${id}.yaml`, folder))),
    ratings(effect.ratings, before, after),
    effect.others.length > 0 ? [`Also changed: ${effect.others.map((key) => code(key)).join(", ")}.`] : [],
  ];
  return parts.filter((lines) => lines.length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

const notReplayed =
  "What it would have asked is not told: replaying what is stored was given up, it takes too long or too much memory.";

function pastLines(past: ReplayedChange, before: Config, after: Config): string[] {
  const { came, went, unplayed } = past;
  return [
    `**${balance(past)}**, had this been in use: replayed from what is stored; nothing was fetched. ${joining}`,
    ...(unplayed.length > 0 ? ["", `Sources that are new or moved are not in it: ${someOf(unplayed, code)}.`] : []),
    ...fired("would have been asked about too", came, after),
    ...fired("would not have been asked about", went, before),
  ];
}

const joining = "Events of one trigger that join its open recheck are one.";

function balance({ rechecks: { came, went }, days, unplayed }: ReplayedChange): string {
  const noun = came + went === 1 ? "recheck" : "rechecks";
  const without = unplayed.length > 0 ? ", without what is new or moved" : "";
  return `+${came}, −${went} ${noun} in ${counted(days, "day")}${without}`;
}

function fired(what: string, firings: readonly Firing[], config: Config): string[] {
  if (firings.length === 0) return [];
  const shown = firings
    .slice(0, mostFirings)
    .map((firing) => `- ${day(firing.seen)} ${code(firing.trigger)}: ${headline(firing, config).markdown}`);
  const more = firings.length - shown.length;
  return [
    "",
    `${counted(firings.length, "event")} ${what}:`,
    "",
    ...shown,
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

function audit({ audited }: Effect): string[][] {
  if (!audited) return [];
  const { before, after } = audited;
  const answered = after > before ? ` All that was seen before ${day(after)} is answered with *keep*.` : "";
  return [[`**Audit**: ${day(before)} → ${day(after)}.${answered}`]];
}

function named(what: string, difference: IdChanges, nameOf: (id: string) => string): string[] {
  if (countOf(difference) === 0) return [];
  const { added, dropped, changed } = difference;
  const line = (verb: string, ids: readonly string[]): string[] => {
    if (ids.length === 0) return [];
    return [`- ${ids.length} ${verb}: ${someOf(ids, nameOf)}`];
  };
  return [`**${what}**`, "", ...line("added", added), ...line("dropped", dropped), ...line("changed", changed)];
}

function someOf(ids: readonly string[], nameOf: (id: string) => string): string {
  const names = ids.map((id) => nameOf(id));
  return some(names, mostNames);
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
  const rows = ids.slice(0, mostNames).map((id) => {
    const name = nameOf(id);
    const [then, now] = [standing(id, before, "new"), standing(id, after, "dropped")];
    const alike = then === now;
    const which = alike || (named.get(name) ?? []).length > 1 ? ` (${code(id)})` : "";
    return `| ${cell(name + which)} | ${then} | ${alike ? otherwise(id, before, after) : now} |`;
  });
  const more = ids.length - rows.length;
  const rest = more > 0 ? ["", `And ${counted(more, "rating")} more.`] : [];
  return ["**Ratings**", "", "| rating | before | after |", "|---|---|---|", ...rows, ...rest];
}

function standing(id: string, config: Config, without: string): string {
  const rating = config.ratings.get(id);
  if (!rating) return `*${without}*`;
  const reviewed = rating.reviewed === undefined ? "" : `, reviewed ${day(rating.reviewed)}`;
  return `${cell(words(rating.level, 80))}${reviewed}`;
}

/** What of a rating changed where it reads the same. */
function otherwise(id: string, before: Config, after: Config): string {
  const [then, now] = [before.ratings.get(id), after.ratings.get(id)];
  const keys = (["level", "reviewed", "volatility", "basis", "owners"] as const).filter(
    (key) => `${then?.[key]}` !== `${now?.[key]}`,
  );
  return `other ${keys.map((key) => code(key)).join(", ")}`;
}

function changesOf({ added, dropped, changed }: IdChanges, noun: string): string[] {
  const each = [
    [added.length, "added"],
    [dropped.length, "dropped"],
    [changed.length, "changed"],
  ] as const;
  const told = each.filter(([count]) => count > 0);
  if (told.length === 0) return [];
  return [
    told
      .map(([count, verb], index) => `${index === 0 ? counted(count, noun) : count.toLocaleString("en")} ${verb}`)
      .join(", "),
  ];
}

/** What another config would watch, and ask, otherwise. */
export interface Effect {
  readonly sources: IdChanges;
  /** By `source/claim`. */
  readonly claims: IdChanges;
  readonly triggers: IdChanges;
  readonly ratings: IdChanges;
  /** The day of the audit was moved. */
  readonly audited?: { readonly before: Instant; readonly after: Instant };
  /** Keys of `sources.yaml` under which something else changed. */
  readonly others: readonly string[];
}

/** Ids, in the order of the files. */
export interface IdChanges {
  readonly added: readonly string[];
  readonly dropped: readonly string[];
  readonly changed: readonly string[];
}

/** The effect of a valid change of config. Another order is none. Pure. */
function effectOf(before: Config, after: Config): Effect {
  const moved = before.report.audited !== after.report.audited;
  return {
    sources: between(withoutClaims(before), withoutClaims(after)),
    claims: between(claimsOf(before), claimsOf(after)),
    triggers: between(before.triggers, after.triggers),
    ratings: between(before.ratings, after.ratings),
    ...(moved && { audited: { before: before.report.audited, after: after.report.audited } }),
    others: others(before, after),
  };
}

/** Whether nothing at all changes. */
function isNone({ sources, claims, triggers, ratings, audited, others }: Effect): boolean {
  const quiet = [sources, claims, triggers, ratings].every((one) => countOf(one) === 0);
  return quiet && audited === undefined && others.length === 0;
}

function countOf({ added, dropped, changed }: IdChanges): number {
  return added.length + dropped.length + changed.length;
}

function between(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): IdChanges {
  const kept = [...after.keys()].filter((id) => before.has(id));
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    dropped: [...before.keys()].filter((id) => !after.has(id)),
    changed: kept.filter((id) => textOf(before.get(id)) !== textOf(after.get(id))),
  };
}

function withoutClaims({ sources }: Config): Map<string, unknown> {
  return new Map([...sources].map(([id, { claims: _, ...source }]) => [id, source]));
}

function claimsOf({ sources }: Config): Map<string, Claim> {
  const claims = [...sources.values()].flatMap((source) => source.claims);
  return new Map(claims.map((claim) => [`${claim.source}/${claim.id}`, claim]));
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
    "overview",
    "limits",
  ] as const;
  const report = textOf(old) === textOf(now) ? [] : ["report"];
  return [...report, ...keys.filter((key) => textOf(before[key]) !== textOf(after[key]))];
}

/** The same text for the same value, in whatever order its keys were written. Lists keep theirs. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Map) return sorted([...part]);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(sorted(Object.entries(part)));
  });
}

function sorted<T>(entries: [string, T][]): [string, T][] {
  return entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** As GitHub's API takes it: https://docs.github.com/en/rest/checks/runs */
export interface Annotation {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  /** Only where both lines are one. */
  readonly start_column?: number;
  readonly end_column?: number;
  readonly annotation_level: "failure";
  /** At most 64 KB. */
  readonly message: string;
  readonly title: string;
}

/** GitHub takes this many with one request. */
const inOneRequest = 50;
/** Nobody reads more, and each fifty are one more request. */
const mostAnnotations = 500;
/** No character takes more than four bytes. */
const annotationMostCharacters = 64_000 / 4;

/** A problem on its line. `folder`: where config lives in the repository, "" for its root. */
function annotationOf(problem: Problem, folder: string): Annotation {
  const line = Math.max(1, problem.line);
  const column = Math.max(1, problem.column);
  return {
    path: pathOf(problem.file, folder),
    start_line: line,
    end_line: line,
    start_column: column,
    end_column: column,
    annotation_level: "failure",
    message: cut(clean(problemText(problem)), annotationMostCharacters) || "is not right here",
    title: "Recheck cannot read this",
  };
}

/** The file of a problem, from the root of the repository. */
function pathOf(file: string, folder: string): string {
  return folder === "" || file.startsWith(`${folder}/`) ? file : `${folder}/${file}`;
}

/** Parts that one request each takes; one empty part where there is nothing, for the output is sent all the same. */
export function batches(annotations: readonly Annotation[]): Annotation[][] {
  const parts: Annotation[][] = [];
  for (let at = 0; at < annotations.length || parts.length === 0; at += inOneRequest)
    parts.push(annotations.slice(at, at + inOneRequest));
  return parts;
}

/** Config on the default branch that cannot be read. */
export interface ProblemIssue {
  readonly problems: readonly Problem[];
  /** The random word by which the issue is found again. */
  readonly marker: string;
  /** The repository for people: `https://github.com/owner/name`. */
  readonly web: string;
  readonly branch: string;
  /** The commit whose config has the problems. */
  readonly commit: string;
  /** Where config lives in the repository, "" for its root. */
  readonly folder: string;
  /** The commit whose config is in use meanwhile; without one, nothing is watched. */
  readonly inUse?: string;
}

const mostProblems = 50;

/** The issue that says what is wrong with a config on the default branch. `body`: the bot's section. Pure. */
export function renderProblemIssue(issue: ProblemIssue, room = mostCharacters): { title: string; body: string } {
  const { problems, branch, commit } = issue;
  const count = problems.length === 1 ? "a problem" : `${problems.length.toLocaleString("en")} problems`;
  const head = [
    beginLine(issue.marker, "", [], []),
    `**Recheck cannot read its config on ${code(branch, 100)}: commit ${short(commit)} has ${count}.** ${meanwhile(issue)}`,
  ];
  const list = {
    head: ["### What is wrong", ""],
    entries: problems.slice(0, mostProblems).map((problem) => line(problem, issue)),
    beyond: 0,
    between: "\n",
    least: 1,
    one: "problem",
    many: "problems",
  };
  const more = problems.length - mostProblems;
  const tail = [
    ...(more > 0 ? [`And ${more.toLocaleString("en")} more.`] : []),
    "This issue closes by itself when a commit mends them. `npx recheck-bot validate` tells the same before you push.",
    end,
  ];
  return {
    title: "Recheck cannot read its config",
    body: clip(head.join("\n\n"), [list], tail.join("\n\n"), room),
  };
}

/** What stands in that issue when it closes. */
export function renderMended(mended: { marker: string; commit: string; at: Instant }): string {
  const told = `Commit ${short(mended.commit)} mended it on ${day(mended.at)}: the config is read again.`;
  return [beginLine(mended.marker, "", [], []), told, end].join("\n\n");
}

function meanwhile({ inUse }: ProblemIssue): string {
  return inUse === undefined
    ? "Nothing is watched until it is mended."
    : `The config of commit ${short(inUse)} stays in use until it is mended.`;
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
