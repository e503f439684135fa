import type { z } from "zod";
import type { Reader } from "../read/reader.ts";
import type { Undecided } from "./choice.ts";
import { type Effort, nearest } from "./nearest.ts";
import { hasCredentials, type Problem, quoted, shown } from "./problem.ts";
import type { Path, Tree } from "./tree.ts";
import { wants } from "./wants.ts";
import { subjectOf, whereIs } from "./where.ts";

type Issue = z.core.$ZodIssue;

/** Past these many problems of a file no nearest word is looked for. */
const mostSuggestions = 200;
/** What looking for them may take in a config, or in its scenarios: less than reading the largest one does. */
const mostEffort = 50_000_000;

/** Of one config, or of its scenarios. */
export function suggesting(): Effort {
  return { left: mostEffort };
}

/** Tells zod's issues with one file in our words, in the order of the file. */
export class Teller {
  readonly problems: Problem[] = [];
  readonly #tree: Tree;
  readonly #root: string;
  readonly #readers: ReadonlyMap<string, Reader>;
  readonly #effort: Effort;
  #suggested = 0;

  /** `root` names the file's whole: `sources.yaml`, `trigger "mps"`. `effort` is that of its config. */
  constructor(tree: Tree, root: string, readers: ReadonlyMap<string, Reader>, effort: Effort) {
    this.#tree = tree;
    this.#root = root;
    this.#readers = readers;
    this.#effort = effort;
  }

  tell(issues: readonly Issue[]): void {
    const flat = issues.flatMap(flatten);
    const misspelt = new Set<string>();
    for (const issue of flat) {
      if (issue.code === "unrecognized_keys") this.#tellUnknown(issue, misspelt);
    }
    for (const issue of flat) {
      const told = issue.code === "unrecognized_keys" || misspelt.has(JSON.stringify(issue.path));
      if (!told) this.problems.push(this.#problemOf(issue));
    }
  }

  add(path: Path, part: "key" | "value", message: string): void {
    this.problems.push(this.#problem(path, part, message));
  }

  #problem(path: Path, part: "key" | "value", message: string, suggestion?: string): Problem {
    return { ...this.#tree.place(path, part), message, ...(suggestion !== undefined && { suggestion }) };
  }

  /** A key that was misspelt is not told a second time as missing. */
  #tellUnknown({ keys, path, message }: z.core.$ZodIssueUnrecognizedKeys, misspelt: Set<string>): void {
    for (const key of keys) {
      const suggestion = this.#nearest(key, message.split(" "));
      if (suggestion) misspelt.add(JSON.stringify([...path, suggestion]));
      this.problems.push(this.#unknownKey(path, key, suggestion));
    }
  }

  #unknownKey(path: Path, key: string, suggestion: string | undefined): Problem {
    return this.#problem([...path, key], "key", `unknown key ${quoted(key)} in ${this.#where(path)}`, suggestion);
  }

  #problemOf(issue: Issue): Problem {
    const { path } = issue;
    const params: Params = issue.code === "custom" ? (issue.params ?? {}) : {};
    const value = this.#valueAt(path);
    if (params.undecided) return this.#undecided(path, params.undecided);
    if (params.key) {
      return this.#problem(path, "key", `${quoted(String(path.at(-1)))} ${issue.message}`, this.#meant(params));
    }
    if (value === undefined) return this.#missing(path, wants(issue));
    const said = this.#ofAddress(path, value, issue) ?? wants(issue);
    const subject = predicate.test(said) ? `${subjectOf(path, this.#root)} ` : "";
    const found = said.startsWith("wants ") ? `; this is ${this.#spelt(path, value)}` : "";
    const suggestion = this.#meant(params) ?? this.#insteadOf(issue, path, value);
    return this.#problem(path, "value", `${subject}${said}${found}`, suggestion);
  }

  #missing(path: Path, wanted: string): Problem {
    const key = quoted(String(path.at(-1)));
    const above = path.slice(0, -1);
    return this.#problem(above, "key", `${this.#where(above)} needs ${key}: ${wanted.replace(/^wants /, "")}`);
  }

  #undecided(path: Path, { of, all, found, others }: Undecided): Problem {
    const where = this.#where(path);
    if (found.length > 1) {
      const message = `${where} has ${found.length} ${of}s, ${found.join(" and ")}; keep one`;
      return this.#problem([...path, found[1] ?? ""], "key", message);
    }
    for (const key of others) {
      const suggestion = this.#nearest(key, all);
      if (suggestion) return this.#unknownKey(path, key, suggestion);
    }
    return this.#problem(path, "key", `${where} needs a ${of}: one of ${all.join(", ")}`);
  }

  #where(path: Path): string {
    return whereIs(path, this.#root);
  }

  /** An address is told by its kind's example, whatever its schema found wrong. */
  #ofAddress(path: Path, value: unknown, issue: Issue): string | undefined {
    const reader = path.length === 3 && path[0] === "sources" ? this.#readers.get(String(path[2])) : undefined;
    if (!reader) return undefined;
    if (typeof value === "string" && hasCredentials(value))
      return "holds credentials; nothing secret may stand in config";
    const shape = issue.message.startsWith("wants ") ? issue.message.replace(/, e\.g\. .*$/, "") : "wants an address";
    return `${shape}, e.g. ${reader.example}`;
  }

  #spelt(path: Path, value: unknown): string {
    return value === null ? "empty" : (this.#tree.spelt(path) ?? shown(value));
  }

  #meant({ suggestion, word, among }: Params): string | undefined {
    return suggestion ?? (word !== undefined && among ? this.#nearest(word, among) : undefined);
  }

  #insteadOf(issue: Issue, path: Path, value: unknown): string | undefined {
    if (issue.code === "invalid_value" && typeof value === "string")
      return this.#nearest(value, issue.values.map(String));
    const boolean = typeof value === "boolean" ? (value ? "yes" : "no") : undefined;
    if (issue.code === "invalid_value") return issue.values.find((one) => one === boolean)?.toString();
    if (issue.code !== "invalid_type" || issue.expected !== "string") return undefined;
    if (boolean) return boolean;
    return typeof value === "number" && wants(issue) === "wants text" ? this.#tree.spelt(path) : undefined;
  }

  #nearest(word: string, among: Iterable<string>): string | undefined {
    return this.#suggested++ < mostSuggestions ? nearest(word, among, this.#effort) : undefined;
  }

  #valueAt(path: Path): unknown {
    let here = this.#tree.value;
    for (const step of path) {
      if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
      here = (here as Record<PropertyKey, unknown>)[step];
    }
    return here;
  }
}

/** What our schemas pass along with a problem. */
interface Params {
  readonly undecided?: Undecided;
  /** The problem is one of the key. */
  readonly key?: boolean;
  readonly suggestion?: string;
  readonly word?: string;
  readonly among?: Iterable<string>;
}

const predicate = /^(wants|is|has|holds) /;

/** An alternative that took the value for its own tells what is wrong with it; if none did, the whole is told. */
function flatten(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const own = issue.errors.find(
    (branch) => !branch.some(({ code, path }) => code === "invalid_type" && path.length === 0),
  );
  return own ? own.flatMap((inner) => flatten({ ...inner, path: [...issue.path, ...inner.path] })) : [issue];
}
