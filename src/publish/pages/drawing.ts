import { touches } from "../../freshness.ts";
import type { StoredFiring, StoredRecheck } from "../../ports.ts";
import type { Edition } from "../edition.ts";
import { type Held, heldRatings } from "../held.ts";
import { type DayOfLooks, strip } from "../strip.ts";
import { openFirings } from "../unanswered.ts";
import type { Places } from "./places.ts";
import { type Strip, stripOf } from "./strip.ts";

/** Days of looks that are shown: a little fewer than are remembered. */
export const stripDays = 120;

/** An edition on its way to pages, with what several of them need worked out once. */
export interface Drawing extends Edition {
  /** Seen from the page that is drawn. */
  readonly places: Places;
  /** By source. */
  readonly strips: ReadonlyMap<string, Strip>;
  readonly unanswered: readonly StoredFiring[];
  /** By rating; newest first. */
  readonly touching: ReadonlyMap<string, readonly StoredFiring[]>;
  /** By source, the oldest first; the last one is today. */
  readonly days: ReadonlyMap<string, readonly DayOfLooks[]>;
  /** How long each rating held that a source can settle. */
  readonly held: readonly Held[];
  readonly recheck: ReadonlyMap<number | undefined, StoredRecheck>;
}

export function drawingOf(edition: Edition, places: Places): Drawing {
  const { config, firings, watches, looks, at, rechecks } = edition;
  const touching = new Map<string, StoredFiring[]>();
  for (const firing of firings) {
    for (const rating of touches(firing, config)) touching.set(rating, [firing, ...(touching.get(rating) ?? [])]);
  }
  const daysOf = (id: string) => strip(watches.get(id), looks.get(id) ?? [], at, stripDays);
  const days = new Map([...config.sources.keys()].map((id) => [id, daysOf(id)]));
  return {
    ...edition,
    places,
    touching,
    unanswered: openFirings(edition),
    held: heldRatings(edition),
    days,
    strips: new Map([...days].map(([id, its]) => [id, stripOf(its, at)])),
    recheck: new Map(rechecks.map((one) => [one.id, one])),
  };
}
