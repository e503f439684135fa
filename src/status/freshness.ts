import type { Config, Rating } from "../model/config.ts";
import { ratingsInDoubt, sourcesUnder, triggersNaming } from "../model/dependencies.ts";
import type { Firing } from "../model/firing.ts";
import type { Copy, Watch } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import type { Freshness } from "../model/states.ts";
import { aDay, type Duration, day, type Instant, minute } from "../model/time.ts";
import { fromAuditWords } from "../model/words.ts";
import { linesLinked } from "../read/shared/line-links.ts";
import { cadence } from "../watch/schedule.ts";

/** A source without a successful check for this long no longer supports a rating. */
export const blindAfter: Duration = 7 * aDay;

interface FreshnessFacts<F extends Firing> {
  /** Firings whose recheck has no answer for the whole recheck. */
  readonly unanswered: readonly F[];
  readonly watches: ReadonlyMap<string, Watch>;
  readonly at: Instant;
  /** Whether such a firing is answered for a rating (default: never). */
  readonly isAnswered?: (firing: F, rating: string) => boolean;
  /** Firings that people closed without a review, though the claim that they are about is still untrue (default: none). */
  readonly uncorrected?: readonly F[];
}

/** Derives freshness from ratings, firings and checks. Pure. */
export function freshness<F extends Firing>(
  config: Config,
  { unanswered, watches, at, isAnswered = () => false, uncorrected = [] }: FreshnessFacts<F>,
): Freshness[] {
  const blind = blindSources(config, watches, at);
  const freshnessOf = (rating: Rating): Freshness => {
    const asks = (firing: F) => !isAnswered(firing, rating.id) && ratingsInDoubt(firing, config).has(rating.id);
    const askingFirings = unanswered.filter(asks);
    const contrary = askingFirings.filter(({ weight }) => weight === "contrary");
    if (contrary.length > 0) return freshnessSince(rating, "in doubt", contrary);
    // A review counts for the whole of its day.
    const reviewed = rating.reviewed === undefined ? config.report.audited : rating.reviewed + aDay;
    const untrue = uncorrected.filter((firing) => firing.seen >= reviewed && asks(firing));
    if (untrue.length > 0) return freshnessSince(rating, "not corrected", untrue);
    const sources = sourcesUnder(rating, config);
    const isUnread = sources.every((id) => isNeverRead(watches.get(id)));
    const because = isUnread ? sources : sources.filter((source) => blind.has(source));
    const sinceOf = (id: string) => (isUnread ? watches.get(id)?.trouble?.since : blind.get(id)) ?? at;
    if (because.length > 0)
      return { rating: rating.id, level: "blind", at: Math.min(...because.map(sinceOf)), because };
    if (askingFirings.length > 0) return freshnessSince(rating, "to review", askingFirings);
    const dueAt = (rating.reviewed ?? config.report.audited) + freshFor(rating, config);
    return { rating: rating.id, level: dueAt <= at ? "due" : "fresh", at: dueAt, because: [] };
  };
  return [...config.ratings.values()].map(freshnessOf);
}

/** Whether a source was checked, and never successfully. */
function isNeverRead(watch: Watch | undefined): boolean {
  return watch?.trouble !== undefined && watch.lastSeen === undefined;
}

function freshnessSince(
  rating: Rating,
  level: "in doubt" | "not corrected" | "to review",
  firings: readonly Firing[],
): Freshness {
  const because = [...new Set(firings.map(({ trigger }) => trigger))];
  return { rating: rating.id, level, at: Math.min(...firings.map(({ seen }) => seen)), because };
}

/** How long a rating stays fresh: by its own volatility, else the shortest of its triggers, else Medium. */
export function freshFor(rating: Rating, config: Config): Duration {
  const medium = config.volatility.get("Medium") ?? 180 * aDay;
  const ownTime = rating.volatility && config.volatility.get(rating.volatility);
  if (ownTime) return ownTime;
  const theirs = triggersNaming(rating, config).flatMap(
    ({ volatility }) => config.volatility.get(volatility ?? "") ?? [],
  );
  return theirs.length > 0 ? Math.min(...theirs) : medium;
}

