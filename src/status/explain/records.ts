import type { Claim, ClaimState } from "../../model/claim.ts";
import { conditionsOf, listensTo } from "../../model/condition.ts";
import type { Config } from "../../model/config.ts";
import { askers } from "../../model/firing.ts";
import type { CheckRecord, Store, StoredAnswer, StoredFiring, StoredRecheck, Watch } from "../../model/ports/index.ts";
import type { Source } from "../../model/source.ts";
import type { Instant } from "../../model/time.ts";
import { blindSources } from "../freshness.ts";
import { openFirings } from "../status.ts";

/** The stored rows of some sources, for telling why they spoke or kept silent. */
export interface Records {
  readonly config: Config;
  readonly at: Instant;
  readonly watches: ReadonlyMap<string, Watch>;
  /** Since when sources are blind, without those that others cover. */
  readonly blind: ReadonlyMap<string, Instant>;
  readonly firings: readonly StoredFiring[];
  /** Firings by the sources of their evidence. */
  readonly firingsFrom: ReadonlyMap<string, readonly StoredFiring[]>;
  readonly rechecks: readonly StoredRecheck[];
  readonly answers: readonly StoredAnswer[];
  /** The firings that nobody has answered. */
  readonly open: readonly StoredFiring[];
  readonly claims: ReadonlyMap<string, ClaimState>;
  /** Ratings that rest on each source, in the order of config. */
  readonly resting: ReadonlyMap<string, readonly string[]>;
  /** Of the sources asked for, newest first. */
  readonly looks: ReadonlyMap<string, readonly CheckRecord[]>;
  /** The claims that ask each trigger when they move. */
  readonly asking: ReadonlyMap<string, readonly Claim[]>;
}

/** Looks that are told, at most; older ones are only counted. */
const maxLooks = 500;

/** Reads what is stored of these sources. Makes no request. */
export async function readRecords(
  config: Config,
  store: Store,
  at: Instant,
  sources: Iterable<Source>,
): Promise<Records> {
  const all = (await store.watches()).filter(({ source }) => config.sources.has(source));
  const watches = new Map(all.map((watch) => [watch.source, watch]));
  const looks = new Map<string, readonly CheckRecord[]>();
  for (const { id } of sources) {
    looks.set(id, await looksOf({ id }, store));
    await breathe(looks.size);
  }
  const [firings, rechecks, answers] = [await store.firings(), await store.rechecks(), await store.answers()];
  return {
    config,
    at,
    watches,
    blind: blindSources(config, watches, at),
    firings,
    firingsFrom: bySource(firings),
    rechecks,
    answers,
    open: openFirings({ config, firings, rechecks, answers }),
    claims: new Map((await store.claims()).map((state) => [state.claim, state])),
    resting: ratingsBySource(config),
    looks,
    asking: claimsByTrigger(config),
  };
}

/** The looks at a source that are told of, newest first. */
export async function looksOf({ id }: Pick<Source, "id">, store: Store): Promise<readonly CheckRecord[]> {
  return await store.looks(id, maxLooks);
}

function bySource(firings: readonly StoredFiring[]): Map<string, StoredFiring[]> {
  const found = new Map<string, StoredFiring[]>();
  for (const firing of firings) {
    for (const source of new Set(firing.evidence.map((piece) => piece.source))) {
      const its = found.get(source) ?? [];
      its.push(firing);
      found.set(source, its);
    }
  }
  return found;
}

function claimsByTrigger(config: Config): Map<string, Claim[]> {
  const found = new Map<string, Claim[]>();
  const known = new Map<string, readonly string[]>();
  for (const claim of [...config.sources.values()].flatMap(({ claims }) => claims)) {
    // Many claims rest on the same ratings.
    const key = claim.ratings.join(" ");
    const triggers = known.get(key) ?? askers(claim.ratings, config);
    known.set(key, triggers);
    for (const id of triggers) {
      const its = found.get(id) ?? [];
      its.push(claim);
      found.set(id, its);
    }
  }
  return found;
}

/** Lets other work of this process run, after every 25 of thousands of sources. */
export async function breathe(count: number): Promise<void> {
  if (count % 25 === 0) await new Promise<void>((resolve) => setImmediate(resolve));
}

/**
 * `sourcesUnder` for all ratings at once, in the other direction, so that each of thousands of sources is read once.
 */
export function ratingsBySource(config: Config): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  const rests = (rating: string, source: string) => found.set(source, (found.get(source) ?? new Set()).add(rating));
  for (const { id, claims } of config.sources.values()) {
    for (const rating of claims.flatMap(({ ratings }) => ratings)) rests(rating, id);
  }
  for (const { ratings, on, also } of config.triggers.values()) {
    for (const { condition } of conditionsOf({ on, also })) {
      const asked = ratings.filter((rating) => condition.ratings?.includes(rating) ?? true);
      for (const { id } of listensTo(condition, config)) for (const rating of asked) rests(rating, id);
    }
  }
  const order = [...config.ratings.keys()];
  return new Map([...found].map(([id, ratings]) => [id, order.filter((rating) => ratings.has(rating))]));
}
