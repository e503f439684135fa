import { z } from "zod";
import { keyed } from "../keyed.ts";
import type { Limits } from "../model.ts";

/** GitHub allows 500 creations an hour to all of a repository's programs and people. */
const mostContents = 400;

function count(most: number, otherwise: number) {
  return z.number().int().min(1).max(most).default(otherwise);
}

/** Where no config says otherwise. */
export const usualLimits: Limits = { contentsAnHour: 20, rechecksAnHour: 2 };

export const limits = keyed({
  "contents-an-hour": count(mostContents, usualLimits.contentsAnHour).describe(
    "Issues, comments and pull requests; 20 unless told.",
  ),
  "rechecks-an-hour": count(mostContents, usualLimits.rechecksAnHour).describe("New rechecks; 2 unless told."),
})
  .transform(
    (written): Limits => ({
      contentsAnHour: written["contents-an-hour"],
      rechecksAnHour: written["rechecks-an-hour"],
    }),
  )
  .default(usualLimits);
