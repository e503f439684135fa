import type { Instant } from "../../model.ts";
import type { Judged } from "./judge.ts";
import type { Born, Gone, PageMemory, Pending, Place } from "./memory.ts";

/** What this look adds to what we know of the page; `accepted`, `latest` and `settled` are not its matter. */
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

/** What waited and is not there any more. */
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
function placesAfter(memory: PageMemory, lost: readonly Pending[], at: Instant): Place[] {
  const known = new Set(memory.gone.map((text) => text.name));
  const places = new Map(memory.places.map((place) => [place.name, place]));
  const moved = lost.filter((wait) => wait.side === "added" && !known.has(wait.name)).map((wait) => wait.place);
  for (const name of new Set(moved)) {
    places.set(name, { name, moves: [...(places.get(name)?.moves ?? []), at] });
  }
  return [...places.values()];
}
