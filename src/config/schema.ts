import { z } from "zod";
import type {
  Claim,
  Conclusion,
  Condition,
  Document,
  Limits,
  Product,
  Proof,
  Rating,
  Report,
  Source,
  Trigger,
  Unwatchable,
} from "../model/model.ts";
import { keyed } from "../model/options.ts";
import type { Reader } from "../read/reader.ts";
import { conditionSchema } from "./condition.ts";
import { type DeclaredNames, defaultVolatility, knownName } from "./names.ts";
import { hasCredentials } from "./problems.ts";
import {
  anyOf,
  byId,
  byKey,
  byRatingId,
  type Choose,
  date,
  distinct,
  duration,
  oneOrMore,
  path,
  published,
  references,
  text,
  under,
  url,
} from "./words.ts";

export type Readers = ReadonlyMap<string, Reader>;
/** What a trigger's file says; its id is the file's name. */
export type TriggerDraft = Omit<Trigger, "id">;

/** The schemas of both files. With `known`, names are checked against what `sources.yaml` declares. */
export function schemas(readers: Readers, known: DeclaredNames | undefined, choose: Choose = byKey) {
  const condition = conditionSchema(choose, known);
  return { root: rootSchema(readers, known, choose, condition), trigger: triggerSchema(known, condition) };
}

function rootSchema(
  readers: Readers,
  known: DeclaredNames | undefined,
  choose: Choose,
  condition: z.ZodType<Condition>,
) {
  const source = sourceSchema(choose, readers, claimSchema(choose, condition, known), known);
  return keyed({
    report: report.describe("The published document."),
    documents: byId(document).default({}).describe("What else is cited, by name: articles."),
    levels: distinct(text)
      .default([])
      .describe("The levels of ratings, lowest first. None: ratings are texts or values."),
    volatility: z
      .record(z.string(), duration)
      .default(() => durations(defaultVolatility))
      .describe("How long a rating stays fresh, by volatility. High 90d, Medium 180d, Low 365d unless told."),
    axes: distinct(text).default([]).describe("The parts of a rating's id; two of them draw a matrix."),
    names: z.record(z.string(), text).default({}).describe("How people call the parts of ids: { tpu: Google TPU }."),
    rubric: rubric(known)
      .default({})
      .describe("What each level means, by the last part of a rating's id or the whole id."),
    ratings: byRatingId(rating(known), known?.axes ?? [])
      .default({})
      .describe("The judgements of the report."),
    conclusions: byId(conclusion(known)).default({}).describe("Judgements that rest on ratings."),
    products: byId(product).default({}).describe("How products are called and count their versions."),
    schedule: cadences(readers).describe("How often to look, by kind of source: { feed: 6h }."),
    sources: byId(source).default({}).describe("What is watched: one address each."),
    overview: z
      .enum(["yes", "no"])
      .default("yes")
      .transform((word) => word === "yes")
      .describe("no: without the issue that shows how everything stands."),
    limits: limits.describe("What is written to GitHub within one hour, at most."),
    unwatchable: z
      .array(unwatchable(known))
      .default([])
      .describe("What is cited and cannot be watched, with the reason."),
  });
}

function triggerSchema(known: DeclaredNames | undefined, condition: z.ZodType<Condition>) {
  return keyed({
    name: text.describe("What people call it."),
    wording: text.optional().describe("The report's own words."),
    confidence: text.optional().describe("As the report has it."),
    volatility: knownName("volatility", known?.volatility)
      .optional()
      .describe("How soon its ratings age: a word of volatility."),
    ratings: z.array(knownName("rating", known?.ratings)).default([]).describe("The ratings it asks about."),
    on: z.array(condition).default([]).describe("What the report says to watch for."),
    also: z.array(condition).default([]).describe("What the report forgot."),
    ask: text
      .transform((lines) =>
        lines
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean),
      )
      .default([])
      .describe("What people are to find out: one question a line."),
  }).transform((written): TriggerDraft => written);
}

function cadences(readers: Readers) {
  const shape = [...readers].map(([kind, { cadence }]) => [
    kind,
    duration.optional().describe(`${cadence} unless told.`),
  ]);
  return keyed(Object.fromEntries(shape) as Record<string, z.ZodOptional<typeof duration>>).default({});
}

function durations(written: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(Object.entries(written).map(([word, length]) => [word, duration.parse(length)]));
}

