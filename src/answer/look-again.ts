import type { Instant } from "../model.ts";
import type { Keeping } from "./asking.ts";

/** Somebody asks to look at these sources again now: the overview tells once that is done. */
export function lookAgain(sources: readonly string[], at: Instant): Keeping {
  return async (tx) => {
    await tx.hurry(sources, at);
    await tx.updateRepository({ asked: at });
  };
}
