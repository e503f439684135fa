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
import { cut } from "../model/markdown.ts";
import type { Problem } from "../model/problem.ts";
import { groupDigits } from "../model/words.ts";
import { isObject } from "../read/shared/json-path.ts";
import { inQuotes, type Path, valueAt } from "./problems.ts";
import { placeIn } from "./text.ts";

/** Deepest nesting: more than config needs. */
const maxDepth = 32;
const tooDeep = `nested deeper than ${maxDepth} levels`;
/** How many values all aliases (`*name`) together may expand to. */
const maxAliased = 10_000;
/** The most problems of one sort that are reported. */
const maxProblems = 50;

type Place = Pick<Problem, "file" | "line" | "column">;
type At = (offset: number) => Place;

/** A YAML file as plain values, with the place of each. */
export interface Tree {
  readonly value: unknown;
  /** The position of the key or value at a path, or else of the nearest parent's key. */
  place(path: Path, part: "key" | "value"): Place;
  /** The spelling of a number, true, false or null: `13.10`. */
  spelt(path: Path): string | undefined;
  /** Whether a value is empty only because the text after its key is a comment. */
  isCommented(path: Path): boolean;
  /** Renames a key; false if the map already has the new one. */
  rename(path: Path, key: string, meant: string): boolean;
}

/** Reads one YAML 1.2 file (core schema, https://yaml.org/spec/1.2.2/#103-core-schema). */
export function readYaml(file: string, text: string): { tree: Tree } | { problems: Problem[] } {
  const excess = excessOf(text);
  if (excess) return { problems: [{ file, ...placeIn(text, excess.offset), message: excess.message }] };
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    schema: "core",
    // Without this, `!!binary` and `!!set` become bytes and sets, which config never contains.
    resolveKnownTags: false,
  });
  const positionAt = (offset: number) => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems = syntaxProblems(document, text, positionAt);
  return problems.length > 0 ? { problems } : treeOf(document.contents, positionAt);
}

/** Offsets of one entry of a map or list. */
interface Spot {
  readonly key: number;
  readonly value: number;
  readonly spelt?: string;
  readonly commented?: boolean;
}

