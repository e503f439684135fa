import { Failure } from "../../model/failure.ts";
import { nameKeys } from "../../model/fields.ts";
import type { Block } from "../../model/reading.ts";
import { children, isObject, type Node, valueText } from "./json-path.ts";
import type { Size } from "./size.ts";

/** Values in a document, at most; larger ones are not worth watching as a whole. */
const leafLimit = 100_000;

/** Characters of a value that is shown with its entry; a longer one is a text of its own. */
const longestField = 200;

/** A moment is a text of its own, too: if a program wrote it, it says nothing about the entry. Midnight is only a day. */
const moment = /^(?:\d{4}-\d\d-\d\d[T ](?!00:00(?::00)?(?!:))\d\d:\d\d.*|1\d{9}(?:\d{3}|\.\d+)?)$/;

/** An entry of a list, with its short values. */
interface Entry {
  readonly path: string;
  readonly fields: string[];
}

/**
 * A block for each value, `path: value`, and for each entry of a list: `models[gpt]: price: 2; size: 7`. An entry is
 * known by its name and never by its position, so that a new one changes only itself. A row of values is one text.
 */
export function blocksOfValues(root: unknown, size: Size): Block[] {
  const blocks: Block[] = [];
  const add = (text: string, at = blocks.length) => {
    blocks.splice(at, 0, size.of({ path: [], kind: "value", text }));
    if (blocks.length > leafLimit) throw new Failure("too-many", { limit: leafLimit, found: blocks.length });
  };
  const visit = (given: unknown, path: string, entry?: Entry): void => {
    const value = withoutSet(entry ? given : rowsOfColumns(given));
    const isShown = isPlain(value) || (entry && Array.isArray(value) && value.every(isPlain));
    const said = isShown ? valueText(value) : "";
    if (entry && said !== "" && said.length <= longestField && !moment.test(said))
      entry.fields.push(`${path.slice(entry.path.length + 1)}: ${said}`);
    else if (Array.isArray(value))
      for (const element of rowsByColumn(value)) visitElement(element, `${path}[${nameOf(element)}]`);
    else if (said !== "") add(path === "" ? said : `${path}: ${said}`);
    else
      for (const { key, value: member } of membersOf(value)) visit(member, path === "" ? key : `${path}.${key}`, entry);
  };
  const visitElement = (given: unknown, path: string): void => {
    const element = withoutSet(given);
    if (Array.isArray(element) && element.every(isPlain)) {
      if (element.some((cell) => valueText(cell) !== "")) add(`${path}: ${valueText(element)}`);
      return;
    }
    const [at, fields] = [blocks.length, [] as string[]];
    visit(element, path, isObject(element) ? { path, fields } : undefined);
    if (fields.length > 0) add(`${path}${fields.length === 1 ? "." : ": "}${fields.join("; ")}`, at);
  };
  visit(root, "");
  return blocks;
}

/** A list of the names if no member has a value: `supports: { cuda: , metal: }` is a set in YAML. */
function withoutSet(value: unknown): unknown {
  if (!isObject(value)) return value;
  const isEmpty = (member: unknown) => valueText(isObject(member) ? Object.keys(member) : member) === "";
  const members = Object.values(value);
  return members.length > 0 && members.every(isEmpty) ? Object.keys(value).sort() : value;
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** The rows of a table as entries by the names in its first row; any other list as it is. */
function rowsByColumn(list: readonly unknown[]): readonly unknown[] {
  const [columns, ...rows] = list;
  if (!Array.isArray(columns) || rows.length === 0) return list;
  const isRow = (row: unknown) => Array.isArray(row) && row.length === columns.length && row.every(isPlain);
  const isNamed = columns.length > 1 && columns.every((name) => typeof name === "string" && /^\p{L}/u.test(name));
  if (!isNamed || new Set(columns).size < columns.length || !rows.every(isRow)) return list;
  return rows.map((row) => Object.fromEntries((row as unknown[]).map((cell, i) => [columns[i], cell])));
}

/** The rows of a table that is written by columns, `{ names: [a, b], prices: [1, 2] }`; any other value as it is. */
function rowsOfColumns(value: unknown): unknown {
  const columns = isObject(value) ? Object.entries(value) : [];
  const [, named] = columns.find(([key]) => nameKeys.includes(key.toLowerCase().replace(/s$/, ""))) ?? [];
  if (!Array.isArray(named) || named.length < 2 || columns.length < 2) return value;
  const isColumn = (cells: unknown) => Array.isArray(cells) && cells.length === named.length && cells.every(isPlain);
  if (!columns.every(([, cells]) => isColumn(cells))) return value;
  return named.map((_, i) => Object.fromEntries(columns.map(([key, cells]) => [key, (cells as unknown[])[i]])));
}

/** Members in an order of their own: the document's order says nothing. */
function membersOf(value: unknown): Node[] {
  return children(value).toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

const longestName = 100;

/** The member that names an entry: `name` before `modelName`, and any of these before its version. */
export function namingIn(keys: readonly string[]): string | undefined {
  const lastWord = (key: string) => key.split(/[_.-]|(?<=[a-z])(?=[A-Z])/).at(-1) ?? key;
  const called = (name: string) => keys.find((key) => key.toLowerCase() === name);
  const endsWith = (name: string) => keys.find((key) => lastWord(key).toLowerCase() === name);
  return [...nameKeys.map(called), ...nameKeys.map(endsWith), called("version")].find((key) => key !== undefined);
}

/** The name of a list's entry, empty if it has none. */
function nameOf(entry: unknown): string {
  if (!isObject(entry)) return "";
  const key = namingIn(
    Object.keys(entry)
      .filter((key) => isPlain(entry[key]))
      .toSorted(),
  );
  const name = key === undefined ? "" : valueText(entry[key]);
  return name.length <= longestName ? name : "";
}
