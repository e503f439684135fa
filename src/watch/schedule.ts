import type { Config } from "../model/config.ts";
import { digest } from "../model/digest.ts";
import type { Failure } from "../model/failure.ts";
import type { Watch } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import { aDay, anHour, type Duration, type Instant, pauseAfter } from "../model/time.ts";

/** A second look sooner than this after the first sighting never confirms it. */
export const soonestConfirmation: Duration = anHour;
const usualConfirmation: Duration = 6 * anHour;

export interface SourceSelection {
  /** Look at everything, due or not. */
  readonly all?: boolean;
  readonly sources?: readonly string[];
}

/** The time of a scan, and of the last look before it. */
export interface ScanTime {
  readonly at: Instant;
  readonly lastLook: Instant | undefined;
}

/** Sources that a scan may look at, with the watches that are stored for them. */
export interface Candidates {
  readonly sources: readonly Source[];
  readonly watches: ReadonlyMap<string, Watch>;
}

/** Chooses the candidates to look at now, longest due first. */
export function due(
  { sources, watches }: Candidates,
  config: Config,
  { at, lastLook = 0 }: ScanTime,
  choice: SourceSelection,
): Source[] {
  const when = (source: Source) => watches.get(source.id)?.next ?? 0;
  const isDue = (source: Source) =>
    when(source) - earliness(source, watches.get(source.id), config, at - lastLook) <= at;
  const isLost = (source: Source) => (watches.get(source.id)?.lastLook ?? 0) > latestLastLook(at);
  return sources
    .filter((source) => choice.sources === undefined || choice.sources.includes(source.id))
    .filter((source) => choice.all === true || choice.sources !== undefined || isDue(source) || isLost(source))
    .sort((a, b) => when(a) - when(b));
}

/**
 * The latest time at which a last look can have begun. A later one was noted by a wrong clock, and so was its next due
 * time.
 */
export function latestLastLook(at: Instant): Instant {
  return at + anHour;
}

/**
 * The latest due time of a source that may be looked at now, where none may be looked at more than `early` before it is
 * due. Rounded up to a whole millisecond, as stores keep it.
 */
export function latestDue({ at, lastLook = 0 }: ScanTime, early: Duration): Instant {
  return at + Math.ceil(Math.min(early, (at - lastLook) / 2));
}

/**
 * How much sooner than it is due a source may be looked at: if now is nearer to its due time than the next scan will
 * be, supposing the next pause is as long as the last; a tenth of the cadence at most. So a cron that starts some
 * minutes early finds what is due. A source that failed is never early: its host may have said when to come back.
 */
function earliness(source: Source, watch: Watch | undefined, config: Config, pause: Duration): Duration {
  if (watch?.trouble) return 0;
  const most = watch?.pending ? earlyConfirmation(source) : earlyLook(source, config);
  return Math.min(most, pause / 2);
}

function earlyLook(source: Source, config: Config): Duration {
  return 0.1 * cadence(source, config);
}

function earlyConfirmation(source: Source): Duration {
  return confirmAfter(source) - soonEnough(confirmAfter(source));
}

/** How much sooner than it is due a source may be looked at, whatever is remembered of it. */
export function mostEarly(source: Source, config: Config): Duration {
  return Math.max(earlyLook(source, config), earlyConfirmation(source));
}

/** The pause between two looks at a source. */
export function cadence(source: Source, config: Config): Duration {
  return source.every ?? config.schedule.get(source.kind) ?? aDay;
}

/**
 * How long nobody has looked before the monitor counts as stopped: twice the shortest cadence, at least a day; three
 * days where there are no sources.
 */
export function stoppedAfter(config: Config): Duration {
  const pauses = [...config.sources.values()].map((source) => cadence(source, config));
  return pauses.length === 0 ? 3 * aDay : Math.max(aDay, 2 * Math.min(...pauses, 365 * aDay));
}

/** Whether the monitor has stopped, judged by the last look at anything; undefined where there was none yet. */
export function hasStopped(lastLook: Instant | undefined, at: Instant, config: Config): boolean {
  return lastLook !== undefined && at - lastLook > stoppedAfter(config);
}

/** The time after a first sighting at which a second look confirms it. */
export function confirmAfter(source: Source): Duration {
  return Math.max(soonestConfirmation, source.confirm ?? usualConfirmation);
}

/** The time after which a second look confirms already: a tenth less, since a scan may start some minutes early. */
export function soonEnough(confirmAfter: Duration): Duration {
  return Math.max(soonestConfirmation, 0.9 * confirmAfter);
}

/**
 * The next regular look: the cadence less up to a tenth, counted from `due` where this look came early. The looks at an
 * address approach fixed moments of that address, so that all who watch it look together, and different addresses do so
 * at different times.
 */
export function nextCheck(source: Source, config: Config, at: Instant, due: Instant = at): Instant {
  const every = cadence(source, config);
  const tenth = 0.1 * every;
  const from = due > at && due - at <= tenth ? due : at;
  const phase = Number.parseInt(digest([source.address]).slice(0, 6), 16) / 0xffffff;
  const since = (from - Math.round(phase * longestMoment)) % every;
  const late = since < 0 ? since + every : since;
  return Math.round(from + every - late / Math.max(1, Math.ceil(late / tenth)));
}

/** The longest distance between an address's moments. Moments a day apart are among those an hour apart. */
const longestMoment: Duration = 28 * aDay;

/**
 * The next try after a failure: soon at first, then at nearly the usual pause; never before the host allows it. Sources
 * that were not asked because their host was silent come first the next time.
 */
export function nextTry(source: Source, config: Config, at: Instant, failure: Failure, count: number): Instant {
  const failures = failure.facts.unasked ? 0 : Math.min(count, 10);
  const patience = pauseAfter(failures + 1, 0.5 * anHour, 0.9 * cadence(source, config));
  const asked = Number(failure.facts.retryAfter ?? 0);
  return at + Math.ceil(Math.max(patience, asked));
}
