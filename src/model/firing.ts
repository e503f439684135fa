import type { Config, Firing } from "./model.ts";
import type { StoredFiring } from "./ports/index.ts";

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
  return { ...first, weight: weightOf([first, second]), evidence: [...first.evidence, ...second.evidence] };
}

/** The weight of firings together: one that is contrary makes them so. */
export function weightOf(firings: readonly Pick<Firing, "weight">[]): Firing["weight"] {
  return firings.some(({ weight }) => weight === "contrary") ? "contrary" : "routine";
}

/**
 * Triggers that need no file: for claims that no trigger asks about, for proofs never found, and for what had happened
 * before the watch began.
 */
export const builtIn = { claims: "claims", notFound: "not-found", catchUp: "catch-up" } as const;

/** Ids that no trigger's file may have. */
export const reservedTriggers: ReadonlySet<string> = new Set(Object.values(builtIn));

/** The fewest triggers that together name these ratings, the broadest first; else the built-in one. */
export function askers(ratings: readonly string[], config: Config): string[] {
  const open = new Set(ratings);
  const chosen: string[] = [];
  while (open.size > 0) {
    let best: { id: string; covers: string[] } | undefined;
    for (const { id, ratings: named } of config.triggers.values()) {
      const covers = named.filter((rating) => open.has(rating));
      if (covers.length > (best?.covers.length ?? 0)) best = { id, covers };
    }
    if (!best) break;
    chosen.push(best.id);
    for (const rating of best.covers) open.delete(rating);
  }
  return chosen.length > 0 ? chosen : [builtIn.claims];
}

/** Whether it says more than people were asked when it joined its recheck. */
export function isNews({ weight, told }: StoredFiring): boolean {
  return weight === "contrary" && told === "routine";
}
