import type { Claim } from "./claim.ts";
import { listensTo, sourcesOfCondition } from "./condition.ts";
import type { Conclusion, Config, Rating, Trigger } from "./config.ts";
import { builtIn, type Firing, isOfTrigger } from "./firing.ts";

/** The ratings that a firing puts in doubt: those of its claims or conditions, else its trigger's. */
export function ratingsInDoubt(firing: Firing, config: Config): ReadonlySet<string> {
  const ofTrigger = config.triggers.get(firing.trigger)?.ratings ?? [];
  if (firing.trigger === builtIn.notFound)
    return new Set(
      firing.evidence.flatMap(({ claim, source }) =>
        claim === undefined ? ratingsOn(source, config) : ratingsOfClaim(claim, config),
      ),
    );
  const amongTriggers = (ratings: readonly string[]) =>
    ofTrigger.length > 0 ? ratings.filter((rating) => ofTrigger.includes(rating)) : ratings;
  if (firing.evidence.length === 0) {
    // Its evidence is no longer stored. The event's key may still name a claim.
    const ratings = ratingsOfClaim(firing.event.key.split(" ", 1)[0], config);
    return new Set(ratings.length === 0 ? ofTrigger : amongTriggers(ratings));
  }
  return new Set(
    firing.evidence.flatMap((piece) =>
      isOfTrigger(piece) ? (piece.condition?.ratings ?? ofTrigger) : amongTriggers(ratingsOfClaim(piece.claim, config)),
    ),
  );
}

function ratingsOfClaim(key: string | undefined, config: Config): readonly string[] {
  return claimOf(key, config)?.ratings ?? [];
}

/** The ratings that rest on a source: those of its claims, and of the conditions that listen to it. */
function ratingsOn(id: string, { sources, triggers }: Config): string[] {
  const source = sources.get(id);
  if (!source) return [];
  const ofTriggers = [...triggers.values()].flatMap(({ on, also, ratings }) =>
    [...on, ...also].flatMap((condition) => (listensTo(condition, source) ? (condition.ratings ?? ratings) : [])),
  );
  return [...source.claims.flatMap((claim) => claim.ratings), ...ofTriggers];
}

export function claimKey({ source, id }: Pick<Claim, "source" | "id">): string {
  return `${source}/${id}`;
}

export function claimOf(key: string | undefined, config: Config): Claim | undefined {
  const [source = "", id] = key?.split("/", 2) ?? [];
  return config.sources.get(source)?.claims.find((claim) => claim.id === id);
}

export function triggersNaming({ id }: Rating, config: Config): Trigger[] {
  return [...config.triggers.values()].filter(({ ratings }) => ratings.includes(id));
}

/** The sources a rating rests on: those of its claims and of the triggers that name it. */
export function sourcesUnder(rating: Rating, config: Config): string[] {
  const ofClaims = [...config.sources.values()].filter(({ claims }) =>
    claims.some((claim) => claim.ratings.includes(rating.id)),
  );
  const conditions = triggersNaming(rating, config).flatMap(({ on, also }) => [...on, ...also]);
  const relevant = conditions.filter(({ ratings }) => ratings === undefined || ratings.includes(rating.id));
  const ofTriggers = relevant.flatMap((condition) => sourcesOfCondition(condition, config));
  return [...new Set([...ofClaims, ...ofTriggers].map(({ id }) => id))];
}

/** The conclusions that rest on these ratings, also by way of others. */
export function conclusionsOn(ratings: readonly string[], { conclusions }: Config): Conclusion[] {
  const all = [...conclusions.values()];
  const below = new Set(ratings);
  // A set also runs over what is added meanwhile.
  for (const one of below) for (const { id, restsOn } of all) if (restsOn.includes(one)) below.add(id);
  return all.filter(({ id }) => below.has(id));
}
