import type { Instant } from "../model.ts";
import type { StoredFiring } from "../ports.ts";
import type { Played } from "./play.ts";

/** What another config would have asked, and what it would not have asked any more. */
export interface Difference {
  readonly came: readonly StoredFiring[];
  readonly went: readonly StoredFiring[];
  /** Asked either way. */
  readonly stayed: number;
  readonly rechecks: Balance;
}

/** Rechecks that the other config alone would have opened, and those that it would not: none of their events is asked either way. */
export interface Balance {
  readonly came: number;
  readonly went: number;
}

/** The firings of a replay from a day on, oldest first. */
export function firedSince({ firings }: Pick<Played, "firings">, since: Instant): StoredFiring[] {
  return firings.filter(({ fired }) => fired >= since);
}

/**
 * What fired from a day on, by trigger and event: a firing that only has other evidence, or another weight, stays. Events
 * of one trigger that join its open recheck are one recheck.
 */
export function difference(before: Replay, after: Replay, since: Instant = 0): Difference {
  const [old, now] = [firedSince(before, since), firedSince(after, since)];
  const [oldKeys, nowKeys] = [new Set(old.map(keyOf)), new Set(now.map(keyOf))];
  return {
    came: now.filter((firing) => !oldKeys.has(keyOf(firing))),
    went: old.filter((firing) => !nowKeys.has(keyOf(firing))),
    stayed: now.filter((firing) => oldKeys.has(keyOf(firing))).length,
    rechecks: { came: openedBeyond(before, after, since), went: openedBeyond(after, before, since) },
  };
}

type Replay = Pick<Played, "firings" | "rechecks">;

/** How many the one opens that ask about nothing that the other asks about. */
function openedBeyond(other: Replay, { firings, rechecks }: Replay, since: Instant): number {
  const asked = new Set(other.firings.map(keyOf));
  const shared = new Set(firings.filter((firing) => asked.has(keyOf(firing))).map(({ recheck }) => recheck));
  return rechecks.filter(({ id, opened }) => opened >= since && !shared.has(id)).length;
}

function keyOf({ trigger, event }: StoredFiring): string {
  return JSON.stringify([trigger, event.key]);
}
