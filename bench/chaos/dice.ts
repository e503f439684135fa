import { random } from "../hostile/texts.ts";

/** Numbers that are the same for the same seed. */
export interface Dice {
  /** From 0 on. */
  below(most: number): number;
  one<T>(of: readonly T[]): T;
  /** Whether one chance in this many occurs. */
  in(times: number): boolean;
}

/** Those of a part of a campaign, whatever other parts took of theirs. */
export function diceOf(...parts: readonly number[]): Dice {
  let seed = 0x9e3779b9;
  for (const part of parts) seed = Math.imul(seed ^ part, 0x85ebca6b) ^ (seed >>> 13);
  const below = random(seed);
  for (let n = 0; n < 4; n++) below(2);
  return {
    below,
    one(of) {
      const found = of[below(of.length)];
      if (found === undefined) throw new Error("nothing to choose from");
      return found;
    },
    in: (times) => below(times) === 0,
  };
}
