import { isDeepStrictEqual } from "node:util";
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ParsedNode,
  parse,
  parseDocument,
  Scalar,
  type YAMLMap,
} from "yaml";
import { isObject } from "../../read/shared/json-path.ts";
import { applySplices, lineEnd, type Splice } from "../../report/edit/splice.ts";

/** A YAML file that is edited in place: its text without byte order mark, and its tree with offsets. */
export interface EditableYaml {
  readonly mark: string;
  readonly text: string;
  readonly document: Document.Parsed<ParsedNode>;
}

export function parseForEdit(whole: string): EditableYaml | undefined {
  const mark = whole.startsWith("\ufeff") ? "\ufeff" : "";
  const text = whole.slice(mark.length);
  const document = parseDocument(text, { schema: "core", uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  if (document.errors.length > 0 || document.contents === null) return undefined;
  return { mark, text, document: document as Document.Parsed<ParsedNode> };
}

type Steps = readonly (string | number)[];

/** An edit of a file, as splices of its text and as changes of its data. */
export interface Edit {
  readonly splices: readonly Splice[];
  readonly changes: readonly Change[];
}

/** The new value at a path; without `value`, the entry is removed. */
interface Change {
  readonly path: Steps;
  readonly value?: unknown;
}

/**
 * The whole text with these edits. All other bytes stay: comments, order, quotes and line ends. It is parsed again:
 * undefined if other data have changed, if a tag has lost its meaning, or if an edit is missing.
 */
export function editInPlace(
  { mark, text, document }: EditableYaml,
  edits: readonly (Edit | undefined)[],
): string | undefined {
  const textEdits = edits.filter((edit) => edit !== undefined);
  const edited = applySplices(
    text,
    textEdits.flatMap(({ splices }) => splices),
  );
  const after = textEdits.length === edits.length ? parseForEdit(edited) : undefined;
  if (!after || after.document.warnings.length > document.warnings.length) return undefined;
  const [old, now] = [toPlainObject(document), toPlainObject(after.document)];
  const wanted = textEdits.flatMap(({ changes }) => changes).reduce<unknown>(applyChange, old);
  return old && isDeepStrictEqual(now, wanted) ? mark + edited : undefined;
}

export function editText(
  whole: string,
  find: (yaml: EditableYaml) => readonly (Edit | undefined)[] | undefined,
): string | undefined {
  const yaml = parseForEdit(whole);
  const edits = yaml && find(yaml);
  return edits && editInPlace(yaml, edits);
}

function applyChange(data: unknown, { path: [step, ...path], value }: Change): unknown {
  if (step === undefined) return value;
  if (Array.isArray(data)) {
    const entry = applyChange(data[Number(step)], { path, value });
    return entry === undefined ? data.toSpliced(Number(step), 1) : data.with(Number(step), entry);
  }
  const { [step]: before, ...others } = isObject(data) ? data : {};
  const entry = applyChange(before, { path, value });
  return entry === undefined ? others : { ...others, [step]: entry };
}

/** The most values that aliases of a config may repeat. */
const maxAliases = 10_000;

function toPlainObject(document: Document): Record<string, unknown> | undefined {
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function dataOf({ document }: EditableYaml, node: unknown): unknown {
  return isNode(node) ? node.toJS(document) : node;
}

/** The node at a path: a map's key as spelt in the file, or a list's index. Aliases are not followed. */
export function nodeAt({ document }: EditableYaml, path: Steps): Node | undefined {
  let here: unknown = document.contents;
  for (const step of path) {
    if (isMap(here)) here = pairIn(here, String(step))?.value;
    else if (isSeq(here) && typeof step === "number") here = here.items[step];
    else return undefined;
  }
  return (here ?? undefined) as Node | undefined;
}

export function pairIn(map: YAMLMap, key: string): Pair<unknown, unknown> | undefined {
  return map.items.find((pair) => isScalar(pair.key) && (pair.key.source ?? String(pair.key.value)) === key);
}

function pairAt(yaml: EditableYaml, path: Steps): Pair<unknown, unknown> | undefined {
  const map = nodeAt(yaml, path.slice(0, -1));
  return isMap(map) ? pairIn(map, String(path.at(-1))) : undefined;
}

export function resolveAlias({ document }: EditableYaml, node: Node | undefined): Node | undefined {
  return isAlias(node) ? node.resolve(document) : node;
}

/** Sets a value; `spelling` is its YAML. A new key is added below the key `beside` (default: the first). */
export function setValue(
  yaml: EditableYaml,
  path: Steps,
  { value, spelling }: { readonly value: unknown; readonly spelling: string },
  beside?: string,
): Edit | undefined {
  const map = nodeAt(yaml, path.slice(0, -1));
  if (!isMap(map)) return undefined;
  const key = String(path.at(-1));
  const now = pairIn(map, key)?.value as Node | undefined;
  const above = beside === undefined ? map.items[0] : pairIn(map, beside);
  const changes = [{ path, value }];
  if (now) return { splices: [replaceValue(yaml, now, spelling)], changes };
  return above?.value ? { splices: [addKey(yaml, map, above, `${key}: ${spelling}`)], changes } : undefined;
}

export function renameKey(yaml: EditableYaml, path: Steps, name: string): Edit | undefined {
  const pair = pairAt(yaml, path);
  if (!pair) return undefined;
  const [from, to] = rangeOf(pair.key);
  const renamed = { path: path.with(-1, name), value: dataOf(yaml, pair.value) };
  return { splices: [{ from, to, text: name }], changes: [{ path }, renamed] };
}

/**
 * Removes entries of a list or map. An entry of a map goes with the comments directly above it and the empty line
 * below. The last entry goes with the key. Undefined if one is missing, or shares brackets or braces with others.
 */
export function removeEntries(yaml: EditableYaml, part: string, keys: Steps): Edit | undefined {
  const pair = pairAt(yaml, [part]);
  const entries = pair?.value;
  if (!isMap(entries) && !isSeq(entries)) return undefined;
  const places = keys.map((key) => (isMap(entries) ? pairIn(entries, String(key)) : entries.items[Number(key)]));
  if (places.includes(undefined)) return undefined;
  if (keys.length === entries.items.length) return { splices: [linesOut(yaml, pair)], changes: [{ path: [part] }] };
  if (entries.flow) return undefined;
  // Later entries of a list first, so that the others keep their places.
  const changes = keys.map((key) => ({ path: [part, key] })).toReversed();
  return { splices: places.map((place) => linesOut(yaml, place)), changes };
}

function linesOut({ text }: EditableYaml, entry: unknown): Splice {
  let from = startOfLine(text, rangeOf(isPair(entry) ? entry.key : entry)[0]);
  for (let above = startOfLine(text, from - 1); isPair(entry) && from > 0 && /^\s*#/.test(text.slice(above, from)); ) {
    from = above;
    above = startOfLine(text, from - 1);
  }
  const end = endOfLine(text, endOf(text, entry));
  const lines = isPair(entry) ? /^\r?\n(?:[ \t]*\r?\n)?/ : /^\r?\n/;
  return { from, to: end + (lines.exec(text.slice(end, end + 200))?.[0].length ?? 0), text: "" };
}

/** Replaces the spelling of a value. A text of many lines (`|`) includes its line end. */
function replaceValue({ text }: EditableYaml, node: Node, spelling: string): Splice {
  const [from, to] = rangeOf(node);
  return { from, to, text: spelling + (text.slice(from, to).endsWith("\n") ? lineEnd(text, to - 1) : "") };
}

/** Adds a key; `pair` is YAML: at the end of braces, else below `beside`, or above it if that has several lines. */
function addKey({ text }: EditableYaml, map: YAMLMap, beside: Pair<unknown, unknown>, pair: string): Splice {
  if (map.flow) {
    const last = map.items.at(-1);
    const [, end] = rangeOf(last?.value ?? last?.key);
    return { from: end, to: end, text: `, ${pair}` };
  }
  const [start] = rangeOf(beside.key);
  const [, end] = rangeOf(beside.value ?? beside.key);
  const indent = " ".repeat(columnOf(text, start));
  const eol = lineEnd(text, start);
  if (text.slice(start, end).includes("\n")) return { from: start, to: start, text: `${pair}${eol}${indent}` };
  const at = endOfLine(text, end);
  return { from: at, to: at, text: `${eol}${indent}${pair}` };
}

/** Adds lines below the last entry of a block map, and below the comments with its indent, which belong to it. */
export function addLines({ text }: EditableYaml, map: YAMLMap, lines: readonly string[]): Splice {
  const [start] = rangeOf(map.items[0]?.key);
  const eol = lineEnd(text, start);
  const at = afterComments(text, endOfLine(text, endOf(text, map.items.at(-1))), columnOf(text, start));
  const gap = isSpaced(text, map) ? eol : "";
  return { from: at, to: at, text: `${eol}${gap}${lines.join(eol)}` };
}

/** Adds an entry at the end of a map in braces, on a line of its own if the others are. */
export function addEntryInBraces({ text }: EditableYaml, map: YAMLMap, entry: string): Splice {
  const [start] = rangeOf(map.items[0]?.key);
  const last = map.items.at(-1);
  const [, at] = rangeOf(last?.value ?? last?.key);
  const indent = text.slice(startOfLine(text, start), start);
  if (indent.trim() !== "") return { from: at, to: at, text: `, ${entry}` };
  // A comment beside the last entry stays beside it.
  const rest = text.slice(at, endOfLine(text, at));
  const [, comma, note] = /^(,?)([ \t]*(?:#.*)?)$/.exec(rest) ?? [rest, "", ""];
  const to = at + (comma + note).length;
  return { from: at, to, text: `,${note}${lineEnd(text, start)}${indent}${entry}${comma}` };
}

/** The end of a node or entry. The range of a block may also include empty lines and comments below it. */
export function endOf(text: string, node: unknown): number {
  if (isPair(node)) return endOf(text, isMissing(node.value) ? node.key : node.value);
  if (isCollection(node) && !node.flow && node.items.length > 0) return endOf(text, node.items.at(-1));
  const [from, to] = rangeOf(node);
  return from + text.slice(from, to).trimEnd().length;
}

/** For a key without a value, the parser gives a scalar of length 0. */
function isMissing(value: unknown): boolean {
  return !value || (isScalar(value) && value.range?.[0] === value.range?.[1]);
}

/** The end of the comments with this indent or more, and of the empty lines between them. */
function afterComments(text: string, from: number, column: number): number {
  let at = from;
  for (let next = from; next < text.length; ) {
    const start = text.indexOf("\n", next) + 1;
    if (start === 0) break;
    const end = endOfLine(text, start);
    const line = text.slice(start, end);
    const deep = line.length - line.trimStart().length;
    if (line.trim() !== "" && (deep < column || line[deep] !== "#")) break;
    if (line.trim() !== "") at = end;
    if (text.indexOf("\n", end) < 0) break;
    next = end;
  }
  return at;
}

/** Whether most entries have an empty line above them, or above their comments. */
function isSpaced(text: string, { items }: YAMLMap): boolean {
  const others = items.slice(1);
  const spaced = others.filter(({ key }) => {
    let start = startOfLine(text, rangeOf(key)[0]);
    for (;;) {
      const above = text.slice(startOfLine(text, start - 1), Math.max(0, start - 1)).trim();
      if (start === 0 || !above.startsWith("#")) return above === "";
      start = startOfLine(text, start - 1);
    }
  });
  return spaced.length * 2 > others.length;
}

/** The offsets of a node: of its first character, and after its last. */
export function rangeOf(node: unknown): [number, number] {
  const { range } = node as Node;
  return [range?.[0] ?? 0, range?.[1] ?? 0];
}

/** How many characters of its line are before an offset. */
export function columnOf(text: string, offset: number): number {
  return offset - startOfLine(text, offset);
}

function startOfLine(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** The end of the line of an offset, before CR LF or LF. */
export function endOfLine(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset);
  if (feed < 0) return text.length;
  return feed > offset && text[feed - 1] === "\r" ? feed - 1 : feed;
}

/**
 * A word as a YAML scalar that is valid in a block and in braces. It is quoted like the one that it replaces, or plain
 * if it parses as the same text. A number is plain only if it replaces a plain number.
 */
export function spelledLike(word: string, before: Node | undefined): string {
  const like = isScalar(before) ? before : undefined;
  if (like?.type === Scalar.QUOTE_DOUBLE) return JSON.stringify(word);
  if (like?.type === Scalar.QUOTE_SINGLE && !/[\p{Cc}]/u.test(word)) return `'${word.replaceAll("'", "''")}'`;
  const value = plainValue(word);
  const fits =
    typeof value === "string" ? value === word : typeof value === "number" && typeof like?.value === "number";
  return fits ? word : JSON.stringify(word);
}

/** The value of a word without quotes in YAML; undefined if it needs quotes. */
function plainValue(word: string): unknown {
  if (word.length > 200 || !/^[\p{L}\p{N}][\p{L}\p{N} ._/+%()-]*$/u.test(word) || word !== word.trim())
    return undefined;
  const value = scalarValue(word);
  return typeof value === "number" && !Number.isFinite(value) ? undefined : value;
}

export function scalarValue(spelling: string): unknown {
  const [value]: unknown[] = parse(`[${spelling}]`, { schema: "core" });
  return value;
}
