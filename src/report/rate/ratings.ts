import type { LeftRatings } from "../../model/ports/index.ts";
import type { ReportLink, ReportTable, ReportText } from "../parse/report-text.ts";
import { isRecheckHeader } from "../recheck-tables.ts";
import { textAt } from "./grid.ts";
import { namesCode } from "./is-rating-table.ts";
import { splitByLabels } from "./labelled-columns.ts";
import { type Legend, legendsOf } from "./legend.ts";
import { orderLevels } from "./level-order.ts";
import { isBlank, isLevel, levelIn } from "./levels.ts";
import { ratingsInText } from "./rated-lists.ts";
import { axesOf, type RatedPlace, ratingsInTable } from "./rated-tables.ts";
import { rowNames } from "./row-names.ts";
import { isRubric } from "./rubric.ts";
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
    ...ratingsInTables(report.tables, legends),
    ...withMainColumns(tablesInLines.flatMap((table) => ratingsInTable(table, legends) ?? [])),
  ];
  const places = inTables.length > 0 ? inTables : ratingsInText(report, legends);
  return ratingsIn(places, legends);
}

/** The ratings of some places, by the scale with most of them. */
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
  const all = levels.length === 1 && scale === "support" ? ["none", ...levels] : levels;
  const axes = alone ? [first.axes[0]] : [...first.axes];
  return {
    axes,
    levels: all.map(shortLevel),
    unplaced: unplaced.map(shortLevel),
    rated: distinctRatings(main, alone, of),
    left: others.map(leftOf),
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

function leftOf(places: readonly RatedPlace[]): LeftRatings {
  const levels = places.flatMap(({ cells }) => cells.map((cell) => shortLevel(cell.rating.shown)));
  return { ratings: levels.length, levels: [...new Set(levels)].slice(0, maxLevels) };
}

/** Rated tables. A table that looks unrated also counts if it has the columns and the scale of a rated one. */
function ratingsInTables(written: readonly ReportTable[], legends: readonly Legend[]): RatedPlace[] {
  const tables = written.map(splitByLabels);
  const first = tables.map((table) => ratingsInTable(table, legends) ?? ownScale(table));
  const forms = first.flatMap((place, i) => (place ? [{ ...place, heading: tables[i]?.columns[0] }] : []));
  return tables.flatMap((table, i) => {
    const headings = new Set(table.columns.map(shortName));
    const form = forms.find(
      ({ heading, cells }) => heading === table.columns[0] && cells.every(({ column }) => headings.has(column)),
    );
    const again = first[i] || !form ? undefined : ratingsInTable(table, legends, true);
    return first[i] ?? (again?.scale === form?.scale ? again : undefined) ?? [];
  });
}

/** Of tables in plain lines, those with the columns of the largest, because their columns are a guess. */
function withMainColumns(places: readonly RatedPlace[]): RatedPlace[] {
  const columns = ({ cells }: RatedPlace) => JSON.stringify([...new Set(cells.map(({ column }) => column))].sort());
  const [first] = places.toSorted((a, b) => b.cells.length - a.cells.length);
  return places.filter((one) => first && columns(one) === columns(first));
}

function shortLevel(level: string): string {
  return reportLine(level, 40);
}

/** Each rating once. If two tables differ on one thing, the heading above is added to its name. */
function distinctRatings(places: readonly RatedPlace[], alone: boolean, of: ReadonlyMap<string, string>): Rated[] {
  const byNames = new Map<string, Rated>();
  for (const { cells, path } of places) {
    for (const { row, column, rating, links } of cells.slice(0, maxRatings)) {
      const level = shortLevel(of.get(rating.key) ?? rating.shown);
      const names = alone ? [row] : [row, column];
      const before = byNames.get(JSON.stringify(names));
      const above = reportLine(path.at(-1) ?? "", 60);
      const own = before && above !== "" ? [`${above}: ${row}`, ...names.slice(1)] : names;
      if (before && before.level === level && before.links.length === 0 && links.length === 0) continue;
      if (byNames.size < maxRatings && !byNames.has(JSON.stringify(own)))
        byNames.set(JSON.stringify(own), { names: own, level, links });
    }
  }
  return [...byNames.values()];
}

/** Columns that repeat a few words: a scale of the report's own. */
function ownScale(table: ReportTable): RatedPlace | undefined {
  const { columns, rows, path } = table;
  const chosen = columns.map((_, i) => i).slice(1);
  if (isRecheckHeader(columns) || isRubric(table) || chosen.length < 2 || rows.length < 3 || namesCode(table))
    return undefined;
  const textsByColumn = chosen.map((i) => rows.map((row) => textAt(row, i)).filter((text) => !isBlank(text)));
  const all = textsByColumn.flat();
  const distinct = new Set(all);
  const few = distinct.size >= 2 && distinct.size <= 5 && all.length >= 6 && all.length >= 3 * distinct.size;
  const wordlike = [...distinct].every(
    (word) => word.length <= 20 && !/[\d\n,/]/.test(word) && levelIn(word)?.shown === word,
  );
  const everywhere = [...distinct].every((word) => !isLevel(word) && textsByColumn.every((own) => own.includes(word)));
  if (!few || !wordlike || !everywhere) return undefined;
  const names = rowNames(
    table,
    rows.map((_, i) => i),
    chosen,
  );
  if (!names) return undefined;
  const cells = rows.flatMap((row, at) =>
    chosen.flatMap((i) => {
      const level = isBlank(textAt(row, i)) ? undefined : levelIn(textAt(row, i));
      const name = names.of.get(at);
      const column = shortName(columns[i] ?? "") || `Column ${i + 1}`;
      return level && name !== undefined ? [{ row: name, column, rating: level, links: row[i]?.links ?? [] }] : [];
    }),
  );
  return { scale: "own", path, axes: axesOf(names.heading), alone: false, cells };
}
