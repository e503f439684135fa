import * as z from "zod";
import type { Freshness } from "../../../model/states.ts";
import type { SourceHealth } from "../../../status/explain/health.ts";
import type { Explanation } from "../../../status/explain/index.ts";
import type { WaitingStory } from "../../../status/explain/quiet.ts";
import type { RatingStory } from "../../../status/explain/rating.ts";
import type { ClaimStory, SourceStory } from "../../../status/explain/source.ts";
import type { RecheckStory, TriggerStory } from "../../../status/explain/trigger.ts";
import {
  change,
  claim,
  count,
  event,
  firing,
  manyOf,
  part,
  rating,
  recheck,
  source,
  texts,
  time,
  weight,
} from "./parts.ts";

/** The answer of `explain`: the stories of ratings, sources, triggers and rechecks, in the words of all answers. */

const text = z.string();

const happening = z.object({
  source: text,
  since: time,
  at: time,
  event,
  changes: manyOf(change),
  left: count,
  hearings: manyOf(
    z.object({
      trigger: text,
      outcome: text,
      weight: weight.optional(),
      issue: count.optional(),
      part: part.optional(),
      means: text.optional(),
      excerpt: text.optional(),
      because: text.optional(),
      conditions: manyOf(
        z.object({ part, words: text, means: text.optional(), met: z.boolean(), because: text.optional() }),
      ),
    }),
  ),
  silence: text.optional(),
});

const waiting = z.object({
  source: text.optional(),
  change,
  since: time,
  what: text,
  secondCheck: time,
  asks: manyOf(z.object({ claim: text.optional(), triggers: texts, means: texts })),
});

const asking = recheck.extend({
  kind: z.literal("recheck"),
  name: text,
  ratings: texts,
  firings: manyOf(firing),
  verdict: z.object({ kind: z.enum(["keep", "dismiss"]), because: text, by: text.optional() }).optional(),
});

const ratingAnswer = z.object({
  kind: z.literal("rating"),
  at: time,
  rating,
  checked: time,
  due: time,
  asking: manyOf(asking),
  claims: manyOf(claim),
  triggers: manyOf(z.object({ id: text, name: text })),
  sources: manyOf(source),
  conclusions: texts,
});

const sourceAnswer = z.object({
  kind: z.literal("source"),
  source: source.extend({ kind: text, address: text, title: text.optional() }),
  nearest: z.object({ at: time, change: change.optional(), what: text, because: text }).optional(),
  happenings: manyOf(happening),
  waiting: manyOf(waiting),
  claims: manyOf(claim),
  noise: manyOf(z.object({ reason: text, what: text, change, count, first: time, last: time })),
  listeners: manyOf(z.object({ trigger: text, part: z.enum(["on", "also"]), words: text })),
});

const triggerAnswer = z.object({
  kind: z.literal("trigger"),
  id: text,
  name: text,
  wording: text.optional(),
  ratings: texts,
  conditions: manyOf(
    z.object({
      part: z.enum(["on", "also"]),
      words: text,
      means: text.optional(),
      awaited: z.boolean(),
      sources: manyOf(source),
      fired: manyOf(firing),
      noise: count,
      due: time.optional(),
      unmet: manyOf(z.object({ happening, because: text })),
      waiting: manyOf(waiting),
    }),
  ),
  asking: manyOf(asking),
  claims: manyOf(claim),
});

export const story = z.union([ratingAnswer, sourceAnswer, triggerAnswer, asking]);

type Told<T extends z.ZodType> = z.output<T>;

export function storyAnswer(told: Explanation): Told<typeof story> {
  if (told.kind === "rating") return ofRating(told);
  if (told.kind === "source") return ofSource(told);
  return told.kind === "trigger" ? ofTrigger(told) : ofRecheck(told);
}

/** `level` is the value in the report, `freshness` its state, as in `status.json`. */
function ratingFields(freshness: Freshness, level: string): Told<typeof rating> {
  const { rating: id, level: stands, at, because } = freshness;
  return { id, level, freshness: stands, at, because };
}

function ofRating({
  rating: { level },
  freshness,
  asking,
  claims,
  triggers,
  sources,
  ...rest
}: RatingStory): Told<typeof ratingAnswer> {
  return {
    ...rest,
    rating: ratingFields(freshness, level),
    asking: asking.map(ofRecheck),
    claims: claims.map(claimFields),
    triggers: triggers.map(({ trigger: id, name }) => ({ id, name })),
    sources: sources.map((one) => sourceFields(one.source, one.health)),
  };
}

function ofSource({ source, health, waiting, claims, nearest, ...rest }: SourceStory): Told<typeof sourceAnswer> {
  const { id, kind, address, title } = source;
  return {
    ...rest,
    ...(nearest && { nearest }),
    source: { ...sourceFields(id, health), kind, address, title },
    waiting: waiting.map((one) => ofWaiting(one)),
    claims: claims.map(claimFields),
  };
}

function ofTrigger({
  trigger: id,
  conditions,
  claims,
  asking: asks,
  ...rest
}: TriggerStory): Told<typeof triggerAnswer> {
  return {
    ...rest,
    id,
    conditions: conditions.map(({ sources, waiting, ...one }) => ({
      ...one,
      sources: sources.map((its) => sourceFields(its.source, its.health)),
      waiting: waiting.map((its) => ofWaiting(its, its.source)),
    })),
    asking: asks.map(ofRecheck),
    claims: claims.map(claimFields),
  };
}

function ofRecheck(told: RecheckStory): Told<typeof asking> {
  return told;
}

function ofWaiting(
  { change, since, what, secondCheck, consequences }: WaitingStory,
  source?: string,
): Told<typeof waiting> {
  const asks = consequences.map(({ claim, askers, means }) => ({
    claim,
    means,
    triggers: askers.map(({ trigger }) => trigger),
  }));
  return { source, change, since, what, secondCheck, asks };
}

function claimFields({ claim: id, status: state, ...rest }: ClaimStory): Told<typeof claim> {
  return { ...rest, id, state };
}

function sourceFields(id: string, health: SourceHealth): Told<typeof source> {
  return { ...health, id };
}
