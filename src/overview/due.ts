import { day, minute } from "../describe.ts";
import type { Firing, Sighting } from "../model.ts";
import type { Part } from "../recheck/clip.ts";
import { headline } from "../recheck/headline.ts";
import { ratingNames } from "../recheck/names.ts";
import type { Drawing } from "./overview.ts";

/** Ratings that nobody has reviewed for too long, by the day since when. */
export function duePart({ status, config }: Drawing): Part {
  const due = status.ratings.filter(({ level }) => level === "due");
  const days = [...Map.groupBy(due, ({ at }) => day(at))].sort(([a], [b]) => (a < b ? -1 : 1));
  const entries = days.map(([since, its]) => {
    const ratings = its.map(({ rating }) => rating);
    return `- since ${since}: ${ratingNames(ratings, config)}`;
  });
  return { head: ["### Due", ""], entries, between: "\n", least: 1, one: "day", many: "days" };
}

/** Changes that were seen once. */
export function confirmPart({ status, config }: Drawing): Part {
  const entries = status.waiting.map(({ source, sightings, secondLook }) => {
    const what = headline(asFiring(source, sightings), config).markdown;
    return `- ${what}, second look ${minute(secondLook)}`;
  });
  return { head: ["### To be confirmed", ""], entries, between: "\n", least: 1, one: "sighting", many: "sightings" };
}

/** What would fire if it were confirmed. */
function asFiring(source: string, sightings: readonly Sighting[]): Firing {
  const seen = Math.min(...sightings.map(({ since }) => since));
  const evidence = sightings.map(({ change, since }) => {
    const claim = change.kind === "claim" ? { claim: change.claim, part: "claim" as const } : { part: "on" as const };
    return { source, seen: since, change, ...claim };
  });
  return { trigger: "", event: { key: source }, weight: "routine", seen, fired: seen, evidence };
}
