import type { Block } from "../../model/reading.ts";
import { aDay, type Duration, type Instant } from "../../model/time.ts";
import { remember } from "../facts.ts";
import type { Count } from "./counters.ts";
import type { Roll, Sight } from "./rolling-dates.ts";

/** The memory of a page, as JSON. `pending` and `settled` are no longer than a reading; the rest is limited and expires. */
export interface PageMemory {
  readonly accepted: readonly Block[];
  /** The part of the page with that content. */
  readonly region?: string;
  /** The first names of the texts around that content. */
  readonly around?: readonly string[];
  /** The first stamps of the last reading: lines that say when or by which program the page was made. */
  readonly stamps?: readonly Block[];
  /** Lines above the title whose version, date or build changed once, by their other words. */
  readonly restamped?: readonly string[];
  /** The last reading, kept while something waits for a second check. */
  readonly latest?: readonly Block[];
  readonly pending: readonly Pending[];
  /** Differences between `accepted` and the last reading that are reported already. */
  readonly settled: readonly string[];
  readonly gone: readonly Gone[];
  readonly born: readonly Born[];
  readonly places: readonly MovingPlace[];
  /** Texts whose numbers changed lately. */
  readonly counts?: readonly Count[];
  /** Texts whose dates changed, and the distance of these dates from the check. */
  readonly rolls?: readonly Roll[];
  /** Earlier texts of the page, newest last. */
  readonly earlier?: readonly EarlierContent[];
}

/** A text that appeared or disappeared, and waits for a second check. */
export interface Pending extends Sight {
  readonly name: string;
  readonly side: Side;
  readonly place: string;
  /** It could have been reported already, but the page was still being edited. */
  readonly ripe?: true;
}

export type Side = "added" | "removed";

export interface Gone {
  readonly name: string;
  /** When that was accepted, or last seen. */
  readonly at: Instant;
  /** How often it appeared without lasting. */
  readonly times: number;
  /** Whether it was once accepted, so that it would return. */
  readonly accepted: boolean;
}

/** A text that was accepted after the first check. Texts of one edit have the same time. */
export interface Born {
  readonly name: string;
  readonly at: Instant;
}

/** Content that was accepted, and until when. */
export interface EarlierContent {
  readonly digest: string;
  readonly at: Instant;
}

/** A place of the page where texts did not last. */
export interface MovingPlace {
  readonly name: string;
  /** When they disappeared, newest last. */
  readonly moves: readonly Instant[];
}

export const empty = { pending: [], settled: [], gone: [], born: [], places: [] } as const;
/** A text that disappears within this time was only temporary. */
export const passing: Duration = 30 * aDay;
/** A place is moving when this many texts in a row did not last there within `restless`. */
export const movesToLearn = 3;
export const restless: Duration = 7 * aDay;

const most = 2_000;
const mostEarlier = 8;
const mostSteps = 8;
const mostCounts = 500;

export function tidy(memory: PageMemory, at: Instant): PageMemory {
  const counts = recentCounts(memory.counts ?? [], at);
  const earlier = (memory.earlier ?? []).filter((content) => at - content.at < remember).slice(-mostEarlier);
  return {
    ...memory,
    ...(memory.earlier && { earlier }),
    ...(memory.counts && { counts }),
    gone: memory.gone.filter((text) => at - text.at < remember).slice(-most),
    born: memory.born.filter((text) => at - text.at < remember).slice(-most),
    places: memory.places
      .map((place) => ({ ...place, moves: place.moves.filter((move) => at - move < restless).slice(-8) }))
      .filter((place) => place.moves.length > 0)
      .slice(-most),
  };
}

/** Forgets texts that did not count for days. */
function recentCounts(counts: readonly Count[], at: Instant): readonly Count[] {
  return counts
    .map(({ form, steps }) => ({ form, steps: steps.filter((step) => at - step < restless).slice(-mostSteps) }))
    .filter(({ steps }) => steps.length > 0)
    .slice(-mostCounts);
}
