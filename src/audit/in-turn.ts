import { sideBySide } from "../model/concurrency.ts";

/** How long the checks may take, and who is notified of their progress. */
export interface CheckingTime {
  readonly minutes: number;
  /** Refuses all waiting requests, once the time is over. */
  readonly stop: () => Promise<void>;
  /** Called after each check with the number of looks so far. */
  readonly seen: (count: number) => void;
  /** Whether no further check may begin, whatever time is left. */
  readonly stopped?: () => boolean;
}

/** Checks under way at once; each host still gets one request at a time. */
const maxChecksAtOnce = 32;

/** Seconds that a request under way may still take: no check begins later than this before the end. */
const secondsOfARequest = 20;

/** Ends checks early enough for those under way. */
export function endAfter(minutes: number, end: () => void): NodeJS.Timeout {
  return setTimeout(end, Math.max(minutes * 60 - secondsOfARequest, minutes * 40) * 1_000);
}

/**
 * Checks each once, many hosts side by side, and returns the outcomes in order. Once the time is over no check begins,
 * and those under way end: whatever was not checked has no entry.
 */
export async function checkInTurn<T, R>(
  all: readonly T[],
  hostOf: (one: T) => string,
  check: (one: T) => Promise<R>,
  { minutes, stop, seen, stopped }: CheckingTime,
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
      interleaved(all, hostOf),
      maxChecksAtOnce,
      () => isOver || stopped?.() === true,
      async (one) => {
        results.set(one, await check(one));
        seen(results.size);
      },
    );
    await stopping;
  } finally {
    clearTimeout(timer);
  }
  return new Map(all.flatMap((one) => (results.has(one) ? [[one, results.get(one) as R]] : [])));
}

/** Takes hosts in turn, so that a host with a hundred addresses holds up no other. */
function interleaved<T>(all: readonly T[], hostOf: (one: T) => string): T[] {
  const turns = [...Map.groupBy(all, hostOf).values()].flatMap((own) => own.map((one, turn) => ({ one, turn })));
  return turns.sort((one, other) => one.turn - other.turn).map(({ one }) => one);
}
