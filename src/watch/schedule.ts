import type { Config } from "../model/config.ts";
import { digest } from "../model/digest.ts";
import type { Failure } from "../model/failure.ts";
import type { Watch } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import { aDay, anHour, type Duration, type Instant, pauseAfter } from "../model/time.ts";

export const soonestConfirmation: Duration = anHour;
const usualConfirmation: Duration = 6 * anHour;

export interface SourceSelection {
  readonly all?: boolean;
  readonly sources?: readonly string[];
}

export interface ScanTime {
  readonly at: Instant;
  readonly lastCheck: Instant | undefined;
}

export interface Candidates {
  readonly sources: readonly Source[];
  readonly watches: ReadonlyMap<string, Watch>;
}

/**
 * Chooses the candidates to check now, longest due first. A source that was skipped at its last check is due since it was seen:
 * otherwise a host that answers few requests at a time would answer the same sources each time.
 */
export function dueSources(
  { sources, watches }: Candidates,
  config: Config,
  { at, lastCheck = 0 }: ScanTime,
  choice: SourceSelection,
): Source[] {
  const dueAt = (source: Source) => watches.get(source.id)?.next ?? 0;
  const dueSince = (source: Source) => {
    const { trouble, lastSeen = 0 } = watches.get(source.id) ?? {};
    return trouble?.unasked ? lastSeen : dueAt(source);
  };
  const isDue = (source: Source) =>
    dueAt(source) - earlyBy(source, watches.get(source.id), config, at - lastCheck) <= at;
  const isLost = (source: Source) => (watches.get(source.id)?.lastCheck ?? 0) > latestLastCheck(at);
  return sources
    .filter((source) => choice.sources === undefined || choice.sources.includes(source.id))
    .filter((source) => choice.all === true || choice.sources !== undefined || isDue(source) || isLost(source))
    .sort((a, b) => dueSince(a) - dueSince(b));
}

/** The latest credible start of a last check. A later one was noted by a wrong clock, and so was its next due time. */
export function latestLastCheck(at: Instant): Instant {
  return at + anHour;
}

/** Due times up to this may be checked now, if no source may be checked more than `early`; in whole milliseconds. */
export function latestDue({ at, lastCheck = 0 }: ScanTime, early: Duration): Instant {
  return at + Math.ceil(Math.min(early, (at - lastCheck) / 2));
}

/**
 * How early a source may be checked: if now is closer to its due time than the next scan will be, assuming that the next pause
 * is as long as the last. At most a tenth of the cadence. So a cron job that starts some minutes early finds sources that are due. A
 * source that failed is never early, as its host may have set a time.
 */
function earlyBy(source: Source, watch: Watch | undefined, config: Config, pause: Duration): Duration {
  if (watch?.trouble) return 0;
  const most = watch?.pending ? earlyConfirmation(source) : earlyCheck(source, config);
  return Math.min(most, pause / 2);
}

function earlyCheck(source: Source, config: Config): Duration {
  return 0.1 * cadence(source, config);
}

function earlyConfirmation(source: Source): Duration {
  return confirmAfter(source) - soonEnough(confirmAfter(source));
}

export function maxEarly(source: Source, config: Config): Duration {
  return Math.max(earlyCheck(source, config), earlyConfirmation(source));
}

export function cadence(source: Source, config: Config): Duration {
  return source.every ?? config.schedule.get(source.kind) ?? aDay;
}

/** The monitor counts as stopped after two of its shortest cadences, at least a day; three days without sources or config. */
export function stoppedAfter(config: Config | undefined): Duration {
  const pauses = config ? [...config.sources.values()].map((source) => cadence(source, config)) : [];
  return pauses.length === 0 ? 3 * aDay : Math.max(aDay, 2 * Math.min(...pauses, 365 * aDay));
}

/** Whether the monitor has stopped, by the last check of anything; false if there was none yet. */
export function hasStopped(lastCheck: Instant | undefined, at: Instant, config: Config): boolean {
  return lastCheck !== undefined && at - lastCheck > stoppedAfter(config);
}

export function confirmAfter(source: Source): Duration {
  return Math.max(soonestConfirmation, source.confirm ?? usualConfirmation);
}

/** Time after which a check already confirms: a tenth less, as a scan may start some minutes early. */
export function soonEnough(confirmAfter: Duration): Duration {
  return Math.max(soonestConfirmation, 0.9 * confirmAfter);
}

/**
 * The next regular check: the cadence less up to a tenth, counted from `due` if this check was early. The checks of an address
 * converge to fixed moments of that address. So all who watch it check together, and different addresses are checked at
 * different times.
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

/** The longest interval between an address's moments. Moments a day apart are also moments an hour apart. */
const longestMoment: Duration = 28 * aDay;

/**
 * The next try after a failure: soon at first, then after nearly the usual pause, and never before the host allows it. A source
 * that was skipped is tried as soon as it may be.
 */
export function nextTry(source: Source, config: Config, at: Instant, failure: Failure, count: number): Instant {
  const failures = failure.facts.unasked ? 0 : Math.min(count, 10);
  const patience = pauseAfter(failures + 1, 0.5 * anHour, 0.9 * cadence(source, config));
  const asked = Number(failure.facts.retryAfter ?? 0);
  return at + Math.ceil(Math.max(patience, asked));
}
