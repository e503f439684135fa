import { z } from "zod";
import { keyed } from "../keyed.ts";
import type { Claim, Condition, Proof } from "../model.ts";
import type { Choose } from "./choice.ts";
import { type Known, nameOf } from "./known.ts";
import { references, text } from "./words.ts";

/** A claim that does not know yet whose it is. */
export type ClaimDraft = Omit<Claim, "id" | "source">;

/** One thing the report says on a source's authority: what it says, and one proof. */
export function claimSchema(
  choose: Choose,
  condition: z.ZodType<Condition>,
  known: Known | undefined,
): z.ZodType<ClaimDraft> {
  const common = {
    says: text.describe("What the report says."),
    ratings: z.array(nameOf("rating", known?.ratings)).default([]).describe("Ratings that rest on it."),
    cites: references.describe("Reference numbers in the report."),
    until: z
      .array(condition)
      .default([])
      .describe("Conditions that overturn it, even while its own source still says it."),
  };
  const of = <P extends Proof>({
    says,
    ratings,
    cites,
    until,
    ...proof
  }: P & Omit<ClaimDraft, "proof">): ClaimDraft => ({
    says,
    proof: proof as unknown as P,
    ratings,
    cites,
    until,
  });
  return choose<ClaimDraft>({
    name: "claim",
    of: "proof",
    common,
    branches: {
      quote: keyed({
        quote: text.describe("This passage must be there, word for word."),
        prefix: text.optional().describe("What stands right before it, where the passage occurs more than once."),
        suffix: text.optional().describe("What stands right after it."),
        ...common,
      }).transform(of),
      value: keyed({
        value: text.describe("This figure must be there, with its unit: 95 GiB."),
        of: text.optional().describe("Words near which it stands."),
        ...common,
      }).transform(of),
      absent: keyed({
        absent: text.describe("This must not be there."),
        under: text.optional().describe("Only under this heading."),
        ...common,
      }).transform(of),
      fact: keyed({
        fact: text.describe("This fact of the source …"),
        is: text.describe("… must be this; yes and no for booleans."),
        ...common,
      }).transform(of),
    },
  });
}
