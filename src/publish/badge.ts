import { makeBadge } from "badge-maker";
import { cutLine } from "../model/markdown.ts";
import { slugOf } from "../model/published.ts";
import { countStates, type ReaderState, readerState } from "../model/states.ts";
import { day } from "../model/time.ts";
import { ratingTitle } from "../model/words.ts";
import type { Edition, Sheets } from "./edition.ts";

/** White text has a contrast of at least 4.5 to 1 on each colour. The text says the same as the colour. */
const colours: Readonly<Record<ReaderState | "stopped", string>> = {
  outdated: "#b3261e",
  changed: "#9a6700",
  "not checkable": "#6b6b6b",
  "up to date": "#2b7a3b",
  stopped: "#24292f",
};

/** Badges of the report and of each rating. */
export function badges(edition: Edition): Sheets {
  const { config, status } = edition;
  return new Map([
    ["badge.svg", () => badge("evidence", ofReport(edition), edition)],
    ...status.ratings.map(({ rating, value, level }): [string, () => string] => {
      const state = readerState(level);
      const shown = { text: `${cutLine(value, 40)}, ${state}`, colour: state };
      return [`ratings/${slugOf(rating)}.svg`, () => badge(cutLine(ratingTitle(rating, config), 60), shown, edition)];
    }),
  ]);
}

interface BadgeText {
  readonly text: string;
  readonly colour: ReaderState;
}

/** `18 of 20 up to date, 2 outdated`: with the most pressing of the others. */
function ofReport({ status: { ratings }, sources }: Edition): BadgeText {
  const states = ratings.map(({ level }) => readerState(level));
  const [worst] = countStates(states);
  const current = states.filter((state) => state === "up to date").length;
  const others = worst === undefined || worst.state === "up to date" ? "" : `, ${worst.count} ${worst.state}`;
  const seen = sources.filter(({ health }) => health.state === "seen").length;
  const ofSources = `${seen} of ${sources.length} sources seen`;
  const text = ratings.length > 0 ? `${current} of ${ratings.length} up to date${others}` : ofSources;
  return { text, colour: worst?.state ?? "up to date" };
}

/** `evidence: 18 of 20 up to date · 2026-11-20`: with the day of the last check, as a file cannot know its age. */
function badge(label: string, shown: BadgeText, { status: { lastCheck }, staleAfter, at }: Edition): string {
  const isStopped = lastCheck === undefined || staleAfter <= at;
  const now = isStopped ? "stopped · last check" : `${shown.text} ·`;
  const message = cutLine(lastCheck === undefined ? `not checked yet · ${day(at)}` : `${now} ${day(lastCheck)}`, 100);
  return `${makeBadge({ label, message, color: colours[isStopped ? "stopped" : shown.colour], style: "flat" })}\n`;
}
