import { nearest } from "../../config/nearest.ts";

/** A command that was called with words it does not know. */
export class WrongUsage extends Error {
  override readonly name = "WrongUsage";
}

/** `; did you mean "tpu/maturity"?`, where something near is among them. */
export function meant(word: string, among: Iterable<string>): string {
  const near = nearest(word, among);
  return near === undefined ? "" : `; did you mean "${near}"?`;
}
