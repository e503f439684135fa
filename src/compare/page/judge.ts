import type { Noise } from "../../model/change.ts";
import type { Block } from "../../model/reading.ts";
import { aDay, type Duration, type Instant, pauseAfter } from "../../model/time.ts";
import type { CompareOptions } from "../index.ts";
import { borderCrossings } from "./boilerplate-border.ts";
import { counterTexts, countsAfter } from "./counters.ts";
import { type ChangedText, type Differences, difference, type TextDifference } from "./difference.ts";
import { returnsOf } from "./flaps.ts";
import {
  type Born,
  type Gone,
  type MovingPlace,
  movesToLearn,
  type PageMemory,
  type Pending,
  type Side,
} from "./memory.ts";
import { areAlike, pairedTexts } from "./pair.ts";
import { rollingTexts, rollsAfter, type Sight } from "./rolling-dates.ts";
import { respellings } from "./spelling.ts";
import { clockStamps } from "./timestamps.ts";

export interface Judged extends ChangedText, Sight {
  readonly side: Side;
  /** `wait`: for a second check. `noise`: see `reason`. */
  readonly verdict: "confirmed" | "wait" | "noise";
  readonly hold: boolean;
  /** It could have been reported already, but the page was still being edited. */
  readonly ripe?: true;
  readonly reason?: Noise["reason"];
}

interface Check extends Pick<CompareOptions, "at" | "last" | "confirmAfter"> {
  /** Names of the texts around the content now. */
  readonly around?: readonly string[] | undefined;
}

/** A text that kept changing is accepted after this long without a change. It is not reported, since it was noise. */
const calm: Duration = 2 * aDay;
const longestWait: Duration = 7 * aDay;
/** A longer edit is reported anyway. */
const longestEdit: Duration = aDay;

/** Separates news from noise by the memory of the page. `units` are the differences of the new reading, `blocks`. */
export function judge(units: Differences, blocks: readonly Block[], memory: PageMemory, check: Check): Judged[] {
  const pending = new Map(memory.pending.map((wait) => [wait.side + wait.name, wait]));
  const gone = new Map(memory.gone.map((text) => [text.name, text]));
  const counting = counterTexts(units, memory);
  const both = { before: memory.accepted, after: blocks };
  const stamps = clockStamps(units, check);
  const sightOf = ({ name }: ChangedText) => pending.get(`added${name}`) ?? { since: check.at, absent: check.last };
  const rolling = rollingTexts(units, { rolls: memory.rolls ?? [], stamps }, sightOf);
  const [moving, heirs] = [movingPlaces(memory), heirsOf(units, blocks, memory)];
  const history = { pending, gone, moving, counting, rolling, heirs };

  const respelledTexts = respellings(units, both, check.at);
  const returns = returnsOf(units, blocks, memory, check.at);
  const crossings = borderCrossings(units, memory.around, check.around);
  const reasonFor = (unit: ChangedText): Noise["reason"] | undefined => {
    if (returns.has(unit)) return "returned to an earlier text";
    if (stamps.has(unit)) return "a stamp";
    if (respelledTexts.has(unit)) return "the same words";
    return crossings.has(unit) ? "around the content" : undefined;
  };
  const added = units.added.map((unit): Judged => {
    const reason = reasonFor(unit);
    return reason ? ignore(unit, "added", reason, check.at) : weigh(unit, "added", history, check);
  });
  const young = new Set(added.filter((unit) => unit.verdict === "wait").map((unit) => unit.place));
  const moved = movesOf(memory, units, check.at);
  // If one new text follows another, the removal of the first text waits until one of them lasts.
  const unsettled = (unit: Judged) => young.has(unit.place) && (moved.get(unit.place) ?? 0) >= unit.since;
  const removed = units.removed.map((unit): Judged => {
    const reason = reasonFor(unit);
    if (reason) return ignore(unit, "removed", reason, check.at);
    const judged = weigh(unit, "removed", history, check);
    return judged.verdict === "confirmed" && unsettled(judged) ? wait(judged) : judged;
  });
  return delayWhileEdited([...removed, ...added], check);
}

/** New texts, by name, that replaced a similar one that waited: one edit, continued. Known texts are variants. */
function heirsOf({ added }: TextDifference, blocks: readonly Block[], memory: PageMemory): Map<string, Pending> {
  const heirs = new Map<string, Pending>();
  const { latest } = memory;
  const addedNames = new Set(added.map((unit) => unit.name));
  const lost = memory.pending.filter(({ side, name }) => side === "added" && !addedNames.has(name));
  if (!latest || lost.length === 0) return heirs;
  const waits = new Map(lost.map((wait) => [wait.name, wait]));
  const seen = new Set([...memory.pending, ...memory.gone].map(({ name }) => name));
  const fresh = added.filter(({ name }) => !seen.has(name));
  const was = difference(memory.accepted, latest).added.filter(({ name }) => waits.has(name));
  for (const { old, now, removals, additions } of pairedTexts(latest, blocks, { added: fresh, removed: was })) {
    const wait = waits.get(removals[0]?.name ?? "");
    if (wait && areAlike(old, now)) for (const { name } of additions) heirs.set(name, wait);
  }
  return heirs;
}

/** While a page is being edited, a confirmed change waits for one more check, so that one edit is reported once. */
function delayWhileEdited(units: readonly Judged[], { at, confirmAfter }: Check): Judged[] {
  const edited = confirmAfter > 0 && units.some((unit) => unit.verdict === "wait" && unit.since === at);
  return units.map((unit) =>
    edited && unit.verdict === "confirmed" && !unit.ripe ? { ...wait(unit), ripe: true } : unit,
  );
}

