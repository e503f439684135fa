import { z } from "zod";

/**
 * A set of known keys, for config and the options of a kind. The message of `unrecognized_keys` is not for people: it
 * lists the known keys, from which `config/say.ts` picks the nearest.
 */
export function keyed<S extends z.ZodRawShape>(shape: S) {
  const words = Object.keys(shape).join(" ");
  return z.strictObject(shape, { error: (issue) => (issue.code === "unrecognized_keys" ? words : undefined) });
}
