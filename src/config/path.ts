/** The way to a value within a file: keys and positions, from the outside in. */
export type Path = readonly PropertyKey[];

/** The value that a path leads to; undefined where it leads nowhere. */
export function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[step];
  }
  return here;
}

/** Whether a value is a set of keys with values: no list, no text or number, and not nothing. */
export function isKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
