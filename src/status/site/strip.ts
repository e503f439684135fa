import type { Instant } from "../../model/model.ts";
import type { LookRecord, Watch } from "../../model/ports/index.ts";
import { aDay } from "../../model/time.ts";
import { wasSeenOn } from "../../watch/watch.ts";

/** How a source was seen on one day: *changed* where something counted, *unknown* where it could not be seen at all. */
export type DayOfLooks = "seen" | "changed" | "unknown" | "none";

/** The last days of a source, the oldest first; the last one is the day of `at`. Days begin at 00:00 UTC. Pure. */
export function strip(
  watch: Pick<Watch, "seenDays" | "lastSeen"> | undefined,
  looks: readonly LookRecord[],
  at: Instant,
  days: number,
): DayOfLooks[] {
  const today = Math.floor(at / aDay);
  const byDay = Map.groupBy(looks, (look) => Math.floor(look.at / aDay));
  return Array.from({ length: days }, (_, index) => {
    const number = today - days + 1 + index;
    const outcomes = (byDay.get(number) ?? []).map(({ outcome }) => outcome);
    if (outcomes.includes("changed")) return "changed";
    if (wasSeenOn(watch?.seenDays, watch?.lastSeen, number * aDay)) return "seen";
    if (outcomes.some((outcome) => outcome !== "unknown")) return "seen";
    return outcomes.length > 0 ? "unknown" : "none";
  });
}
