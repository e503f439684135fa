import { isDeepStrictEqual } from "node:util";
import { isAlias, isMap, isScalar, type Node, type Pair, Scalar, type YAMLMap } from "yaml";
import { comment, list, scalar } from "../setup/make/yaml.ts";
import { columnOf, endOfLine, startOfLine } from "./key.ts";
import { type Root, rangeOf, readTree, valueAt } from "./node.ts";
import { lineEnd, type Splice, spliced } from "./splice.ts";

/** An entry of `sources` that is to be written: its keys in their order. */
export interface NewSource {
  readonly id: string;
  readonly keys: readonly (readonly [name: string, value: string | readonly number[]])[];
  /** Stands above it, where the file has room for comments. */
  readonly comment?: string;
}

/**
 * Writes one more source at the end of `sources`, as the others there are written: as a block or in braces, indented and
 * quoted alike. Every other byte stays. It is read back: where anything else would mean something else, it is left. Pure.
 */
export function addSource(whole: string, source: NewSource): { text: string } | { says: string } {
  const mark = whole.startsWith("\ufeff") ? "\ufeff" : "";
  const text = whole.slice(mark.length);
  const before = readTree(text);
  const splice = before && spliceFor(text, before, source);
  if (!before || !splice) return { says: "`sources` is written in a way that cannot be edited in place" };
  const edited = spliced(text, [splice]);
  const after = readTree(edited);
  return after && holds(before, after, source)
    ? { text: mark + edited }
    : { says: "other entries hang on how `sources` is written" };
}

function spliceFor(text: string, root: Root, source: NewSource): Splice | undefined {
  if (!isMap(root.contents)) return undefined;
  const sources = valueAt(root.contents, "sources");
  if (isMap(sources) && sources.items.length > 0)
    return sources.flow ? inBraces(text, sources, source) : below(text, sources, source);
  if (root.contents.flow || isAlias(sources) || (sources && !isMap(sources) && !isEmpty(sources))) return undefined;
  return first(text, root.contents, source);
}

function isEmpty(node: Node): boolean {
  return isScalar(node) && node.value === null;
}

/** After the last entry, and after the comments that stand below it at its depth. */
function below(text: string, sources: YAMLMap, source: NewSource): Splice {
  const [start] = rangeOf(sources.items[0]?.key);
  const column = columnOf(text, start);
  const last = lastOf(sources);
  const at = afterComments(text, endOfLine(text, endOf(text, last.value ?? last.key)), column);
  const eol = lineEnd(text, start);
  const gap = isSpaced(text, sources) ? eol : "";
  const lines = linesOf(source, column, styleOf(text, sources)).join(eol);
  return { from: at, to: at, text: `${eol}${gap}${lines}` };
}

/** `sources` that is empty or missing. */
function first(text: string, root: YAMLMap, source: NewSource): Splice {
  const pair = root.items.find(({ key }) => isScalar(key) && key.value === "sources");
  const eol = lineEnd(text);
  const lines = linesOf(source, 2, plainStyle).join(eol);
  if (!pair) {
    const gap = text === "" || text.endsWith("\n") ? "" : eol;
    return { from: text.length, to: text.length, text: `${gap}${eol}sources:${eol}${lines}${eol}` };
  }
  const [, key] = rangeOf(pair.key);
  const colon = text.indexOf(":", key) + 1;
  const [, end] = isMap(pair.value) ? rangeOf(pair.value) : [0, colon];
  const line = endOfLine(text, end);
  return { from: colon, to: line, text: `${text.slice(end, line)}${eol}${lines}` };
}

