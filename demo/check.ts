import { builtIn } from "../src/model/firing.ts";
import type { StoredFiring } from "../src/model/ports/index.ts";
import { firedOn, type Played, type PlayedDay } from "./play.ts";
import { type Announcement, isQuiet, type Story } from "./story.ts";

/** Rules for every story. Pure: each returns its violations. */

export interface Expectation {
  readonly says: string;
  readonly problems: readonly string[];
}

export function checkAll(played: Played, story: Story): Expectation[] {
  return [
    { says: "each trigger has opened exactly one recheck", problems: eachTrigger(played) },
    { says: "nothing fired, and nothing was written, on a day on which only noise changed", problems: quiet(played) },
    { says: "each day fired exactly the triggers that it should", problems: fires(played) },
    { says: "an event seen in several places fired once for each trigger", problems: once(played, story) },
    { says: "a second run of the same day wrote nothing", problems: repeats(played) },
    { says: "an outage of our own network was reported once, and no source was blamed", problems: outages(played) },
    {
      says: "claims that were untrue before the first check were found, and no others",
      problems: notFound(played, story),
    },
  ];
}

function eachTrigger({ config, rechecks, issues }: Played): string[] {
  return [...config.triggers.keys()].flatMap((trigger) => {
    const its = rechecks.filter((recheck) => recheck.trigger === trigger);
    if (its.length === 0) return [`${trigger} has no recheck`];
    if (its.length > 1) return [`${trigger} has ${its.length} rechecks`];
    return its.flatMap(({ marker }) => {
      const found = issues.filter(({ body, labels }) => body.includes(marker) && labels.includes("recheck"));
      return found.length === 1 ? [] : [`${found.length} issues on GitHub hold the marker of ${trigger}`];
    });
  });
}

function quiet({ days }: Played): string[] {
  return days
    .filter(({ day }) => isQuiet(day))
    .flatMap((played) => [
      ...[...played.runs, ...played.repeats].flatMap(({ scan }) =>
        scan.firings.map(({ trigger, event }) => `${played.day.date} was quiet, and ${trigger} fired: ${event.key}`),
      ),
      ...(written(played) > 0 ? [`${played.day.date} was quiet, and GitHub was written to`] : []),
    ]);
}

function written({ runs }: PlayedDay): number {
  return runs.reduce((sum, { writes }) => sum + writes, 0);
}

function fires({ days }: Played): string[] {
  return days
    .filter(({ day }) => !isQuiet(day))
    .flatMap((played) => {
      const fired = [...new Set(firedOn(played).map(({ trigger }) => trigger))].sort().join(", ");
      const wanted = played.day.fires.toSorted().join(", ");
      return fired === wanted
        ? []
        : [`${played.day.date} should have fired ${wanted}; it fired: ${fired || "nothing"}`];
    });
}

function once({ firings }: Played, { days }: Story): string[] {
  const announced = days.flatMap(({ announces = [] }) => announces);
  const strangers = firings.filter(
    ({ trigger, event }) =>
      event.product && !announced.some((one) => one.triggers.includes(trigger) && isOf(event, one)),
  );
  return [
    ...strangers.map(({ trigger, event }) => `${trigger} fired for ${event.key}, which nobody announced`),
    ...announced.flatMap((one) => one.triggers.flatMap((trigger) => firedOnce(trigger, one, firings))),
  ];
}

function firedOnce(trigger: string, announced: Announcement, firings: readonly StoredFiring[]): string[] {
  const its = firings.filter((firing) => firing.trigger === trigger && isOf(firing.event, announced));
  const what = `${announced.product} ${announced.version}`;
  if (its.length !== 1) return [`${what} fired ${its.length} times for ${trigger}`];
  const places = new Set(its.flatMap(({ evidence }) => evidence.map(({ source }) => source))).size;
  return places === announced.places
    ? []
    : [`${what} has evidence from ${places} sources for ${trigger}, not from ${announced.places}`];
}

/** Compared by figures alone, and not by the product's own rules: those are on trial. */
function isOf({ product, version = "" }: StoredFiring["event"], announced: Announcement): boolean {
  const figures = (text: string) => text.replace(/(?:\.0)+$/, "");
  return product === announced.product && figures(version) === figures(announced.version);
}

function repeats({ days }: Played): string[] {
  return days.flatMap(({ day, repeats }) =>
    repeats.flatMap(({ scan, writes, synced }) => [
      ...(writes > 0 ? [`the second run of ${day.date} wrote to GitHub ${writes} times`] : []),
      ...(scan.firings.length > 0 ? [`the second run of ${day.date} fired ${scan.firings.length} times`] : []),
      ...(synced.waiting.length > 0 ? [`after ${day.date} the outbox was not empty`] : []),
    ]),
  );
}

function outages({ days, status }: Played): string[] {
  const wrong = days.flatMap(({ day, runs }) => {
    const said = runs.filter(({ scan }) => scan.outage).length;
    const wanted = day.weather?.offline ? runs.length : 0;
    return said === wanted
      ? []
      : [`${day.date}: ${said} of ${runs.length} runs said that most hosts gave no response, not ${wanted}`];
  });
  const held = status.unseen.filter(({ trouble }) => trouble.kind === "connect");
  return [...wrong, ...held.map(({ source }) => `our outage was blamed on ${source}`)];
}

function notFound({ firings }: Played, story: Story): string[] {
  const found = firings
    .filter(({ trigger }) => trigger === builtIn.notFound)
    .flatMap(({ evidence }) => evidence.flatMap(({ claim }) => claim ?? []));
  const missed = story.notFound.filter((claim) => !found.includes(claim));
  const wrong = found.filter((claim) => !story.notFound.includes(claim));
  return [
    ...missed.map((claim) => `${claim} was untrue from the start, and was not reported`),
    ...wrong.map((claim) => `${claim} is on its page, and was not found`),
  ];
}
