import type { Block, Instant } from "../../model.ts";
import type { Judged } from "./judge.ts";

export interface Rendered {
  readonly change: { readonly kind: "block"; readonly before?: Block; readonly after?: Block };
  readonly since: Instant;
  readonly units: readonly Judged[];
}

/** Units as changes of whole blocks: what went and what came at one place becomes one before and after. */
export function render(before: readonly Block[], after: readonly Block[], units: readonly Judged[]): Rendered[] {
  const places = Map.groupBy(units, (unit) => unit.place);
  return [...places.values()].flatMap((group) => renderPlace(before, after, group));
}

function renderPlace(before: readonly Block[], after: readonly Block[], group: readonly Judged[]): Rendered[] {
  const left = Map.groupBy(
    group.filter((unit) => unit.side === "removed"),
    (unit) => unit.block,
  );
  const right = Map.groupBy(
    group.filter((unit) => unit.side === "added"),
    (unit) => unit.block,
  );
  const olds = [...left.keys()];
  const news = [...right.keys()];
  const rendered: Rendered[] = [];
  for (let i = 0; i < Math.max(olds.length, news.length); i++) {
    const units = [...(left.get(olds[i] ?? -1) ?? []), ...(right.get(news[i] ?? -1) ?? [])];
    const old = before[olds[i] ?? -1];
    const now = after[news[i] ?? -1];
    const change = { kind: "block" as const, ...(old && { before: old }), ...(now && { after: now }) };
    if (!old && !now) continue;
    rendered.push({ change, since: Math.min(...units.map((unit) => unit.since)), units });
  }
  return rendered;
}