function inBraces(text: string, sources: YAMLMap, source: NewSource): Splice {
  const [start] = rangeOf(sources.items[0]?.key);
  const last = lastOf(sources);
  const [, at] = rangeOf(last.value ?? last.key);
  const own = text.slice(startOfLine(text, start), start);
  const entry = flowOf(source, styleOf(text, sources));
  if (own.trim() !== "") return { from: at, to: at, text: `, ${entry}` };
  // What is noted beside the last one stays beside it.
  const rest = text.slice(at, endOfLine(text, at));
  const [, comma, note] = /^(,?)([ \t]*(?:#.*)?)$/.exec(rest) ?? [rest, "", ""];
  const to = at + (comma + note).length;
  return { from: at, to, text: `,${note}${lineEnd(text, start)}${own}${entry}${comma}` };
}

function lastOf({ items }: YAMLMap): Pair<unknown, unknown> {
  const last = items.at(-1);
  if (!last) throw new Error("no entry to stand after");
  return last;
}

/** Where what a node says ends; a block's range may hold the empty lines and comments below it. */
function endOf(text: string, node: unknown): number {
  if (isMap(node) && !node.flow && node.items.length > 0) {
    const last = lastOf(node);
    return endOf(
      text,
      isScalar(last.value) && last.value.range?.[0] === last.value.range?.[1] ? last.key : (last.value ?? last.key),
    );
  }
  const items = typeof node === "object" && node !== null && "items" in node && "flow" in node ? node : undefined;
  if (items && !items.flow && Array.isArray(items.items) && items.items.length > 0)
    return endOf(text, items.items.at(-1));
  const [from, to] = rangeOf(node);
  return from + text.slice(from, to).trimEnd().length;
}

/** Comments at this depth or deeper, with what is empty between them: they belong to what stands above. */
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

/** How the entries of a file are written. */
interface Style {
  readonly flow: boolean;
  /** How much deeper than its id the keys of an entry stand. */
  readonly step: number;
  /** Within braces: `{ a: b }` or `{a: b}`. */
  readonly pad: string;
  /** How values are quoted that need no quotes, by their key. */
  readonly quotes: ReadonlyMap<string, Scalar.Type>;
}

const plainStyle: Style = { flow: false, step: 2, pad: " ", quotes: new Map() };

function styleOf(text: string, sources: YAMLMap): Style {
  const entries = sources.items.flatMap(({ key, value }) => (isMap(value) ? [{ key, value }] : []));
  const flows = entries.filter(({ value }) => value.flow);
  const block = entries.findLast(({ value }) => !value.flow && value.items.length > 0);
  const step = block
    ? columnOf(text, rangeOf(block.value.items[0]?.key)[0]) - columnOf(text, rangeOf(block.key)[0])
    : 2;
  const [brace] = flows.length > 0 ? rangeOf(flows.at(-1)?.value) : [-1];
  const quotes = new Map<string, Scalar.Type>();
  for (const { value } of entries) {
    for (const pair of value.items) {
      const of = isScalar(pair.value) && typeof pair.value.value === "string" ? pair.value : undefined;
      if (!of || !isScalar(pair.key) || scalar(String(of.value)) !== of.value) continue;
      const key = /^https?:/.test(of.value) ? "address" : String(pair.key.value);
      if (of.type === Scalar.QUOTE_DOUBLE || of.type === Scalar.QUOTE_SINGLE) quotes.set(key, of.type);
      else quotes.delete(key);
    }
  }
  return {
    flow: flows.length * 2 > entries.length,
    step,
    pad: brace >= 0 && text[brace + 1] !== " " ? "" : " ",
    quotes,
  };
}

function linesOf(source: NewSource, column: number, style: Style): string[] {
  const indent = " ".repeat(column);
  const above = source.comment === undefined ? [] : [comment(source.comment, indent)];
  if (style.flow) return [...above, `${indent}${flowOf(source, style)}`];
  const inner = " ".repeat(column + style.step);
  return [
    ...above,
    `${indent}${source.id}:`,
    ...source.keys.map(([name, value]) => `${inner}${name}: ${spelt(name, value, style)}`),
  ];
}

function flowOf({ id, keys }: NewSource, style: Style): string {
  const pairs = keys.map(([name, value]) => `${name}: ${spelt(name, value, style)}`);
  return `${id}: {${style.pad}${pairs.join(", ")}${style.pad}}`;
}

function spelt(name: string, value: string | readonly number[], { quotes }: Style): string {
  if (typeof value !== "string") return list(value);
  const plain = scalar(value);
  const type = quotes.get(/^https?:/.test(value) ? "address" : name);
  if (type === Scalar.QUOTE_DOUBLE && !plain.startsWith('"')) return JSON.stringify(value);
  return type === Scalar.QUOTE_SINGLE && !/["\\]/.test(plain) ? `'${plain.replaceAll("'", "''")}'` : plain;
}

/** Aliases beyond these many are no config. */
const mostAliases = 10_000;

/** Whether the source is there now, and everything else is as it was. */
function holds(before: Root, after: Root, { id, keys }: NewSource): boolean {
  if (after.warnings.length > before.warnings.length) return false;
  const [old, now] = [plain(before), plain(after)];
  if (!old || !now || !isKeyed(now.sources)) return false;
  const { [id]: added, ...others } = now.sources;
  const was = isKeyed(old.sources) ? old.sources : {};
  const wanted = Object.fromEntries(keys);
  return (
    !(id in was) &&
    isDeepStrictEqual(added, wanted) &&
    isDeepStrictEqual({ ...now, sources: others }, { ...old, sources: was })
  );
}

function plain(root: Root): Record<string, unknown> | undefined {
  try {
    const value: unknown = root.toJS({ maxAliasCount: mostAliases });
    return isKeyed(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
