import * as z from "zod";
import type { Conclusion, Document, Rating, Report, Unwatchable } from "../model/config.ts";
import { keyed } from "../model/options.ts";
import type { Product } from "../model/version.ts";
import { under } from "./ids.ts";
import { currentNames, type DeclaredNames, knownName } from "./names.ts";
import { date, distinct, folderUrl, path, published, referenceNumbers, text, url } from "./words.ts";

export const reportSchema = keyed({
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
  record: z.unknown().optional().describe("No longer used: leave it out."),
}).transform(({ record: _, ...written }): Report => written);

export const documentSchema: z.ZodType<Omit<Document, "id">> = keyed({
  title: text.describe("Its title."),
  url: url.optional().describe("The address where it is published."),
  published: published.optional().describe("When: 2025, 2025-12 or 2025-12-04."),
});

export const productSchema: z.ZodType<Omit<Product, "id">> = keyed({
  name: text.describe("Its name for people: CUDA."),
  aliases: distinct(text).default([]).describe("Other names in titles and headings, as whole words."),
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
  phantom: distinct(text).default([]).describe("Versions that were announced by mistake and never released."),
});

export function unwatchableSchema() {
  return keyed({
    title: text.describe("Its title."),
    url: url.optional().describe("Its address."),
    cites: referenceNumbers.describe("Reference numbers of the report."),
    "cited-by": z
      .array(knownName("document", ({ documents }) => documents))
      .default([])
      .describe("Documents that cite it."),
    because: text.describe("Why it cannot be watched: paywall, login …"),
  }).transform(({ "cited-by": citedBy, ...rest }): Unwatchable => ({ ...rest, citedBy }));
}

/** A bare level, or a level with more about the judgement. */
export function ratingSchema(hasLevels: boolean): z.ZodType<Omit<Rating, "id">> {
  const level = levelName(hasLevels);
  return z.union([
    level.transform((one) => ({ level: one, owners: [] })),
    keyed({
      level: level.describe("One of levels; text or a number if there are none."),
      basis: z.literal("judgement").optional().describe("judgement: no source can decide it."),
      volatility: knownName("volatility", ({ volatility }) => volatility)
        .optional()
        .describe("How soon it becomes outdated: a word of volatility."),
      reviewed: date.optional().describe("The day on which a person last reviewed it."),
      owners: distinct(text).default([]).describe("The people responsible for it."),
    }),
  ]);
}

/** One of the report's levels; text or a number if it has none. */
function levelName(hasLevels: boolean): z.ZodType<string> {
  if (hasLevels) return knownName("level", ({ levels }) => levels);
  return z.union([text, z.number().transform(String)], { error: "needs text or a number" });
}

/** The meanings of levels: by the last part of a rating's id, or the whole id, then by level. */
export function rubricSchema() {
  const unknown = (what: string, of: (names: DeclaredNames) => ReadonlySet<string>) => (key: string) => {
    const names = currentNames(of);
    return names && names.size > 0 && !names.has(key) ? { message: `is ${what}`, among: names } : undefined;
  };
  const meanings = under(
    text,
    unknown("not in levels", ({ levels }) => levels),
  );
  return under(
    meanings,
    unknown("neither a rating nor the last part of one", ({ areas }) => areas),
  );
}

export function conclusionSchema() {
  return keyed({
    text: text.describe("What the report concludes."),
    "rests-on": z
      .array(knownName("rating or conclusion", ({ judgements }) => judgements))
      .min(1)
      .describe("Ratings, and other conclusions, that it rests on."),
  }).transform(({ text, "rests-on": restsOn }): Omit<Conclusion, "id"> => ({ text, restsOn }));
}
