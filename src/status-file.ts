import { z } from "zod";

/**
 * `status.json`: how a report stands, for programs. The margin script and sources of kind `report` read it; other
 * programs may. What is added later stands beside what is here; whatever would mislead a reader of this format gets
 * another number.
 */
export const statusFormat = 1;

const text = (most: number) => z.string().max(most);
const id = text(200);
const time = z.iso.datetime();
const day = z.iso.date();
const address = z.url({ protocol: /^https?$/ }).max(2_000);
const levels = ["in doubt", "blind", "to review", "due", "fresh"] as const;

const rating = z.object({
  id,
  /** How people call the parts of the id: `["Google TPU", "Maturity"]`. */
  names: z.array(text(200)).min(1).max(4),
  level: text(200),
  basis: z.literal("judgement").optional(),
  volatility: text(60).optional(),
  reviewed: day.optional(),
  freshness: z.enum(levels),
  /** Since when it stands so; of a fresh one, when it will be due. */
  at: time,
  /** Triggers or sources that make it so, as people call them. */
  because: z.array(text(300)).max(50),
  /** The open recheck that asks about it. */
  recheck: address.optional(),
  /** Its page, from where this file is. */
  page: text(300).optional(),
});

const reference = z.object({
  /** Its number in the report. */
  number: z.int().positive(),
  /**
   * *contradicted*: something it was cited for is altered, gone or contradicted, and nobody has answered; *changed*:
   * what it says, or what came after it, is to be reviewed; *unseen*: it cannot be seen; *unwatched*: nobody looks.
   */
  state: z.enum(["fresh", "changed", "contradicted", "unseen", "unwatched"]),
  since: time.optional(),
  title: text(300).optional(),
  url: address.optional(),
  /** One sentence. */
  says: text(300).optional(),
  sources: z.array(id).max(100),
});

const claim = z.object({
  id: text(300),
  says: text(1_000),
  state: z.enum(["supported", "altered", "gone", "contradicted", "unverified", "not looked for yet"]),
  since: time.optional(),
  cites: z.array(z.int().positive()).max(1_000),
  ratings: z.array(id).max(1_000),
});

const source = z.object({
  id,
  title: text(300).optional(),
  kind: text(60),
  url: address.optional(),
  state: z.enum(["seen", "not seen yet", "unseen", "blind", "gone"]),
  lastSeen: time.optional(),
  next: time.optional(),
});

const open = z.object({
  trigger: id,
  name: text(300),
  weight: z.enum(["routine", "contrary"]),
  opened: time.optional(),
  issue: z.int().positive().optional(),
  url: address.optional(),
  ratings: z.array(id).max(10_000),
});

export const statusFile = z.object({
  format: z.literal(statusFormat),
  /** What wrote it: `recheck 0.1.0`. */
  program: text(100),
  written: time,
  /** When a source was last looked at; missing before the first look. */
  lastLook: time.optional(),
  /** From then on the monitor must be taken for stopped, and what is here for old. */
  staleAfter: time,
  report: z.object({
    title: text(500),
    url: address.optional(),
    version: text(60).optional(),
    audited: day,
  }),
  /** Lowest first; empty where ratings are texts or values. */
  levels: z.array(text(200)).max(100),
  ratings: z.array(rating).max(10_000),
  references: z.array(reference).max(10_000),
  claims: z.array(claim).max(50_000),
  sources: z.array(source).max(50_000),
  open: z.array(open).max(1_000),
});

export type StatusFile = z.infer<typeof statusFile>;
