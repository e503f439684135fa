import { makeBadge } from "badge-maker";
import type { Config } from "../model/config.ts";
import { slugOf } from "../model/published.ts";
import { type FreshnessLevel, freshnessLevels } from "../model/states.ts";
import { day } from "../model/time.ts";
import { ratingTitle } from "../model/words.ts";
import type { Edition, Sheets } from "./edition.ts";
import { line } from "./plain.ts";

/**
 * White text has a contrast of at least 4.5 to 1 on each colour. The text is always there, so the colour is not needed.
 */
const colours: Readonly<Record<FreshnessLevel | "stopped", string>> = {
  "in doubt": "#b3261e",
  blind: "#6b6b6b",
  "to review": "#9a6700",
  due: "#0b6b8a",
  fresh: "#2b7a3b",
  stopped: "#24292f",
};

/**
 * The report's badge and one for each rating. Each says when sources were last looked at: a file cannot know
 * how long ago it was made.
 */
export function badges(edition: Edition): Sheets {
  const { config, status } = edition;
  return new Map([
    ["badge.svg", () => ofReport(edition)],
    ...status.ratings.map(({ rating, value, level }): [string, () => string] => {
      const stands = () =>
        stopped(edition) ?? { text: `${line(value, 40)}, ${level} · ${lastLook(edition)}`, colour: level };
      return [`ratings/${slugOf(rating)}.svg`, () => badge(called(rating, config), stands())];
    }),
  ]);
}

/** The words of a badge, and its colour. */
interface Stands {
  readonly text: string;
  readonly colour: FreshnessLevel | "stopped";
}

/** `18 of 20 fresh, 2 in doubt · 2026-11-20`: with the most pressing of the others. */
function ofReport(edition: Edition): string {
  const { ratings } = edition.status;
  const stop = stopped(edition);
  if (stop) return badge("evidence", stop);
  const count = (level: FreshnessLevel) => ratings.filter((one) => one.level === level).length;
  const worst = freshnessLevels.find((level) => count(level) > 0) ?? "fresh";
  const others = worst === "fresh" ? "" : `, ${count(worst)} ${worst}`;
  const stands = ratings.length > 0 ? `${count("fresh")} of ${ratings.length} fresh${others}` : seenOf(edition);
  return badge("evidence", { text: `${stands} · ${lastLook(edition)}`, colour: worst });
}

/** The text of a report's badge without ratings: how many sources were seen. */
function seenOf({ sources }: Edition): string {
  return `${sources.filter(({ health }) => health.state === "seen").length} of ${sources.length} sources seen`;
}

/** The text of a badge if monitoring has stopped, or there was no check yet; undefined otherwise. */
function stopped(edition: Edition): Stands | undefined {
  const { status, staleAfter, at } = edition;
  if (status.lastLook === undefined) return { text: `not checked yet · ${day(at)}`, colour: "stopped" };
  return staleAfter <= at ? { text: `stopped · last check ${lastLook(edition)}`, colour: "stopped" } : undefined;
}

function lastLook({ status, at }: Edition): string {
  return day(status.lastLook ?? at);
}

function called(rating: string, config: Config): string {
  return line(ratingTitle(rating, config), 60);
}

function badge(label: string, { text, colour }: Stands): string {
  return `${makeBadge({ label, message: line(text, 100), color: colours[colour], style: "flat" })}\n`;
}
