import { randomBytes } from "node:crypto";
import { aDay, type Instant } from "../../src/model/time.ts";
import type { Weather } from "../story.ts";

/** Noise that changes the bytes of a page: at each request, on each day, and since a redesign. */
export interface Noise {
  readonly weather: Weather;
  /** New at every request. */
  readonly token: () => string;
  /** New every three days, when sites are built again. */
  readonly build: string;
  /** When they were, `2026-05-16`. */
  readonly built: string;
  readonly now: Instant;
  readonly day: number;
  /** Grows by some hundred a day. */
  readonly views: number;
}

export function noiseAt(now: Instant, weather: Weather): Noise {
  const day = Math.floor(now / aDay);
  return {
    weather,
    token: () => randomBytes(16).toString("base64url"),
    built: new Date((day - (day % 3)) * aDay).toISOString().slice(0, 10),
    build: (Math.floor(day / 3) * 2_654_435_761).toString(16).slice(-8),
    now,
    day,
    views: day * 137 - 2_700_000 + Number.parseInt(randomBytes(1).toString("hex"), 16),
  };
}

/** The same list begun elsewhere: another order every day, the same on one day. */
export function turned<T>(list: readonly T[], by: number): T[] {
  const at = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
