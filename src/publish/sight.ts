import type { CheckRecord, Watch } from "../model/ports/index.ts";
import { aDay, dayNumber, type Instant } from "../model/time.ts";
import { blindAfter } from "../status/freshness.ts";
import { wasSeenOn } from "../watch/watch.ts";

/** Days of checks that are shown: fewer than are stored. */
export const stripDays = 120;

/** The published checks of a source; of limited size. */
export interface Sight {
  /** The oldest first; the last one is today. */
  readonly days: readonly DayOfChecks[];
  /** Periods in which it was not read for so long that it was blind, even if other sources covered it; oldest first. */
  readonly spells: readonly BlindSpell[];
}

/** How a source was seen on one day. *changed*: something counted; *unknown*: it could not be seen at all. */
export type DayOfChecks = "seen" | "changed" | "unknown" | "none";

export interface BlindSpell {
  readonly blindFrom: Instant;
  readonly says: string;
  /** When the next check succeeded. */
  readonly until?: Instant;
}

/** `checks`: newest first. Pure. */
export function sightOf(watch: Watch | undefined, checks: readonly CheckRecord[], at: Instant): Sight {
  return { days: strip(watch, checks, at, stripDays), spells: spellsOf(watch, checks, at) };
}

/** The last days of a source, the oldest first; the last one is the day of `at`. Days begin at 00:00 UTC. */
export function strip(
  watch: Pick<Watch, "seenDays" | "lastSeen"> | undefined,
  checks: readonly CheckRecord[],
  at: Instant,
  days: number,
): DayOfChecks[] {
  const today = dayNumber(at);
  const byDay = Map.groupBy(checks, (check) => dayNumber(check.at));
  return Array.from({ length: days }, (_, index) => {
    const number = today - days + 1 + index;
    const outcomes = (byDay.get(number) ?? []).map(({ outcome }) => outcome);
    if (outcomes.includes("changed")) return "changed";
    if (wasSeenOn(watch?.seenDays, watch?.lastSeen, number * aDay)) return "seen";
    if (outcomes.some((outcome) => outcome !== "unknown")) return "seen";
    return outcomes.length > 0 ? "unknown" : "none";
  });
}

function spellsOf(watch: Watch | undefined, checks: readonly CheckRecord[], at: Instant): BlindSpell[] {
  if (!watch) return [];
  const spells: BlindSpell[] = [];
  let failing: CheckRecord["failure"];
  const end = (until?: Instant) => {
    if (failing && failing.since + blindAfter <= (until ?? at)) {
      const { says, since } = failing;
      spells.push({ blindFrom: since + blindAfter, says, ...(until !== undefined && { until }) });
    }
    failing = undefined;
  };
  for (const check of checks.toReversed()) {
    if (check.outcome === "unknown") failing = check.failure ?? failing;
    else end(check.at);
  }
  // `Watch.trouble` also covers checks that were not recorded.
  failing = watch.trouble;
  end();
  return spells;
}
