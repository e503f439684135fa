import type { LeftRatings } from "../../model/ports/index.ts";
import type { ReportLink, ReportTable, ReportText } from "../parse/report-text.ts";
import { byLabels } from "./labelled.ts";
import { type Legend, legendsOf } from "./legend.ts";
import { type RatedPlace, ratedIn } from "./matrix.ts";
import { ordered } from "./order.ts";
import { ownScale } from "./own-scale.ts";
import { ratedInText } from "./told.ts";
import { reportLine, shortName } from "./words.ts";

/** The ratings of a report. */
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
}

export interface Rated {
  readonly names: readonly string[];
  readonly level: string;
  /** Links in the rated cell. */
  readonly links: readonly ReportLink[];
}

const maxRatings = 3_000;
/** More distinct words than this are no scale. */
const maxLevels = 14;

/** The ratings of a report, from its tables or else from headings and lists, by the scale with most of them. */
export function ratingsOf(report: ReportText, tablesInLines: readonly ReportTable[]): Ratings | undefined {
  const legends = legendsOf(report);
  const inTables = [
    ...inTablesOf(report.tables, legends),
    ...alike(tablesInLines.flatMap((table) => ratedIn(table, legends) ?? [])),
  ];
  const places = inTables.length > 0 ? inTables : ratedInText(report, legends);
  return ratingsIn(places, legends);
}

/** The ratings of some places, by the scale with most of them. */
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

/**
 * The scale of a place. If only a legend explains its levels, it takes the scale of another place with the same levels.
 */
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

/** Rated tables. A table that looks unrated also counts if it has the columns and the scale of a rated one. */
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

/** Of tables in plain lines, those with the columns of the largest, because their columns are a guess. */
function alike(places: readonly RatedPlace[]): RatedPlace[] {
  const columns = ({ cells }: RatedPlace) => JSON.stringify([...new Set(cells.map(({ column }) => column))].sort());
  const [first] = places.toSorted((a, b) => b.cells.length - a.cells.length);
  return places.filter((one) => first && columns(one) === columns(first));
}

function short(level: string): string {
  return reportLine(level, 40);
}

/** Each rating once. If two tables differ on one thing, the heading above is added to its name. */
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
