import {
  type Document,
  type ErrorCode,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
} from "yaml";
import type { Problem } from "../model/problem.ts";
import { grouped } from "../model/words.ts";
import { inQuotes } from "./problems.ts";
import { placeIn } from "./text.ts";

/** Deepest nesting: what config needs, and some. */
const maxDepth = 32;
const tooDeep = `nested deeper than ${maxDepth} levels`;
/** Most values that aliases (`*name`) may stand for, all together. */
const maxAliased = 10_000;
/** Mistakes of this sort after these many are left out. */
const maxProblems = 50;

export type Path = readonly PropertyKey[];
type Place = Pick<Problem, "file" | "line" | "column">;
type At = (offset: number) => Place;

/** A YAML file as plain values, with the place of each. */
export interface Tree {
  readonly file: string;
  readonly value: unknown;
  /** Where the key or value of a path stands; the key of its nearest parent, where the path leads nowhere. */
  place(path: Path, part: "key" | "value"): Place;
  /** A number, true, false or null as it is spelt: `13.10`. */
  spelt(path: Path): string | undefined;
}

/** Reads one YAML 1.2 file (core schema, https://yaml.org/spec/1.2.2/#103-core-schema). */
export function readYaml(file: string, text: string): { tree: Tree } | { problems: Problem[] } {
  const excess = excessOf(text);
  if (excess) return { problems: [{ file, ...placeIn(text, excess.offset), message: excess.message }] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false, schema: "core" });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems = syntaxProblems(document, at);
  return problems.length > 0 ? { problems } : treeOf(file, document.contents, at);
}

/** Offsets of one entry of a map or list. */
interface Spot {
  readonly key: number;
  readonly value: number;
  readonly spelt?: string;
}

type Spots = WeakMap<object, Map<PropertyKey, Spot>>;

/** From nodes to plain values: linear, whatever the aliases say. Keys are taken as they are spelt. */
function treeOf(file: string, root: Node | null, at: At): { tree: Tree } | { problems: Problem[] } {
  const walk = new Walk(at);
  const value = walk.plain(root, 0);
  if (walk.problems.size > 0) return { problems: [...walk.problems.values()] };
  const top = { key: offsetOf(root), value: offsetOf(root) };
  const find = (path: Path): { spot: Spot; whole: boolean } => {
    let spot: Spot = top;
    let here = value;
    for (const step of path) {
      const next = typeof here === "object" && here !== null ? walk.spots.get(here)?.get(step) : undefined;
      if (!next) return { spot, whole: false };
      spot = next;
      here = (here as Record<PropertyKey, unknown>)[step];
    }
    return { spot, whole: true };
  };
  const place = (path: Path, part: "key" | "value") => {
    const { spot, whole } = find(path);
    return at(whole ? spot[part] : spot.key);
  };
  return { tree: { file, value, place, spelt: (path) => find(path).spot.spelt } };
}

class Walk {
  /** By offset: each mistake once. */
  readonly problems = new Map<number, Problem>();
  readonly spots: Spots = new WeakMap();
  readonly #anchors = new Map<string, Node>();
  readonly #at: At;
  /** The outermost alias that we are inside of, and how many values were seen inside of any. */
  #inside: Node | undefined;
  #aliased = 0;

  constructor(at: At) {
    this.#at = at;
  }

