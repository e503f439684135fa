import { makeBadge } from "badge-maker";
import { slugOf } from "../model/published.ts";
import { countStates, type ReaderState, readerState } from "../model/states.ts";
import { day } from "../model/time.ts";
import { ratingTitle } from "../model/words.ts";
import type { Edition, Sheets } from "./edition.ts";
import { line } from "./plain.ts";

/** White text has a contrast of at least 4.5 to 1 on each colour. The text says the same as the colour. */
const colours: Readonly<Record<ReaderState | "stopped", string>> = {
  outdated: "#b3261e",
  changed: "#9a6700",
  "not checkable": "#6b6b6b",
  "up to date": "#2b7a3b",
  stopped: "#24292f",
};

/** Badges of the report and of each rating. They say when sources were last checked, as a file cannot know its age. */
export function badges(edition: Edition): Sheets {
  const { config, status } = edition;
  return new Map([
    ["badge.svg", () => ofReport(edition)],
    ...status.ratings.map(({ rating, value, level }): [string, () => string] => {
      const stands = () =>
        stoppedText(edition) ?? {
          text: `${line(value, 40)}, ${readerState(level)} · ${lastCheck(edition)}`,
          colour: readerState(level),
        };
      return [`ratings/${slugOf(rating)}.svg`, () => badge(line(ratingTitle(rating, config), 60), stands())];
    }),
  ]);
}

interface Stands {
  readonly text: string;
  readonly colour: ReaderState | "stopped";
}

/** `18 of 20 up to date, 2 outdated · 2026-11-20`: with the most pressing of the others. */
function ofReport(edition: Edition): string {
  const { ratings } = edition.status;
  const stop = stoppedText(edition);
  if (stop) return badge("evidence", stop);
  const states = ratings.map(({ level }) => readerState(level));
  const [worst] = countStates(states);
  const current = states.filter((state) => state === "up to date").length;
  const others = worst === undefined || worst.state === "up to date" ? "" : `, ${worst.count} ${worst.state}`;
  const text = ratings.length > 0 ? `${current} of ${ratings.length} up to date${others}` : seenOf(edition);
  return badge("evidence", { text: `${text} · ${lastCheck(edition)}`, colour: worst?.state ?? "up to date" });
}

function seenOf({ sources }: Edition): string {
  return `${sources.filter(({ health }) => health.state === "seen").length} of ${sources.length} sources seen`;
}

/** The text of a badge if monitoring has stopped, or there was no check yet; undefined otherwise. */
function stoppedText(edition: Edition): Stands | undefined {
  const { status, staleAfter, at } = edition;
  if (status.lastCheck === undefined) return { text: `not checked yet · ${day(at)}`, colour: "stopped" };
  return staleAfter <= at ? { text: `stopped · last check ${lastCheck(edition)}`, colour: "stopped" } : undefined;
}

function lastCheck({ status, at }: Edition): string {
  return day(status.lastCheck ?? at);
}

function badge(label: string, { text, colour }: Stands): string {
  return `${makeBadge({ label, message: line(text, 100), color: colours[colour], style: "flat" })}\n`;
}