/** Sources without a successful check for seven days, and since when; not if other sources announce the same. */
export function blindSources(config: Config, watches: ReadonlyMap<string, Watch>, at: Instant): Map<string, Instant> {
  const isSeen = (source: Source) => supports(source, config, watches.get(source.id), at);
  const sources = [...config.sources.values()];
  return new Map(
    sources.flatMap((source): [string, Instant][] => {
      const from = blindFrom(source, config, watches.get(source.id));
      if (from === undefined || from > at || coveredBy(source, config, isSeen).length > 0) return [];
      return [[source.id, from]];
    }),
  );
}

export function supports(source: Source, config: Config, watch: Watch | undefined, at: Instant): boolean {
  const from = blindFrom(source, config, watch);
  return watch?.lastSeen !== undefined && from !== undefined && from > at;
}

/**
 * The sources that cover a failing one: they work, and together they announce all its products. Empty for a source with
 * claims, because no other source can prove them.
 */
export function coveredBy(source: Source, config: Config, isSeen: (other: Source) => boolean): string[] {
  if (source.claims.length > 0 || source.announces.length === 0) return [];
  const others = [...config.sources.values()].filter(
    (other) =>
      other !== source && other.announces.some((product) => source.announces.includes(product)) && isSeen(other),
  );
  const isCovered = source.announces.every((product) => others.some(({ announces }) => announces.includes(product)));
  return isCovered ? others.map(({ id }) => id) : [];
}

/**
 * When a source turns blind if no check succeeds before: seven days after its first failure; if no check ran, seven days
 * or two regular checks after the last one. Undefined before the first check.
 */
export function blindFrom(source: Source, config: Config, watch: Watch | undefined): Instant | undefined {
  if (watch?.trouble) return watch.trouble.since + blindAfter;
  if (watch?.lastSeen === undefined) return undefined;
  return watch.lastSeen + Math.max(blindAfter, 2 * cadence(source, config));
}

export interface Baseline {
  readonly source: string;
  readonly copy?: Copy;
  /** As text: `the archived copy of 2026-05-14, 2 days before the audit`, or why only the first check is known. */
  readonly says: string;
}

/** The baseline of a source; undefined before its first check, or if config uses no archive. */
export function baselineOf(
  { source, firstSeen, past, claimsPast }: Watch,
  { report, baseline }: Config,
): Baseline | undefined {
  if (firstSeen === undefined || baseline !== "archive") return undefined;
  if (past?.copy) {
    return { source, copy: past.copy, says: copyOf(past.copy, report) };
  }
  const why = past?.says ?? (past ? "the archive was not asked yet" : "no archived copy was asked for");
  const again =
    past?.next === undefined ? "" : `; ${past.tries > 0 ? "next" : "first"} request from ${minute(past.next)} on`;
  const judged = claimsPast?.copy && `; claims compared with ${copyOf(claimsPast.copy, report)}`;
  return { source, says: `the first check, ${day(firstSeen)}: ${why}${again}${judged ?? ""}` };
}

/** The file from which cited lines are followed, and the one in which they are sought. */
export function linesBaseline({ id, address }: Source, { firstSeen }: Watch): Baseline | undefined {
  const { file, current } = linesLinked(address) ?? {};
  if (firstSeen === undefined || file === undefined || current === undefined) return undefined;
  const first = file === current ? `the file as it was on ${day(firstSeen)}` : file;
  return { source: id, says: `${first}, compared with ${current}` };
}

function copyOf({ at }: Copy, { audited }: Config["report"]): string {
  return `the archived copy of ${day(at)}, ${fromAuditWords(at, audited)}`;
}
