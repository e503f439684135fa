import type { Comparison, Memory } from "../compare/index.ts";
import { empty, type PageMemory } from "../compare/page/memory.ts";
import {
  hasNewText,
  hasOldText,
  isInFrame,
  isMadeBy,
  isRenumberedLine,
  isRestamped,
  isRestampedAgain,
  type OtherPage,
  otherPage,
} from "../compare/page/site-changes.ts";
import { makeOnce } from "../model/cache.ts";
import type { Change, Noise, Seen, Sighting } from "../model/change.ts";
import type { ForeseenFiring, PendingSighting } from "../model/check.ts";
import type { Config } from "../model/config.ts";
import type { Store, StoredFiring } from "../model/ports/index.ts";
import type { Block } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { aDay, type Duration, type Instant } from "../model/time.ts";
import { type Context, foresee } from "./evaluate.ts";

/**
 * Pages of one host are evidence for each other. A text on several of them belongs to the site. A change belongs to the
 * site if at least two other pages made it, too, or all pages with the same text. A stamp of the site is ignored; any
 * other change is reported once. A page alone shows a stamp of the site by its second change above the title.
 */

/** How other pages of the site relate to the changes of one check. */
export interface Site {
  /** Changes that enough other pages made too, with the ids of those pages. */
  readonly shared: ReadonlyMap<Change, readonly string[]>;
  /** Shared changes of nothing but a version, date or build. */
  readonly stamps: ReadonlySet<Change>;
  /** All firings, if a change is shared. */
  readonly firings: readonly StoredFiring[];
  /** Pages to check before the confirmation. */
  readonly wanted: readonly string[];
}

/** Pages of one host whose memory one check reads, at most. */
const maxPages = 50;
/** Changes of one check that are compared with other pages, at most. More are an overhaul and are reported. */
const maxChanges = 50;
/** After so many other pages made a change, it counts as the site's even if some did not. */
const enoughOthers = 2;
/** Changes that other pages made longer ago do not count. */
const window: Duration = 14 * aDay;

export interface Neighbour {
  readonly address: string;
  readonly blocks: readonly Block[];
}

type BlockChange = Extract<Change, { kind: "block" }>;

interface SiteContext {
  readonly at: Instant;
  readonly config: Config;
  readonly store: Pick<Store, "memory" | "watches" | "firings">;
  readonly neighbour?: Neighbour | undefined;
  /** The page's memory before this check. */
  readonly memory?: PageMemory | undefined;
}

/** Compares a check with other pages of its site; undefined if they show nothing. */
export async function siteOf(
  source: Source,
  { changes, sightings, accepted }: Pick<Comparison, "changes" | "sightings" | "accepted">,
  { at, config, store, neighbour, memory }: SiteContext,
): Promise<Site | undefined> {
  const [news, firstSeen] = [blocksOf(changes), blocksOf(sightings.filter(({ since }) => since >= at))];
  if (news.length + firstSeen.length === 0) return undefined;
  const otherPages = othersOf(source, config);
  const [madeBy, still] = [new Map<Change, string[]>(), new Map<Change, string[]>()];
  const note = (map: Map<Change, string[]>, change: Change, id: string) => makeOnce(map, change, () => []).push(id);
  const outside = new Set<Change>();
  const noteMade = (change: BlockChange, page: OtherPage, id: string) => {
    note(madeBy, change, id);
    if (!isInFrame(page, change)) outside.add(change);
  };
  for (const { id } of otherPages) {
    const { page }: Memory = JSON.parse((await store.memory(id)) ?? "{}");
    if (!page) continue;
    const other = otherPage(page, at - window);
    for (const change of [...news, ...firstSeen]) {
      if (isMadeBy(other, change)) noteMade(change, other, id);
      else if (hasOldText(other, change)) note(still, change, id);
    }
  }
  if (neighbour) {
    const page = otherPage({ ...empty, accepted: neighbour.blocks }, at);
    for (const change of news) if (hasNewText(page, change)) noteMade(change, page, neighbour.address);
  }
  // A new line on only one other page says nothing about the pages without it, unless it is a stamp.
  const isAll = (change: BlockChange) => (change.before ? !still.has(change) : isRenumberedLine(change));
  const isShared = (change: BlockChange) => (madeBy.get(change)?.length ?? 0) >= (isAll(change) ? 1 : enoughOthers);
  const again = new Set(
    news.filter((change) => memory && !still.has(change) && isRestampedAgain(change, accepted, memory)),
  );
  const shared = new Map(
    news.filter((change) => again.has(change) || isShared(change)).map((change) => [change, madeBy.get(change) ?? []]),
  );
  const isStamp = (change: BlockChange) =>
    again.has(change) || isRestamped(change) || (isRenumberedLine(change) && !outside.has(change));
  return {
    shared,
    stamps: new Set(news.filter((change) => shared.has(change) && isStamp(change))),
    firings: shared.size > 0 ? await store.firings() : [],
    wanted: await wantedOf(firstSeen, madeBy, still, store),
  };
}

function blocksOf(seen: readonly Sighting[]): BlockChange[] {
  return seen.flatMap(({ change }) => (change.kind === "block" ? [change] : [])).slice(0, maxChanges);
}

