import type { Block } from "../../model/reading.ts";
import { aDay, type Duration, type Instant } from "../../model/time.ts";
import { type Count, recentCounts } from "./counts.ts";
import type { Roll, Sight } from "./rolls.ts";

/**
 * All that a page has taught us. JSON; `pending` and `settled` are no longer than a reading, the rest is bounded and
 * forgets.
 */
export interface PageMemory {
  readonly accepted: readonly Block[];
  /** In what part of the page that content stood. */
  readonly region?: string;
  /** Names of the texts around that content, the first of them. */
  readonly around?: readonly string[];
  /** Lines of the last reading that say when or by what the page was made, the first of them. */
  readonly stamps?: readonly Block[];
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
  /** Texts whose dates changed, and how far these were from the time. */
  readonly rolls?: readonly Roll[];
  /** Earlier texts of the page, newest last. */
  readonly earlier?: readonly EarlierContent[];
}

/** A text that came or went, waiting. */
export interface Pending extends Sight {
  readonly name: string;
  readonly side: Side;
  readonly place: string;
  /** It could have been reported already, but the page was still being edited. */
  readonly ripe?: true;
}

export type Side = "added" | "removed";

/** A text that was on the page and went. */
export interface Gone {
  readonly name: string;
  /** When that was accepted, or last seen. */
  readonly at: Instant;
  /** How often it came and went without lasting. */
  readonly times: number;
  /** It was accepted content once: to see it again is to see it return. */
  readonly accepted: boolean;
}

/** A text that was accepted after the first check, at the same time as others of its edit. */
export interface Born {
  readonly name: string;
  readonly at: Instant;
}

/** A content that was accepted once, and until when. */
export interface EarlierContent {
  readonly digest: string;
  readonly at: Instant;
}

/** A place of the page where texts came and did not last. */
export interface MovingPlace {
  readonly name: string;
  /** When they went, newest last. */
  readonly moves: readonly Instant[];
}

export const empty = { pending: [], settled: [], gone: [], born: [], places: [] } as const;
/** A text that went is remembered this long: seen again, it returned. */
export const remember: Duration = 60 * aDay;
/** A text that came and goes again within this time only passed by. */
export const passing: Duration = 30 * aDay;
/** A place is moving when this many texts in a row did not last there within `restless`. */
export const movesToLearn = 3;
export const restless: Duration = 7 * aDay;

const most = 2_000;
const mostEarlier = 8;

/** Forgets what is too old or too much. */
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
