import type { Duration, Instant } from "../../model/model.ts";
import type { Clock } from "../../model/ports/index.ts";
import { aMinute, anHour } from "../../model/time.ts";

/** Tries that fail again and again come ever more seldom: after a minute, two, four, and at last every hour. */
export interface Backoff<K> {
  /** Notes a failure. `until`: GitHub itself said when to go on. */
  failed(key: K, until?: Instant): void;
  succeeded(key: K): void;
  /** Not to be tried before then; 0 where it may be tried now. */
  until(key: K): Instant;
}

const shortestPause: Duration = aMinute;
const longestPause: Duration = anHour;

/** `free`: so many failures in a row are tried again at once. */
export function createBackoff<K>(clock: Clock, free = 0): Backoff<K> {
  const failures = new Map<K, { readonly count: number; readonly until: Instant }>();
  return {
    failed(key, until) {
      const count = (failures.get(key)?.count ?? 0) + 1;
      const doublings = Math.min(10, count - free - 1);
      const pause = count <= free ? 0 : Math.min(longestPause, shortestPause * 2 ** doublings);
      failures.set(key, { count, until: until ?? clock.now() + pause });
    },
    succeeded: (key) => void failures.delete(key),
    until: (key) => failures.get(key)?.until ?? 0,
  };
}
