import * as z from "zod";
import type { Claim } from "../model/claim.ts";
import type { Config, Rating } from "../model/config.ts";
import { reservedTriggers } from "../model/firing.ts";
import { withAllowance } from "../model/options.ts";
import type { Problem } from "../model/problem.ts";
import type { Source } from "../model/source.ts";
import type { Instant } from "../model/time.ts";
import { pluralize } from "../model/words.ts";
import type { Reader } from "../read/reader.ts";
import { isObject } from "../read/shared/json-path.ts";
import { crossChecks, futureDays, warningsOf } from "./cross-checks.ts";
import { type Fault, faultOfId } from "./ids.ts";
import { declaredNames, withNames } from "./names.ts";
import { rootOutline, triggerOutline } from "./outline.ts";
import { type FileProblems, fileProblems, inQuotes, suggestionEffort } from "./problems.ts";
import { type Readers, type Schemas, schemasFor, type TriggerDraft } from "./schema.ts";
import type { SourceDraft } from "./source-schema.ts";
import { type ConfigText, patterns, placeIn, secretIn, sizeExcessOf, textOf } from "./text.ts";
import { duration } from "./words.ts";
import { readYaml, type Tree } from "./yaml.ts";

export type ParsedConfig =
  | {
      config: Config;
      problems: [];
      /** Settings that are valid but probably unintended. */
      warnings: Problem[];
    }
  | { config?: undefined; problems: Problem[] };

const root = "sources.yaml";

/**
 * Parses `sources.yaml` and `triggers/*.yaml`: returns a Config with all defaults, or all problems, file by file from
 * top to bottom. Reads no files and never throws: the text may come from anyone. With `now`, days of reviews and audits
 * in the future are problems, too.
 */
export function parseConfig(files: readonly ConfigText[], readers: Readers, now?: Instant): ParsedConfig {
  const excess = sizeExcessOf(files.map(({ path, text }) => ({ path, size: text.length })));
  if (excess.length > 0) return { problems: excess };
  const problems: Problem[] = [];
  const trees = new Map<string, Tree | undefined>();
  for (const file of files) {
    const role = roleOf(file.path);
    if (typeof role !== "string") problems.push({ file: file.path, line: 1, column: 1, ...role });
    else if (trees.has(role))
      problems.push({ file: file.path, line: 1, column: 1, message: "this file is given twice" });
    else trees.set(role, treeOf(file, problems));
  }
  if (!trees.has(root) && !problems.some(({ suggestion }) => suggestion === root))
    problems.push({ file: root, line: 1, column: 1, message: "there is no sources.yaml" });
  const { config, names } = withAllowance(patterns, () => check(trees, readers, problems));
  const tree = trees.get(root);
  if (config && tree && now !== undefined) problems.push(...futureDays(config, tree, now));
  if (config && tree && problems.length === 0) {
    const triggers = new Map([...trees].flatMap(([id, its]) => (its && id !== root ? [[id, its] as const] : [])));
    return { config, problems: [], warnings: inOrder(warningsOf(config, { sources: tree, triggers }), files) };
  }
  return { problems: namesOnce(inOrder(problems, files), names) };
}

function check(
  trees: ReadonlyMap<string, Tree | undefined>,
  readers: Readers,
  problems: Problem[],
): { config?: Config; names: ReadonlySet<Problem> } {
  const tree = trees.get(root);
  const effort = suggestionEffort();
  const names = new Set<Problem>();
  const addProblems = (found: FileProblems) => {
    problems.push(...found.problems);
    for (const problem of found.unknownNames) names.add(problem);
  };
  const rootProblems = tree && fileProblems(tree, root, readers, effort);
  let parsed = rootOf(tree, readers);
  if (rootProblems?.respell(parsed.issues)) parsed = rootOf(tree, readers);
  const across = crossChecks(parsed.outline);
  const triggers = new Map<string, TriggerDraft>();
  for (const [id, file] of trees) {
    if (id === root || !file) continue;
    const its = fileProblems(file, `trigger ${inQuotes(id)}`, readers, effort);
    let result = parsed.trigger(file);
    if (result.error && its.respell(result.error.issues)) result = parsed.trigger(file);
    if (result.success) triggers.set(id, result.data);
    its.addIssues(result.error?.issues ?? []);
    across.checkTrigger(triggerOutline.parse(file.value), id, its);
    addProblems(its);
  }
  if (rootProblems) {
    rootProblems.addIssues(parsed.issues);
    across.checkSources(rootProblems);
    addProblems(rootProblems);
  }
  return { names, ...(tree && parsed.data && { config: build(parsed.data, tree, triggers, readers) }) };
}

/** The result of checking `sources.yaml`, and the check of triggers against it. */
function rootOf(tree: Tree | undefined, readers: Readers) {
  const outline = rootOutline(tree?.value, readers);
  // A file that is empty or not a map declares no names. That is one problem; do not report each missing name too.
  const names = isObject(tree?.value) ? declaredNames(outline) : undefined;
  const schema = schemasFor(readers, names !== undefined && names.levels.size > 0);
  const result = tree && withNames(names, () => parseSafely(schema.root, tree.value));
  const trigger = (file: Tree) => withNames(names, () => parseSafely(schema.trigger, file.value));
  return { outline, trigger, issues: result?.error?.issues ?? [], data: result?.data };
}

