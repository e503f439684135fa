import type { LeftRatings } from "../../model/ports/index.ts";
import type { ReportLink, ReportTable, ReportText } from "../parse/report-text.ts";
import { byLabels } from "./labelled.ts";
import { type Legend, legendsOf } from "./legend.ts";
import { type RatedPlace, ratedIn } from "./matrix.ts";
import { ordered } from "./order.ts";
import { ownScale } from "./own-scale.ts";
import { ratedInText } from "./told.ts";
import { reportLine, shortName } from "./words.ts";

/** Ratings that a report holds, by what is rated. */
export interface Ratings {
  /** The things that each axis names: platform, area. */
  readonly axes: readonly string[];
  /** Lowest first. */
  readonly levels: readonly string[];
  /** Levels of which nobody told whether they are above or below the others. */
  readonly unplaced: readonly string[];
  /** One name for each axis, and the level. */
  readonly rated: readonly Rated[];
  /** Ratings by other scales, which one config cannot hold beside these. */
  readonly left: readonly LeftRatings[];
}

export interface Rated {
  readonly names: readonly string[];
  readonly level: string;
  /** Evidence that stands in the very cell. */
  readonly links: readonly ReportLink[];
}

const maxRatings = 3_000;
/** More than these many different words are no levels. */
const maxLevels = 14;

/** The ratings of a report: of its tables, its headings and lists, all of the scale by which most is rated. */
export function ratingsOf(report: ReportText, tablesInLines: readonly ReportTable[]): Ratings | undefined {
  const legends = legendsOf(report);
  const inTables = [
    ...inTablesOf(report.tables, legends),
    ...alike(tablesInLines.flatMap((table) => ratedIn(table, legends) ?? [])),
  ];
  const places = inTables.length > 0 ? inTables : ratedInText(report, legends);
  return ratingsIn(places, legends);
}

/** The ratings of some places: those of the scale by which most is rated. */
export function ratingsIn(places: readonly RatedPlace[], legends: readonly Legend[]): Ratings | undefined {
  const byScale = [...Map.groupBy(places, (place) => scaleBeside(place, places)).values()];
  const size = (group: readonly RatedPlace[]) => group.reduce((sum, { cells }) => sum + cells.length, 0);
  const [main, ...others] = byScale.sort((a, b) => size(b) - size(a));
  const [first] = main ?? [];
  if (!main || !first) return undefined;
  const told = main.flatMap(({ cells }) => cells.map((cell) => cell.told));
  const scale = scaleBeside(first, places);
  const { levels, of, unplaced } = ordered(told, scale, legends);
  if (levels.length > maxLevels || of.size === 0) return undefined;
  const alone = main.every((place) => place.alone);
  const all = levels.length === 1 && scale === "support" ? ["none", ...levels] : levels;
  const axes = alone ? [first.axes[0]] : [...first.axes];
  return {
    axes,
    levels: all.map(short),
    unplaced: unplaced.map(short),
    rated: named(main, alone, of),
    left: others.map(leftOf),
  };
}

/** Of a place whose levels a legend alone explains, the scale that another place is of by the same levels. */
function scaleBeside({ scale, cells }: RatedPlace, places: readonly RatedPlace[]): string {
  if (scale !== "legend") return scale;
  const keys = new Set(cells.map(({ told }) => told.key));
  const known = places.filter((one) => one.scale !== "legend");
  return known.find((one) => one.cells.some(({ told }) => keys.has(told.key)))?.scale ?? scale;
}

function leftOf(places: readonly RatedPlace[]): LeftRatings {
  const told = places.flatMap(({ cells }) => cells.map((cell) => short(cell.told.shown)));
  return { ratings: told.length, levels: [...new Set(told)].slice(0, maxLevels) };
}

/** Tables that rate, and those beside them that have the columns of one, and the same scale. */
function inTablesOf(written: readonly ReportTable[], legends: readonly Legend[]): RatedPlace[] {
  const tables = written.map(byLabels);
  const first = tables.map((table) => ratedIn(table, legends) ?? ownScale(table));
  const forms = first.flatMap((place, i) => (place ? [{ ...place, heading: tables[i]?.columns[0] }] : []));
  return tables.flatMap((table, i) => {
    const headings = new Set(table.columns.map(shortName));
    const form = forms.find(
      ({ heading, cells }) => heading === table.columns[0] && cells.every(({ column }) => headings.has(column)),
    );
    const again = first[i] || !form ? undefined : ratedIn(table, legends, true);
    return first[i] ?? (again?.scale === form?.scale ? again : undefined) ?? [];
  });
}

/**
 * Of tables that are merely lines, those that rate by the columns of the largest: how such lines are parted is a guess.
 */
function alike(places: readonly RatedPlace[]): RatedPlace[] {
  const columns = ({ cells }: RatedPlace) => JSON.stringify([...new Set(cells.map(({ column }) => column))].sort());
  const [first] = places.toSorted((a, b) => b.cells.length - a.cells.length);
  return places.filter((one) => first && columns(one) === columns(first));
}

function short(level: string): string {
  return reportLine(level, 40);
}

/** Each rating once; where two tables rate the same thing differently, by what stands above them. */
function named(places: readonly RatedPlace[], alone: boolean, of: ReadonlyMap<string, string>): Rated[] {
  const found = new Map<string, Rated>();
  for (const { cells, path } of places) {
    for (const { row, column, told, links } of cells.slice(0, maxRatings)) {
      const level = short(of.get(told.key) ?? told.shown);
      const names = alone ? [row] : [row, column];
      const before = found.get(JSON.stringify(names));
      const above = reportLine(path.at(-1) ?? "", 60);
      const own = before && above !== "" ? [`${above}: ${row}`, ...names.slice(1)] : names;
      if (before && before.level === level && before.links.length === 0 && links.length === 0) continue;
      if (found.size < maxRatings && !found.has(JSON.stringify(own)))
        found.set(JSON.stringify(own), { names: own, level, links });
    }
  }
  return [...found.values()];
}
