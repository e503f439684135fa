import type { z } from "zod";
import { type Effort, nearestWord } from "../language/nearest.ts";
import { cut } from "../model/markdown.ts";
import type { Problem } from "../model/problem.ts";
import { enumerateOr, firstOf } from "../model/words.ts";
import type { Reader } from "../read/reader.ts";
import type { InvalidChoice } from "./choice.ts";
import type { Fault } from "./ids.ts";
import { addressMeant, probableSpelling } from "./spellings.ts";
import { type ConfigText, hasCredentials, withoutSecrets } from "./text.ts";
import type { Tree } from "./yaml.ts";

type Issue = z.core.$ZodIssue;

/** After this many problems in a file, no more words are suggested. */
const maxSuggestions = 200;
/** Letters that may be compared for the suggestions of one config. */
const maxEffort = 50_000_000;

/** How many of the possible words a problem lists at most. */
const maxNamedWords = 12;

/** The condition that is most likely meant by a source that gives something. The first that matches counts. */
const conditionFor = [
  ["issue", "issue"],
  ["items", "item"],
  ["text", "change"],
  ["facts", "fact"],
] as const;

export function suggestionEffort(): Effort {
  return { left: maxEffort };
}

/** Collects the problems of one file: zod's issues in our words, and those of cross-checks. */
export type FileProblems = ReturnType<typeof fileProblems>;

