import { sideBySide } from "../model/concurrency.ts";

/** How long the checks may take, and who is notified of their progress. */
export interface CheckingTime {
  readonly minutes: number;
  /** Refuses all waiting requests when the time is over. */
  readonly stop: () => Promise<void>;
  /** Called after each check with the number of checks so far. */
  readonly onChecked: (count: number) => void;
  /** Whether no further check may begin, even if there is time. */
  readonly stopped?: () => boolean;
}

/** The most checks at once. Each host still gets one request at a time. */
const maxChecksAtOnce = 32;

/** Seconds that a request may still take: no check begins later than this before the end. */
const secondsOfARequest = 20;

/** Ends the checks early enough for the requests that are still running. */
export function endAfter(minutes: number, end: () => void): NodeJS.Timeout {
  return setTimeout(end, Math.max(minutes * 60 - secondsOfARequest, minutes * 40) * 1_000);
}

/**
 * Checks each citation once, many hosts in parallel, and returns the outcomes in order. When the time is over, no check
 * begins and those that are running end. Citations that were not checked have no entry.
 */
export async function checkInParallel<T, R>(
  all: readonly T[],
  hostOf: (one: T) => string,
  check: (one: T) => Promise<R>,
  { minutes, stop, onChecked, stopped }: CheckingTime,
): Promise<Map<T, R>> {
  const results = new Map<T, R>();
  let isOver = false;
  let stopping: Promise<void> | undefined;
  const end = () => {
    isOver = true;
    stopping = stop();
  };
  const timer = endAfter(minutes, end);
  try {
    await sideBySide(
      interleave(all, hostOf),
      maxChecksAtOnce,
      () => isOver || stopped?.() === true,
      async (one) => {
        results.set(one, await check(one));
        onChecked(results.size);
      },
    );
    await stopping;
  } finally {
    clearTimeout(timer);
  }
  return new Map(all.flatMap((one) => (results.has(one) ? [[one, results.get(one) as R]] : [])));
}

/** Takes hosts in turn, so that a host with a hundred addresses does not delay the others. */
function interleave<T>(all: readonly T[], hostOf: (one: T) => string): T[] {
  const turns = [...Map.groupBy(all, hostOf).values()].flatMap((own) => own.map((one, turn) => ({ one, turn })));
  return turns.sort((one, other) => one.turn - other.turn).map(({ one }) => one);
}
