import type { Config } from "./model.ts";

/** Triggers that need no file: for claims that no trigger asks about, for proofs never found, and for what had happened before the watch began. */
export const builtIn = { claims: "claims", notFound: "not-found", catchUp: "catch-up" } as const;

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
