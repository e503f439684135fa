/** Lengths of time, and instants and lengths as people and programs read them: always UTC. Pure. */

/** Milliseconds since 1970-01-01T00:00:00Z, UTC. Always from a clock that was passed in. */
export type Instant = number;

/** A length of time in milliseconds. */
export type Duration = number;

export const aSecond: Duration = 1_000;
export const aMinute: Duration = 60 * aSecond;
export const anHour: Duration = 60 * aMinute;
export const aDay: Duration = 24 * anHour;

/** Whether a time has come. A time more than `most` ahead comes from a wrong clock, and counts as come. */
export function hasCome(time: Instant, now: Instant, most: Duration): boolean {
  return time <= now || time > now + most;
}

/** Whether this length of time has passed. True for a start in the future, which comes from a wrong clock. */
export function hasPassed(length: Duration, since: Instant, now: Instant): boolean {
  return now - since >= length || since > now;
}

/** The pause after this many consecutive failures: 0 after none, then `shortest`, doubled each time, at most `longest`. */
export function pauseAfter(failures: number, shortest: Duration, longest: Duration): Duration {
  return failures <= 0 ? 0 : Math.min(longest, shortest * 2 ** (failures - 1));
}

export function dayNumber(at: Instant): number {
  return Math.floor(at / aDay);
}

export function startOfDay(at: Instant): Instant {
  return dayNumber(at) * aDay;
}

/** `2026-07-08`. */
export function day(at: Instant): string {
  return isoTime(at).slice(0, 10);
}

/** `2026-07-08 17:02`, for places that mention UTC. */
export function stamp(at: Instant): string {
  return isoTime(at).slice(0, 16).replace("T", " ");
}

/** `2026-07-08 17:02 UTC`. */
export function minute(at: Instant): string {
  return `${stamp(at)} UTC`;
}

const firstInstant = new Date(0).setUTCFullYear(1, 0, 1);
const lastInstant = Date.UTC(9999, 11, 31);

/** RFC 3339: `2026-07-08T17:02:00.000Z`. An instant outside the calendar becomes the nearest one within. */
export function isoTime(at: Instant): string {
  return new Date(Math.min(Math.max(Number.isNaN(at) ? 0 : at, firstInstant), lastInstant)).toISOString();
}

/** `20 min`, `5 h`, `16 days`: how long ago, or until, in round figures. */
export function span(length: Duration): string {
  const minutes = Math.round(Math.abs(length) / aMinute);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** `1 day`, `180 days`, `6 h`: a length that config declares. */
export function period(length: Duration): string {
  const days = daysIn(length);
  if (days === 0) return `${Math.round(length / anHour)} h`;
  return days === 1 ? "1 day" : `${days} days`;
}

/** In whole days, rounded. */
export function daysIn(length: Duration): number {
  return Math.round(length / aDay);
}