/** Reports more mistakes than zod can return at once as a single one. */
function parseSafely<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = "has too many mistakes to list";
    return z.never({ error: message }).safeParse(value) as z.ZodSafeParseResult<T>;
  }
}

const secretMessage = "this looks like a secret: revoke it and delete it here; config must not hold secrets";

function treeOf(file: ConfigText, problems: Problem[]): Tree | undefined {
  const text = textOf(file);
  const secret = typeof text === "string" ? secretIn(text) : undefined;
  if (typeof text === "string" && secret !== undefined)
    problems.push({ file: file.path, ...placeIn(text, secret), message: secretMessage });
  const read = typeof text === "string" ? readYaml(file.path, text) : { problems: [text] };
  if ("tree" in read) return read.tree;
  problems.push(...read.problems);
  return undefined;
}

const needsYaml = "config files end in .yaml";

/** `sources.yaml`, or the id of a trigger from its file's name. */
function roleOf(path: string): string | Fault {
  const [name = "", folder] = path.split(/[\\/]/).reverse();
  if (folder !== "triggers" && name === root) return root;
  const id = name.replace(/\.ya?ml$/, "");
  if (folder !== "triggers" && name === "sources.yml") return { message: needsYaml, suggestion: root };
  if (folder !== "triggers" || id === name) return { message: "only sources.yaml and triggers/*.yaml are read" };
  if (name.endsWith(".yml")) return { message: needsYaml, suggestion: `triggers/${id}.yaml` };
  if (reservedTriggers.has(id)) {
    return { message: `a trigger cannot be called ${inQuotes(id)}: a built-in trigger has this name` };
  }
  const fault = faultOfId(id);
  if (!fault) return id;
  const suggestion = fault.suggestion && `triggers/${fault.suggestion}.yaml`;
  return { message: `${inQuotes(id)} ${fault.message}; it is the trigger's id`, suggestion };
}

function inOrder(problems: readonly Problem[], files: readonly ConfigText[]): Problem[] {
  const order = new Map(files.map(({ path }, i) => [path, i]));
  const positionOf = ({ file }: Problem) => order.get(file) ?? -1;
  const once = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...once.values()].sort((a, b) => positionOf(a) - positionOf(b) || a.line - b.line || a.column - b.column);
}

/** Reports an undeclared name only where it is first used: it is one mistake. */
function namesOnce(problems: readonly Problem[], names: ReadonlySet<Problem>): Problem[] {
  const same = Map.groupBy(problems, (problem) => (names.has(problem) ? problem.message : problem));
  return [...same.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? [];
    const message = `${first.message}, named here and in ${pluralize(others.length, "more place")}`;
    return { ...first, message };
  });
}

/** Config from checked files. `tree` is that of `sources.yaml`: levels that are numbers keep their spelling. */
function build(
  root: z.output<Schemas["root"]>,
  tree: Tree,
  triggers: ReadonlyMap<string, TriggerDraft>,
  readers: ReadonlyMap<string, Reader>,
): Config {
  const { notify, schedule, ...others } = root;
  return {
    ...others,
    documents: withIds(root.documents),
    volatility: new Map(Object.entries(root.volatility)),
    names: new Map(Object.entries(root.names)),
    rubric: new Map(Object.entries(root.rubric).map(([area, meanings]) => [area, new Map(Object.entries(meanings))])),
    ratings: new Map(
      Object.entries(root.ratings).map(([id, rating]) => [id, { id, ...withSpelling(id, rating, tree) }]),
    ),
    conclusions: withIds(root.conclusions),
    channels: withIds(notify),
    products: withIds(root.products),
    sources: new Map(Object.entries(root.sources).map(([id, source]) => [id, sourceOf(id, source)])),
    triggers: new Map([...triggers].map(([id, trigger]) => [id, { id, ...trigger }])),
    schedule: new Map([...readers].map(([kind, { cadence }]) => [kind, schedule[kind] ?? duration.parse(cadence)])),
  };
}

function withIds<T extends object>(entries: Readonly<Record<string, T>>): Map<string, T & { id: string }> {
  return new Map(Object.entries(entries).map(([id, entry]) => [id, { id, ...entry }]));
}

/** Keeps the spelling of a level that is a number: 92.10 stays 92.10. */
function withSpelling(id: string, rating: Omit<Rating, "id">, tree: Tree): Omit<Rating, "id"> {
  const level = tree.spelt(["ratings", id]) ?? tree.spelt(["ratings", id, "level"]);
  return level === undefined ? rating : { ...rating, level };
}

function sourceOf(id: string, { claims, ...source }: SourceDraft): Source {
  const own = [...claims].map(([claim, draft]): Claim => ({ id: claim, source: id, ...draft }));
  return { id, ...source, claims: own };
}
