import { isMap, isScalar, Scalar, type YAMLMap } from "yaml";
import type { Splice } from "../../report/edit/splice.ts";
import { yamlComment, yamlList, yamlScalar } from "../../report/write.ts";
import { addEntryInBraces, addLines, columnOf, type Edit, type EditableYaml, nodeAt, pairIn, rangeOf } from "./yaml.ts";

/** A claim or source to write, its keys in order. */
export interface NewEntry {
  readonly id: string;
  readonly keys: readonly (readonly [name: string, value: Value])[];
  /** Written above it, unless the map is in braces. */
  readonly comment?: string;
}

type Value = string | true | readonly (string | number)[];

/**
 * Writes entries at the end of a map, as a block or in braces like the map itself. A missing map is added to the map
 * above. Undefined if one of the entries exists already, or if the map cannot be edited in place.
 */
export function addEntries(
  yaml: EditableYaml,
  path: readonly string[],
  entries: readonly NewEntry[],
  style = plainStyle,
): Edit | undefined {
  const above = nodeAt(yaml, path.slice(0, -1));
  if (!isMap(above) || above.items.length === 0) return undefined;
  const splice = spliceFor(yaml, above, path.at(-1) ?? "", entries, style);
  const changes = entries.map(({ id, keys }) => ({ path: [...path, id], value: Object.fromEntries(keys) }));
  return splice && { splices: [splice], changes };
}

function spliceFor(
  yaml: EditableYaml,
  above: YAMLMap,
  key: string,
  entries: readonly NewEntry[],
  style: Style,
): Splice | undefined {
  const columnIn = (map: YAMLMap) => columnOf(yaml.text, rangeOf(map.items[0]?.key)[0]);
  const inBlock = (column: number) => entries.flatMap((entry) => linesOf(entry, column, style));
  const flow = entries.map((entry) => inBraces(entry, style)).join(", ");
  const pair = pairIn(above, key);
  if (!pair) {
    if (above.flow) return addEntryInBraces(yaml, above, `${key}: { ${flow} }`);
    const column = columnIn(above);
    return addLines(yaml, above, [`${" ".repeat(column)}${key}:`, ...inBlock(column + 2)]);
  }
  const map = pair.value as YAMLMap;
  if (!isMap(map) || map.items.length === 0 || entries.some(({ id }) => pairIn(map, id))) return undefined;
  return map.flow ? addEntryInBraces(yaml, map, flow) : addLines(yaml, map, inBlock(columnIn(map)));
}

export interface Style {
  readonly flow: boolean;
  /** How much deeper than its id the keys of an entry are indented. */
  readonly step: number;
  /** The space inside braces: `{ a: b }` or `{a: b}`. */
  readonly pad: string;
  /** The quotes of values that need none, by their key. */
  readonly quotes: ReadonlyMap<string, Scalar.Type>;
}

export const plainStyle: Style = { flow: false, step: 2, pad: " ", quotes: new Map() };

export function styleOf(text: string, map: YAMLMap): Style {
  const entries = map.items.flatMap(({ key, value }) => (isMap(value) ? [{ key, value }] : []));
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

/** The last entry with a key decides how its value is quoted. */
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

/** All addresses share one kind of quotes. */
function quoteKey(key: string, value: string): string {
  return /^https?:/.test(value) ? "address" : key;
}

export function linesOf(entry: NewEntry, column: number, style: Style): string[] {
  const indent = " ".repeat(column);
  const above = entry.comment === undefined ? [] : [yamlComment(entry.comment, indent)];
  if (style.flow) return [...above, `${indent}${inBraces(entry, style)}`];
  const inner = " ".repeat(column + style.step);
  return [
    ...above,
    `${indent}${entry.id}:`,
    ...entry.keys.map(([name, value]) => `${inner}${name}: ${formatValue(name, value, style)}`),
  ];
}

function inBraces({ id, keys }: NewEntry, style: Style): string {
  const pairs = keys.map(([name, value]) => `${name}: ${formatValue(name, value, style)}`);
  return `${id}: {${style.pad}${pairs.join(", ")}${style.pad}}`;
}

function formatValue(name: string, value: Value, { quotes }: Style): string {
  if (value === true) return "true";
  if (typeof value !== "string") return yamlList(value);
  const plain = yamlScalar(value);
  const type = quotes.get(quoteKey(name, value));
  if (type === Scalar.QUOTE_DOUBLE && !plain.startsWith('"')) return JSON.stringify(value);
  return type === Scalar.QUOTE_SINGLE && !/["\\]/.test(plain) ? `'${plain.replaceAll("'", "''")}'` : plain;
}
