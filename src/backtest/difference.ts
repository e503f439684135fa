import type { Instant } from "../model.ts";
import type { StoredFiring } from "../ports.ts";
import type { Played } from "./play.ts";

/** What another trigger file would have asked, and what it would not have asked any more. */
export interface Difference {
  readonly came: readonly StoredFiring[];
  readonly went: readonly StoredFiring[];
  /** Asked either way. */
  readonly stayed: number;
}

/** The firings of a replay from a day on, oldest first. */
export function firedSince({ firings }: Played, since: Instant): StoredFiring[] {
  return firings.filter(({ fired }) => fired >= since);
}

/** By trigger and event: a firing that only has other evidence, or another weight, stays. */
export function difference(before: readonly StoredFiring[], after: readonly StoredFiring[]): Difference {
  const key = ({ trigger, event }: StoredFiring) => JSON.stringify([trigger, event.key]);
  const [old, now] = [new Set(before.map(key)), new Set(after.map(key))];
  return {
    came: after.filter((firing) => !old.has(key(firing))),
    went: before.filter((firing) => !now.has(key(firing))),
    stayed: after.filter((firing) => old.has(key(firing))).length,
  };
}
