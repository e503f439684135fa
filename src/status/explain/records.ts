import { groupByEach, makeOnce } from "../../model/cache.ts";
import type { Claim, ClaimState } from "../../model/claim.ts";
import { conditionsOf, sourcesOfCondition } from "../../model/condition.ts";
import type { Config } from "../../model/config.ts";
import { triggersToAsk } from "../../model/firing.ts";
import type { CheckRecord, Store, StoredFiring, Watch } from "../../model/ports/index.ts";
import type { Source } from "../../model/source.ts";
import type { Instant } from "../../model/time.ts";
import { blindSources } from "../freshness.ts";
import { type AskedRows, openFirings, readStored, type Status, status, watchesIn } from "../status.ts";

/** The stored rows that explain why some sources raised an alert or not. */
export interface Records extends AskedRows {
  readonly at: Instant;
  readonly status: Status;
  readonly watches: ReadonlyMap<string, Watch>;
  /** Since when sources are blind; sources that others cover are not blind. */
  readonly blind: ReadonlyMap<string, Instant>;
  readonly firingsFrom: ReadonlyMap<string, readonly StoredFiring[]>;
  /** The firings without an answer. */
  readonly open: readonly StoredFiring[];
  readonly claims: ReadonlyMap<string, ClaimState>;
  /** Ratings that rest on each source, in the order of config. */
  readonly resting: ReadonlyMap<string, readonly string[]>;
  /** Checks of the requested sources, newest first. */
  readonly checks: ReadonlyMap<string, readonly CheckRecord[]>;
  /** The claims that fire each trigger when they change. */
  readonly asking: ReadonlyMap<string, readonly Claim[]>;
}

/** Most checks that are shown; older ones are only counted. */
const maxChecks = 500;

export async function readRecords(
  config: Config,
  store: Store,
  at: Instant,
  sources: Iterable<Source>,
): Promise<Records> {
  const stored = await readStored(store);
  const { firings, rechecks, answers } = stored;
  const watches = watchesIn(config, stored.watches);
  const checks = new Map<string, readonly CheckRecord[]>();
  for (const { id } of sources) {
    checks.set(id, await checksOf({ id }, store));
    await pauseEvery25(checks.size);
  }
  return {
    config,
    at,
    status: await status(config, store, at, stored),
    watches,
    blind: blindSources(config, watches, at),
    firings,
    firingsFrom: firingsBySource(firings),
    rechecks,
    answers,
    open: openFirings({ config, firings, rechecks, answers }),
    claims: new Map((await store.claims()).map((state) => [state.claim, state])),
    resting: ratingsBySource(config),
    checks,
    asking: claimsByTrigger(config),
  };
}

export async function checksOf({ id }: Pick<Source, "id">, store: Store): Promise<readonly CheckRecord[]> {
  return await store.checks(id, maxChecks);
}

export function firingsBySource(firings: readonly StoredFiring[]): Map<string, StoredFiring[]> {
  return groupByEach(firings, ({ evidence }) => evidence.map(({ source }) => source));
}

function claimsByTrigger(config: Config): Map<string, Claim[]> {
  const triggersOf = new Map<string, readonly string[]>();
  const claims = [...config.sources.values()].flatMap((source) => source.claims);
  // Many claims have the same ratings.
  return groupByEach(claims, ({ ratings }) =>
    makeOnce(triggersOf, ratings.join(" "), () => triggersToAsk(ratings, config)),
  );
}

/** Pauses after every 25 sources, so that other work of this process can run. */
export async function pauseEvery25(count: number): Promise<void> {
  if (count % 25 === 0) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** `sourcesUnder` for all ratings at once, in the other direction, so that each source is read once. */
export function ratingsBySource(config: Config): Map<string, string[]> {
  const ratingsOf = new Map<string, Set<string>>();
  const rests = (rating: string, source: string) =>
    ratingsOf.set(source, (ratingsOf.get(source) ?? new Set()).add(rating));
  for (const { id, claims } of config.sources.values()) {
    for (const rating of claims.flatMap(({ ratings }) => ratings)) rests(rating, id);
  }
  for (const { ratings, on, also } of config.triggers.values()) {
    for (const { condition } of conditionsOf({ on, also })) {
      const asked = ratings.filter((rating) => condition.ratings?.includes(rating) ?? true);
      for (const { id } of sourcesOfCondition(condition, config)) for (const rating of asked) rests(rating, id);
    }
  }
  const order = [...config.ratings.keys()];
  return new Map([...ratingsOf].map(([id, ratings]) => [id, order.filter((rating) => ratings.has(rating))]));
}
