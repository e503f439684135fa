import * as z from "zod";
import { makeOnce } from "../model/cache.ts";
import type { Condition } from "../model/condition.ts";
import {
  type Conclusion,
  type Document,
  type Limits,
  type Rating,
  type Report,
  type Trigger,
  type Unwatchable,
  usualLimits,
} from "../model/config.ts";
import { type Channel, channelKinds, type MessageKind, messageKinds, type QuietHours } from "../model/message.ts";
import { strictKeys } from "../model/options.ts";
import type { Product } from "../model/version.ts";
import type { Reader } from "../read/reader.ts";
import { anyOf, byKey, type Choose } from "./choice.ts";
import { conditionSchema } from "./condition.ts";
import { byId, byRatingId, recordOf } from "./ids.ts";
import { currentNames, type DeclaredNames, defaultVolatility, nameOf } from "./names.ts";
import { claimSchema, sourceSchema } from "./source-schema.ts";
import {
  date,
  distinctList,
  duration,
  folderUrl,
  oneOrMore,
  path,
  publicationDate,
  referenceNumbers,
  text,
  url,
} from "./words.ts";

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
  return strictKeys({
    report: reportSchema.describe("The published document."),
    documents: byId(documentSchema)
      .default({})
      .describe("Other documents whose sources are watched, by name: articles."),
    levels: distinctList(text)
      .default([])
      .describe("The levels of ratings, lowest first. Without levels, ratings are texts or values."),
    volatility: z
      .record(z.string(), duration)
      .default({ ...defaultVolatility })
      .describe("How long a rating stays fresh, by volatility (default: High 90d, Medium 180d, Low 365d)."),
    axes: distinctList(text).default([]).describe("The parts of a rating's id; two of them make a matrix."),
    names: z.record(z.string(), text).default({}).describe("Names for the parts of ids: { tpu: Google TPU }."),
    rubric: rubricSchema()
      .default({})
      .describe("What each level means, by the last part of a rating's id or the whole id."),
    ratings: byRatingId(ratingSchema(hasLevels), () => currentNames(({ axes }) => axes) ?? [])
      .default({})
      .describe("The judgements of the report."),
    conclusions: byId(conclusionSchema).default({}).describe("Judgements that rest on ratings."),
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
    unwatchable: z.array(unwatchableSchema).default([]).describe("References that cannot be watched, with the reason."),
  });
}

