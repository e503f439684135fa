import type { Freshness, Instant, Rating } from "../../model/model.ts";
import { isAsking } from "../../model/ports/index.ts";
import { conclusionsOn, sourcesUnder, touches, triggersNaming } from "../../model/rests.ts";
import { triggerName } from "../../model/words.ts";
import { patience } from "../freshness.ts";
import { healthOf, type SourceHealth } from "./health.ts";
import type { Records } from "./records.ts";
import { type ClaimStory, claimStory } from "./source.ts";
import { type RecheckStory, recheckStory } from "./trigger.ts";

/** A rating: how it stands and why, and all that it rests on. */
export interface RatingStory {
  readonly kind: "rating";
  readonly at: Instant;
  readonly rating: Rating;
  readonly freshness: Freshness;
  /** When a person last reviewed it, else the day of the audit. */
  readonly checked: Instant;
  /** When it falls due, if nothing happens before. */
  readonly due: Instant;
  /** The rechecks that ask about it now, each with the events that touch it. */
  readonly asking: readonly RecheckStory[];
  readonly claims: readonly ClaimStory[];
  readonly triggers: readonly { readonly trigger: string; readonly name: string }[];
  readonly sources: readonly { readonly source: string; readonly health: SourceHealth }[];
  /** Conclusions that rest on it, whether by way of others or not. */
  readonly conclusions: readonly string[];
}

export function ratingStory(rating: Rating, freshness: Freshness, records: Records): RatingStory {
  const { config, firings, rechecks } = records;
  const claims = [...config.sources.values()].flatMap((source) =>
    source.claims.filter(({ ratings }) => ratings.includes(rating.id)),
  );
  const checked = rating.reviewed ?? config.report.audited;
  const asking = rechecks.filter(isAsking).flatMap((recheck) => {
    const story = recheckStory(recheck.trigger, records, recheck);
    const its = story.firings.filter((firing) => touches(firing, config).has(rating.id));
    return its.length > 0 ? [{ ...story, firings: its }] : [];
  });
  const unplanned = Map.groupBy(
    firings.filter((firing) => firing.recheck === undefined && touches(firing, config).has(rating.id)),
    ({ trigger }) => trigger,
  );
  return {
    kind: "rating",
    at: records.at,
    rating,
    freshness,
    checked,
    due: checked + patience(rating, config),
    asking: [
      ...asking,
      ...[...unplanned].map(([trigger, its]) => ({ ...recheckStory(trigger, records, undefined), firings: its })),
    ],
    claims: claims.map((claim) => claimStory(claim, records)),
    triggers: triggersNaming(rating, config).map(({ id }) => ({ trigger: id, name: triggerName(id, config) })),
    sources: sourcesUnder(rating, config).flatMap((id) => {
      const source = config.sources.get(id);
      return source ? [{ source: id, health: healthOf(source, records) }] : [];
    }),
    conclusions: conclusionsOn([rating.id], config).map(({ text }) => text),
  };
}
