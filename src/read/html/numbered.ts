/** The deepest nesting of lists and objects: foreign data is walked recursively. */
const maxDepth = 100;

/**
 * The first value of a list whose objects and lists refer to their parts by index: `[{"title":1},"Gauges"]`. Undefined
 * for any other list. Names may be indexes, too: `{"_1":2}`. Each object and list is expanded once, so that the result
 * is no larger than the list. Spec: https://github.com/sveltejs/devalue and https://github.com/jacob-ebey/turbo-stream
 */
export function unnumbered(values: readonly unknown[]): unknown {
  if (!isKeyed(values[0]) || values.length < 2 || !values.every(isNumbered)) return undefined;
  const taken = new Set<unknown>();
  const valueAt = (place: unknown, depth: number): unknown => {
    const value = typeof place === "number" ? values[place] : undefined;
    if (!isKeyed(value)) return value;
    if (depth > maxDepth || taken.has(value)) return undefined;
    taken.add(value);
    if (Array.isArray(value)) return value.map((part) => valueAt(part, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [nameOf(key), valueAt(part, depth + 1)]));
  };
  const nameOf = (key: string) => (/^_\d{1,9}$/.test(key) ? String(values[Number(key.slice(1))]) : key);
  return valueAt(0, 0);
}

function isKeyed(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A list may begin with the name of its type: `["Set",4,5]`. */
function isNumbered(value: unknown): boolean {
  if (!isKeyed(value)) return true;
  if (Array.isArray(value) && typeof value[0] === "string") return true;
  return Object.values(value).every(Number.isInteger);
}
