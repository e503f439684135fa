import * as z from "zod";
import { makeOnce } from "../model/cache.ts";
import type { Condition } from "../model/condition.ts";
import { type Limits, type Trigger, usualLimits } from "../model/config.ts";
import { type Channel, channelKinds, type MessageKind, messageKinds, type QuietHours } from "../model/message.ts";
import { keyed } from "../model/options.ts";
import type { Reader } from "../read/reader.ts";
import { anyOf, byKey, type Choose } from "./choice.ts";
import { conditionSchema } from "./condition.ts";
import { byId, byRatingId } from "./ids.ts";
import { currentNames, defaultVolatility, knownName } from "./names.ts";
import {
  conclusionSchema,
  documentSchema,
  productSchema,
  ratingSchema,
  reportSchema,
  rubricSchema,
  unwatchableSchema,
} from "./report-schema.ts";
import { claimSchema, sourceSchema } from "./source-schema.ts";
import { distinct, duration, oneOrMore, text } from "./words.ts";

export type Readers = ReadonlyMap<string, Reader>;
/** A trigger as in its file; its id is the file's name. */
export type TriggerDraft = Omit<Trigger, "id">;

/** The schemas of both files. `hasLevels`: ratings have the report's levels, not texts or values. */
function schemas(readers: Readers, hasLevels: boolean, choose: Choose = byKey) {
  const condition = conditionSchema(choose);
  return { root: rootSchema(readers, hasLevels, choose, condition), trigger: triggerSchema(condition) };
}

export type Schemas = ReturnType<typeof schemas>;

const built = new WeakMap<Readers, Map<boolean, Schemas>>();

/** The schemas that read configs, built at their first use. Names are checked against those of `withNames`. */
export function schemasFor(readers: Readers, hasLevels: boolean): Schemas {
  const both = makeOnce(built, readers, () => new Map<boolean, Schemas>());
  return makeOnce(both, hasLevels, () => schemas(readers, hasLevels));
}

function rootSchema(readers: Readers, hasLevels: boolean, choose: Choose, condition: z.ZodType<Condition>) {
  const source = sourceSchema(choose, readers, claimSchema(choose, condition));
  return keyed({
    report: reportSchema.describe("The published document."),
    documents: byId(documentSchema)
      .default({})
      .describe("Other documents whose sources are watched, by name: articles."),
    levels: distinct(text)
      .default([])
      .describe("The levels of ratings, lowest first. Without levels, ratings are texts or values."),
    volatility: z
      .record(z.string(), duration)
      .default(() => durations(defaultVolatility))
      .describe("How long a rating stays fresh, by volatility (default: High 90d, Medium 180d, Low 365d)."),
    axes: distinct(text).default([]).describe("The parts of a rating's id; two of them make a matrix."),
    names: z.record(z.string(), text).default({}).describe("Names for the parts of ids: { tpu: Google TPU }."),
    rubric: rubricSchema()
      .default({})
      .describe("What each level means, by the last part of a rating's id or the whole id."),
    ratings: byRatingId(ratingSchema(hasLevels), () => currentNames(({ axes }) => axes) ?? [])
      .default({})
      .describe("The judgements of the report."),
    conclusions: byId(conclusionSchema()).default({}).describe("Judgements that rest on ratings."),
    products: byId(productSchema).default({}).describe("The names of products, and how they number their versions."),
    schedule: cadences(readers).describe("How often to check, by kind of source: { feed: 6h }."),
    sources: byId(source).default({}).describe("What is watched: one address each."),
    baseline: z
      .enum(["first-check", "archive"])
      .default("first-check")
      .describe(
        "archive: the first check of a page or text is compared with the web archive's copy nearest to the audit.",
      ),
    overview: z
      .enum(["yes", "no"])
      .default("yes")
      .transform((word) => word === "yes")
      .describe("no: without the issue that shows the state of everything."),
    notify: notifySchema
      .default({})
      .describe("Who is notified outside GitHub, and when: { team: { slack: contrary } }."),
    limits: limits.describe("Limits of writes to GitHub within one hour."),
    unwatchable: z
      .array(unwatchableSchema())
      .default([])
      .describe("References that cannot be watched, with the reason."),
  });
}

