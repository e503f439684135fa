import type { Place } from "./ports/index.ts";

/** Does work when it is its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Turns of which so many are had at once, first come, first served. */
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

/** A place for as long as a turn is had. `begin` is waited for each time that it was taken; if it throws, it is left. */
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
