import * as z from "zod";
import { claimStates, freshnessLevels, readerStates, referenceReasons, sourceStates } from "./states.ts";

/**
 * `status.json`: the state of a report, for programs. The margin script and sources of kind `report` read it; other programs
 * may. Later versions only add fields; a change that would mislead a reader of this format gets another number.
 */
export const statusFormat = 2;

const text = (most: number) => z.string().max(most);
const id = text(200);
const time = z.iso.datetime();
const day = z.iso.date();
const state = z
  .enum(readerStates)
  .describe(
    "*outdated*: something says otherwise, or is gone; *changed*: something may say otherwise; *not checkable*: no " +
      "source can say; *up to date*: nothing says otherwise.",
  );
const address = z.url({ protocol: /^https?$/ }).max(2_000);
const rating = z.object({
  id: id.describe("As config has it: `tpu/maturity`."),
  names: z
    .array(text(200))
    .min(1)
    .max(4)
    .describe('The parts of the id, as people call them: ["Google TPU", "Maturity"].'),
  level: text(200).describe("What the report says: one of `levels`; a text or value if there are none."),
  basis: z.literal("judgement").optional().describe("*judgement*: no source can settle it."),
  volatility: text(60).optional().describe("How soon it ages, in the report's word."),
  reviewed: day.optional().describe("The day on which a person last reviewed it."),
  state,
  reason: z
    .enum(freshnessLevels)
    .describe(
      "Why; the most pressing that applies. *not corrected*: a sentence below it is no longer true, and its question was " +
        "closed without a review; *due*: last reviewed longer ago than its volatility allows.",
    ),
  at: time.describe("Since when it has this state; for *fresh*, when it will be due."),
  because: z.array(text(300)).max(50).describe("Names of the triggers or sources that cause it."),
  recheck: address.optional().describe("The open recheck that asks about it."),
  page: text(300).optional().describe("Its page, relative to this file."),
});

const reference = z.object({
  number: z.int().positive().describe("Its number in the report."),
  state,
  reason: z
    .enum(referenceReasons)
    .describe(
      "*in doubt*: something it was cited for is altered, gone or contradicted, without an answer; *not corrected*: the " +
        "same, though the question was closed; *gone*: it no longer exists; *to review*: its text, or an event after " +
        "it, needs a review; *unseen*: it cannot be checked; *unwatched*: it is not checked.",
    ),
  since: time.optional().describe("Since when, if that is known."),
  title: text(300).optional().describe("Its name for people."),
  url: address.optional().describe("Its address for people."),
  says: text(300).optional().describe("Why, in one sentence."),
  before: text(300).optional().describe("Its earlier text, if it has changed."),
  after: text(300).optional().describe("Its present text; missing if it is gone."),
  sources: z.array(id).max(100).describe("Ids of the sources that are watched for it."),
  page: text(300).optional().describe("Its place on the page of all references, relative to this file."),
});

const claim = z.object({
  id: text(300).describe("Its source's id and its own: `tpu7x/gke-only`."),
  says: text(1_000).describe("What the report says on the source's authority."),
  state,
  reason: z
    .enum(claimStates)
    .describe(
      "*not found*: its proof was never found; *source gone*, *source not readable*, *source not checked*: it was " +
        "supported until its source was gone, could not be read for too long, or was not checked for too long.",
    ),
  since: time.optional().describe("Since when."),
  cites: z.array(z.int().positive()).max(1_000).describe("Numbers of references."),
  ratings: z.array(id).max(1_000).describe("Ids of the ratings that rest on it."),
});

const source = z.object({
  id: id.describe("Its id in config."),
  title: text(300).optional().describe("Its name for people."),
  kind: text(60).describe("`page`, `feed`, `github-releases` …"),
  url: address.optional().describe("Its address for people."),
  state,
  reason: z
    .enum(sourceStates)
    .describe("*unseen*: the last check failed; *blind*: it has failed for so long that ratings no longer rest on it."),
  lastSeen: time.optional().describe("When it was last seen."),
  gave: z
    .object({
      entries: z.int().nonnegative().optional().describe("How many entries its list had."),
      newest: text(200).optional().describe("The version or title of the newest of them."),
      facts: z.int().nonnegative().optional().describe("How many facts it had."),
      words: z.int().nonnegative().optional().describe("How many words its text had."),
    })
    .optional()
    .describe("Its size when it was last seen."),
  next: time.optional().describe("When its next check is due."),
});

const open = z.object({
  trigger: id.describe("The id of the trigger that asks."),
  name: text(300).describe("Its name for people."),
  weight: z.enum(["routine", "contrary"]).describe("*contrary*: against the report; *routine*: for your information."),
  opened: time.optional().describe("When it was opened."),
  issue: z.int().positive().optional().describe("Its number, once it is written."),
  url: address.optional().describe("Its address, once it is written."),
  ratings: z.array(id).max(10_000).describe("Ids of the ratings that it asks about."),
});

export const statusFile = z.object({
  format: z.literal(statusFormat).describe("The format of this file. Readers refuse a number that they do not know."),
  program: text(100).describe("The program that wrote it: `recheck 0.1.0`."),
  written: time.describe("When it was written."),
  lastCheck: time.optional().describe("When a source was last checked; missing before the first check."),
  staleAfter: time.describe("From then on the monitor counts as stopped, and this file as outdated."),
  report: z
    .object({
      title: text(500).describe("Its title."),
      url: address.optional().describe("Its address for people."),
      version: text(60).optional().describe("Its version, as stated in it."),
      audited: day.describe("The day on which its author last checked it against its sources."),
    })
    .describe("The report that is watched."),
  levels: z.array(text(200)).max(100).describe("Lowest first; empty if ratings are texts or values."),
  ratings: z.array(rating).max(10_000).describe("Its ratings, in its order."),
  references: z.array(reference).max(10_000).describe("Its numbered references that config names."),
  claims: z.array(claim).max(50_000).describe("Its claims on its sources' authority."),
  sources: z.array(source).max(50_000).describe("The watched sources."),
  open: z.array(open).max(1_000).describe("The rechecks without an answer."),
});

export type StatusFile = z.infer<typeof statusFile>;

/** The same for programs without zod. It accepts fields that later versions add. */
export function statusSchema(): object {
  const { $schema, ...rest } = z.toJSONSchema(statusFile, {
    io: "input",
    // If a format says everything, its pattern is only for machines.
    override: ({ jsonSchema }) => void (jsonSchema.format !== undefined && delete jsonSchema.pattern),
  });
  return { $schema, title: "Recheck: status.json", ...rest };
}
