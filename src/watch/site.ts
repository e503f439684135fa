import type { Comparison, Memory } from "../compare/index.ts";
import type { PageMemory } from "../compare/page/memory.ts";
import { isMadeBy, isRestamped } from "../compare/page/shared.ts";
import type {
  Change,
  Config,
  Duration,
  Foreseen,
  Instant,
  Noise,
  PendingSighting,
  Seen,
  Sighting,
  Source,
} from "../model/model.ts";
import type { Store, StoredFiring } from "../model/ports/index.ts";
import { aDay } from "../model/time.ts";
import { type Context, foresee } from "./evaluate.ts";

/**
 * Several sources on one host are evidence for each other: a change that at least two other pages made too is the
 * site's. A stamp of it asks nobody; anything else is told once.
 */

/** What other pages of a site remember, and what was told of it. */
export interface Site {
  readonly pages: ReadonlyMap<string, PageMemory>;
  readonly firings: readonly StoredFiring[];
}

/** Pages of one host whose memory one look reads. */
const maxPages = 50;
/** With fewer other pages that did the same nothing is learned. */
const minOthers = 2;
/** What other pages did longer ago is another change. */
const window: Duration = 14 * aDay;

type BlockChange = Extract<Change, { kind: "block" }>;

/** Reads what a look can learn of its site; undefined where that is nothing. */
export async function siteOf(
  source: Source,
  { changes, sightings }: Pick<Comparison, "changes" | "sightings">,
  { config, store }: { config: Config; store: Store },
): Promise<Site | undefined> {
  if (![...changes, ...sightings].some(({ change }) => change.kind === "block")) return undefined;
  const others = othersOf(source, config);
  if (others.length < minOthers) return undefined;
  const pages = new Map<string, PageMemory>();
  for (const { id } of others) {
    const { page }: Memory = JSON.parse((await store.memory(id)) ?? "{}");
    if (page) pages.set(id, page);
  }
  if (pages.size < minOthers) return undefined;
  return { pages, firings: changes.length > 0 ? await store.firings() : [] };
}

/**
 * The pages whose next look tells whether a text that was first seen changed now, and stands on them as it was, changes
 * there too: no more than it takes to know before the second look. Pure.
 */
export function pagesToAsk(sightings: readonly Sighting[], { pages }: Site, at: Instant): string[] {
  const asked = sightings.flatMap(({ change, since }) => {
    if (change.kind !== "block" || since < at || !change.before) return [];
    const { text } = change.before;
    const others = [...pages].filter(([, page]) => isMadeBy(page, change, at - window));
    const still = [...pages].filter(([, page]) => stands(text, page));
    if (others.length + still.length < minOthers) return [];
    return still.slice(0, Math.max(0, minOthers - others.length)).map(([id]) => id);
  });
  return [...new Set(asked)].slice(0, minOthers);
}

function stands(text: string, { accepted, latest = accepted }: PageMemory): boolean {
  return latest.some((block) => block.text === text);
}

/** Sources of the same kind at other addresses of the same host, one for each address. */
function othersOf(source: Source, { sources }: Config): Source[] {
  const own = URL.parse(source.address);
  const found = new Map<string, Source>();
  if (!own) return [];
  for (const other of sources.values()) {
    const url = other.kind === source.kind ? URL.parse(other.address) : undefined;
    if (url?.host !== own.host || pageOf(url) === pageOf(own)) continue;
    if (!found.has(pageOf(url))) found.set(pageOf(url), other);
    if (found.size === maxPages) break;
  }
  return [...found.values()];
}

function pageOf({ pathname, search }: URL): string {
  return `${pathname.replace(/\/$/, "")}${search}`;
}

/**
 * Parts what is told of a look from what is the site's. Whatever moves or ends a claim is told, and a stamp that a
 * condition names; of what is told once, nothing is passed over that the first telling did not ask just so. Pure.
 */
export function withoutSites(
  changes: readonly Seen[],
  claims: readonly Seen[],
  site: Site | undefined,
  context: Omit<Context, "remembered">,
): { readonly told: readonly Seen[]; readonly passed: readonly Noise[] } {
  const shared = site ? sharedOf(changes, site, context.at) : new Map<Seen, readonly string[]>();
  if (!site || shared.size === 0) return { told: changes, passed: [] };
  const candidates = [...shared.keys()];
  const moved = claims.filter(({ change }) => change.kind === "claim");
  const nothing = { sightings: [], firings: [] };
  const passed = new Map<Seen, Noise>();
  foresee(candidates, moved, { ...context, remembered: nothing }).forEach((one, i) => {
    const seen = candidates[i];
    const others = (seen && shared.get(seen)) ?? [];
    const reason = reasonFor(one, others, site.firings, context.at);
    if (seen && reason) passed.set(seen, { change: one.change, site: { pages: others.length + 1 }, ...reason });
  });
  return { told: changes.filter((seen) => !passed.has(seen)), passed: [...passed.values()] };
}

/** Changes that enough other pages made too, with the ids of those. */
function sharedOf(changes: readonly Seen[], { pages }: Site, at: Instant): Map<Seen, readonly string[]> {
  const shared = new Map<Seen, readonly string[]>();
  for (const seen of changes) {
    const { change } = seen;
    if (change.kind !== "block") continue;
    const others = [...pages].filter(([, page]) => isMadeBy(page, change, at - window)).map(([id]) => id);
    if (others.length >= minOthers) shared.set(seen, others);
  }
  return shared;
}

/** Why a change that others share is passed over; undefined where it is told. */
function reasonFor(
  { change, asks, claims = [] }: PendingSighting,
  others: readonly string[],
  firings: readonly StoredFiring[],
  at: Instant,
): Pick<Noise, "reason"> | undefined {
  if (change.kind !== "block" || asks.length === 0 || claims.length > 0) return undefined;
  if (asks.some(({ claim }) => claim !== undefined)) return undefined;
  if (isRestamped(change) && !asks.some(isNaming)) return { reason: "the site's" };
  const told = toldOf(change, others, firings, at);
  return asks.every((ask) => told.some((one) => covers(one, ask))) ? { reason: "told of the site" } : undefined;
}

/** Whether a condition says by itself what it waits for, or where. */
function isNaming({ condition }: Foreseen): boolean {
  const { awaited, matches, under } = { matches: undefined, under: undefined, ...condition };
  return awaited === true || matches !== undefined || under !== undefined;
}

type Telling = Pick<StoredFiring, "trigger"> & StoredFiring["evidence"][number];

/** The evidence by which other pages told the very same change. */
function toldOf(
  change: BlockChange,
  others: readonly string[],
  firings: readonly StoredFiring[],
  at: Instant,
): Telling[] {
  return firings.flatMap(({ trigger, evidence }) =>
    evidence
      .filter((piece) => others.includes(piece.source) && piece.seen >= at - window && isSame(piece.change, change))
      .map((piece) => ({ ...piece, trigger })),
  );
}

function isSame(one: Change, { before, after }: BlockChange): boolean {
  return one.kind === "block" && one.before?.text === before?.text && one.after?.text === after?.text;
}

/** Whether a telling asked all that this one would ask: the same trigger, ratings, weight and meaning. */
function covers({ trigger, condition }: Telling, ask: Foreseen): boolean {
  if (trigger !== ask.trigger || !condition) return false;
  const { ratings, means, awaited = false } = condition;
  const isWide = ratings === undefined || (ask.condition.ratings?.every((rating) => ratings.includes(rating)) ?? false);
  return isWide && means === ask.condition.means && awaited === (ask.condition.awaited ?? false);
}