function triggerSchema(condition: z.ZodType<Condition>) {
  return keyed({
    name: text.describe("Its name for people."),
    wording: text.optional().describe("The report's own words."),
    confidence: text.optional().describe("As in the report."),
    volatility: knownName("volatility", ({ volatility }) => volatility)
      .optional()
      .describe("How soon its ratings become outdated: a word of volatility."),
    ratings: z
      .array(knownName("rating", ({ ratings }) => ratings))
      .default([])
      .describe("The ratings it asks about."),
    on: z.array(condition).default([]).describe("The events that the report says to watch for."),
    also: z.array(condition).default([]).describe("Events that the report forgot."),
    ask: text
      .transform((lines) =>
        lines
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean),
      )
      .default([])
      .describe("Questions for people, one a line."),
  }).transform((written): TriggerDraft => written);
}

function cadences(readers: Readers) {
  const shape = [...readers].map(([kind, { cadence }]) => [kind, duration.optional().describe(`Default: ${cadence}.`)]);
  return keyed(Object.fromEntries(shape) as Record<string, z.ZodOptional<typeof duration>>).default({});
}

function durations(written: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(Object.entries(written).map(([word, length]) => [word, duration.parse(length)]));
}

/** For editors: the schema of `sources.yaml`, and under `$defs/trigger` that of `triggers/*.yaml`. */
export function jsonSchema(readers: Readers): Record<string, unknown> {
  const both = z.object(schemas(readers, false, anyOf));
  const { properties, $defs, $schema } = z.toJSONSchema(both, { io: "input", unrepresentable: "any" });
  const { root, trigger } = properties ?? {};
  return { $schema, title: "Recheck: sources.yaml", ...Object(root), $defs: { ...$defs, trigger } };
}

/** GitHub allows 500 creations an hour, shared by all programs and people of a repository. */
const maxContentsAnHour = 400;

function count(most: number, otherwise: number) {
  return z.number().int().min(1).max(most).default(otherwise);
}

const limits = keyed({
  "contents-an-hour": count(maxContentsAnHour, usualLimits.contentsAnHour).describe(
    "Issues, comments and pull requests (default: 20).",
  ),
  "rechecks-an-hour": count(maxContentsAnHour, usualLimits.rechecksAnHour).describe("New rechecks (default: 2)."),
})
  .transform(
    (written): Limits => ({
      contentsAnHour: written["contents-an-hour"],
      rechecksAnHour: written["rechecks-an-hour"],
    }),
  )
  .default(usualLimits);

/** `notify:`, the channels to people besides GitHub. It holds no secrets: addresses are in the environment. */

const needsQuiet = 'needs hours and a time zone such as "22:00-07:00 Europe/Berlin"';

const quiet = z
  .string({ error: needsQuiet })
  .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d [A-Za-z][\w+/-]{0,60}$/, { error: needsQuiet, abort: true })
  .refine((written) => isZone(written.slice(12)), { error: "needs an existing time zone, such as Europe/Berlin" })
  .transform((written): QuietHours => {
    const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    return { from: minutes(written.slice(0, 5)), to: minutes(written.slice(6, 11)), zone: written.slice(12) };
  });

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const tell: z.ZodType<MessageKind[]> = oneOrMore(z.enum(messageKinds));

const channel = keyed({
  ...(Object.fromEntries(
    channelKinds.map((kind) => [
      kind,
      tell.optional().describe(`By ${kind}: contrary (against the report, at once), weekly, monthly.`),
    ]),
  ) as Record<(typeof channelKinds)[number], z.ZodOptional<typeof tell>>),
  quiet: quiet.optional().describe('When nothing is sent: "22:00-07:00 Europe/Berlin"; it is sent afterwards.'),
})
  .check(({ value, issues }) => {
    const named = channelKinds.filter((kind) => value[kind] !== undefined);
    const [only] = named;
    const messages = only ? (value[only] ?? []) : [];
    if (only && messages.includes("weekly") && messages.includes("monthly")) {
      const message = "has two digests; keep weekly or monthly";
      issues.push({ code: "custom", message, path: [only], input: value });
    }
    if (named.length === 1) return;
    const has = named.length > 0 ? `holds ${named.join(" and ")}; it ` : "";
    const message = `${has}needs one of ${channelKinds.join(", ")}`;
    issues.push({ code: "custom", message, input: value });
  })
  .transform((written): Omit<Channel, "id"> => {
    const by = channelKinds.find((kind) => written[kind] !== undefined) ?? "webhook";
    return { by, tell: [...new Set(written[by])], ...(written.quiet && { quiet: written.quiet }) };
  });

const notifySchema: z.ZodType<Record<string, Omit<Channel, "id">>> = byId(channel);