/** Converts nodes to plain values, in linear time even with aliases. Keys keep their spelling. */
function treeOf(root: Node | null, at: At): { tree: Tree } | { problems: Problem[] } {
  const { value, problems, spots } = plainValue(root, at);
  if (problems.size > 0) return { problems: [...problems.values()] };
  const top = { key: offsetOf(root), value: offsetOf(root) };
  const find = (path: Path): { spot: Spot; whole: boolean } => {
    let spot: Spot = top;
    let here = value;
    for (const step of path) {
      const next = typeof here === "object" && here !== null ? spots.get(here)?.get(step) : undefined;
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
  const rename = (path: Path, key: string, rightKey: string) => {
    const map = valueAt(value, path);
    const ofMap = isObject(map) ? spots.get(map) : undefined;
    const spot = ofMap?.get(key);
    if (!isObject(map) || !spot || rightKey in map) return false;
    map[rightKey] = map[key];
    delete map[key];
    ofMap?.set(rightKey, spot);
    return true;
  };
  const spelt = (path: Path) => find(path).spot.spelt;
  const isCommented = (path: Path) => find(path).spot.commented === true;
  return { tree: { value, place, spelt, isCommented, rename } };
}

function plainValue(root: Node | null, at: At) {
  /** By offset, so that each mistake is reported once. */
  const problems = new Map<number, Problem>();
  const spots = new WeakMap<object, Map<PropertyKey, Spot>>();
  const anchors = new Map<string, Node>();
  /** The outermost alias being expanded, and the number of values expanded so far. */
  let inside: Node | undefined;
  let aliased = 0;

  function valueOfNode(node: unknown, depth: number): unknown {
    if (inside && ++aliased > maxAliased) return refuseAliases(inside);
    if (depth > maxDepth) return addProblem(node, tooDeep);
    if (isAlias(node)) return resolve(node.source, node, depth);
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return null;
    if (node.anchor) anchors.set(node.anchor, node);
    if (isMap(node)) return objectOfMap(node, depth);
    if (isScalar(node)) return node.value;
    const ofList = new Map<PropertyKey, Spot>();
    const list = node.items.map((item, i) => {
      ofList.set(i, spotOf(item, item));
      return valueOfNode(item, depth + 1);
    });
    spots.set(list, ofList);
    return list;
  }

  function objectOfMap(node: YAMLMap, depth: number): object {
    const ofMap = new Map<PropertyKey, Spot>();
    const object: Record<string, unknown> = {};
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? (key.source ?? String(key.value)) : "";
      const first = ofMap.get(name);
      if (isMap(key)) addProblem(key, "text that starts with {{ needs quotes; templates are not filled in");
      else if (!isScalar(key)) addProblem(key, "a key must be a word, not a list or an alias");
      else if (name === "<<") addProblem(key, "merge keys (<<) are not supported; write out the keys");
      else if (name === "__proto__") addProblem(key, `${inQuotes(name)} cannot be a key`);
      else if (first) addProblem(key, `${inQuotes(name)} is here twice; the first is on line ${at(first.key).line}`);
      else {
        ofMap.set(name, spotOf(key, value));
        object[name] = valueOfNode(value, depth + 1);
      }
    }
    spots.set(object, ofMap);
    return object;
  }

  function resolve(name: string, node: Node, depth: number): unknown {
    const target = anchors.get(name);
    if (!target) return addProblem(node, `there is no anchor &${cut(name, 60)} before this`);
    const outer = inside;
    inside ??= node;
    const value = valueOfNode(target, depth + 1);
    inside = outer;
    return value;
  }

  function refuseAliases(node: Node): null {
    if (aliased > maxAliased + 1) return null;
    return addProblem(node, `aliases (*name) expand to more than ${groupDigits(maxAliased)} values`);
  }

  function addProblem(node: unknown, message: string): null {
    const offset = offsetOf(node);
    if (problems.size < maxProblems && !problems.has(offset)) problems.set(offset, { ...at(offset), message });
    return null;
  }

  return { value: valueOfNode(root, 0), problems, spots };
}

function spotOf(key: unknown, value: unknown): Spot {
  const at = offsetOf(key);
  if (!isScalar(value))
    return { key: at, value: isMap(value) || isSeq(value) || isAlias(value) ? offsetOf(value) : at };
  if (value.source === "") return { key: at, value: at, commented: Boolean(value.comment) };
  return { key: at, value: offsetOf(value), spelt: typeof value.value === "string" ? undefined : value.source };
}

function offsetOf(node: unknown): number {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;
}

/** The most tokens in a file, white space included. */
const maxTokens = 500_000;

/** The position from which a file would take the parser too long. Only its tokens are read. */
function excessOf(text: string): { offset: number; message: string } | undefined {
  let count = 0;
  let brackets = 0;
  let dashes = 0;
  for (const { text: token, offset, scalar } of tokens(text)) {
    if (++count > maxTokens) return { offset, message: "the file has too many values" };
    if (scalar || token === "") {
      // The text of a scalar does not nest.
    } else if (token === "[" || token === "{") brackets++;
    else if (token === "]" || token === "}") brackets--;
    else if (token === "-" || token === "?") dashes++;
    else if (token.startsWith("\n")) dashes = 0;
    if (brackets + dashes > maxDepth) return { offset, message: tooDeep };
  }
  return undefined;
}

/** Tokens without text: start of a document, end of a flow after an error, start of a scalar. */
const emptyTokens: ReadonlySet<string> = new Set(["\x02", "\x18", "\x1f"]);

/** The tokens of a file with their offsets; `scalar`: the text of a plain or block scalar. */
function* tokens(text: string): Generator<Token & { readonly scalar: boolean }> {
  let offset = 0;
  let scalar = false;
  for (const token of new Lexer().lex(text)) {
    const end = emptyTokens.has(token) ? offset : offset + token.length;
    yield { text: token, offset, end, scalar };
    scalar = token === "\x1f";
    offset = end;
  }
}

/** Errors with these codes do not affect the rest of the file. Errors after any other may only follow from it. */
const localErrors: ReadonlySet<ErrorCode> = new Set([
  "BAD_DQ_ESCAPE",
  "BAD_SCALAR_START",
  "BLOCK_AS_IMPLICIT_KEY",
  "TAG_RESOLVE_FAILED",
]);
const maxSyntaxProblems = 20;

/** Why a file is not YAML: one problem for each line, without those that may follow from an earlier one. */
function syntaxProblems(document: Document.Parsed, text: string, at: At): Problem[] {
  const version = document.directives.yaml.version;
  const byLine = new Map<number, Problem>();
  if (version !== "1.2") byLine.set(1, { ...at(0), message: `config is YAML 1.2; this says ${version}` });
  const errors = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  const conflict = errors.length > 0 ? conflictIn(text) : undefined;
  for (const { code, message, pos } of errors) {
    // There may be an error for each character, and explaining one reads its line, or the file up to it.
    if (localErrors.has(code) && byLine.has(at(pos[0]).line)) continue;
    const { offset, says } =
      conflict ??
      unknownSpaceIn(text, pos[0]) ??
      openedBefore(text, pos[0], code, at) ??
      explainError(text, pos[0], code, message);
    const place = at(offset);
    if (!byLine.has(place.line)) byLine.set(place.line, { ...place, message: says });
    if (conflict || byLine.size >= maxSyntaxProblems || !localErrors.has(code)) break;
  }
  return [...byLine.values()];
}

interface Explanation {
  readonly offset: number;
  readonly says: string;
}

/** Errors that an earlier quote or bracket may have caused. */
const lateErrors: ReadonlySet<ErrorCode> = new Set([
  "BAD_INDENT",
  "BLOCK_IN_FLOW",
  "MISSING_CHAR",
  "MULTILINE_IMPLICIT_KEY",
  "UNEXPECTED_TOKEN",
]);

/** The quote or bracket before an error that was not closed in time, if any. */
function openedBefore(text: string, error: number, code: ErrorCode, at: At): Explanation | undefined {
  if (!lateErrors.has(code)) return undefined;
  const { brackets, quoted } = openUntil(text, error);
  if (quoted && quoted.end >= error - 1 && !isClosed(quoted.text)) {
    return { offset: quoted.offset, says: `this ${nameOf(quoted.text)} quote is not closed` };
  }
  const isNext = quoted && text.slice(quoted.end, error).trim() === "";
  if (quoted && isNext && quoted.text.includes("\n")) {
    const end = at(quoted.end - 1).line;
    return {
      offset: quoted.offset,
      says: `this ${nameOf(quoted.text)} quote is not closed before the next one, on line ${end}`,
    };
  }
  if (quoted && isNext && /[^\s,:\]}#]/.test(text[error] ?? "")) {
    return {
      offset: quoted.offset,
      says: `text follows the closing quote, at column ${at(error).column}; put all of it in quotes`,
    };
  }
  const open = brackets.at(-1);
  return open && { offset: open.offset, says: `this ${open.text} is not closed` };
}