/** `root` names the whole file: `sources.yaml`, `trigger "mps"`. All files of a config share `effort`. */
export function fileProblems(tree: Tree, root: string, readers: ReadonlyMap<string, Reader>, effort: Effort) {
  const problems: Problem[] = [];
  /** Problems of undeclared names: the same name may be used in many places. */
  const unknownNames = new Set<Problem>();
  let suggested = 0;

  /** Reports misspelt keys and corrects them in the tree. Returns whether there were any: then it is checked again. */
  function respell(issues: readonly Issue[]): boolean {
    let any = false;
    for (const issue of issues.flatMap(flatten)) {
      for (const { problem, path, key } of misspelt(issue)) {
        if (problem.suggestion === undefined || !tree.rename(path, key, problem.suggestion)) continue;
        problems.push(problem);
        any = true;
      }
    }
    return any;
  }

  function misspelt(issue: Issue): { problem: Problem; path: Path; key: string }[] {
    if (issue.code === "unrecognized_keys") {
      return unknown(issue).map((problem, i) => ({ problem, path: issue.path, key: issue.keys[i] ?? "" }));
    }
    const params = paramsOf(issue);
    if (params.key)
      return [{ problem: problemOf(issue), path: issue.path.slice(0, -1), key: String(issue.path.at(-1)) }];
    const { undecided } = params;
    if (!undecided || undecided.found.length > 0) return [];
    const key = undecided.others.find((other) => kindMeant(issue.path, other, undecided));
    return key === undefined ? [] : [{ problem: undecidedAt(issue.path, undecided), path: issue.path, key }];
  }

  function addIssues(issues: readonly Issue[]): void {
    for (const issue of issues.flatMap(flatten)) {
      if (issue.code === "unrecognized_keys") problems.push(...unknown(issue));
      else {
        const problem = problemOf(issue);
        problems.push(problem);
        const { word, key } = paramsOf(issue);
        if (word !== undefined && !key) unknownNames.add(problem);
      }
    }
  }

  function add(path: Path, part: "key" | "value", message: string): void {
    problems.push(problemAt(path, part, message));
  }

  function problemAt(path: Path, part: "key" | "value", message: string, suggestion?: string): Problem {
    return { ...tree.place(path, part), message, suggestion };
  }

  function unknown({ keys, path, message }: z.core.$ZodIssueUnrecognizedKeys): Problem[] {
    const known = message.split(" ");
    return keys.map((key) => unknownKey(path, key, known, nearest(key, known)));
  }

  /** If no key is similar, the message lists the possible ones. */
  function unknownKey(path: Path, key: string, known: readonly string[], suggestion: string | undefined): Problem {
    const others = suggestion === undefined ? `; its keys are ${firstOf(known, maxNamedWords)}` : "";
    const message = `unknown key ${inQuotes(key)} in ${whereIs(path)}${others}`;
    return problemAt([...path, key], "key", message, suggestion);
  }

  function problemOf(issue: Issue): Problem {
    const { path } = issue;
    const params = paramsOf(issue);
    const value = valueAt(tree.value, path);
    if (params.undecided) return undecidedAt(path, params.undecided);
    if (params.key) {
      return problemAt(path, "key", `${inQuotes(String(path.at(-1)))} ${issue.message}`, meant(params));
    }
    if (value === undefined) return missingKey(path, requirement(issue));
    const address = ofAddress(path, value, issue);
    const said = address?.says ?? requirement(issue);
    const subject = predicate.test(said) ? `${subjectOf(path, root)} ` : "";
    const found = said.startsWith("needs ") ? `; this is ${spelt(path, value)}` : "";
    const suggestion = address ? address.meant : (meant(params) ?? insteadOf(issue, path, value));
    return problemAt(path, "value", `${subject}${said}${found}`, suggestion);
  }

  function missingKey(path: Path, wanted: string): Problem {
    const key = inQuotes(String(path.at(-1)));
    const above = path.slice(0, -1);
    return problemAt(above, "key", `${whereIs(above)} needs ${key}: ${wanted.replace(/^needs /, "")}`);
  }

  /**
   * The key that a misspelt one was meant to be. For an unknown key with an address, `page`; for a kind of source in
   * place of a condition, also if it is misspelt, what such a source gives first.
   */
  function kindMeant(path: Path, key: string, { all }: InvalidChoice): string | undefined {
    const conditionOf = (kind: string | undefined) => {
      const gives = kind === undefined ? undefined : readers.get(kind)?.gives({});
      const [, given] = (gives && conditionFor.find(([part]) => gives[part])) ?? [];
      return given !== undefined && all.includes(given) ? given : undefined;
    };
    const near = conditionOf(key) ?? nearest(key, all) ?? conditionOf(nearest(key, readers.keys()));
    if (near !== undefined) return near;
    const value = valueAt(tree.value, [...path, key]);
    return all.includes("page") && typeof value === "string" && /^https?:\/\//.test(value) ? "page" : undefined;
  }

  function undecidedAt(path: Path, undecided: InvalidChoice): Problem {
    const { of, all, found, others } = undecided;
    const where = whereIs(path);
    if (found.length > 1) {
      const message = `${where} has ${found.length} ${of}s, ${found.join(" and ")}; keep one`;
      return problemAt([...path, found[1] ?? ""], "key", message);
    }
    for (const key of others) {
      const suggestion = kindMeant(path, key, undecided);
      if (suggestion) return unknownKey(path, key, all, suggestion);
    }
    return problemAt(path, "key", `${where} needs a ${of}: one of ${firstOf(all, maxNamedWords)}`);
  }

  function whereIs(path: Path): string {
    return wordsOf(path, root).where;
  }

  /** Any error in an address gets a message with the example of its kind. */
  function ofAddress(
    path: Path,
    value: unknown,
    issue: Issue,
  ): { says: string; meant?: string | undefined } | undefined {
    const reader = path.length === 3 && path[0] === "sources" ? readers.get(String(path[2])) : undefined;
    if (!reader) return undefined;
    if (typeof value === "string" && hasCredentials(value))
      return { says: "holds credentials; config must not hold secrets" };
    const shape = issue.message.startsWith("needs ") ? issue.message.replace(/, e\.g\. .*$/, "") : "needs an address";
    return { says: `${shape}, e.g. ${reader.example}`, meant: addressFor(reader, value) };
  }

  function spelt(path: Path, value: unknown): string {
    if (value === null && tree.isCommented(path)) return "empty: text after # is a comment unless it is in quotes";
    return value === null ? "empty" : (tree.spelt(path) ?? describeValue(value));
  }

  function meant({ suggestion, word, among }: Params): string | undefined {
    return suggestion ?? (word !== undefined && among ? nearest(word, among) : undefined);
  }

  function insteadOf(issue: Issue, path: Path, value: unknown): string | undefined {
    const expectation = requirement(issue);
    const instead = typeof value === "string" ? probableSpelling(expectation, value) : undefined;
    if (instead) return instead;
    if (issue.code === "invalid_type" && issue.expected === "array") return asList(path, tree.spelt(path) ?? value);
    if (issue.code === "invalid_type" && issue.expected === "boolean") return booleans[String(value).toLowerCase()];
    if (issue.code === "invalid_value" && typeof value === "string") return nearest(value, issue.values.map(String));
    const boolean = typeof value === "boolean" ? (value ? "yes" : "no") : undefined;
    if (issue.code === "invalid_value") return issue.values.find((one) => one === boolean)?.toString();
    if (issue.code !== "invalid_type" || issue.expected !== "string") return undefined;
    if (boolean) return boolean;
    return typeof value === "number" && expectation === "needs text" ? tree.spelt(path) : undefined;
  }

  function nearest(word: string, among: Iterable<string>): string | undefined {
    return suggested++ < maxSuggestions ? nearestWord(word, among, effort) : undefined;
  }

  return { problems, unknownNames, respell, addIssues, add };
}