/** For editors: the schema of `sources.yaml`, and under `$defs/trigger` that of `triggers/*.yaml`. */
export function jsonSchema(readers: Readers): Record<string, unknown> {
  const both = z.object(schemas(readers, undefined, anyOf));
  const { properties, $defs, $schema } = z.toJSONSchema(both, { io: "input", unrepresentable: "any" });
  const { root, trigger } = properties ?? {};
  return { $schema, title: "Recheck: sources.yaml", ...Object(root), $defs: { ...$defs, trigger } };
}

/** A source that does not know yet what it is called. */
export type SourceDraft = Omit<Source, "id" | "claims"> & { readonly claims: ReadonlyMap<string, ClaimDraft> };

const hour = 3_600_000;

/** One source: one key that says its kind, with the address, the keys all kinds have, and the options of its kind. */
function sourceSchema(
  choose: Choose,
  readers: ReadonlyMap<string, Reader>,
  claim: z.ZodType<ClaimDraft>,
  known: DeclaredNames | undefined,
): z.ZodType<SourceDraft> {
  const common = commonKeys(claim, known);
  const branches = Object.fromEntries([...readers].map(([kind, reader]) => [kind, ofKind(kind, reader, common)]));
  return choose<SourceDraft>({ name: "source", of: "kind", common, branches });
}

function commonKeys(claim: z.ZodType<ClaimDraft>, known: DeclaredNames | undefined) {
  return {
    title: text.optional().describe("What people call it; the source's own title unless told."),
    cites: references.describe("Reference numbers of the report that cite this very address."),
    "stands-for": references.describe("Reference numbers whose frozen page this source is watched in place of."),
    "cited-by": z
      .array(knownName("document", known?.documents))
      .default([])
      .describe("Documents that cite this address."),
    announces: oneOrMore(knownName("product", known?.products))
      .default([])
      .describe("The product, or products, whose versions it announces."),
    "at-audit": z.record(z.string(), text).optional().describe("Facts that were true at the audit: { public: no }."),
    every: duration.optional().describe("How often to look: 6h; the kind's own cadence unless told."),
    confirm: duration
      .refine((length) => length >= hour, { error: "wants at least 1h" })
      .optional()
      .describe("How long after a first sighting a second look confirms it: 6h unless told, 1h at least."),
    claims: byId(claim).default({}).describe("What the report says on this source's authority, each with its proof."),
  };
}

type Common = z.output<z.ZodObject<ReturnType<typeof commonKeys>>>;

function ofKind(kind: string, reader: Reader, common: ReturnType<typeof commonKeys>): z.ZodType<SourceDraft> {
  const address = reader.address
    .refine((written) => !hasCredentials(written), { error: "holds credentials" })
    .describe(`The address: ${reader.example}`);
  return keyed({ ...common, ...reader.options, [kind]: address }).transform(
    (written: Record<string, unknown>): SourceDraft => {
      const entries = Object.entries(written).filter(([key]) => key !== kind);
      const own = ([key]: [string, unknown]) => Object.hasOwn(reader.options, key);
      const options = Object.fromEntries(entries.filter(own));
      const rest = Object.fromEntries(entries.filter((entry) => !own(entry))) as Common;
      return { kind, address: String(written[kind]), options, ...inModel(rest) };
    },
  );
}

function inModel({ "stands-for": standsFor, "cited-by": citedBy, "at-audit": atAudit, claims, ...rest }: Common) {
  return { ...rest, standsFor, citedBy, ...(atAudit && { atAudit }), claims: new Map(Object.entries(claims)) };
}

/** A claim that does not know yet whose it is. */
export type ClaimDraft = Omit<Claim, "id" | "source">;

