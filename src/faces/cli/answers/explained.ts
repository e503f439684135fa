import type { Firing } from "../../../model/firing.ts";
import type { Source } from "../../../model/source.ts";
import type { ClaimStanding, Freshness } from "../../../model/states.ts";
import type { SourceHealth } from "../../../status/explain/health.ts";
import type { Explanation } from "../../../status/explain/index.ts";
import type { WaitingStory } from "../../../status/explain/quiet.ts";
import type { ClaimStory, SourceStory } from "../../../status/explain/source.ts";
import type { ConditionStory, RatingStory, RecheckStory, TriggerStory } from "../../../status/explain/trigger.ts";

/** The answer of `explain`: the stories of ratings, sources, triggers and rechecks, in the words of all answers. */
export type StoryAnswer = RatingAnswer | SourceAnswer | TriggerAnswer | RecheckAnswer;

type RatingAnswer = Omit<RatingStory, "rating" | "freshness" | "asking" | "claims" | "triggers" | "sources"> & {
  readonly rating: Pick<Freshness, "at" | "because"> & {
    readonly id: string;
    /** The value in the report. */
    readonly level: string;
    /** Its state, as in `status.json`. */
    readonly freshness: Freshness["level"];
  };
  readonly asking: readonly RecheckAnswer[];
  readonly claims: readonly ClaimAnswer[];
  readonly triggers: readonly { readonly id: string; readonly name: string }[];
  readonly sources: readonly HealthAnswer[];
};

type SourceAnswer = Omit<SourceStory, "source" | "health" | "waiting" | "claims"> & {
  readonly source: HealthAnswer & Pick<Source, "kind" | "address" | "title">;
  readonly waiting: readonly WaitingAnswer[];
  readonly claims: readonly ClaimAnswer[];
};

type TriggerAnswer = Omit<TriggerStory, "trigger" | "conditions" | "claims" | "asking"> & {
  readonly id: string;
  readonly conditions: readonly (Omit<ConditionStory, "sources" | "waiting" | "fired"> & {
    readonly sources: readonly HealthAnswer[];
    readonly waiting: readonly WaitingAnswer[];
    readonly fired: readonly Firing[];
  })[];
  readonly asking: readonly RecheckAnswer[];
  readonly claims: readonly ClaimAnswer[];
};

type RecheckAnswer = Omit<RecheckStory, "firings"> & { readonly firings: readonly Firing[] };
type HealthAnswer = SourceHealth & { readonly id: string };
type ClaimAnswer = Omit<ClaimStory, "claim" | "status"> & { readonly id: string; readonly state: ClaimStanding };

type WaitingAnswer = Pick<WaitingStory, "change" | "since" | "what" | "secondCheck"> & {
  readonly source?: string;
  readonly asks: readonly {
    readonly claim?: string;
    readonly triggers: readonly string[];
    readonly means: readonly string[];
  }[];
};

export function storyAnswer(story: Explanation): StoryAnswer {
  if (story.kind === "rating") return ofRating(story);
  if (story.kind === "source") return ofSource(story);
  return story.kind === "trigger" ? ofTrigger(story) : story;
}

function ratingFields(freshness: Freshness, level: string): RatingAnswer["rating"] {
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
}: RatingStory): RatingAnswer {
  return {
    ...rest,
    rating: ratingFields(freshness, level),
    asking,
    claims: claims.map(claimFields),
    triggers: triggers.map(({ trigger: id, name }) => ({ id, name })),
    sources: sources.map((one) => sourceFields(one.source, one.health)),
  };
}

function ofSource({ source, health, waiting, claims, nearest, ...rest }: SourceStory): SourceAnswer {
  const { id, kind, address, title } = source;
  return {
    ...rest,
    ...(nearest && { nearest }),
    source: { ...sourceFields(id, health), kind, address, title },
    waiting: waiting.map((one) => ofWaiting(one)),
    claims: claims.map(claimFields),
  };
}

function ofTrigger({ trigger: id, conditions, claims, asking, ...rest }: TriggerStory): TriggerAnswer {
  return {
    ...rest,
    id,
    conditions: conditions.map(({ sources, waiting, ...one }) => ({
      ...one,
      sources: sources.map((its) => sourceFields(its.source, its.health)),
      waiting: waiting.map((its) => ofWaiting(its, its.source)),
    })),
    asking,
    claims: claims.map(claimFields),
  };
}

function ofWaiting({ change, since, what, secondCheck, consequences }: WaitingStory, source?: string): WaitingAnswer {
  const asks = consequences.map(({ claim, askers, means }) => ({
    claim,
    means,
    triggers: askers.map(({ trigger }) => trigger),
  }));
  return { source, change, since, what, secondCheck, asks };
}

function claimFields({ claim: id, status: state, ...rest }: ClaimStory): ClaimAnswer {
  return { ...rest, id, state };
}

function sourceFields(id: string, health: SourceHealth): HealthAnswer {
  return { ...health, id };
}
