import * as z from "zod";
import type { Claim, Proof } from "../model/claim.ts";
import type { Condition } from "../model/condition.ts";
import { strictKeys } from "../model/options.ts";
import type { Source } from "../model/source.ts";
import { anHour } from "../model/time.ts";
import type { Reader } from "../read/reader.ts";
import type { Choose } from "./choice.ts";
import { byId } from "./ids.ts";
import { nameOf } from "./names.ts";
import { hasCredentials } from "./text.ts";
import { duration, oneOrMore, referenceNumbers, text } from "./words.ts";

export type SourceDraft = Omit<Source, "id" | "claims"> & { readonly claims: ReadonlyMap<string, ClaimDraft> };

/** One source: the key of its kind with the address, the keys of all kinds, and the options of its kind. */
export function sourceSchema(
  choose: Choose,
  readers: ReadonlyMap<string, Reader>,
  claim: z.ZodType<ClaimDraft>,
): z.ZodType<SourceDraft> {
  const common = commonKeys(claim);
  const branches = Object.fromEntries([...readers].map(([kind, reader]) => [kind, ofKind(kind, reader, common)]));
  return choose<SourceDraft>({ name: "source", of: "kind", common, branches });
}

function commonKeys(claim: z.ZodType<ClaimDraft>) {
  return {
    title: text.optional().describe("Its name for people (default: the source's own title)."),
    cites: referenceNumbers.describe("Reference numbers of the report that cite exactly this address."),
    "stands-for": referenceNumbers.describe(
      "Reference numbers of pages that never change: this source is watched instead.",
    ),
    "cited-by": z.array(nameOf.document).default([]).describe("Documents that cite this address."),
    announces: oneOrMore(nameOf.product).default([]).describe("The product, or products, whose versions it announces."),
    "at-audit": z.record(z.string(), text).optional().describe("Facts that were true at the audit: { public: no }."),
    every: duration.optional().describe("How often to check: 6h (default: as for its kind)."),
    confirm: duration
      .refine((length) => length >= anHour, { error: "needs at least 1h" })
      .optional()
      .describe("The pause before a second check confirms a change (default: 6h; at least 1h)."),
    claims: byId(claim).default({}).describe("What the report says on this source's authority, each with its proof."),
  };
}

type Common = z.output<z.ZodObject<ReturnType<typeof commonKeys>>>;

function ofKind(kind: string, reader: Reader, common: ReturnType<typeof commonKeys>): z.ZodType<SourceDraft> {
  const address = reader.address
    .refine((written) => !hasCredentials(written), { error: "holds credentials" })
    .describe(`The address: ${reader.example}`);
  const keyWithoutEffect = (written: Record<string, unknown>) =>
    Object.entries(reader.dependent ?? {}).find(([key, other]) => key in written && !(other in written));
  const shape = strictKeys({ ...common, ...reader.options, [kind]: address }).check(({ value, issues }) => {
    const [key, other] = keyWithoutEffect(value) ?? [];
    if (key === undefined) return;
    issues.push({ code: "custom", path: [key], message: `has an effect only with ${other}: true`, input: value });
  });
  return shape.transform((written: Record<string, unknown>): SourceDraft => {
    const entries = Object.entries(written).filter(([key]) => key !== kind);
    const isOption = ([key]: [string, unknown]) => Object.hasOwn(reader.options, key);
    const options = Object.fromEntries(entries.filter(isOption));
    const {
      "stands-for": standsFor,
      "cited-by": citedBy,
      "at-audit": atAudit,
      claims,
      ...rest
    } = Object.fromEntries(entries.filter((entry) => !isOption(entry))) as Common;
    const common = {
      ...rest,
      standsFor,
      citedBy,
      ...(atAudit && { atAudit }),
      claims: new Map(Object.entries(claims)),
    };
    return { kind, address: String(written[kind]), options, ...common };
  });
}

export type ClaimDraft = Omit<Claim, "id" | "source">;

/** How each proof of a claim is written: the first key has its name. */
const proofs: Readonly<Record<string, z.ZodObject & z.ZodType<Proof>>> = {
  quote: strictKeys({
    quote: text.describe("This passage must be there, word for word."),
    prefix: text.optional().describe("The text right before it, if the passage occurs more than once."),
    suffix: text.optional().describe("The text right after it."),
  }),
  value: strictKeys({
    value: text.describe("This figure must be there, with its unit: 95 GiB."),
    of: text.optional().describe("Words near it."),
  }),
  absent: strictKeys({
    absent: text.describe("This must not be there."),
    under: text.optional().describe("Only under this heading."),
  }),
  fact: strictKeys({
    fact: text.describe("This fact of the source."),
    is: text.optional().describe("Its value; yes and no for booleans (default: the value at the first check)."),
  }),
};

/** One statement that the report makes on a source's authority, and one proof of it. */
export function claimSchema(choose: Choose, condition: z.ZodType<Condition>): z.ZodType<ClaimDraft> {
  const common = {
    says: text.describe("What the report says."),
    ratings: z.array(nameOf.rating).default([]).describe("Ratings that rest on it."),
    cites: referenceNumbers.describe("Reference numbers in the report."),
    until: z
      .array(condition)
      .default([])
      .describe("Conditions that overturn it, even if its own source still says it."),
  };
  const proofSchema = ({ shape }: z.ZodObject) =>
    strictKeys({ ...shape, ...common }).transform(
      ({ says, ratings, cites, until, ...proof }): ClaimDraft => ({
        says,
        proof: proof as Proof,
        ratings,
        cites,
        until,
      }),
    );
  const branches = Object.entries(proofs).map(([name, proof]) => [name, proofSchema(proof)]);
  return choose<ClaimDraft>({ name: "claim", of: "proof", common, branches: Object.fromEntries(branches) });
}
