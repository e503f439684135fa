import { askers } from "../../model/firing.ts";
import type { Claim, ClaimState, Config, Instant, Item, Source } from "../../model/model.ts";
import type {
  EventSighting,
  LookRecord,
  Snapshot,
  Store,
  StoredFiring,
  StoredRecheck,
  Watch,
} from "../../model/ports/index.ts";
import type { Reader } from "../../read/reader.ts";
import { blindSources } from "../freshness.ts";
import { listensTo } from "./condition.ts";
import type { Happening } from "./happening.ts";

/** All that is stored of some sources, for telling why they spoke or kept silent. */
export interface Known {
  readonly config: Config;
  readonly at: Instant;
  readonly watches: ReadonlyMap<string, Watch>;
  /** Since when; only sources that nothing else covers. */
  readonly blind: ReadonlyMap<string, Instant>;
  readonly firings: readonly StoredFiring[];
  readonly rechecks: readonly StoredRecheck[];
  readonly claims: ReadonlyMap<string, ClaimState>;
  /** Ratings that rest on each source, in the order of config. */
  readonly resting: ReadonlyMap<string, readonly string[]>;
  /** Of the sources asked for, newest first. */
  readonly looks: ReadonlyMap<string, readonly LookRecord[]>;
  /** Of the sources asked for, and of all that announce the same products. */
  readonly events: readonly EventSighting[];
  /** An entry with its text, as the snapshot of a look has it; undefined where that is kept no more. */
  item(source: Source, at: Instant, id: string): Promise<Item | undefined>;
  /** What each source told, once it was worked out: triggers ask for it as well. */
  readonly told: Map<string, readonly Happening[]>;
  /** Which claims ask each trigger when they move. */
  readonly asking: ReadonlyMap<string, readonly Claim[]>;
}

/** Looks that are told of: what is older is only counted. */
const most = 500;

/** Reads what is stored of these sources. Makes no request. */
export async function gather(
  config: Config,
  store: Store,
  readers: ReadonlyMap<string, Reader>,
  at: Instant,
  sources: readonly Source[],
): Promise<Known> {
  const all = (await store.watches()).filter(({ source }) => config.sources.has(source));
  const watches = new Map(all.map((watch) => [watch.source, watch]));
  const looks = new Map<string, LookRecord[]>();
  for (const { id } of sources) {
    looks.set(id, await store.looks(id, most));
    await breathe(looks.size);
  }
  const asked = new Set(sources);
  const products = new Set(sources.flatMap(({ announces }) => announces));
  const events: EventSighting[] = [];
  let told = 0;
  for (const source of config.sources.values()) {
    const counts = asked.has(source) || source.announces.some((product) => products.has(product));
    if (counts) events.push(...(await store.events(source.id)));
    told++;
    await breathe(told);
  }
  return {
    config,
    at,
    watches,
    blind: blindSources(config, watches, at),
    firings: await store.firings(),
    rechecks: await store.rechecks(),
    claims: new Map((await store.claims()).map((state) => [state.claim, state])),
    resting: ratingsBySource(config),
    looks,
    events,
    item: items(store, readers),
    told: new Map(),
    asking: claimsByTrigger(config),
  };
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

/** After every 25 of thousands of sources, whatever else this process serves has its turn. */
export async function breathe(count: number): Promise<void> {
  if (count % 25 === 0) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** `sourcesUnder` of all ratings at once, the other way round: among thousands of sources each is looked at once. */
export function ratingsBySource(config: Config): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  const rests = (rating: string, source: string) => found.set(source, (found.get(source) ?? new Set()).add(rating));
  for (const { id, claims } of config.sources.values()) {
    for (const rating of claims.flatMap(({ ratings }) => ratings)) rests(rating, id);
  }
  for (const { ratings, on, also } of config.triggers.values()) {
    for (const condition of [...on, ...also]) {
      const asked = ratings.filter((rating) => condition.ratings?.includes(rating) ?? true);
      for (const { id } of listensTo(condition, config)) for (const rating of asked) rests(rating, id);
    }
  }
  const order = [...config.ratings.keys()];
  return new Map([...found].map(([id, ratings]) => [id, order.filter((rating) => ratings.has(rating))]));
}

function items(store: Store, readers: ReadonlyMap<string, Reader>): Known["item"] {
  const snapshots = new Map<string, readonly Snapshot[]>();
  const read = new Map<Snapshot, ReadonlyMap<string, Item>>();
  return async (source, at, id) => {
    const kept = snapshots.get(source.id) ?? (await store.snapshots(source.id, 100));
    snapshots.set(source.id, kept);
    const snapshot = kept.find((one) => one.at === at);
    if (!snapshot) return undefined;
    let found = read.get(snapshot);
    if (!found) {
      found = await itemsOf(snapshot, source, readers);
      read.set(snapshot, found);
    }
    return found.get(id);
  };
}

/** An old response may not be readable by today's options; then its entries have no text. */
async function itemsOf(
  snapshot: Snapshot,
  source: Source,
  readers: ReadonlyMap<string, Reader>,
): Promise<Map<string, Item>> {
  try {
    const reading = await readers.get(source.kind)?.read(snapshot.response, source);
    return new Map((reading?.items ?? []).map((item) => [item.id, item]));
  } catch {
    return new Map();
  }
}
