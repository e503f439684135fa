import type { Firing } from "./model.ts";

/** Each firing once, with all its evidence: several looks may have fed one, and one of them made it contrary. */
export function merged(firings: readonly Firing[]): Firing[] {
  const found = new Map<string, Firing>();
  for (const firing of firings) {
    const key = JSON.stringify([firing.trigger, firing.event.key]);
    const before = found.get(key);
    found.set(key, before ? together(before, firing) : firing);
  }
  return [...found.values()];
}

function together(first: Firing, second: Firing): Firing {
  const weight = second.weight === "contrary" ? second.weight : first.weight;
  return { ...first, weight, evidence: [...first.evidence, ...second.evidence] };
}
