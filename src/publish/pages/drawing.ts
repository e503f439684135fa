import { groupByEach } from "../../model/cache.ts";
import { ratingsInDoubt } from "../../model/dependencies.ts";
import { isOver, type StoredFiring, type StoredRecheck } from "../../model/ports/index.ts";
import { pagePath } from "../../model/published.ts";
import type { Source } from "../../model/source.ts";
import type { FreshnessLevel } from "../../model/states.ts";
import { aDay, day, dayNumber, type Instant } from "../../model/time.ts";
import { enumerate, issueName, pluralize, ratingTitle, verdictCounts } from "../../model/words.ts";
import type { DayOfChecks, Edition } from "../edition.ts";
import { issueAddress } from "../plain.ts";
import { dayOf, homeLink, html, internalLink, joinMarkup, type Markup } from "./markup.ts";

export interface Drawing extends Edition {
  readonly places: Places;
  readonly strips: ReadonlyMap<string, Strip>;
  /** By the id of the rating; newest first. */
  readonly touching: ReadonlyMap<string, readonly StoredFiring[]>;
  readonly recheck: ReadonlyMap<number | undefined, StoredRecheck>;
}

export function drawingOf(edition: Edition, places: Places): Drawing {
  const { config, firings, histories, at, rechecks } = edition;
  return {
    ...edition,
    places,
    touching: groupByEach(firings.toReversed(), (firing) => ratingsInDoubt(firing, config)),
    strips: new Map([...histories].map(([id, { days }]) => [id, stripOf(days, at)])),
    recheck: new Map(rechecks.map((one) => [one.id, one])),
  };
}

/** The address of each page, relative to the published folder. Pages in subfolders prefix `../`. */
export interface Places {
  rating(id: string): string;
  source(id: string): string;
  /** Its part of the page of all triggers. */
  trigger(id: string): string;
  file(name: string): string;
}

export function placesFrom(up: "" | "../"): Places {
  return {
    rating: (id) => `${up}${pagePath("ratings", id)}`,
    source: (id) => `${up}${pagePath("sources", id)}`,
    trigger: (id) => `${up}triggers.html#${encodeURIComponent(anchorOf(id))}`,
    file: (name) => `${up}${name}`,
  };
}

/** The id of a trigger's section. Its prefix avoids conflicts with our other ids. */
export function anchorOf(trigger: string): string {
  return `trigger-${trigger}`;
}

/** The checks of a source, one stroke per day: as a picture, and in words. */
export interface Strip {
  readonly picture: Markup;
  readonly says: string;
}

/** In pixels: width of a day, width of its stroke, and height of the strip. */
const dayWidth = 2;
const strokeWidth = 1.5;
const stripHeight = 14;

/**
 * A strip that shows checks by shape alone: a low stroke for unchanged, a high one for changed, only the ends of a high
 * one for a failed check. `days`: oldest first; the last one is the day of `at`.
 */
function stripOf(days: readonly DayOfChecks[], at: Instant): Strip {
  const says = saysOf(days, at);
  const strokes = (state: DayOfChecks, stroke: (x: number) => string) =>
    days.map((one, i) => (one === state ? stroke(i * dayWidth) : "")).join("");
  const bar = (top: number) => (x: number) => `M${x} ${top}h${strokeWidth}V${stripHeight}h-${strokeWidth}z`;
  const ends = (x: number) => `M${x} 1.5h${strokeWidth}M${x} ${stripHeight - 0.75}h${strokeWidth}`;
  const picture = html`<svg class="strip" role="img" viewBox="0 0 ${days.length * dayWidth} ${stripHeight + 1}" preserveAspectRatio="none" aria-label="${says}"><path class="base" d="M0 ${stripHeight + 0.5}H${days.length * dayWidth}"/><path class="seen" d="${strokes("seen", bar(stripHeight / 2))}"/><path class="changed" d="${strokes("changed", bar(0))}"/><path class="unknown" d="${strokes("unknown", ends)}"/></svg>`;
  return { picture, says };
}

