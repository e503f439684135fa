import type { Place } from "./ports/index.ts";
import type { Duration } from "./time.ts";

/** Limits on how much runs at the same time, and for how long. Pure. */

/** Runs `work` for each item, in order, at most `atOnce` at a time. Starts no more once `stopped` is true. */
export async function sideBySide<T>(
  items: readonly T[],
  atOnce: number,
  stopped: (() => boolean) | undefined,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const lane = async () => {
    for (const one of queue) {
      if (stopped?.()) return;
      await work(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane));
}

/** The outcome of some work, or of `late` if it takes longer. The work goes on, and its outcome is dropped. */
export async function inTime<T>(work: Promise<T>, time: Duration, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time);
  });
  try {
    return await Promise.race([work, tooLate.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs at most `atOnce` pieces of work at a time, first come, first served. */
export function turns(atOnce: number): InTurn {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** A place that waits for its turn when it is taken, and keeps the turn until it is released. `begin` runs each time it is taken; if it throws, the place is released. */
export function createPlace(inTurn: InTurn, begin: () => Promise<void> = async () => {}): Place {
  let end: (() => void) | undefined;
  let frees: (() => void)[] = [];
  const place: Place = {
    async take() {
      if (end) return;
      await new Promise<void>((taken) => {
        void inTurn(
          () =>
            new Promise<void>((over) => {
              end = over;
              taken();
            }),
        );
      });
      try {
        await begin();
      } catch (error) {
        place.leave();
        throw error;
      }
    },
    leave() {
      for (const free of frees) free();
      frees = [];
      end?.();
      end = undefined;
    },
    onLeave: (free) => void frees.push(free),
  };
  return place;
}
