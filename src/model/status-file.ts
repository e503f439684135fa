import * as z from "zod";
import { claimStates, freshnessLevels, referenceStates, sourceStates } from "./states.ts";

/**
 * `status.json`: the state of a report, for programs. The margin script and sources of kind `report` read it; other programs
 * may. Later versions only add fields; a change that would mislead a reader of this format gets another number.
 */
export const statusFormat = 1;

const text = (most: number) => z.string().max(most);
const id = text(200);
const time = z.iso.datetime();
const day = z.iso.date();
const address = z.url({ protocol: /^https?$/ }).max(2_000);
const rating = z.object({
  id: id.describe("As config has it: `tpu/maturity`."),
  names: z.array(text(200)).min(1).max(4).describe('How people call the parts of the id: ["Google TPU", "Maturity"].'),
  level: text(200).describe("What the report says: one of `levels`; a text or value where there are none."),
  basis: z.literal("judgement").optional().describe("*judgement*: no source can settle it."),
  volatility: text(60).optional().describe("How soon it ages, in the report's word."),
  reviewed: day.optional().describe("The day on which a person last reviewed it."),
  freshness: z.enum(freshnessLevels).describe("How it stands against its sources; the most pressing of these."),
  at: time.describe("Since when it stands so; of a fresh one, when it will be due."),
  because: z.array(text(300)).max(50).describe("Triggers or sources that make it so, as people call them."),
  recheck: address.optional().describe("The open recheck that asks about it."),
  page: text(300).optional().describe("Its page, from where this file is."),
});

const reference = z.object({
  number: z.int().positive().describe("Its number in the report."),
  state: z
    .enum(referenceStates)
    .describe(
      "*in doubt*: something it was cited for is altered, gone or contradicted, and nobody has answered; *to review*: " +
        "what it says, or what came after it, is; *unseen*: it cannot be seen; *unwatched*: nobody looks.",
    ),
  since: time.optional().describe("Since when, where that is known."),
  title: text(300).optional().describe("What people call it."),
  url: address.optional().describe("Where a person looks at it."),
  says: text(300).optional().describe("Why, in one sentence."),
  before: text(300).optional().describe("What it said before, where it says something else now."),
  after: text(300).optional().describe("What it says now; missing where that is not there any more."),
  sources: z.array(id).max(100).describe("Ids of the sources that are watched for its sake."),
  page: text(300).optional().describe("Its place on the page of all references, from where this file is."),
});

const claim = z.object({
  id: text(300).describe("Its source's id and its own: `tpu7x/gke-only`."),
  says: text(1_000).describe("What the report says on the source's authority."),
  state: z.enum(claimStates).describe("How it stands; *not found*: its proof never was."),
  since: time.optional().describe("Since when."),
  cites: z.array(z.int().positive()).max(1_000).describe("Numbers of references."),
  ratings: z.array(id).max(1_000).describe("Ids of the ratings that rest on it."),
});

const source = z.object({
  id: id.describe("As config has it."),
  title: text(300).optional().describe("What people call it."),
  kind: text(60).describe("`page`, `feed`, `github-releases` …"),
  url: address.optional().describe("Where a person looks at it."),
  state: z
    .enum(sourceStates)
    .describe("*unseen*: the last look failed; *blind*: for so long that ratings no longer rest on it."),
  lastSeen: time.optional().describe("When it was last seen."),
  gave: z
    .object({
      entries: z.int().nonnegative().optional().describe("How many entries its list held."),
      newest: text(200).optional().describe("The version or title of the newest of them."),
      facts: z.int().nonnegative().optional().describe("How many facts it gave."),
      words: z.int().nonnegative().optional().describe("How many words its text had."),
    })
    .optional()
    .describe("What it really gave when it was last seen."),
  next: time.optional().describe("When it is looked at again."),
});

const open = z.object({
  trigger: id.describe("The id of the trigger that asks."),
  name: text(300).describe("What people call it."),
  weight: z.enum(["routine", "contrary"]).describe("*contrary* where something says otherwise than the report."),
  opened: time.optional().describe("When it was opened."),
  issue: z.int().positive().optional().describe("Its number, once it is written."),
  url: address.optional().describe("Its address, once it is written."),
  ratings: z.array(id).max(10_000).describe("Ids of the ratings that it asks about."),
});

export const statusFile = z.object({
  format: z.literal(statusFormat).describe("Of this file. Readers refuse a number that they do not know."),
  program: text(100).describe("What wrote it: `recheck 0.1.0`."),
  written: time.describe("When it was written."),
  lastLook: time.optional().describe("When a source was last looked at; missing before the first look."),
  staleAfter: time.describe("From then on the monitor must be taken for stopped, and what is here for old."),
  report: z
    .object({
      title: text(500).describe("Its title."),
      url: address.optional().describe("Where it is published."),
      version: text(60).optional().describe("Its version, as it says."),
      audited: day.describe("The day on which its author last checked it against its sources."),
    })
    .describe("The report that is watched."),
  levels: z.array(text(200)).max(100).describe("Lowest first; empty where ratings are texts or values."),
  ratings: z.array(rating).max(10_000).describe("Its ratings, in its order."),
  references: z.array(reference).max(10_000).describe("Its numbered references, as far as config names them."),
  claims: z.array(claim).max(50_000).describe("What it says on its sources' authority."),
  sources: z.array(source).max(50_000).describe("What is watched."),
  open: z.array(open).max(1_000).describe("The rechecks that nobody has answered."),
});

export type StatusFile = z.infer<typeof statusFile>;

/** The same for programs without zod. It accepts fields that later versions add. */
export function statusSchema(): object {
  const { $schema, ...rest } = z.toJSONSchema(statusFile, {
    io: "input",
    override: ({ jsonSchema }) => plainly(jsonSchema),
  });
  return { $schema, title: "Recheck: status.json", ...rest };
}

/** If a format says everything, its pattern is only for machines and is left out. */
function plainly(schema: { format?: unknown; pattern?: unknown }): void {
  if (schema.format !== undefined) delete schema.pattern;
}
