import type { Instant } from "./model.ts";

/**
 * The days on which something was seen, as hexadecimal digits: the lowest bit is the day on which it was seen last, the
 * next one the day before. Days begin at 00:00 UTC. Pure.
 */

const day = 86_400_000;
/** Days that are remembered. */
const most = 128;

/** After it was seen now. `before`: what was remembered; `last`: when it was seen last, if it was. */
export function daysSeen(before: string | undefined, last: Instant | undefined, at: Instant): string {
  if (last === undefined) return "1";
  const passed = dayOf(at) - dayOf(last);
  if (passed === 0) return before ?? "1";
  // A clock that was wrong and is right again: the days that have not come yet were never seen.
  const moved = passed < 0 ? bits(before) >> BigInt(-passed) : passed < most ? bits(before) << BigInt(passed) : 0n;
  return (BigInt.asUintN(most, moved) | 1n).toString(16);
}

/** Whether it was seen on the day of that instant, as far as is remembered. */
export function wasSeenOn(days: string | undefined, last: Instant | undefined, at: Instant): boolean {
  if (last === undefined) return false;
  const ago = dayOf(last) - dayOf(at);
  return ago >= 0 && ago < most && ((bits(days) >> BigInt(ago)) & 1n) === 1n;
}

function dayOf(at: Instant): number {
  return Math.floor(at / day);
}

function bits(days: string | undefined): bigint {
  return days !== undefined && /^[0-9a-f]{1,32}$/.test(days) ? BigInt(`0x${days}`) : 1n;
}