interface Params extends Pick<Fault, "suggestion" | "among"> {
  readonly undecided?: InvalidChoice;
  readonly key?: boolean;
  readonly word?: string;
}

function paramsOf(issue: Issue): Params {
  return issue.code === "custom" ? (issue.params ?? {}) : {};
}

/** Keys whose lists hold numbers. */
const numbered: ReadonlySet<unknown> = new Set(["cites", "stands-for"]);

/** The value in brackets, if only the brackets are missing. */
function asList(path: Path, value: unknown): string | undefined {
  const fits = numbered.has(path.at(-1)) ? /^\d[\d, ]*$/ : /^\w[^[\]{}]*$/;
  return typeof value === "string" && fits.test(value) ? `[${value}]` : undefined;
}

/** Booleans of other YAML versions. */
const booleans: Readonly<Record<string, string>> = { yes: "true", on: "true", no: "false", off: "false" };

/** The address in the form of its kind, from one that people open in a browser, or one with a wrong scheme. */
function addressFor({ recognises, example }: Reader, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (/^https?:/.test(example)) return addressMeant(value);
  const url = URL.parse(value);
  return url ? recognises?.(url)?.address : undefined;
}

const predicate = /^(needs|is|has|holds) /;

/** For a choice of shapes: the problems of the shape that is nearest to the value, or that none fits. */
function flatten(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const without = (...codes: string[]) =>
    issue.errors.find((branch) => !branch.some(({ code, path }) => codes.includes(code) && path.length === 0));
  // A list with a wrong word is nearer to a list than to a single word.
  const own = without("invalid_type", "invalid_value") ?? without("invalid_type");
  return own ? own.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] })) : [issue];
}

/** A predicate in our words, `needs a number`: from the schema if it has one, else from the issue's code. */
function requirement(issue: Issue): string {
  if (/^(needs|is|has|holds|no) /.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `needs ${types[issue.expected] ?? "something else"}`;
    case "invalid_value":
      return `needs ${enumerateOr(issue.values.map(String))}`;
    case "invalid_union":
      return `needs ${enumerateOr(alternatives(issue))}`;
    case "too_small":
      if (issue.origin === "string") return "needs text";
      return issue.origin === "array" ? "needs at least one entry" : `needs at least ${issue.minimum}`;
    case "too_big":
      return `needs at most ${issue.maximum}${issue.origin === "string" ? " characters" : issue.origin === "array" ? " entries" : ""}`;
    case "invalid_format":
      return `needs a well-formed ${issue.format}`;
    default:
      return "is not valid here";
  }
}

