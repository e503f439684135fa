/** Looks into a file of any state, before and beside its schema: what is not there, or is something else, is empty. */

export function keyOf(value: unknown, key: string): unknown {
  return isKeyed(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function entriesOf(value: unknown): [string, unknown][] {
  return isKeyed(value) ? Object.entries(value) : [];
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** One word or a list of them, as a list. */
export function wordsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((word) => typeof word === "string");
}

export function isKeyed(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
