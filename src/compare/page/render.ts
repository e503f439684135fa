import type { Block, Instant } from "../../model.ts";
import type { Judged } from "./judge.ts";
import { partners } from "./partner.ts";

export interface Rendered {
  readonly change: { readonly kind: "block"; readonly before?: Block; readonly after?: Block };
  readonly since: Instant;
  readonly units: readonly Judged[];
}

/**
 * Units as changes of whole blocks. What went and what came at one place becomes one before and after; a sentence that
 * only came, or went, is shown with the block that it came to, or left.
 */
export function render(before: readonly Block[], after: readonly Block[], units: readonly Judged[]): Rendered[] {
  if (units.length === 0) return [];
  const [toOld, toNew] = [partners(after, before), partners(before, after)];
  const pairs = new Map<string, { old?: number; now?: number; units: Judged[] }>();
  for (const group of Map.groupBy(units, (unit) => unit.place).values()) {
    const left = Map.groupBy(
      group.filter((unit) => unit.side === "removed"),
      (unit) => unit.block,
    );
    const right = Map.groupBy(
      group.filter((unit) => unit.side === "added"),
      (unit) => unit.block,
    );
    const [olds, news] = [[...left.keys()], [...right.keys()]];
    for (let i = 0; i < Math.max(olds.length, news.length); i++) {
      const old = olds[i] ?? toOld(news[i] ?? -1);
      const now = news[i] ?? toNew(olds[i] ?? -1);
      const pair = pairs.get(`${old} ${now}`) ?? { old, now, units: [] };
      pair.units.push(...(left.get(olds[i] ?? -1) ?? []), ...(right.get(news[i] ?? -1) ?? []));
      pairs.set(`${old} ${now}`, pair);
    }
  }
  return [...pairs.values()].map(({ old, now, units }) => {
    const [from, to] = [before[old ?? -1], after[now ?? -1]];
    const change = { kind: "block" as const, ...(from && { before: from }), ...(to && { after: to }) };
    return { change, since: Math.min(...units.map((unit) => unit.since)), units };
  });
}
