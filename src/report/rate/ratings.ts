import { cutLine } from "../../model/markdown.ts";
import type { LeftRatings } from "../../model/ports/index.ts";
import type { ReportCell, ReportTable, ReportText } from "../parse/report-text.ts";
import { formsOf, type TableForm } from "./candidates.ts";
import { textAt } from "./grid.ts";
import { type Legend, legendsOf } from "./legend.ts";
import { orderLevels } from "./level-order.ts";
import { isBlank, isLevel } from "./levels.ts";
import { ratingsInText } from "./rated-lists.ts";
import type { RatedCell, RatedPlace } from "./rated-tables.ts";

export interface Ratings {
  /** What each axis names: platform, area. */
  readonly axes: readonly string[];
  /** Lowest first. */
  readonly levels: readonly string[];
  /** Levels whose place is a guess. */
  readonly unplaced: readonly string[];
  /** One name per axis, and the level. */
  readonly rated: readonly Rated[];
  /** Ratings by other scales; one config holds a single scale. */
  readonly left: readonly LeftRatings[];
  /** Words of the rated tables that are no level. */
  readonly unrated?: LeftRatings;
  /** There were too many. */
  readonly cut: boolean;
}

export const noRatings: Ratings = { axes: [], levels: [], unplaced: [], rated: [], left: [], cut: false };

export interface Rated extends Pick<RatedCell, "links" | "cited"> {
  readonly names: readonly string[];
  readonly level: string;
}

const maxRatings = 3_000;
/** With more distinct words than this, there is no scale. */
const maxLevels = 14;

/**
 * The ratings of a report, from its tables or else from headings and lists, by the scale with most of them. `chosen`:
 * the ids of the tables that rate, if people answered; otherwise those that certainly do.
 */
export function ratingsOf(
  { report, forms, legends }: RatedText,
  tablesInLines: readonly ReportTable[],
  chosen?: readonly string[],
): Ratings | undefined {
  const isChosen = ({ id, judgement }: TableForm) => chosen?.includes(id) ?? judgement.verdict === "rates";
  const inTables = forms.filter(isChosen).flatMap(({ tables }) => tables.map(({ place }) => place));
  if (chosen) return ratingsIn(inTables, legends);
  const inLines = formsOf(tablesInLines, legends).filter(isChosen);
  const places = [...inTables, ...withMainColumns(inLines.flatMap(({ tables }) => tables.map(({ place }) => place)))];
  return ratingsIn(places.length > 0 ? places : ratingsInText(report, legends), legends);
}

export interface RatedText {
  readonly report: ReportText;
  readonly legends: readonly Legend[];
  readonly forms: readonly TableForm[];
}

export function ratedTextOf(report: ReportText): RatedText {
  const legends = legendsOf(report);
  return { report, legends, forms: formsOf(report.tables.map(splitByLabels), legends) };
}

/** The ratings of these places, by the scale with most of them. */
export function ratingsIn(places: readonly RatedPlace[], legends: readonly Legend[]): Ratings | undefined {
  const byScale = [...Map.groupBy(places, (place) => scaleBeside(place, places)).values()];
  const size = (group: readonly RatedPlace[]) => group.reduce((sum, { cells }) => sum + cells.length, 0);
  const [main, ...others] = byScale.sort((a, b) => size(b) - size(a));
  const [first] = main ?? [];
  if (!main || !first) return undefined;
  const ratings = main.flatMap(({ cells }) => cells.map((cell) => cell.rating));
  const scale = scaleBeside(first, places);
  const { levels, of, unplaced } = orderLevels(ratings, scale, legends);
  if (levels.length > maxLevels || of.size === 0) return undefined;
  const alone = main.every((place) => place.alone);
  const unrated = main.flatMap((place) => place.unrated ?? []);
  const all = levels.length === 1 && scale === "support" ? ["none", ...levels] : levels;
  const axes = alone ? [first.axes[0]] : [...first.axes];
  return {
    axes,
    levels: all.map(shortLevel),
    unplaced: unplaced.map(shortLevel),
    rated: distinctRatings(main, alone, of),
    left: others.map((group) => leftOf(group.flatMap(({ cells }) => cells.map(({ rating }) => rating.shown)))),
    ...(unrated.length > 0 && { unrated: leftOf(unrated) }),
    cut: ratings.length > maxRatings,
  };
}

/**
 * The scale of a place. If only a legend explains its levels, it takes the scale of another place with the same levels.
 */
function scaleBeside({ scale, cells }: RatedPlace, places: readonly RatedPlace[]): string {
  if (scale !== "legend") return scale;
  const keys = new Set(cells.map(({ rating }) => rating.key));
  const known = places.filter((one) => one.scale !== "legend");
  return known.find((one) => one.cells.some(({ rating }) => keys.has(rating.key)))?.scale ?? scale;
}