function triggerSchema(condition: z.ZodType<Condition>) {
  return strictKeys({
    name: text.describe("Its name for people."),
    wording: text.optional().describe("The report's own words."),
    confidence: text.optional().describe("As in the report."),
    volatility: nameOf.volatility.optional().describe("How soon its ratings become outdated: a word of volatility."),
    ratings: z.array(nameOf.rating).default([]).describe("The ratings it asks about."),
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
  return strictKeys(Object.fromEntries(shape) as Record<string, z.ZodOptional<typeof duration>>).default({});
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

const writesAnHour = z.number().int().min(1).max(maxContentsAnHour);

const limits = strictKeys({
  "contents-an-hour": writesAnHour
    .default(usualLimits.contentsAnHour)
    .describe("Issues, comments and pull requests (default: 20)."),
  "rechecks-an-hour": writesAnHour.default(usualLimits.rechecksAnHour).describe("New rechecks (default: 2)."),
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

const channel = strictKeys({
  ...(Object.fromEntries(
    channelKinds.map((kind) => [
      kind,
      tell.optional().describe(`By ${kind}: contrary (against the report, at once), weekly, monthly.`),
    ]),
  ) as Record<(typeof channelKinds)[number], z.ZodOptional<typeof tell>>),
  quiet: quiet.optional().describe('When nothing is sent: "22:00-07:00 Europe/Berlin"; it is sent afterwards.'),
})
  .check(({ value, issues }) => {
    const kinds = channelKinds.filter((kind) => value[kind] !== undefined);
    const [only] = kinds;
    const messages = only ? (value[only] ?? []) : [];
    if (only && messages.includes("weekly") && messages.includes("monthly")) {
      const message = "has two digests; keep weekly or monthly";
      issues.push({ code: "custom", message, path: [only], input: value });
    }
    if (kinds.length === 1) return;
    const has = kinds.length > 0 ? `holds ${kinds.join(" and ")}; it ` : "";
    const message = `${has}needs one of ${channelKinds.join(", ")}`;
    issues.push({ code: "custom", message, input: value });
  })
  .transform((written): Omit<Channel, "id"> => {
    const by = channelKinds.find((kind) => written[kind] !== undefined) ?? "webhook";
    return { by, tell: [...new Set(written[by])], ...(written.quiet && { quiet: written.quiet }) };
  });

const notifySchema: z.ZodType<Record<string, Omit<Channel, "id">>> = byId(channel);

const reportSchema: z.ZodType<Report> = strictKeys({
  title: text.describe("Its title."),
  url: url.optional().describe("The address where it is published."),
  pages: folderUrl.optional().describe("The address of the published pages: rechecks link to it."),
  version: text.optional().describe('Its version, in quotes: "0.2".'),
  audited: date.describe("The day on which its author last checked it against its sources: 2026-05-16."),
  text: path.optional().describe("The report's file in this repository: a changed rating is written there too."),
  check: z
    .literal("required")
    .optional()
    .describe(
      "required: a pull request fails if the cited pages do not say what its sentences say (default: it is only reported).",
    ),
  log: path.optional().describe("The file in which every review adds a line."),
});

const documentSchema: z.ZodType<Omit<Document, "id">> = strictKeys({
  title: text.describe("Its title."),
  url: url.optional().describe("The address where it is published."),
  published: publicationDate.optional().describe("When: 2025, 2025-12 or 2025-12-04."),
});

const productSchema: z.ZodType<Omit<Product, "id">> = strictKeys({
  name: text.describe("Its name for people: CUDA."),
  aliases: distinctList(text).default([]).describe("Other names in titles and headings, as whole words."),
  tags: z
    .array(z.string().regex(/\{version\}/, 'needs {version} in place of the version, such as "rocm-{version}"'))
    .default([])
    .describe(
      "Shapes of its tags, with {version}; a tag of another shape is not a release (default: v1.2.3, 1.2.3 and name-1.2.3).",
    ),
  renumbered: z
    .record(z.string(), text)
    .default({})
    .describe('Versions with another real number: "13.4.1" is really "13.4".'),
  parts: z
    .number()
    .int()
    .min(1)
    .max(9)
    .optional()
    .describe("How many parts make a version distinct (default: all; 2: 13.0.1 and 13.0 are one)."),
  phantom: distinctList(text).default([]).describe("Versions that were announced by mistake and never released."),
});

const unwatchableSchema = strictKeys({
  title: text.describe("Its title."),
  url: url.optional().describe("Its address."),
  cites: referenceNumbers.describe("Reference numbers of the report."),
  "cited-by": z.array(nameOf.document).default([]).describe("Documents that cite it."),
  because: text.describe("Why it cannot be watched: paywall, login …"),
}).transform(({ "cited-by": citedBy, ...rest }): Unwatchable => ({ ...rest, citedBy }));

/** A bare level, or a level with more about the judgement. */
function ratingSchema(hasLevels: boolean): z.ZodType<Omit<Rating, "id">> {
  const value = z.union([text, z.number().transform(String)], { error: "needs text or a number" });
  const level: z.ZodType<string> = hasLevels ? nameOf.level : value;
  return z.union([
    level.transform((one) => ({ level: one, owners: [] })),
    strictKeys({
      level: level.describe("One of levels; text or a number if there are none."),
      basis: z.literal("judgement").optional().describe("judgement: no source can decide it."),
      volatility: nameOf.volatility.optional().describe("How soon it becomes outdated: a word of volatility."),
      reviewed: date.optional().describe("The day on which a person last reviewed it."),
      owners: distinctList(text).default([]).describe("The people responsible for it."),
    }),
  ]);
}

/** The meanings of levels: by the last part of a rating's id, or the whole id, then by level. */
function rubricSchema() {
  const unknown = (problem: string, of: (names: DeclaredNames) => ReadonlySet<string>) => (key: string) => {
    const names = currentNames(of);
    return names && names.size > 0 && !names.has(key) ? { message: `is ${problem}`, among: names } : undefined;
  };
  const meanings = recordOf(
    text,
    unknown("not in levels", ({ levels }) => levels),
  );
  return recordOf(
    meanings,
    unknown("neither a rating nor the last part of one", ({ areas }) => areas),
  );
}

const conclusionSchema = strictKeys({
  text: text.describe("What the report concludes."),
  "rests-on": z.array(nameOf.judgement).min(1).describe("Ratings, and other conclusions, that it rests on."),
}).transform(({ text, "rests-on": restsOn }): Omit<Conclusion, "id"> => ({ text, restsOn }));
