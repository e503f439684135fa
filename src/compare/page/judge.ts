import type { Duration, Instant, Noise } from "../../model/model.ts";
import { aDay } from "../../model/time.ts";
import type { ChangedText, Difference } from "./difference.ts";
import {
  type Born,
  type Gone,
  type MovingPlace,
  movesToLearn,
  type PageMemory,
  type Pending,
  passing,
  type Side,
} from "./memory.ts";
import { isDate, isRelativeDate } from "./text.ts";

/** A unit with what is to be thought of it. */
export interface Judged extends ChangedText {
  readonly side: Side;
  readonly since: Instant;
  /** `wait`: for a second look. `noise`: with `reason`; `hold` when even so it is not accepted content yet. */
  readonly verdict: "confirmed" | "wait" | "noise";
  readonly hold: boolean;
  /** Was held back once already, while the page was being edited. */
  readonly ripe?: true;
  readonly reason?: Noise["reason"];
}

interface Look {
  readonly at: Instant;
  readonly confirmAfter: Duration;
}

/** A text that moved long enough is believed after this long in one piece; not told, for it was noise. */
const calm: Duration = 2 * aDay;
const longestWait: Duration = 7 * aDay;

/** Tells news from noise, by what the page has taught us. */
export function judge(units: Difference, memory: PageMemory, look: Look): Judged[] {
  const pending = new Map(memory.pending.map((wait) => [wait.side + wait.name, wait]));
  const gone = new Map(memory.gone.map((text) => [text.name, text]));
  const known = { pending, gone, moving: movingOf(memory) };

  const spelled = spelledOf(units);
  const added = units.added.map((unit): Judged => {
    if (gone.get(unit.name)?.accepted) return returned(unit, "added", look.at);
    if (spelled.has(unit)) return returned(unit, "added", look.at);
    return weigh(unit, "added", known, look);
  });
  const undone = undoneBy(units, memory, look.at);
  const young = new Set(added.filter((unit) => unit.verdict === "wait").map((unit) => unit.place));
  const moved = movesOf(memory, units, look.at);
  // Where one new text follows another, what stood there first is not gone for good before one of them stays.
  const unsettled = (unit: Judged) => young.has(unit.place) && (moved.get(unit.place) ?? 0) >= unit.since;
  const removed = units.removed.map((unit): Judged => {
    if (undone.has(unit.name) || spelled.has(unit)) return returned(unit, "removed", look.at);
    const judged = weigh(unit, "removed", known, look);
    return judged.verdict === "confirmed" && unsettled(judged) ? wait(judged) : judged;
  });
  return whenStill([...removed, ...added], look);
}

/** Texts whose whole edit is undone: all that came with them is gone again, all that went with them is back. */
function undoneBy({ added, removed }: Difference, memory: PageMemory, at: Instant): Set<string> {
  const back = new Set(added.map((unit) => unit.name));
  const away = new Set(removed.map((unit) => unit.name));
  const undone = new Map<Instant, boolean>();
  const tell = (edit: Instant, holds: boolean) => undone.set(edit, (undone.get(edit) ?? true) && holds);
  for (const text of memory.born) tell(text.at, away.has(text.name));
  for (const text of memory.gone) if (text.accepted) tell(text.at, back.has(text.name));
  const names = memory.born.filter((text) => at - text.at < passing && undone.get(text.at)).map((text) => text.name);
  return new Set(names);
}

/** While a page is being edited, what is ripe waits one look more, so that one edit is told once. */
function whenStill(units: readonly Judged[], { at, confirmAfter }: Look): Judged[] {
  const edited = confirmAfter > 0 && units.some((unit) => unit.verdict === "wait" && unit.since === at);
  return units.map((unit) =>
    edited && unit.verdict === "confirmed" && !unit.ripe ? { ...wait(unit), ripe: true } : unit,
  );
}

/** Dates in a place where "over a month ago" became "16 March 2026", or the other way round: the same date. */
function spelledOf({ added, removed }: Difference): Set<ChangedText> {
  const dates = [...added, ...removed].filter((unit) => isDate(unit.text) || isRelativeDate(unit.text));
  const placesOf = (units: readonly ChangedText[], is: (text: string) => boolean) =>
    new Set(units.filter((unit) => is(unit.text)).map((unit) => unit.place));
  const places = placesOf(removed, isRelativeDate)
    .intersection(placesOf(added, isDate))
    .union(placesOf(removed, isDate).intersection(placesOf(added, isRelativeDate)));
  return new Set(dates.filter((unit) => places.has(unit.place)));
}