/** How many there are, and the most frequent ones. */
function leftOf(shown: readonly string[]): LeftRatings {
  const groups = [...Map.groupBy(shown, shortLevel)].sort(([, a], [, b]) => b.length - a.length);
  return { ratings: shown.length, levels: groups.map(([level]) => level).slice(0, maxLevels) };
}

/** The tables in plain lines with the columns of the largest one: columns of plain lines are a guess. */
function withMainColumns(places: readonly RatedPlace[]): RatedPlace[] {
  const columns = ({ cells }: RatedPlace) => JSON.stringify([...new Set(cells.map(({ column }) => column))].sort());
  const [first] = places.toSorted((a, b) => b.cells.length - a.cells.length);
  return places.filter((one) => first && columns(one) === columns(first));
}

function shortLevel(level: string): string {
  return cutLine(level, 40);
}

/** Each rating once. If other headings have a table of the same thing, its name includes those that tell them apart. */
function distinctRatings(places: readonly RatedPlace[], alone: boolean, of: ReadonlyMap<string, string>): Rated[] {
  const byNames = new Map<string, Rated & { readonly path: readonly string[] }>();
  for (const { cells, path } of places) {
    for (const { row, column, rating, links, cited = [] } of cells.slice(0, maxRatings)) {
      const level = shortLevel(of.get(rating.key) ?? rating.shown);
      const names = alone ? [row] : [row, column];
      const before = byNames.get(JSON.stringify(names));
      const apart = path.filter((heading, i) => before && heading !== before.path[i]);
      const isRepeated = before?.level === level && before.links.length === 0 && links.length === 0;
      if (isRepeated && apart.length === 0) continue;
      const headings = before ? [apart.at(-1) ?? path.at(-1) ?? "", apart.join(": ")] : [""];
      const own = headings
        .map((above) => (above === "" ? names : [`${cutLine(above, 60)}: ${row}`, ...names.slice(1)]))
        .find((one) => !byNames.has(JSON.stringify(one)));
      if (own && byNames.size < maxRatings) byNames.set(JSON.stringify(own), { names: own, level, links, cited, path });
    }
  }
  return [...byNames.values()];
}

/** More labels than this are not the parts of one column. */
const maxLabels = 8;
/** The least share of labelled levels among a column's cells. */
const mostly = 0.6;

/**
 * Splits columns whose cells have a level for each of several labels into one column per label: `Web: Supports`, and on
 * the next line `Software: Does Not Support`.
 * Spec: https://www.itic.org/policy/accessibility/vpat
 */
function splitByLabels(table: ReportTable): ReportTable {
  const { columns, rows } = table;
  const labels = columns.map((_, i) => (i === 0 ? [] : labelsIn(rows.map((row) => textAt(row, i)))));
  if (labels.every((own) => own.length === 0)) return table;
  const parted = <T>(i: number, whole: T, part: (label: string) => T): T[] => {
    const own = labels[i] ?? [];
    return own.length === 0 ? [whole] : own.map(part);
  };
  return {
    ...table,
    columns: columns.flatMap((name, i) => parted(i, name, (label) => (name === "" ? label : `${name}: ${label}`))),
    rows: rows.map((row) =>
      row.flatMap((cell, i) =>
        parted<ReportCell>(i, cell, (label) => {
          const entry = entriesOf(cell.text).find((one) => one.label === label);
          return { ...cell, text: entry?.value ?? "" };
        }),
      ),
    ),
  };
}

/** The labels of a column that have a level; empty if too few cells are labelled. */
function labelsIn(texts: readonly string[]): string[] {
  const said = texts.filter((text) => !isBlank(text));
  const entries = said.map(entriesOf);
  const levels = entries.filter((own) => own.length > 0 && own.every(({ value }) => isBlank(value) || isLevel(value)));
  const found = new Set(levels.flat().flatMap(({ label, value }) => (isLevel(value) ? [label] : [])));
  return levels.length >= 2 && levels.length >= mostly * said.length && found.size <= maxLabels ? [...found] : [];
}

/** `Web: Supports`, on one line or two; empty if any line has no label. */
function entriesOf(text: string): { label: string; value: string }[] {
  const lines = text.replace(/:\n/g, ": ").split("\n");
  const found = lines.flatMap((line) => {
    const [, label = "", value = ""] = /^(\p{L}[^:]{0,39}):\s+(\S.*)$/u.exec(line) ?? [];
    return label === "" ? [] : [{ label: label.trim(), value }];
  });
  return found.length === lines.length ? found : [];
}
