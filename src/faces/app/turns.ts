import type { Clock } from "../../model/ports/index.ts";
import { aMinute, anHour, type Duration, hasCome, type Instant, pauseAfter } from "../../model/time.ts";

/** Runs work that must not overlap, by key: each piece waits for earlier ones of the same key. */
export function createLanes<K>() {
  const last = new Map<K, Promise<unknown>>();
  return {
    run<T>(key: K, work: () => Promise<T>): Promise<T> {
      const before = last.get(key) ?? Promise.resolve();
      const result = before.then(work, work);
      const settled = result.then(
        () => {},
        () => {},
      );
      last.set(key, settled);
      void settled.then(() => last.get(key) === settled && last.delete(key));
      return result;
    },
    isBusy: (key: K) => last.has(key),
    async idle() {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}

/** Runs work once at a time for each key. If requested meanwhile, it runs once more afterwards. */
export function createRepeats<K>(stopped: () => boolean) {
  const busy = new Map<K, { isAskedAgain: boolean; end: Promise<void> }>();
  return {
    /** Resolves once no request is left; all requests made meanwhile wait for the same end. */
    ask(key: K, work: () => Promise<void>): Promise<void> {
      const running = busy.get(key);
      if (running) {
        running.isAskedAgain = true;
        return running.end;
      }
      const run = { isAskedAgain: true, end: Promise.resolve() };
      const repeat = async () => {
        try {
          while (run.isAskedAgain && !stopped()) {
            run.isAskedAgain = false;
            await work();
          }
        } finally {
          busy.delete(key);
        }
      };
      busy.set(key, run);
      run.end = repeat();
      return run.end;
    },
    end: (key: K) => busy.get(key)?.end,
  };
}

const shortestPause: Duration = aMinute;
const longestPause: Duration = anHour;

/**
 * Delays repeated failures more and more: by one minute, two, four, and at most an hour. `free`: number of consecutive failures
 * without a delay.
 */
export function createBackoff<K>(clock: Clock, free = 0) {
  const failuresByKey = new Map<K, { readonly count: number; readonly until: Instant }>();
  const failures = (key: K) => failuresByKey.get(key)?.count ?? 0;
  return {
    /** Notes a failure, and returns the number of failures in a row. `until`: GitHub itself asked to wait until then. */
    failed(key: K, until: Instant = 0): number {
      const count = failures(key) + 1;
      const pause = pauseAfter(count - free, shortestPause, longestPause);
      failuresByKey.set(key, { count, until: Math.max(until, clock.now() + pause) });
      return count;
    },
    succeeded: (key: K) => void failuresByKey.delete(key),
    /** The earliest time of the next try, at most an hour from now; 0 if it is allowed now. */
    until(key: K): Instant {
      const until = failuresByKey.get(key)?.until ?? 0;
      return hasCome(until, clock.now(), longestPause) ? 0 : until;
    },
    failures,
  };
}