interface Token {
  readonly text: string;
  readonly offset: number;
  readonly end: number;
}

/** The brackets that are open at an offset, outermost first, and the last quoted text that began before it. */
function openUntil(text: string, error: number): { brackets: Token[]; quoted?: Token } {
  const brackets: Token[] = [];
  let quoted: Token | undefined;
  for (const token of tokens(text)) {
    if (token.offset >= error) break;
    const [first = ""] = token.text;
    if (token.scalar) continue;
    if (first === '"' || first === "'") quoted = token;
    else if (token.text === "[" || token.text === "{") brackets.push(token);
    else if (token.text === "]" || token.text === "}") brackets.pop();
  }
  return { brackets, ...(quoted && { quoted }) };
}

function isClosed(quoted: string): boolean {
  if (quoted.length < 2 || quoted.at(-1) !== quoted[0]) return false;
  if (quoted[0] === '"') return (/\\*$/.exec(quoted.slice(0, -1))?.[0].length ?? 0) % 2 === 0;
  return (/'*$/.exec(quoted.slice(1))?.[0].length ?? 0) % 2 === 1;
}

function nameOf(quoted: string): string {
  return quoted.startsWith('"') ? "double" : "single";
}

/** If there is a merge conflict of Git, it explains all errors of the file. */
function conflictIn(text: string): Explanation | undefined {
  const offset = text.search(/^(?:<{7} |>{7} )/m);
  return offset < 0 ? undefined : { offset, says: "this is a merge conflict of Git; keep one of its sides" };
}

/** If there is a space that YAML does not know, it explains the error. */
function unknownSpaceIn(text: string, error: number): Explanation | undefined {
  const start = text.lastIndexOf("\n", error - 1) + 1;
  const line = lineAt(text, start);
  const space = line.search(/[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/);
  if (space < 0) return undefined;
  const code = line.charCodeAt(space).toString(16).toUpperCase().padStart(4, "0");
  return {
    offset: start + space,
    says: `this looks like a space, but YAML does not read it as one (U+${code}); type a plain space`,
  };
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return text.slice(start, end < 0 ? text.length : end);
}

/** The message for an error, at the first visible character there. */
function explainError(text: string, error: number, code: ErrorCode, message: string): Explanation {
  const offset = error + (/^ */.exec(lineAt(text, error))?.[0].length ?? 0);
  const here = lineAt(text, offset);
  if (code !== "BAD_INDENT" && code !== "BLOCK_AS_IMPLICIT_KEY" && code !== "BAD_SCALAR_START")
    return { offset: error, says: messageOf(code, message) };
  if (/^- /.test(here)) return { offset, says: "a list entry (-) is among keys; remove its dash" };
  if (/^[“”„‟«»‘’‚]/.test(here))
    return { offset, says: `${here[0]} is a letter in YAML, not a quote; put the text between " or '` };
  // The text continues in the lines below, and only they have the colon.
  if (code === "BLOCK_AS_IMPLICIT_KEY" && !/:(?:\s|$)/.test(here))
    return { offset, says: "this key has a value here and more below it; keep one of them" };
  if (code === "BAD_SCALAR_START") return { offset, says: `text that starts with ${here[0]} needs quotes` };
  return { offset, says: messageOf(code, message) };
}

function messageOf(code: ErrorCode, message: string): string {
  const first = message.split("\n", 1)[0]?.replace(/["']quote/, "quote") ?? "";
  return messages[code] ?? `not well-formed YAML: ${cut(first.charAt(0).toLowerCase() + first.slice(1), 200)}`;
}

const messages: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: "this has no entry above it: the keys of one entry must start at the same column",
  BAD_DQ_ESCAPE: "a backslash between double quotes starts an escape; put the text between single quotes",
  BLOCK_AS_IMPLICIT_KEY: 'text with ": " in it needs quotes',
  MULTILINE_IMPLICIT_KEY: 'this is not "key: value": a colon needs a space after it',
  MULTIPLE_DOCS: "a file is one document: remove this --- and the text after it",
  RESOURCE_EXHAUSTION: "nested too deep",
  TAB_AS_INDENT: "a tab cannot indent; use spaces",
  TAG_RESOLVE_FAILED: "tags (!name) are not supported",
};