/** `Last 120 days: unchanged on 14, changed on 2 (2026-06-01 and 2026-09-21), not checked on 104.` */
function saysOf(days: readonly DayOfChecks[], at: Instant): string {
  const first = dayNumber(at) - days.length + 1;
  const line = (state: DayOfChecks, words: string, isDated: boolean): string[] => {
    const indexes = days.flatMap((one, i) => (one === state ? [i] : []));
    if (indexes.length === 0) return [];
    const dates = isDated
      ? ` (${enumerate(
          ranges(indexes).map(([from, to]) => range(first + from, first + to)),
          6,
        )})`
      : "";
    return [`${words} ${indexes.length}${dates}`];
  };
  const all = [
    ...line("seen", "unchanged on", false),
    ...line("changed", "changed on", true),
    ...line("unknown", "check failed on", true),
    ...line("none", "not checked on", false),
  ];
  return `Last ${pluralize(days.length, "day")}: ${all.join(", ")}.`;
}

function ranges(numbers: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

function range(from: number, to: number): string {
  return from === to ? day(from * aDay) : `${day(from * aDay)} to ${day(to * aDay)}`;
}

export const meaningOf: Readonly<Record<FreshnessLevel, string>> = {
  "in doubt": "an event against it is not answered yet",
  "not corrected": "a sentence below it is no longer true, and its question was closed without a review",
  blind: "a source it rests on could not be read for a week, or none of its sources was ever read",
  "to review": "an event that the report asked to review is not answered yet",
  due: "its regular review is due, though no event is against it",
  fresh: "no event is against it",
};

/** How people call a source: by its title in config, else by its address. */
export function sourceTitle({ title, address }: Source): string {
  return title ?? address;
}

/** `#12`, linked if the repository has an address. */
export function issueLink(issue: number | undefined, { repository }: Drawing): Markup {
  return homeLink(issueName(issue), issueAddress(issue, repository));
}

/** The state of a question: `open in #12`, `answered in #12 on 2026-09-12: 1 changed, 3 kept`. */
export function answerWords(recheck: StoredRecheck | undefined, drawing: Drawing): Markup {
  if (!recheck) return html`not asked about yet`;
  const { issue } = recheck;
  if (!isOver(recheck))
    return issue === undefined ? html`${issueName(issue)}` : html`${issueLink(issue, drawing)}, open`;
  const where = issue === undefined ? "" : html`${issueLink(issue, drawing)}, `;
  const when = html` on ${dayOf(recheck.closed)}`;
  const { verdict } = recheck;
  if (verdict?.kind === "dismiss") return html`${where}dismissed${when}: “${verdict.because}”`;
  const verdicts = verdictCounts(drawing.answers.filter((one) => one.recheck === recheck.id));
  if (verdicts !== "") return html`${where}answered${when}: ${verdicts}`;
  if (!verdict) return html`${where}closed by hand${when}`;
  return html`${where}kept${when}${verdict.because !== undefined && html`: “${verdict.because}”`}`;
}

const maxRatings = 24;

/** Links to ratings, grouped by row: `Google TPU: Maturity, Kernels · Apple MPS: Cost`. */
export function ratingLinks(ids: readonly string[], { config, places }: Drawing): Markup {
  const firstIds = ids.slice(0, maxRatings);
  const more = ids.length > maxRatings && ` and ${ids.length - maxRatings} more`;
  const linkTo = (id: string, title = id) => internalLink(ratingTitle(title, config), places.rating(id));
  if (config.axes.length !== 2) {
    const links = firstIds.map((id) => linkTo(id));
    return html`${joinMarkup(links, ", ")}${more}`;
  }
  const rows = [...Map.groupBy(firstIds, (id) => id.slice(0, id.indexOf("/")))].map(([row, its]) => {
    const links = its.map((id) => linkTo(id, id.slice(row.length + 1)));
    return html`<span class="row">${ratingTitle(row, config)}:</span> ${joinMarkup(links, ", ")}`;
  });
  return html`${joinMarkup(rows, " · ")}${more}`;
}
