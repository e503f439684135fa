import { makeOnce } from "./cache.ts";
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

/** Waits for a turn, which lasts until it is disposed of. */
export type InTurn = () => Promise<Disposable>;

/** At most `atOnce` turns at a time, first come, first served. */
export function turns(atOnce: number): InTurn {
  const take = turnsByKey({ atOnce, each: atOnce });
  return () => take("all");
}

/**
 * Turns for keys: at most `atOnce` at a time for all keys together, and `each` for a single key. Keys take turns, so that a key
 * with much work does not delay others.
 */
export function turnsByKey<K>({ atOnce, each }: { readonly atOnce: number; readonly each: number }) {
  let free = atOnce;
  const under = new Map<K, number>();
  const waiting = new Map<K, (() => void)[]>();

  function beginNext(): void {
    while (free > 0) {
      const [key, begins] = [...waiting].find(([one]) => (under.get(one) ?? 0) < each) ?? [];
      const begin = begins?.shift();
      if (key === undefined || !begins || !begin) return;
      waiting.delete(key);
      if (begins.length > 0) waiting.set(key, begins);
      free--;
      under.set(key, (under.get(key) ?? 0) + 1);
      begin();
    }
  }

  return async (key: K): Promise<Disposable> => {
    await new Promise<void>((begin) => {
      makeOnce(waiting, key, () => []).push(begin);
      beginNext();
    });
    const end = () => {
      free++;
      const left = (under.get(key) ?? 1) - 1;
      if (left > 0) under.set(key, left);
      else under.delete(key);
      beginNext();
    };
    return { [Symbol.dispose]: end };
  };
}

/** A place that waits for its turn when it is taken, and keeps the turn until it is released. `begin` runs each time it is taken; if it throws, the place is released. */
export function createPlace(inTurn: InTurn, begin: () => Promise<void> = async () => {}): Place {
  let turn: Disposable | undefined;
  let frees: (() => void)[] = [];
  const place: Place = {
    async take() {
      if (turn) return;
      turn = await inTurn();
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
      turn?.[Symbol.dispose]();
      turn = undefined;
    },
    onLeave: (free) => void frees.push(free),
  };
  return place;
}
