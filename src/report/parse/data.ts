import { escapeHtml } from "../../read/shared/body.ts";
import { csvRows, tableOfRows } from "../../read/shared/csv.ts";
import { isObject, jsonIn } from "../../read/shared/json-path.ts";
import { namingIn } from "../../read/shared/values.ts";

const mostRows = 20_000;

/**
 * The blocks of a CSV file, between lines of equal signs, as tables. A block of one cell below `title` is the title.
 */
export function csvHtml(text: string, comma: string): string {
  const blocks: string[][][] = [[]];
  for (const row of csvRows(text, comma)) {
    if (/^={3,}$/.test(row.join(""))) blocks.push([]);
    else blocks.at(-1)?.push(row);
  }
  return blocks
    .map((rows) => {
      const [[name = ""] = [], [title = ""] = [], ...others] = rows.map((row) => row.filter((cell) => cell !== ""));
      const isTitle = name.toLowerCase() === "title" && others.length === 0 && rows.flat().filter(Boolean).length === 2;
      return isTitle ? `<h1>${escapeHtml(title)}</h1>` : tableOfRows(rows.slice(0, mostRows));
    })
    .join("");
}

type Json = Readonly<Record<string, unknown>>;

/** Lists of objects as tables, at any depth; other strings as `name: value`. */
export function jsonHtml(text: string): string {
  const value = jsonIn(text);
  const title = isObject(value) ? value.title : undefined;
  const parts = typeof title === "string" ? [`<h1>${escapeHtml(title)}</h1>`] : [];
  visit(value, "", {}, parts, 0);
  return parts.join("");
}

function visit(value: unknown, name: string, around: Json, parts: string[], depth: number): void {
  if (depth > 8 || parts.length > 2_000) return;
  if (Array.isArray(value)) {
    const objects = value.filter(isObject);
    if (objects.length >= 2 && objects.length >= 0.8 * value.length)
      parts.push(withTitle(name, objectTable(objects, around)));
    else for (const one of value) visit(one, name, around, parts, depth + 1);
  } else if (isObject(value)) {
    if (depth > 0 && name !== "") parts.push(`<h${Math.min(depth, 6)}>${escapeHtml(name)}</h${Math.min(depth, 6)}>`);
    for (const [key, one] of Object.entries(value)) visit(one, key, value, parts, depth + 1);
  } else if (typeof value === "string") parts.push(`<p>${escapeHtml(name === "" ? value : `${name}: ${value}`)}</p>`);
}

function withTitle(name: string, table: string): string {
  return name === "" ? table : `<p>${escapeHtml(name)}</p>${table}`;
}

function objectTable(objects: readonly Json[], around: Json): string {
  const keys = [...new Set(objects.slice(0, 200).flatMap((one) => Object.keys(one)))].slice(0, 40);
  const rows = objects.map((one) => keys.map((key) => cellOf(one[key], key, around)));
  const first = keys.indexOf(namingIn(keys) ?? "");
  const order = first > 0 ? [first, ...keys.map((_, i) => i).filter((i) => i !== first)] : keys.map((_, i) => i);
  const ordered = (row: readonly string[]) => order.map((i) => row[i] ?? "");
  return tableOfRows([ordered(keys), ...rows.slice(0, mostRows).map(ordered)]);
}

/**
 * The text of a value. A number that is an index into a sibling list shows that entry: `"ring": 2` with `"rings": [{
 * "name": "Adopt" }, …]`.
 */
function cellOf(value: unknown, key: string, around: Json): string {
  const list = around[`${key}s`];
  if (typeof value === "number" && Array.isArray(list)) {
    const named: unknown = list[value];
    const name = isObject(named) ? (named.name ?? named.label ?? named.title) : named;
    if (typeof name === "string") return name;
  }
  if (Array.isArray(value)) return value.filter((one) => typeof one !== "object").join(", ");
  return typeof value === "object" || value === undefined ? "" : String(value);
}
