import { documents } from "./documents.ts";
import { generated } from "./generated.ts";
import type { Hostile } from "./input.ts";
import { packed } from "./packed.ts";
import { pdfs } from "./pdfs.ts";
import { services } from "./services.ts";

/** More than any run takes. */
export const mostGenerated = 5_000;

/** Those made by hand, then those of a seed. */
export function inputsOf(seed: number): readonly Hostile[] {
  return [...documents, ...services, ...pdfs, ...packed, ...generated(seed, mostGenerated)];
}
