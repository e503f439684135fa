import type { Block, Instant } from "../../model.ts";
import type { Judged } from "./judge.ts";
import { pairsOf, placesOf } from "./pair.ts";

export interface Rendered {
  readonly change: { readonly kind: "block"; readonly before?: Block; readonly after?: Block };
  readonly since: Instant;
  readonly units: readonly Judged[];
}

/**
 * Units as changes of whole blocks. What went and what came of it becomes one before and after; a sentence that only
 * came, or went, is shown with the block that it came to, or left.
 */
export function render(before: readonly Block[], after: readonly Block[], units: readonly Judged[]): Rendered[] {
  if (units.length === 0) return [];
  const left = blocksOf(units, "removed");
  const right = blocksOf(units, "added");
  const pairs = pairsOf(before, after, placesOf(units, "removed"), placesOf(units, "added"));
  return [...pairs].map(([old, now]) => {
    const [from, to] = [before[old ?? -1], after[now ?? -1]];
    const change = { kind: "block" as const, ...(from && { before: from }), ...(to && { after: to }) };
    const own = [...(left.get(old ?? -1) ?? []), ...(right.get(now ?? -1) ?? [])];
    return { change, since: own.reduce((first, unit) => Math.min(first, unit.since), Infinity), units: own };
  });
}

function blocksOf(units: readonly Judged[], side: Judged["side"]): Map<number, Judged[]> {
  return Map.groupBy(
    units.filter((unit) => unit.side === side),
    (unit) => unit.block,
  );
}
