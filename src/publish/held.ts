import type { Config } from "../model/config.ts";
import { builtIn } from "../model/firing.ts";
import { isOver, type StoredFiring } from "../model/ports/index.ts";
import { ratingsInDoubt, sourcesUnder } from "../model/rests.ts";
import type { Source } from "../model/source.ts";
import type { Duration, Instant } from "../model/time.ts";
import { freshFor } from "../status/freshness.ts";
import type { Edition } from "./edition.ts";

/** How long a rating or publisher held, from the audit to the first contrary event or the last sighting. */
export interface Held {
  /** A rating's id, or a publisher. */
  readonly id: string;
  readonly for: Duration;
  /** The first contrary firing; without one, it held until the last sighting. */
  readonly ended?: { readonly at: Instant; readonly firing: StoredFiring };
  /** Expected time: the rating's volatility; for a publisher, the shortest one of its ratings. */
  readonly declared?: Duration;
  /** For a publisher: how many of its sources are watched for claims or triggers. */
  readonly sources: number;
}

/** All ratings that do not rest on a judgement alone, in the order of config. */
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

/** All publishers with sources that support a rating, in the order of config. */
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

/** The publisher of a source: its web host, or the owner if many share that host. */
export function publisherOf(source: Source, { link }: Pick<Edition, "link">): string {
  const host = URL.parse(link(source) ?? source.address)?.hostname.replace(/^www\./, "") || source.kind;
  const owner = /^[a-z]+:/i.test(source.address) ? undefined : /^([^/\s]+)\/[^/]/.exec(source.address)?.[1];
  return owner === undefined ? host : `${host}/${owner}`;
}

/** Contrary firings that were not dismissed. */
function contraryIn({ firings, rechecks }: Edition): StoredFiring[] {
  const dismissed = new Set(
    rechecks.filter((one) => isOver(one) && one.verdict?.kind === "dismiss").map(({ id }) => id),
  );
  return firings.filter(
    ({ weight, trigger, recheck }) =>
      weight === "contrary" && trigger !== builtIn.notFound && !(recheck !== undefined && dismissed.has(recheck)),
  );
}

/** For each source, the shortest time that its ratings stay fresh. */
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

/** The event's date, if a source gives one after the audit; otherwise when it was seen. */
function cameAt({ event, seen }: StoredFiring, { config: { report }, at }: Edition): Instant {
  const dated = event.at !== undefined && event.at >= report.audited && event.at <= at ? event.at : seen;
  return Math.max(dated, report.audited);
}

/** The time until which no change was missed: the last successful check if a source is blind, otherwise the last check. */
function seenUntil(sources: readonly string[], { sources: stories, status, config }: Edition): Instant {
  const own = new Set(sources);
  const lost = stories.flatMap(({ source, health: { state, lastSeen } }) =>
    own.has(source.id) && (state === "blind" || state === "gone") && lastSeen !== undefined ? [lastSeen] : [],
  );
  return Math.min(status.lastCheck ?? config.report.audited, ...lost);
}
