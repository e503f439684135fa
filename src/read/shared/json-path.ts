import { JSONPathEnvironment, JSONPathNode, type JSONPathQuery, jsonpath } from "json-p3";
import * as z from "zod";
import { cacheByText } from "../../model/cache.ts";

/** The value of a JSON text; undefined if it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value that a path found, and its name (or its position in a list). */
export interface Node {
  readonly key: string;
  readonly value: unknown;
}

/** Values that a path finds, at most: no watched document has more. */
const limit = 50_000;

/** JSON that nests deeper than 100 is not read at all. */
const environment = new JSONPathEnvironment({ maxRecursionDepth: 200 });

/**
 * A path into JSON as written in config: JSONPath that begins with `$`; or only names, positions and `*`, with names of any
 * characters but `.`, `[` and `]`: `releases.*.version`, `items[0]`, `["a.b"].c-d`. Spec:
 * https://www.rfc-editor.org/rfc/rfc9535
 */
export const jsonPath = z
  .string()
  .min(1)
  .max(500)
  .check(({ issues, value }) => {
    const message = messageOn(value);
    if (message) issues.push({ code: "custom", message, input: value });
  });

function messageOn(path: string): string | undefined {
  const read = readPath(path);
  if (read instanceof Object) return undefined;
  return read === "too much"
    ? 'takes too long: a path may have one ".." and no function, and its "?" names and positions alone'
    : "needs a path, e.g. releases.*.version, items[0].name or $.items[?@.lts == true]";
}

/** All matches of a path, in the document's order; empty if a step is missing. */
export function find(path: string, root: unknown): Node[] {
  const read = readPath(path);
  if (!(read instanceof Object)) return [];
  const value = root as JSONPathNode["value"];
  let nodes = [new JSONPathNode(value, [], value)];
  for (const segment of read.segments) nodes = [...segment.lazyResolve(nodes).take(limit + 1)];
  return nodes.map(({ location, value }) => ({ key: String(location.at(-1) ?? ""), value }));
}

/** Whether a path may find more than one. */
export function isMany(path: string): boolean {
  const read = readPath(path);
  return read instanceof Object && !read.singularQuery();
}

type ReadPath = JSONPathQuery | "no path" | "too much";

/** Every item of a list uses the same paths. */
const readPath = cacheByText(50_000, (path): ReadPath => {
  const written = /^\$(?:$|[.[\s])/.test(path) ? path : spelledOut(path);
  if (written === undefined) return "no path";
  try {
    const query = environment.compile(written);
    return isBounded(query) ? query : "too much";
  } catch {
    return "no path";
  }
});

const step = /\.([^.[\]"']{1,200})|\[(?:\d{1,15}|\*|"(?:[^"\\]|\\.){0,200}"|'(?:[^'\\]|\\.){0,200}')\]/y;

/** The path as JSONPath, with each name in brackets; undefined if it is not such a path. */
function spelledOut(path: string): string | undefined {
  if (path.trim() !== path) return undefined;
  const written = path.startsWith("[") ? path : `.${path}`;
  let spelled = "$";
  for (let at = 0; at < written.length; at = step.lastIndex) {
    step.lastIndex = at;
    const [whole, name] = step.exec(written) ?? [];
    if (whole === undefined) return undefined;
    spelled += name === undefined ? whole : name === "*" ? "[*]" : `[${JSON.stringify(name)}]`;
  }
  return spelled;
}

/** Whether a path takes linear time: it descends into everything at most once, and compares a value with one other. */
function isBounded({ segments }: JSONPathQuery): boolean {
  const deep = segments.filter((segment) => segment.toString().startsWith(".."));
  if (deep.length > 1 || deep.some(({ selectors }) => selectors.length > 1)) return false;
  const filters = segments.flatMap(({ selectors }) => selectors.filter((one) => one instanceof Filter));
  return filters.every(({ expression }) => isSingular(expression));
}

const { FilterSelector: Filter } = jsonpath.selectors;
const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } = jsonpath.expressions;

function isSingular(expression: jsonpath.expressions.FilterExpression): boolean {
  if (expression instanceof LogicalExpression) return isSingular(expression.expression);
  if (expression instanceof PrefixExpression) return isSingular(expression.right);
  if (expression instanceof InfixExpression) return isSingular(expression.left) && isSingular(expression.right);
  if (expression instanceof FilterQuery) return expression.path.singularQuery();
  return !(expression instanceof FunctionExtension);
}

/** Members of an object under their names, elements of a list under their positions. */
export function children(value: unknown): Node[] {
  if (Array.isArray(value)) return value.map((element, i) => ({ key: String(i), value: element }));
  return isObject(value) ? Object.entries(value).map(([key, member]) => ({ key, value: member })) : [];
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as text: booleans are `yes` and `no`, lists are joined, objects are JSON with sorted names. */
export function valueText(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value.replace(/\s+/g, " ").trim();
  if (Array.isArray(value)) return value.map(valueText).join(", ");
  if (!isObject(value)) return value === null || value === undefined ? "" : String(value);
  const parts = Object.keys(value)
    .sort()
    .map((key) => `${key}: ${valueText(value[key])}`);
  return `{ ${parts.join(", ")} }`;
}
