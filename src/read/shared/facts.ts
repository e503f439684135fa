import { digestOf } from "../../model/digest.ts";
import type { Facts } from "../../model/reading.ts";

/** Characters of a list that people read. */
const most = 1_000;

/**
 * Several values as one fact, in their order. Of a longer list its begin, how many it holds and a digest of the whole:
 * facts are compared by their text, and what comes behind its begin is a change too.
 */
export function listedFact(values: readonly string[], limit = most): string {
  const whole = values.join(", ");
  if (whole.length <= limit) return whole;
  return `${whole.slice(0, limit)} … (${values.length} in all, ${digestOf(whole)})`;
}

/** The same of values whose order says nothing, each once. */
function sortedFact(values: Iterable<string>): string {
  return listedFact([...new Set(values)].sort());
}

/** A fact as a source gives it; of a list the order says nothing. */
type Given = string | boolean | readonly string[] | null | undefined;

/** Facts of what a source gives: what is missing or empty is no fact, as it may come later. */
export function factsFrom(given: Readonly<Record<string, Given>>): Facts {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === "" ? [] : [[name, text]];
    }),
  );
}

function textOf(value: Given): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value.trim().slice(0, most) : sortedFact(value ?? []);
}