  plain(node: unknown, depth: number): unknown {
    if (this.#inside && ++this.#aliased > maxAliased) return this.#bomb(this.#inside);
    if (depth > maxDepth) return this.#tell(node, tooDeep);
    if (isAlias(node)) return this.#resolve(node.source, node, depth);
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return null;
    if (node.anchor) this.#anchors.set(node.anchor, node);
    if (isMap(node)) return this.#map(node, depth);
    if (isScalar(node)) return node.value;
    const spots = new Map<PropertyKey, Spot>();
    const list = node.items.map((item, i) => {
      spots.set(i, spotOf(item, item));
      return this.plain(item, depth + 1);
    });
    this.spots.set(list, spots);
    return list;
  }

  #map(node: YAMLMap, depth: number): object {
    const spots = new Map<PropertyKey, Spot>();
    const object: Record<string, unknown> = {};
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? (key.source ?? String(key.value)) : "";
      const first = spots.get(name);
      if (!isScalar(key)) this.#tell(key, "a key is a word, no list and no alias");
      else if (name === "__proto__") this.#tell(key, `${inQuotes(name)} cannot be a key`);
      else if (first)
        this.#tell(key, `${inQuotes(name)} stands here twice; the first is on line ${this.#at(first.key).line}`);
      else {
        spots.set(name, spotOf(key, value));
        object[name] = this.plain(value, depth + 1);
      }
    }
    this.spots.set(object, spots);
    return object;
  }

  #resolve(name: string, node: Node, depth: number): unknown {
    const target = this.#anchors.get(name);
    if (!target) return this.#tell(node, `no anchor &${name} stands before this`);
    const outer = this.#inside;
    this.#inside ??= node;
    const value = this.plain(target, depth + 1);
    this.#inside = outer;
    return value;
  }

  #bomb(node: Node): null {
    if (this.#aliased > maxAliased + 1) return null;
    return this.#tell(node, `aliases (*name) stand for more than ${grouped(maxAliased)} values`);
  }

  #tell(node: unknown, message: string): null {
    const offset = offsetOf(node);
    if (this.problems.size < maxProblems && !this.problems.has(offset)) {
      this.problems.set(offset, { ...this.#at(offset), message });
    }
    return null;
  }
}

function spotOf(key: unknown, value: unknown): Spot {
  const at = offsetOf(key);
  if (!isScalar(value))
    return { key: at, value: isMap(value) || isSeq(value) || isAlias(value) ? offsetOf(value) : at };
  if (value.source === "") return { key: at, value: at };
  return { key: at, value: offsetOf(value), spelt: typeof value.value === "string" ? undefined : value.source };
}

function offsetOf(node: unknown): number {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;
}

/** Most tokens of a file, white space included. */
const maxTokens = 500_000;

/** Where a file would take the parser too long: found by its tokens alone. */
function excessOf(text: string): { offset: number; message: string } | undefined {
  let offset = 0;
  let tokens = 0;
  let brackets = 0;
  let dashes = 0;
  let scalar = false;
  for (const token of new Lexer().lex(text)) {
    if (++tokens > maxTokens) return { offset, message: "the file holds too many values" };
    if (scalar || token === "") {
      // a scalar's own text
    } else if (token === "[" || token === "{") brackets++;
    else if (token === "]" || token === "}") brackets--;
    else if (token === "-" || token === "?") dashes++;
    else if (token.startsWith("\n")) dashes = 0;
    if (brackets + dashes > maxDepth) return { offset, message: tooDeep };
    scalar = token === "\x1f";
    if (!scalar && token !== "\x02" && token !== "\x18") offset += token.length;
  }
  return undefined;
}

/** Errors after these many are echoes of the first. */
const maxSyntaxProblems = 20;

/** Why a file is not YAML at all, in our words; one problem for each line. */
function syntaxProblems(
  document: Document.Parsed,
  at: (offset: number) => Pick<Problem, "file" | "line" | "column">,
): Problem[] {
  const version = document.directives.yaml.version;
  const byLine = new Map<number, Problem>();
  if (version !== "1.2") byLine.set(1, { ...at(0), message: `config is YAML 1.2; this says ${version}` });
  for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
    const place = at(pos[0]);
    if (byLine.size < maxSyntaxProblems && !byLine.has(place.line))
      byLine.set(place.line, { ...place, message: says(code, message) });
  }
  return [...byLine.values()];
}

function says(code: ErrorCode, message: string): string {
  const first = message.split("\n", 1)[0]?.replace(/["']quote/, "quote") ?? "";
  return words[code] ?? `not well-formed YAML: ${first.charAt(0).toLowerCase()}${first.slice(1)}`;
}

const words: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: "a backslash between double quotes starts an escape; put the text between single quotes",
  BAD_SCALAR_START: "text that starts with this character wants quotes around it",
  BLOCK_AS_IMPLICIT_KEY: 'text with ": " in it wants quotes around it',
  MULTIPLE_DOCS: "one document a file: nothing may follow --- here",
  RESOURCE_EXHAUSTION: "nested too deep",
  TAB_AS_INDENT: "a tab cannot indent; use spaces",
  TAG_RESOLVE_FAILED: "tags (!name) have no meaning here",
};
