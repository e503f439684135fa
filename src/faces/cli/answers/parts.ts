import * as z from "zod";
import { isoInstant } from "../../../language/dates.ts";
import { claimStates, freshnessLevels, sourceStates } from "../../../model/states.ts";
import { isoTime } from "../../../model/time.ts";

/** Parts that several answers share, with the names and words of `status.json`. */

/** A time in RFC 3339, UTC; inside the program an instant. */
export const time: z.ZodCodec<z.ZodISODateTime, z.ZodNumber> = z.codec(z.iso.datetime(), z.number(), {
  decode: (text) => isoInstant(text),
  encode: isoTime,
});

export const manyOf = <T extends z.ZodType>(one: T): z.ZodReadonly<z.ZodArray<T>> => z.array(one).readonly();

export const texts = manyOf(z.string());
export const count: z.ZodInt = z.int();
const text = z.string();

export const weight = z.enum(["routine", "contrary"]);
export const part = z.enum(["on", "also", "until", "claim"]);

const block = z.object({ path: texts, kind: text, text }).meta({ id: "block" });
const item = z
  .object({
    id: text,
    title: text,
    url: text.optional(),
    at: time.optional(),
    version: text.optional(),
    pre: z.boolean().optional(),
  })
  .meta({ id: "item" });
const proved = z.enum(["supported", "altered", "gone", "contradicted", "not found"]);

export const change = z
  .union([
    z.object({ kind: z.literal(["item-added", "item-withdrawn"]), item }),
    z.object({ kind: z.literal("item-edited"), before: item, item }),
    z.object({
      kind: z.literal("fact"),
      name: text,
      before: text.optional(),
      after: text.optional(),
      again: count.optional(),
    }),
    z.object({ kind: z.literal("block"), before: block.optional(), after: block.optional() }),
    z.object({
      kind: z.literal("claim"),
      claim: text,
      from: proved,
      to: proved,
      before: text.optional(),
      after: text.optional(),
      again: count.optional(),
    }),
    z.object({ kind: z.literal("turned"), now: text, since: time }),
    z.object({
      kind: z.literal("link"),
      to: z.enum(["gone", "moved", "back"]),
      address: text.optional(),
      again: count.optional(),
    }),
  ])
  .meta({ id: "change" });

export const event = z
  .object({
    key: text,
    product: text.optional(),
    version: text.optional(),
    at: time.optional(),
  })
  .meta({ id: "event" });

export const firing = z
  .object({
    trigger: text,
    event,
    weight,
    seen: time,
    fired: time,
    evidence: manyOf(
      z.object({
        source: text,
        seen: time,
        part,
        change,
        claim: text.optional(),
        excerpt: text.optional(),
      }),
    ),
  })
  .meta({ id: "firing" });

export const trouble = z.object({ kind: text, says: text, since: time, count }).meta({ id: "trouble" });

const sighting = z.object({ change, since: time });
export const sightingList = manyOf(sighting);

export const check = z
  .object({
    source: text,
    at: time,
    outcome: z.enum(["first", "unchanged", "changed", "unknown"]),
    failure: trouble.optional(),
    sightings: sightingList,
    secondCheck: time.optional(),
    noise: manyOf(z.object({ change, reason: text })),
    firings: manyOf(firing),
    next: time,
  })
  .meta({ id: "check" });

const gave = z
  .object({
    entries: count.optional(),
    newest: text.optional(),
    facts: count.optional(),
    words: count.optional(),
    from: text.optional(),
  })
  .meta({ id: "gave" });

export const rating = z
  .object({
    id: text,
    level: text,
    freshness: z.enum(freshnessLevels),
    at: time,
    because: texts,
  })
  .meta({ id: "rating" });

export const claim = z
  .object({
    id: text,
    says: text,
    state: z.enum(claimStates),
    since: time.optional(),
    proof: text,
    found: text.optional(),
    before: text.optional(),
    cites: manyOf(count),
    ratings: texts,
    unseen: z.boolean(),
  })
  .meta({ id: "claim" });

export const source = z
  .object({
    id: text,
    state: z.enum(sourceStates),
    checks: count,
    unknown: count,
    firstSeen: time.optional(),
    lastSeen: time.optional(),
    lastCheck: time.optional(),
    next: time.optional(),
    gave: gave.optional(),
    last: text.optional(),
    trouble: trouble.optional(),
    blindFrom: time.optional(),
    covered: texts,
    ratings: texts,
    failures: manyOf(z.object({ says: text, from: time, to: time, count })),
  })
  .meta({ id: "source" });

export const recheck = z
  .object({
    trigger: text,
    name: text.optional(),
    state: text,
    issue: count.optional(),
    opened: time.optional(),
    closed: time.optional(),
  })
  .meta({ id: "recheck" });
