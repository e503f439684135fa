import type { Clock } from "../../model/ports/index.ts";
import { aMinute, anHour, type Duration, hasCome, type Instant, pauseAfter } from "../../model/time.ts";

/** Delays repeated failures more and more: by one minute, two, four, and at most an hour. */
export interface Backoff<K> {
  /** Notes a failure, and returns the number of failures in a row. `until`: GitHub itself asked to wait until then. */
  failed(key: K, until?: Instant): number;
  succeeded(key: K): void;
  /** The earliest time of the next try, at most an hour from now; 0 if it is allowed now. */
  until(key: K): Instant;
  failures(key: K): number;
}

const shortestPause: Duration = aMinute;
const longestPause: Duration = anHour;

/** `free`: number of consecutive failures without a delay. */
export function createBackoff<K>(clock: Clock, free = 0): Backoff<K> {
  const failuresByKey = new Map<K, { readonly count: number; readonly until: Instant }>();
  const failures = (key: K) => failuresByKey.get(key)?.count ?? 0;
  return {
    failed(key, until = 0) {
      const count = failures(key) + 1;
      const pause = pauseAfter(count - free, shortestPause, longestPause);
      failuresByKey.set(key, { count, until: Math.max(until, clock.now() + pause) });
      return count;
    },
    succeeded: (key) => void failuresByKey.delete(key),
    until(key) {
      const until = failuresByKey.get(key)?.until ?? 0;
      return hasCome(until, clock.now(), longestPause) ? 0 : until;
    },
    failures,
  };
}
