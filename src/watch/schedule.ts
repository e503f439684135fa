import { digest } from "../model/digest.ts";
import type { Failure } from "../model/failure.ts";
import type { Config, Duration, Instant, Source } from "../model/model.ts";
import type { Watch } from "../model/ports/index.ts";
import { aDay, anHour } from "../model/time.ts";

/** A second look sooner than this after the first sighting never confirms. */
export const soonestConfirmation: Duration = anHour;
const usualConfirmation: Duration = 6 * anHour;

export interface Selection {
  /** Look at everything, due or not. */
  readonly all?: boolean;
  readonly sources?: readonly string[];
}

/** The sources to look at now, longest due first. */
export function due(config: Config, watches: ReadonlyMap<string, Watch>, at: Instant, choice: Selection): Source[] {
  const when = (source: Source) => watches.get(source.id)?.next ?? 0;
  // A last look that is still to come: the clock was wrong then, and so is what it said of the next.
  const isLost = (source: Source) => (watches.get(source.id)?.lastLook ?? 0) > at + anHour;
  return [...config.sources.values()]
    .filter((source) => choice.sources === undefined || choice.sources.includes(source.id))
    .filter((source) => choice.all === true || choice.sources !== undefined || when(source) <= at || isLost(source))
    .sort((a, b) => when(a) - when(b));
}

/** How often a source is looked at. */
export function cadence(source: Source, config: Config): Duration {
  return source.every ?? config.schedule.get(source.kind) ?? aDay;
}

/**
 * When nobody has looked for this long, the monitor has stopped: twice the shortest pause between looks, at least a day.
 * Three days where there is nothing to look at.
 */
export function stoppedAfter(config: Config): Duration {
  const pauses = [...config.sources.values()].map((source) => cadence(source, config));
  return pauses.length === 0 ? 3 * aDay : Math.max(aDay, 2 * Math.min(...pauses, 365 * aDay));
}

/** How long after a first sighting a second look confirms it. */
export function confirmAfter(source: Source): Duration {
  return Math.max(soonestConfirmation, source.confirm ?? usualConfirmation);
}

/** The next regular look: the cadence, moved by up to a tenth so that sources do not march in step. */
export function nextLook(source: Source, config: Config, at: Instant): Instant {
  const every = cadence(source, config);
  const spread = Number.parseInt(digest([source.id, Math.floor(at / aDay)]).slice(0, 6), 16) / 0xffffff;
  return at + Math.round(every * (0.95 + spread / 10));
}

/**
 * The next try after a failure: soon at first, then at the usual pace; never before the host allows it. One that was not
 * asked because others of its host were silent comes before those next time.
 */
export function nextTry(source: Source, config: Config, at: Instant, failure: Failure, count: number): Instant {
  const doublings = failure.facts.unasked ? 0 : Math.min(count, 10);
  const patience = Math.min(cadence(source, config), 0.5 * anHour * 2 ** doublings);
  const asked = Number(failure.facts.retryAfter ?? 0);
  return at + Math.max(patience, asked);
}