/** Pages whose next check will show whether a text changes there too. None in trouble: its host may set a time. */
async function wantedOf(
  firstSeen: readonly BlockChange[],
  made: ReadonlyMap<Change, readonly string[]>,
  still: ReadonlyMap<Change, readonly string[]>,
  store: Pick<Store, "watches">,
): Promise<readonly string[]> {
  const wanted = firstSeen.flatMap((change) => {
    const lacking = enoughOthers - (made.get(change)?.length ?? 0);
    return (still.get(change) ?? []).slice(0, Math.max(0, lacking));
  });
  if (wanted.length === 0) return [];
  const few = [...new Set(wanted)].slice(0, enoughOthers);
  return (await store.watches(few)).filter(({ trouble }) => !trouble).map(({ source }) => source);
}

function othersOf(source: Source, { sources }: Config): Source[] {
  const sourceUrl = URL.parse(source.address);
  const neighbours = new Map<string, Source>();
  if (!sourceUrl) return [];
  for (const other of sources.values()) {
    // Most sources of a large report are elsewhere, so that their addresses need no parsing.
    const isNear = other.kind === source.kind && other.address.includes(sourceUrl.host);
    const url = isNear ? URL.parse(other.address) : undefined;
    if (url?.host !== sourceUrl.host || pageOf(url) === pageOf(sourceUrl)) continue;
    if (!neighbours.has(pageOf(url))) neighbours.set(pageOf(url), other);
    if (neighbours.size === maxPages) break;
  }
  return [...neighbours.values()];
}

function pageOf({ pathname, search }: URL): string {
  return `${pathname.replace(/\/$/, "")}${search}`;
}

/** Whether a waiting change is a stamp that the site's neighbouring page can confirm. */
export function mayBeOfSite({ change, asks, claims = [] }: PendingSighting, source: Source, config: Config): boolean {
  if (change.kind !== "block" || claims.length > 0 || asks.some(isNaming)) return false;
  if (!isRestamped(change) && !isRenumberedLine(change)) return false;
  return othersOf(source, config).length === 0;
}

/**
 * Separates the changes to report from those of the site. Changes that move or end a claim are always reported, and so are
 * stamps that a condition names. A change already reported for another page of the site is left out if that report asked the
 * same. Pure.
 */
export function separateSiteChanges(
  changes: readonly Seen[],
  claims: readonly Seen[],
  site: Site | undefined,
  context: Omit<Context, "remembered">,
): { readonly reported: readonly Seen[]; readonly passed: readonly Noise[] } {
  if (!site || site.shared.size === 0) return { reported: changes, passed: [] };
  const candidates = changes.filter(({ change }) => site.shared.has(change));
  const moved = claims.filter(({ change }) => change.kind === "claim");
  const nothing = { sightings: [], firings: [] };
  const passed = new Map<Seen, Noise>();
  foresee(candidates, moved, { ...context, remembered: nothing }).forEach((sighting, i) => {
    const seen = candidates[i];
    const others = site.shared.get(sighting.change) ?? [];
    const reason = reasonFor(sighting, others, site, context.at);
    const pages = others.length > 0 && { site: { pages: others.length + 1 } };
    if (seen && reason) passed.set(seen, { change: sighting.change, ...pages, ...reason });
  });
  return { reported: changes.filter((seen) => !passed.has(seen)), passed: [...passed.values()] };
}

/** Why a change that other pages share is ignored; undefined if it is reported. */
function reasonFor(
  { change, asks, claims = [] }: PendingSighting,
  others: readonly string[],
  { stamps, firings }: Site,
  at: Instant,
): Pick<Noise, "reason"> | undefined {
  if (change.kind !== "block" || asks.length === 0 || claims.length > 0) return undefined;
  if (asks.some(({ claim }) => claim !== undefined)) return undefined;
  if (stamps.has(change) && !asks.some(isNaming)) return { reason: "the site's" };
  const reports = reportsOf(change, others, firings, at);
  return asks.every((ask) => reports.some((telling) => covers(telling, ask)))
    ? { reason: "reported for another page" }
    : undefined;
}

/** Whether a condition names the text to wait for, or its place. */
function isNaming({ condition }: ForeseenFiring): boolean {
  const { awaited, matches, under } = { matches: undefined, under: undefined, ...condition };
  return awaited === true || matches !== undefined || under !== undefined;
}

type SiteReport = Pick<StoredFiring, "trigger"> & StoredFiring["evidence"][number];

function reportsOf(
  change: BlockChange,
  others: readonly string[],
  firings: readonly StoredFiring[],
  at: Instant,
): SiteReport[] {
  return firings.flatMap(({ trigger, evidence }) =>
    evidence
      .filter((piece) => others.includes(piece.source) && piece.seen >= at - window && isSame(piece.change, change))
      .map((piece) => ({ ...piece, trigger })),
  );
}

function isSame(change: Change, { before, after }: BlockChange): boolean {
  return change.kind === "block" && change.before?.text === before?.text && change.after?.text === after?.text;
}

/** Whether a firing asked all that this one would ask: the same trigger, ratings, weight and meaning. */
function covers({ trigger, condition }: SiteReport, ask: ForeseenFiring): boolean {
  if (trigger !== ask.trigger || !condition) return false;
  const { ratings, means, awaited = false } = condition;
  const isWide = ratings === undefined || (ask.condition.ratings?.every((rating) => ratings.includes(rating)) ?? false);
  return isWide && means === ask.condition.means && awaited === (ask.condition.awaited ?? false);
}
