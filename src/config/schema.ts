import { z } from "zod";
import { keyed } from "../keyed.ts";
import type { Condition, Trigger } from "../model.ts";
import type { Reader } from "../read/reader.ts";
import { cadenceOf } from "./cadence.ts";
import { anyOf, byKey, type Choose } from "./choice.ts";
import { claimSchema } from "./claim.ts";
import { conditionSchema } from "./condition.ts";
import { byId, byRatingId } from "./id.ts";
import { defaultVolatility, type Known, nameOf } from "./known.ts";
import { limits } from "./limits.ts";
import { conclusion, document, product, rating, report, rubric, unwatchable } from "./report.ts";
import { sourceSchema } from "./source.ts";
import { distinct, duration, text } from "./words.ts";

export type Readers = ReadonlyMap<string, Reader>;
/** What a trigger's file says; its id is the file's name. */
export type TriggerDraft = Omit<Trigger, "id">;

/** The schemas of both files. With `known`, names are checked against what `sources.yaml` declares. */
export function schemas(readers: Readers, known: Known | undefined, choose: Choose = byKey) {
  const condition = conditionSchema(choose, known);
  return { root: rootSchema(readers, known, choose, condition), trigger: triggerSchema(known, condition) };
}

function rootSchema(readers: Readers, known: Known | undefined, choose: Choose, condition: z.ZodType<Condition>) {
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

function triggerSchema(known: Known | undefined, condition: z.ZodType<Condition>) {
  return keyed({
    name: text.describe("What people call it."),
    wording: text.optional().describe("The report's own words."),
    confidence: text.optional().describe("As the report has it."),
    volatility: nameOf("volatility", known?.volatility)
      .optional()
      .describe("How soon its ratings age: a word of volatility."),
    ratings: z.array(nameOf("rating", known?.ratings)).default([]).describe("The ratings it asks about."),
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
  const shape = [...readers.keys()].map((kind) => [
    kind,
    duration.optional().describe(`${cadenceOf(kind)} unless told.`),
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
