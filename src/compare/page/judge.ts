import type { Duration, Instant, Noise } from "../../model.ts";
import type { Difference, Unit } from "./difference.ts";
import { movesToLearn, type PageMemory, passing, type Side } from "./memory.ts";

/** A unit with what is to be thought of it. */
export interface Judged extends Unit {
  readonly side: Side;
  readonly since: Instant;
  /** `wait`: for a second look. `noise`: with `reason`; `hold` when even so it is not accepted content yet. */
  readonly verdict: "confirmed" | "wait" | "noise";
  readonly hold: boolean;
  readonly reason?: Noise["reason"];
}

interface Look {
  readonly at: Instant;
  readonly confirmAfter: Duration;
}

const day = 86_400_000;
/** What moved long enough is believed after this long in one piece; not told, for it was noise. */
const calm: Duration = 2 * day;
const longestWait: Duration = 7 * day;

/** Tells news from noise, by what the page has taught us. */
export function judge(units: Difference, memory: PageMemory, look: Look): Judged[] {
  const pending = new Map(memory.pending.map((wait) => [wait.side + wait.name, wait.since]));
  const gone = new Map(memory.gone.map((text) => [text.name, text]));
  const born = new Map(memory.born.map((text) => [text.name, text]));
  const moving = new Set(
    memory.places.filter((place) => place.moves.length >= movesToLearn).map((place) => place.name),
  );
  const since = (side: Side, unit: Unit) => pending.get(side + unit.name) ?? look.at;

  const added = units.added.map((unit): Judged => {
    const known = gone.get(unit.name);
    if (known?.accepted) return noise(unit, "added", look.at, "returned to an earlier text", false);
    return weigh(unit, "added", since("added", unit), known?.times ?? 0, moving, look);
  });
  const returned = added.some((unit) => unit.reason === "returned to an earlier text");
  const young = new Set(added.filter((unit) => unit.verdict === "wait").map((unit) => unit.place));
  const removed = units.removed.map((unit): Judged => {
    const known = born.get(unit.name);
    if (known && look.at - known.at < passing && (returned || !known.instead)) {
      return noise(unit, "removed", look.at, "returned to an earlier text", false);
    }
    const judged = weigh(unit, "removed", since("removed", unit), gone.get(unit.name)?.times ?? 0, moving, look);
    return judged.verdict === "confirmed" && young.has(unit.place)
      ? { ...judged, verdict: "wait", hold: true }
      : judged;
  });
  return [...removed, ...added];
}

function weigh(
  unit: Unit,
  side: Side,
  since: Instant,
  times: number,
  moving: ReadonlySet<string>,
  { at, confirmAfter }: Look,
): Judged {
  const age = at - since;
  if (confirmAfter === 0) return { ...unit, side, since, verdict: "confirmed", hold: false };
  if (moving.has(unit.place)) return noise(unit, side, since, "moves at every look", age < calm);
  // What flaps must stay longer to be believed: twice as long each time.
  const wait = Math.min(longestWait, confirmAfter * 2 ** Math.max(0, times - 1));
  if (age >= wait) return { ...unit, side, since, verdict: "confirmed", hold: false };
  if (times > 1) return noise(unit, side, since, "one of a few variants", true);
  return { ...unit, side, since, verdict: "wait", hold: true };
}

function noise(unit: Unit, side: Side, since: Instant, reason: Noise["reason"], hold: boolean): Judged {
  return { ...unit, side, since, verdict: "noise", reason, hold };
}