const types: Readonly<Record<string, string>> = {
  array: "a list such as [a, b]",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "keys with values",
  record: "keys with values",
  string: "text",
};

function alternatives({ errors }: z.core.$ZodIssueInvalidUnion): string[] {
  const first = errors.flatMap((branch) => branch.slice(0, 1));
  return [...new Set(first.map((issue) => requirement(issue).replace(/^needs /, "")))];
}

/** The noun for an entry of each list that has ids. */
const nouns: Readonly<Record<string, string>> = {
  claims: "claim",
  conclusions: "conclusion",
  documents: "document",
  products: "product",
  ratings: "rating",
  sources: "source",
};

/** The name of a value at a path: its key, `"cites"`, or noun and id of an entry: `source "mps-tracker"`. */
function subjectOf(path: Path, root: string): string {
  const { where, entry } = wordsOf(path, root);
  return entry ? where : inQuotes(String(path.findLast((step) => typeof step === "string")));
}

/**
 * The entry at a path, in words: `source "mps-tracker"`, `claim "tpu7x/gke-only"`, `a condition of trigger "mps"`. `entry`: the
 * path ends at something with its own id.
 */
function wordsOf(path: Path, root: string): { where: string; entry: boolean } {
  let where = root;
  let entry = true;
  for (let i = 0; i < path.length; i++) {
    const step = path[i];
    const named = entryWords(path, i, where);
    if (named) i++;
    else if (typeof step === "string") where = i === 0 ? step : `${inQuotes(step)} of ${where}`;
    where = named ?? where;
    entry = named !== undefined;
  }
  return { where, entry };
}

function entryWords(path: Path, i: number, where: string): string | undefined {
  const key = String(path[i]);
  const entry = path[i + 1];
  const noun = nouns[key];
  if (typeof entry === "string" && noun === "claim") return `claim ${inQuotes(`${String(path[1])}/${entry}`)}`;
  if (typeof entry === "string" && noun && i === 0) return `${noun} ${inQuotes(entry)}`;
  if (typeof entry !== "number") return undefined;
  if (["on", "also", "until"].includes(key)) return `a condition of ${where}`;
  return key === "unwatchable" ? `entry ${entry + 1} of unwatchable` : undefined;
}

export class ConfigProblems extends Error {
  readonly problems: readonly Problem[];
  /** The files as read; messages show their lines. */
  readonly files: readonly ConfigText[];
  constructor(problems: readonly Problem[], files: readonly ConfigText[] = []) {
    super(`${problems.length} problems`);
    this.name = "ConfigProblems";
    this.problems = problems;
    this.files = files;
  }
}

/** `sources.yaml:41:5  unknown key "cite" in source "mps-tracker"; did you mean "cites"?` */
export function formatProblem(problem: Problem): string {
  const { file, line, column } = problem;
  return `${showInvisible(file)}:${line}:${column}  ${problemText(problem)}`;
}

/** The problem without its position: `unknown key "cite" in source "mps-tracker"; did you mean "cites"?` */
export function problemText({ message, suggestion }: Problem): string {
  return suggestion === undefined ? message : `${message}; did you mean ${inQuotes(suggestion)}?`;
}

/** A word of config in a message: in quotes, at most 80 characters, without control characters of terminals. */
export function inQuotes(word: string): string {
  return `"${showInvisible(cut(word, 80))}"`;
}

/** A value of config in a message, without credentials in addresses. */
function describeValue(value: unknown): string {
  if (value === null) return "empty";
  if (typeof value === "string") return value === "" ? "empty" : inQuotes(withoutSecrets(value));
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a set of keys";
  return typeof value === "number" ? `the number ${value}` : String(value);
}

/** Replaces control and invisible characters by their code points: `\u{202e}`. */
export function showInvisible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`);
}

/** The path to a value in a file: keys and positions, from the outside in. */
export type Path = readonly PropertyKey[];

export function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[step];
  }
  return here;
}