function movingOf({ places }: PageMemory): Set<string> {
  return new Set(places.filter((place) => place.moves.length >= movesToLearn).map((place) => place.name));
}

/** When a text last went from a place without having lasted, this look included. */
function movesOf(memory: PageMemory, { added }: Difference, at: Instant): Map<string, Instant> {
  const moved = new Map(memory.places.map((place) => [place.name, place.moves.at(-1) ?? 0]));
  const still = new Set(added.map((unit) => unit.name));
  for (const { name, side, place } of memory.pending) if (side === "added" && !still.has(name)) moved.set(place, at);
  return moved;
}

interface Known {
  readonly pending: ReadonlyMap<string, Pending>;
  readonly gone: ReadonlyMap<string, Gone>;
  readonly moving: ReadonlySet<string>;
}

function weigh(unit: ChangedText, side: Side, known: Known, { at, confirmAfter }: Look): Judged {
  const waits = known.pending.get(side + unit.name);
  const times = known.gone.get(unit.name)?.times ?? 0;
  const since = Math.min(at, waits?.since ?? at);
  const judged: Judged = { ...unit, side, since, verdict: "confirmed", hold: false };
  const age = at - judged.since;
  if (confirmAfter === 0) return judged;
  if (known.moving.has(unit.place)) {
    return { ...judged, verdict: "noise", reason: "moves at every look", hold: age < calm };
  }
  // A text that flaps must stay longer to be believed: twice as long each time.
  const needed = Math.min(longestWait, confirmAfter * 2 ** Math.max(0, times - 1));
  if (age >= needed) return waits?.ripe ? { ...judged, ripe: true } : judged;
  return times > 1 ? { ...wait(judged), verdict: "noise", reason: "one of a few variants" } : wait(judged);
}

function wait(unit: Judged): Judged {
  return { ...unit, verdict: "wait", hold: true };
}

function returned(unit: ChangedText, side: Side, at: Instant): Judged {
  return { ...unit, side, since: at, verdict: "noise", reason: "returned to an earlier text", hold: false };
}

/** Adds this look to all that is known of the page; `accepted`, `latest` and `settled` are not its matter. */
export function learn(
  memory: PageMemory,
  judged: readonly Judged[],
  at: Instant,
): Pick<PageMemory, "pending" | "gone" | "born" | "places"> {
  const lost = lostOf(memory, judged);
  return {
    pending: judged
      .filter((unit) => unit.hold)
      .map(({ name, side, since, place, ripe }): Pending => ({ name, side, since, place, ...(ripe && { ripe }) })),
    gone: goneAfter(memory, judged, lost, at),
    born: bornAfter(memory, judged, at),
    places: placesAfter(memory, lost, at),
  };
}

/** Texts that waited and are not there any more. */
export function lostOf(memory: PageMemory, judged: readonly Judged[]): Pending[] {
  const still = new Set(judged.map((unit) => unit.side + unit.name));
  return memory.pending.filter((wait) => !still.has(wait.side + wait.name));
}

function goneAfter(memory: PageMemory, judged: readonly Judged[], lost: readonly Pending[], at: Instant): Gone[] {
  const gone = new Map(memory.gone.map((text) => [text.name, text]));
  for (const { name } of lost) {
    const known = gone.get(name);
    gone.set(name, { name, at, times: (known?.times ?? 0) + 1, accepted: known?.accepted ?? false });
  }
  for (const { name, side, hold } of judged) {
    if (hold) continue;
    const times = gone.get(name)?.times ?? 0;
    gone.delete(name);
    if (side === "removed" || times > 0) gone.set(name, { name, at, times, accepted: side === "removed" });
  }
  return [...gone.values()];
}

function bornAfter(memory: PageMemory, judged: readonly Judged[], at: Instant): Born[] {
  const born = new Map(memory.born.map((text) => [text.name, text]));
  for (const { name, side, hold } of judged) {
    if (hold) continue;
    born.delete(name);
    if (side === "added") born.set(name, { name, at });
  }
  return [...born.values()];
}

/** Only texts that were new count as moves: a few variants in turn are known by their names. */
function placesAfter(memory: PageMemory, lost: readonly Pending[], at: Instant): MovingPlace[] {
  const known = new Set(memory.gone.map((text) => text.name));
  const places = new Map(memory.places.map((place) => [place.name, place]));
  const moved = lost.filter((wait) => wait.side === "added" && !known.has(wait.name)).map((wait) => wait.place);
  for (const name of new Set(moved)) {
    places.set(name, { name, moves: [...(places.get(name)?.moves ?? []), at] });
  }
  return [...places.values()];
}