function movingPlaces({ places }: PageMemory): Set<string> {
  return new Set(places.filter((place) => place.moves.length >= movesToLearn).map((place) => place.name));
}

/** By place: when a text last disappeared without having lasted, including this check. */
function movesOf(memory: PageMemory, { added }: TextDifference, at: Instant): Map<string, Instant> {
  const moved = new Map(memory.places.map((place) => [place.name, place.moves.at(-1) ?? 0]));
  const still = new Set(added.map((unit) => unit.name));
  for (const { name, side, place } of memory.pending) if (side === "added" && !still.has(name)) moved.set(place, at);
  return moved;
}

interface History {
  readonly pending: ReadonlyMap<string, Pending>;
  readonly gone: ReadonlyMap<string, Gone>;
  readonly moving: ReadonlySet<string>;
  readonly counting: ReadonlySet<ChangedText>;
  readonly rolling: ReadonlySet<ChangedText>;
  /** The text that waited, by the name of its successor. */
  readonly heirs: ReadonlyMap<string, Pending>;
}

function weigh(unit: ChangedText, side: Side, history: History, check: Check): Judged {
  const { at, confirmAfter } = check;
  const heir = side === "added" ? history.heirs.get(unit.name) : undefined;
  const waits = history.pending.get(side + unit.name) ?? heir;
  const times = history.gone.get(unit.name)?.times ?? 0;
  const { since: seen, absent } = waits ?? { since: at, absent: check.last };
  const since = Math.min(at, seen);
  const judged: Judged = { ...unit, side, since, absent, verdict: "confirmed", hold: false };
  const age = at - judged.since;
  if (confirmAfter === 0) return judged;
  if (history.moving.has(unit.place)) {
    return { ...judged, verdict: "noise", reason: "moves at every check", hold: age < calm };
  }
  // A date that rolls, or a counter, has moved again by the second check, so it cannot be confirmed.
  if (history.rolling.has(unit)) return ignore(unit, side, "its date rolls", at);
  if (history.counting.has(unit)) return ignore(unit, side, "moves at every check", at);
  // Each flap doubles the time that a text must last.
  const needed = pauseAfter(Math.max(1, times), confirmAfter, longestWait);
  const ripe = waits?.ripe ? { ...judged, ripe: true as const } : judged;
  // A text that is edited again while it waits is reported in its latest form, one check later.
  const isEdited = heir !== undefined && !(waits?.ripe && age >= longestEdit);
  if (age >= needed) return isEdited ? { ...wait(ripe), ripe: true } : ripe;
  return times > 1 ? { ...wait(judged), verdict: "noise", reason: "one of a few variants" } : wait(judged);
}

function wait(unit: Judged): Judged {
  return { ...unit, verdict: "wait", hold: true };
}

/** Noise whose text is accepted at once. */
function ignore(unit: ChangedText, side: Side, reason: Noise["reason"], at: Instant): Judged {
  return { ...unit, side, since: at, verdict: "noise", reason, hold: false };
}

/** When texts that are held without a second check are accepted, if they stay. */
export function acceptanceTimes({ pending }: PageMemory): Instant[] {
  return pending.map(({ since }) => since + calm);
}

export function bySide<T extends { readonly side: Side }>(units: readonly T[]): Record<Side, T[]> {
  return {
    added: units.filter(({ side }) => side === "added"),
    removed: units.filter(({ side }) => side === "removed"),
  };
}

/** Adds this check to the memory of the page, except `accepted`, `latest` and `settled`. */
export function learn(
  memory: PageMemory,
  judged: readonly Judged[],
  at: Instant,
): Pick<PageMemory, "pending" | "gone" | "born" | "places" | "counts" | "rolls"> {
  const lostTexts = lostOf(memory, judged);
  const asBefore = ["returned to an earlier text", "the same words"];
  const changed = judged.filter(({ hold, reason = "" }) => !hold && !asBefore.includes(reason));
  const accepted = bySide(changed);
  const counts = countsAfter(memory, accepted, at);
  // A text that continues an edit was seen later than the edit began.
  const sights = new Map(memory.pending.map((wait) => [wait.side + wait.name, wait]));
  const rolls = rollsAfter(memory.rolls ?? [], accepted, ({ name }) => sights.get(`added${name}`) ?? { since: at });
  return {
    pending: judged
      .filter((unit) => unit.hold)
      .map(({ name, side, since, place, absent, ripe }) => ({ name, side, since, place, absent, ripe })),
    gone: goneAfter(memory, judged, lostTexts, at),
    born: bornAfter(memory, judged, at),
    places: placesAfter(memory, lostTexts, at),
    ...(counts.length > 0 && { counts }),
    ...(rolls.length > 0 && { rolls }),
  };
}

/** Texts that waited and have disappeared. */
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

/** Only new texts count as moves. Variants that alternate are known by their names. */
function placesAfter(memory: PageMemory, lost: readonly Pending[], at: Instant): MovingPlace[] {
  const goneNames = new Set(memory.gone.map((text) => text.name));
  const places = new Map(memory.places.map((place) => [place.name, place]));
  const moved = lost.filter((wait) => wait.side === "added" && !goneNames.has(wait.name)).map((wait) => wait.place);
  for (const name of new Set(moved)) {
    places.set(name, { name, moves: [...(places.get(name)?.moves ?? []), at] });
  }
  return [...places.values()];
}
