/** `CI_FULL=1 npm test` tries each property as often as it says, with the largest inputs. */
export const isFull = (process.env.CI_FULL ?? "") !== "";

/** The part of the runs that is enough each day. */
const everyDay = 0.15;

/** The fewest runs: a single one hardly tries a property. */
const fewest = 5;

/** How often a property is tried. `full`: the number in a full run. */
export function runs(full: number): number {
  return isFull ? full : Math.max(Math.min(full, fewest), Math.ceil(full * everyDay));
}

/** The size of a large input that is not refused. `small`: enough each day. */
export function inputSize(full: number, small: number): number {
  return isFull ? full : small;
}
