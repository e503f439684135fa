import type { Place } from "./ports/index.ts";

/** Does work when it is its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets `atOnce` pieces of work run at a time, first come, first served. */
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

/**
 * A place that holds a turn while it is taken. `begin` runs each time it was taken; where that throws, the place is
 * left.
 */
export function placeIn(inTurn: InTurn, begin: () => Promise<void> = async () => {}): Place {
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
