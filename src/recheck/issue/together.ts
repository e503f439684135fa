import type { Firing } from "../../model/firing.ts";
import { leadOf } from "./question.ts";

/** A firing as it is told: releases of one product that the same look saw first are told together. */
export type Told<F extends Firing = Firing> = F & {
  /** Everything told with it, itself included, the strongest first; its evidence is that of all. */
  readonly releases?: readonly F[];
};

/**
 * The same firings, with releases of one product that the same look saw first told as one: the strongest, in its place.
 */
export function toldTogether<F extends Firing>(firings: readonly F[]): Told<F>[] {
  return [...Map.groupBy(firings, lookOf).values()].map((group): Told<F> => {
    const releases = group.toSorted(strongest);
    const [first] = releases;
    if (!first || releases.length === 1) return group[0] as F;
    const evidence = releases.flatMap((firing) => firing.evidence);
    return { ...first, evidence, seen: Math.min(...releases.map(({ seen }) => seen)), releases };
  });
}

/** Groups firings by the look that saw a release first, for one trigger and recheck; any other firing stands alone. */
function lookOf(firing: Firing & { readonly recheck?: number }): unknown {
  const { trigger, event, fired, recheck } = firing;
  const lead = leadOf(firing);
  if (event.product === undefined || event.version === undefined || lead?.change.kind !== "item-added") return firing;
  const isPre = lead.change.item.pre === true;
  return JSON.stringify([trigger, event.product, lead.source, fired, recheck, isPre, lead.condition?.means]);
}

/** Contrary first, then the newest, then the highest version. */
function strongest(a: Firing, b: Firing): number {
  const weight = ({ weight }: Firing) => (weight === "contrary" ? 0 : 1);
  const newest = (b.event.at ?? b.seen) - (a.event.at ?? a.seen);
  return weight(a) - weight(b) || newest || versionOf(b).localeCompare(versionOf(a), "en", { numeric: true });
}

function versionOf({ event }: Firing): string {
  return event.version ?? "";
}
