import { digestOf } from "../../model/digest.ts";

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
export function sortedFact(values: Iterable<string>): string {
  return listedFact([...new Set(values)].sort());
}
