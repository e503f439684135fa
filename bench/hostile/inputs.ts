import { documents } from "./documents.ts";
import { generated } from "./generated.ts";
import type { Hostile } from "./input.ts";
import { packed } from "./packed.ts";
import { pdfs } from "./pdfs.ts";
import { reports } from "./reports.ts";
import { services } from "./services.ts";

/** A number above any run. */
export const mostGenerated = 5_000;

const known = new Map<number, readonly Hostile[]>();

/** Those made by hand, then those of a seed. Made once: with each input its list would cost more than some inputs do. */
export function inputsOf(seed: number): readonly Hostile[] {
  const all = known.get(seed) ?? [
    ...documents,
    ...reports,
    ...services,
    ...pdfs,
    ...packed,
    ...generated(seed, mostGenerated),
  ];
  known.set(seed, all);
  return all;
}
