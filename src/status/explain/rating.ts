import type { Rating } from "../../model/config.ts";
import { conclusionsOn, ratingsInDoubt, sourcesUnder, triggersNaming } from "../../model/rests.ts";
import type { Freshness } from "../../model/states.ts";
import type { Instant } from "../../model/time.ts";
import { triggerName } from "../../model/words.ts";
import { isAnswered } from "../../recheck/answer/answers.ts";
import { freshFor } from "../freshness.ts";
import { answersTo } from "../status.ts";
import { healthOf, type SourceHealth } from "./health.ts";
import type { Records } from "./records.ts";
import { type ClaimStory, claimStory } from "./source.ts";
import { askingStories, type RecheckStory } from "./trigger.ts";

export interface RatingStory {
  readonly kind: "rating";
  readonly at: Instant;
  readonly rating: Rating;
  readonly freshness: Freshness;
  /** When a person last reviewed it (default: the day of the audit). */
  readonly checked: Instant;
  /** When it becomes due without other events. */
  readonly due: Instant;
  /** The open rechecks about it, each with the events that touch it. */
  readonly asking: readonly RecheckStory[];
  readonly claims: readonly ClaimStory[];
  readonly triggers: readonly { readonly trigger: string; readonly name: string }[];
  readonly sources: readonly { readonly source: string; readonly health: SourceHealth }[];
  /** Conclusions that rest on it, directly or through others. */
  readonly conclusions: readonly string[];
}

export function ratingStory(rating: Rating, freshness: Freshness, records: Records): RatingStory {
  const { config, open, answers } = records;
  const claims = [...config.sources.values()].flatMap((source) =>
    source.claims.filter(({ ratings }) => ratings.includes(rating.id)),
  );
  const checked = rating.reviewed ?? config.report.audited;
  const given = Map.groupBy(answers, ({ recheck }) => recheck);
  const questions = open
    .filter((firing) => ratingsInDoubt(firing, config).has(rating.id))
    .filter((firing) => !isAnswered(firing, rating.id, answersTo(firing, given)));
  return {
    kind: "rating",
    at: records.at,
    rating,
    freshness,
    checked,
    due: checked + freshFor(rating, config),
    asking: askingStories(questions, records),
    claims: claims.map((claim) => claimStory(claim, records)),
    triggers: triggersNaming(rating, config).map(({ id }) => ({ trigger: id, name: triggerName(id, config) })),
    sources: sourcesUnder(rating, config).flatMap((id) => {
      const source = config.sources.get(id);
      return source ? [{ source: id, health: healthOf(source, records) }] : [];
    }),
    conclusions: conclusionsOn([rating.id], config).map(({ text }) => text),
  };
}