/** One thing the report says on a source's authority: what it says, and one proof. */
function claimSchema(
  choose: Choose,
  condition: z.ZodType<Condition>,
  known: DeclaredNames | undefined,
): z.ZodType<ClaimDraft> {
  const common = {
    says: text.describe("What the report says."),
    ratings: z.array(knownName("rating", known?.ratings)).default([]).describe("Ratings that rest on it."),
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

/** What `sources.yaml` says of the report itself: everything but what is watched. */

/** A table to fill in stays one that people fill in. */
const mostFields = 40;
const fieldName = z
  .string()
  .max(80)
  .regex(/^\P{Cc}+$/u, "wants text in one line");

const report = keyed({
  title: text.describe("Its title."),
  url: url.optional().describe("Where it is published."),
  version: text.optional().describe('Its version, in quotes: "0.2".'),
  audited: date.describe("The day on which its author last checked it against its sources: 2026-05-16."),
  text: path.optional().describe("Its own file in this repository: a changed rating is written there too."),
  log: path.optional().describe("The file in which every review leaves a line."),
  record: distinct(fieldName)
    .max(mostFields)
    .default([])
    .describe("What a review writes down, so that others can repeat it: [stack, hardware, precision]."),
}).transform((written): Report => written);

const document: z.ZodType<Omit<Document, "id">> = keyed({
  title: text.describe("Its title."),
  url: url.optional().describe("Where it is published."),
  published: published.optional().describe("When: 2025, 2025-12 or 2025-12-04."),
});

const product: z.ZodType<Omit<Product, "id">> = keyed({
  name: text.describe("What people call it: CUDA."),
  aliases: distinct(text).default([]).describe("Other spellings by which titles and headings name it, as whole words."),
  tags: z
    .array(z.string().regex(/\{version\}/, 'wants {version} where the version stands, such as "rocm-{version}"'))
    .default([])
    .describe(
      "Shapes of its tags, with {version}; a tag of another shape is no release. v1.2.3 and 1.2.3 unless told.",
    ),
  renumbered: z
    .record(z.string(), text)
    .default({})
    .describe('Versions that go by another number: "13.4.1" is really "13.4".'),
  parts: z
    .number()
    .int()
    .min(1)
    .max(9)
    .optional()
    .describe("How many parts make a version distinct; all unless told (2: 13.0.1 and 13.0 are one)."),
  phantom: distinct(text).default([]).describe("Versions that were announced by mistake and never were."),
});

/** What is cited and cannot be watched. */
function unwatchable(known: DeclaredNames | undefined) {
  return keyed({
    title: text.describe("Its title."),
    url: url.optional().describe("Its address."),
    cites: references.describe("Reference numbers of the report."),
    "cited-by": z.array(knownName("document", known?.documents)).default([]).describe("Documents that cite it."),
    because: text.describe("Why it cannot be watched: paywall, login …"),
  }).transform(({ "cited-by": citedBy, ...rest }): Unwatchable => ({ ...rest, citedBy }));
}

/** A level alone, or a level with what else is known of the judgement. */
function rating(known: DeclaredNames | undefined): z.ZodType<Omit<Rating, "id">> {
  const level = levelName(known);
  return z.union([
    level.transform((one) => ({ level: one, owners: [] })),
    keyed({
      level: level.describe("One of levels; text or a number where there are none."),
      basis: z.literal("judgement").optional().describe("judgement: no source can settle it."),
      volatility: knownName("volatility", known?.volatility)
        .optional()
        .describe("How soon it ages: a word of volatility."),
      reviewed: date.optional().describe("The day on which a person last reviewed it."),
      owners: distinct(text).default([]).describe("Who answers for it."),
    }),
  ]);
}

/** Levels are text or a number where the report has none of its own. */
function levelName(known: DeclaredNames | undefined): z.ZodType<string> {
  if (known && known.levels.size > 0) return knownName("level", known.levels);
  return z.union([text, z.number().transform(String)], { error: "wants text or a number" });
}

/** What levels mean: by the last part of a rating's id, or the whole id, then by level. */
function rubric(known: DeclaredNames | undefined) {
  const areas = new Set([...(known?.ratings ?? [])].flatMap((id) => [id.slice(id.lastIndexOf("/") + 1), id]));
  const unknown = (what: string, names: ReadonlySet<string> | undefined) => (key: string) =>
    names && names.size > 0 && !names.has(key) ? { message: `is ${what}`, among: names } : undefined;
  const meanings = under(text, unknown("no level of levels", known?.levels));
  return under(meanings, unknown("neither a rating nor the last part of one", known && areas));
}

function conclusion(known: DeclaredNames | undefined) {
  const names = known && new Set([...known.ratings, ...known.conclusions]);
  return keyed({
    text: text.describe("What the report concludes."),
    "rests-on": z
      .array(knownName("rating or conclusion", names))
      .min(1)
      .describe("Ratings, and other conclusions, that it rests on."),
  }).transform(({ text, "rests-on": restsOn }): Omit<Conclusion, "id"> => ({ text, restsOn }));
}

/** GitHub allows 500 creations an hour to all of a repository's programs and people. */
const mostContents = 400;

function count(most: number, otherwise: number) {
  return z.number().int().min(1).max(most).default(otherwise);
}

/** Where no config says otherwise. */
export const usualLimits: Limits = { contentsAnHour: 20, rechecksAnHour: 2 };

const limits = keyed({
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
