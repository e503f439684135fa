import type { Config } from "../model/config.ts";
import { builtIn } from "../model/firing.ts";
import { isOver, type StoredFiring } from "../model/ports/index.ts";
import { ratingsInDoubt, sourcesUnder } from "../model/rests.ts";
import type { Source } from "../model/source.ts";
import type { Duration, Instant } from "../model/time.ts";
import { freshFor } from "../status/freshness.ts";
import type { Edition } from "./edition.ts";

/** How long something held from the audit on: until something contrary came, or until it was last seen. */
export interface Held {
  /** A rating's id, or a publisher. */
  readonly id: string;
  readonly for: Duration;
  /** The first firing against it; without one it held as far as anybody saw. */
  readonly ended?: { readonly at: Instant; readonly firing: StoredFiring };
  /** Expected time by config: the volatility; of a publisher, the shortest one of its ratings. */
  readonly declared?: Duration;
  /** For a publisher: how many of its sources are watched for claims or triggers. */
  readonly sources: number;
}

/** Every rating that a source can settle, in the order of config. */
export function heldRatings(edition: Edition): Held[] {
  const { config } = edition;
  const contrary = contraryIn(edition);
  return [...config.ratings.values()]
    .filter(({ basis }) => basis !== "judgement")
    .map((rating) => {
      const its = contrary.filter((one) => ratingsInDoubt(one, config).has(rating.id));
      const under = sourcesUnder(rating, config);
      return {
        id: rating.id,
        ...timeHeld(its, under, edition),
        declared: freshFor(rating, config),
        sources: under.length,
      };
    });
}

/** Every publisher on whose sources a rating rests, in the order of config. */
export function heldPublishers(edition: Edition): Held[] {
  const { config } = edition;
  const contrary = contraryIn(edition);
  const shortest = shortestBySource(config);
  const publishers = Map.groupBy(
    [...config.sources.values()].filter(({ id }) => shortest.has(id)),
    (source) => publisherOf(source, edition),
  );
  return [...publishers].map(([id, sources]) => {
    const own = new Set(sources.map((source) => source.id));
    const its = contrary.filter(({ evidence }) => evidence.some(({ source }) => own.has(source)));
    const declared = Math.min(...sources.map((source) => shortest.get(source.id) ?? Number.POSITIVE_INFINITY));
    return { id, ...timeHeld(its, [...own], edition), declared, sources: sources.length };
  });
}

/** Who answers for a source: its web host, or the owner where many share that host. */
export function publisherOf(source: Source, { link }: Pick<Edition, "link">): string {
  const host = URL.parse(link(source) ?? source.address)?.hostname.replace(/^www\./, "") || source.kind;
  const owner = /^[a-z]+:/i.test(source.address) ? undefined : /^([^/\s]+)\/[^/]/.exec(source.address)?.[1];
  return owner === undefined ? host : `${host}/${owner}`;
}

/** The firings that spoke against something and were not dismissed as not meaningful. */
function contraryIn({ firings, rechecks }: Edition): StoredFiring[] {
  const dismissed = new Set(
    rechecks.filter((one) => isOver(one) && one.verdict?.kind === "dismiss").map(({ id }) => id),
  );
  return firings.filter(
    ({ weight, trigger, recheck }) =>
      weight === "contrary" && trigger !== builtIn.notFound && !(recheck !== undefined && dismissed.has(recheck)),
  );
}

/** The shortest time that a rating which rests on it stays fresh, by source. */
function shortestBySource(config: Config): Map<string, Duration> {
  const found = new Map<string, Duration>();
  for (const rating of config.ratings.values()) {
    const length = freshFor(rating, config);
    for (const id of sourcesUnder(rating, config)) found.set(id, Math.min(length, found.get(id) ?? length));
  }
  return found;
}

function timeHeld(
  contrary: readonly StoredFiring[],
  sources: readonly string[],
  edition: Edition,
): Pick<Held, "for" | "ended"> {
  const { audited } = edition.config.report;
  const first = contrary.map((firing) => ({ at: cameAt(firing, edition), firing })).sort((a, b) => a.at - b.at)[0];
  if (first) return { for: first.at - audited, ended: first };
  return { for: Math.max(0, seenUntil(sources, edition) - audited) };
}

/** When it happened, if a source dates it after the audit; otherwise when it was seen. */
function cameAt({ event, seen }: StoredFiring, { config: { report }, at }: Edition): Instant {
  const dated = event.at !== undefined && event.at >= report.audited && event.at <= at ? event.at : seen;
  return Math.max(dated, report.audited);
}

/** Up to this time nothing was missed: the last successful check if a source is blind, otherwise the last check. */
function seenUntil(sources: readonly string[], { sources: stories, status, config }: Edition): Instant {
  const own = new Set(sources);
  const lost = stories.flatMap(({ source, health: { state, lastSeen } }) =>
    own.has(source.id) && (state === "blind" || state === "gone") && lastSeen !== undefined ? [lastSeen] : [],
  );
  return Math.min(status.lastCheck ?? config.report.audited, ...lost);
}
