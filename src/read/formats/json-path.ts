import * as z from "zod";

/** A value that a path found, and its name (or its position in a list). */
export interface Node {
  readonly key: string;
  readonly value: unknown;
}

/** A name, a position, or `*` for everything. */
type Step = string | number | typeof any;
const any = Symbol("*");

/** Values that a path finds, at most: no watched document has more. */
const limit = 50_000;

const step = /\.([^.[\]"]{1,200})|\[(?:(\d{1,6})|"([^"\]]{1,200})"|\*)\]/y;

/** A path into JSON as written in config: `releases.*.version`, `items[0]`, `["a.b"].c`; `$` is the whole document. */
export const jsonPath = z
  .string()
  .min(1)
  .max(500)
  .refine((path) => stepsOf(path) !== undefined, { error: "wants a path, e.g. releases.*.version or items[0].name" });

/** Everything that a path finds, in the document's order; empty where a step is missing. */
export function find(path: string, root: unknown): Node[] {
  let nodes: Node[] = [{ key: "", value: root }];
  for (const part of stepsOf(path) ?? []) {
    nodes = nodes.flatMap((node) => below(node, part)).slice(0, limit + 1);
  }
  return nodes;
}

/** Whether a path may find more than one. */
export function isMany(path: string): boolean {
  return stepsOf(path)?.includes(any) ?? false;
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

function below({ value }: Node, part: Step): Node[] {
  if (part === any) return children(value);
  if (Array.isArray(value)) {
    const at = typeof part === "number" ? part : Number.NaN;
    return at < value.length ? [{ key: String(at), value: value[at] }] : [];
  }
  const name = String(part);
  return isObject(value) && Object.hasOwn(value, name) ? [{ key: name, value: value[name] }] : [];
}

function stepsOf(path: string): Step[] | undefined {
  const steps: Step[] = [];
  const written = /^\$(?:$|[.[])/.test(path) ? path.slice(1) : path.startsWith("[") ? path : `.${path}`;
  for (let at = 0; at < written.length; at = step.lastIndex) {
    step.lastIndex = at;
    const match = step.exec(written);
    if (!match) return undefined;
    const [, name, position, quoted] = match;
    if (position !== undefined) steps.push(Number(position));
    else steps.push(quoted ?? (name === undefined || name === "*" ? any : name));
  }
  return steps;
}
