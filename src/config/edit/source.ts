import { isAlias, isMap, isScalar, Scalar, type YAMLMap } from "yaml";
import { lineEnd, type Splice } from "../../report/edit/splice.ts";
import { yamlComment, yamlList, yamlScalar } from "../../report/write.ts";
import { isKeyed } from "../path.ts";
import {
  columnOf,
  type EditableYaml,
  editable,
  editInPlace,
  endOfLine,
  entryAddedInBraces,
  linesAdded,
  nodeAt,
  pairIn,
  rangeOf,
} from "./yaml.ts";

type Value = string | true | readonly number[];

/** An entry of `sources` that is to be written: its keys in their order. */
export interface NewSource {
  readonly id: string;
  readonly keys: readonly (readonly [name: string, value: Value])[];
  /** Stands above it, where the file has room for comments. */
  readonly comment?: string;
}

/**
 * Writes one more source at the end of `sources`, as the others there are written: as a block or in braces, indented
 * and quoted alike. Every other byte stays. If it would change the meaning of the rest, nothing is written and `says` gives the reason.
 * Pure.
 */
export function addSource(whole: string, source: NewSource): { text: string } | { says: string } {
  const yaml = editable(whole);
  const splice = yaml && spliceFor(yaml, source);
  if (!splice) return { says: "`sources` is written in a way that cannot be edited in place" };
  const text = editInPlace(yaml, [splice], (before) => {
    const others = isKeyed(before.sources) ? before.sources : {};
    if (source.id in others) return undefined;
    return { ...before, sources: { ...others, [source.id]: Object.fromEntries(source.keys) } };
  });
  return text === undefined ? { says: "other entries hang on how `sources` is written" } : { text };
}

function spliceFor(yaml: EditableYaml, source: NewSource): Splice | undefined {
  const root = yaml.document.contents;
  if (!isMap(root)) return undefined;
  const sources = nodeAt(yaml, ["sources"]);
  if (!isMap(sources) || sources.items.length === 0) {
    const isEmpty = !sources || isMap(sources) || (isScalar(sources) && sources.value === null);
    return root.flow || isAlias(sources) || !isEmpty ? undefined : first(yaml, root, source);
  }
  const style = styleOf(yaml.text, sources);
  if (sources.flow) return entryAddedInBraces(yaml, sources, inBraces(source, style));
  const column = columnOf(yaml.text, rangeOf(sources.items[0]?.key)[0]);
  return linesAdded(yaml, sources, linesOf(source, column, style));
}

/** The first source, where `sources` is empty or missing. */
function first({ text }: EditableYaml, root: YAMLMap, source: NewSource): Splice {
  const pair = pairIn(root, "sources");
  const eol = lineEnd(text);
  const lines = linesOf(source, 2, plainStyle).join(eol);
  if (!pair) {
    const gap = text === "" || text.endsWith("\n") ? "" : eol;
    return { from: text.length, to: text.length, text: `${gap}${eol}sources:${eol}${lines}${eol}` };
  }
  const colon = text.indexOf(":", rangeOf(pair.key)[1]) + 1;
  const end = isMap(pair.value) ? rangeOf(pair.value)[1] : colon;
  const line = endOfLine(text, end);
  return { from: colon, to: line, text: `${text.slice(end, line)}${eol}${lines}` };
}

/** How the entries of a file are written. */
interface Style {
  readonly flow: boolean;
  /** How much deeper than its id the keys of an entry are indented. */
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
  return {
    flow: flows.length * 2 > entries.length,
    step,
    pad: brace >= 0 && text[brace + 1] !== " " ? "" : " ",
    quotes: quotesIn(entries.map(({ value }) => value)),
  };
}

/** The last entry that has a key decides how its value is quoted. */
function quotesIn(entries: readonly YAMLMap[]): Map<string, Scalar.Type> {
  const quotes = new Map<string, Scalar.Type>();
  for (const { key, value } of entries.flatMap(({ items }) => items)) {
    if (!isScalar(key) || !isScalar(value) || typeof value.value !== "string") continue;
    if (yamlScalar(value.value) !== value.value) continue;
    const name = quoteKey(String(key.value), value.value);
    if (value.type === Scalar.QUOTE_DOUBLE || value.type === Scalar.QUOTE_SINGLE) quotes.set(name, value.type);
    else quotes.delete(name);
  }
  return quotes;
}

/** Addresses are quoted alike, whatever the kind of their source. */
function quoteKey(key: string, value: string): string {
  return /^https?:/.test(value) ? "address" : key;
}

function linesOf(source: NewSource, column: number, style: Style): string[] {
  const indent = " ".repeat(column);
  const above = source.comment === undefined ? [] : [yamlComment(source.comment, indent)];
  if (style.flow) return [...above, `${indent}${inBraces(source, style)}`];
  const inner = " ".repeat(column + style.step);
  return [
    ...above,
    `${indent}${source.id}:`,
    ...source.keys.map(([name, value]) => `${inner}${name}: ${spelt(name, value, style)}`),
  ];
}

function inBraces({ id, keys }: NewSource, style: Style): string {
  const pairs = keys.map(([name, value]) => `${name}: ${spelt(name, value, style)}`);
  return `${id}: {${style.pad}${pairs.join(", ")}${style.pad}}`;
}

function spelt(name: string, value: Value, { quotes }: Style): string {
  if (value === true) return "true";
  if (typeof value !== "string") return yamlList(value);
  const plain = yamlScalar(value);
  const type = quotes.get(quoteKey(name, value));
  if (type === Scalar.QUOTE_DOUBLE && !plain.startsWith('"')) return JSON.stringify(value);
  return type === Scalar.QUOTE_SINGLE && !/["\\]/.test(plain) ? `'${plain.replaceAll("'", "''")}'` : plain;
}
