import { anyOf, matches, says } from "../../language/lexicon.ts";
import { cutLine } from "../../model/markdown.ts";
import { marksIn } from "../cite/references.ts";
import type { ReportCell, ReportLink, ReportTable } from "../parse/report-text.ts";
import { isRecheckHeader, roleOf } from "../recheck-tables.ts";
import { empty, textAt } from "./grid.ts";
import { type Judgement, judge } from "./is-rating-table.ts";
import { type Legend, legendKeys } from "./legend.ts";
import {
  heightOf,
  isBlank,
  isCircle,
  isLevel,
  isLevelKey,
  isMarkKey,
  levelIn,
  ordinalScales,
  plainAnswers,
  readinessIn,
  scalesOf,
  signIn,
  type WrittenLevel,
} from "./levels.ts";
import {
  isJudgement,
  isProperty,
  keepMainVocabulary,
  minLevelShare,
  plainMarks,
  type RatedBlock,
} from "./rated-block.ts";
import { rowNames } from "./row-names.ts";
import { isDerivation, isRubric } from "./rubric.ts";
import { shortName } from "./words.ts";

/** Ratings of one table or list, all of one scale. */
export interface RatedPlace {
  readonly scale: string;
  readonly path: readonly string[];
  /** Singular nouns for the rows and the columns: platform, area. */
  readonly axes: readonly [string, string];
  /** Each row has a single rating, so the column needs no name. */
  readonly alone: boolean;
  readonly cells: readonly RatedCell[];
  /** Words in the rated columns that are no level of the scale. */
  readonly unrated?: readonly string[];
}

export interface RatedCell {
  readonly row: string;
  readonly column: string;
  readonly rating: WrittenLevel;
  readonly links: readonly ReportLink[];
  readonly cited?: readonly number[];
}

/** A cell with its rating and its citations; empty if it has no rating, or its row no name. */
function ratedCell(
  row: string | undefined,
  column: string,
  rating: WrittenLevel | undefined,
  { text, links, cited = [] }: ReportCell = empty,
): RatedCell[] {
  if (!rating || row === undefined) return [];
  const written = marksIn({ text, kind: "row" }).flatMap(({ numbers }) => numbers);
  return [{ row, column, rating, links, cited: [...cited, ...written] }];
}

export interface TableReading {
  readonly place: RatedPlace;
  readonly judgement: Judgement;
}

/** The readings of a table, likeliest first. Empty if it does not rate. */
export function readingsOf(table: ReportTable, legends: readonly Legend[]): TableReading[] {
  const readings = readingsByScale(table, legends);
  const own = readings.length > 0 ? [] : statusWords(table);
  const judgement = { verdict: "doubtful", reason: "its words are on no scale that is known" } as const;
  return own.length === 0 ? readings : readingsByScale(table, [own]).map((one) => ({ ...one, judgement }));
}

const isStatus = matches(`^(?:${anyOf("tables.current")} )?${anyOf("tables.judgement")}$`);
const maxStatusWords = 6;

/** The report's own words in columns called *status*, if they are few and repeat. */
function statusWords({ columns, rows }: ReportTable): Legend {
  return columns.flatMap((name, i) => {
    if (i === 0 || !isStatus(name)) return [];
    const texts = rows.map((row) => textAt(row, i)).filter((text) => !isBlank(text));
    const words = texts.flatMap((text) => levelIn(text)?.key ?? []).filter((key) => /^[\p{L} '-]+$/u.test(key));
    const distinct = new Set(words);
    const isFew = distinct.size > 1 && distinct.size <= Math.min(maxStatusWords, 0.5 * words.length);
    const isOwn = isFew && words.length >= nearlyAll * texts.length;
    return isOwn ? [...distinct].map((key) => ({ key, meaning: "" })) : [];
  });
}

/** The readings of a table by each scale that it may use. */
function readingsByScale(written: ReportTable, legends: readonly Legend[]): TableReading[] {
  const table = withNamesFirst(withoutUnknown(written, legends));
  const { columns, rows } = table;
  if (rows.length === 0 || isRecheckHeader(columns)) return [];
  const sorted = markedColumns(table);
  if (sorted) return [{ place: sorted, judgement: { verdict: "rates", reason: "its columns are levels" } }];
  if (rows.length < 2 || isRubric(table) || isDerivation(table)) return [];
  const explained = legendKeys(legends);
  const cells = rows.map((row) => columns.map((heading, i) => levelInCell(heading, textAt(row, i), explained)));
  const grid = withTicks(withZeros(table, withoutLetters(withCircles(cells, table), explained)));
  const scales = scalesIn(grid, explained).slice(0, maxScales);
  const readings = scales.flatMap((scale, i): TableReading[] => {
    // A legend belongs to a scale if it explains one of its levels, or any mark.
    const isOwn = ({ key }: Legend[number]) =>
      scale === "legend" || heightOf(key, scale) !== undefined || isMarkKey(key);
    const legend = legendKeys(legends.filter((one) => one.some(isOwn)));
    const block = blockOf(table, { grid, legend, scale });
    const judging =
      block && keepMainVocabulary({ ...block, columns: block.columns.filter((i) => !isProperty(block, i)) }, legends);
    if (!judging || judging.columns.length === 0 || (i > 0 && judging.rows.length < 3)) return [];
    const judgement = judge(judging);
    const place = judgement.verdict === "describes" ? undefined : placeOf(judging);
    return place ? [{ place, judgement }] : [];
  });
  const [first, ...others] = readings.filter(({ judgement }) => judgement.verdict === "rates");
  if (!first || announcedCells(first) > 0) return readings;
  // If two scales fit, the one below headings that announce a judgement counts.
  const announced = others.find((one) => announcedCells(one) >= first.place.cells.length);
  return announced ? [announced, ...readings] : readings;
}

/** How many cells are below a heading that announces a judgement. */
function announcedCells({ place }: TableReading): number {
  return place.cells.filter(({ column }) => isJudgement(column)).length;
}

/** The most scales that are tried, the most frequent first. In a radar, yes and no (*is it new?*) may be that. */
const maxScales = 3;

function levelInCell(heading: string, text: string, explained: ReadonlySet<string>): WrittenLevel | undefined {
  const level = readinessIn(heading, text) ?? signIn(text);
  return isBlank(text) && !explained.has(level?.key ?? "") ? undefined : level;
}

/** An x among other letters without explanation is a name: drop the letters of that column. */
function withoutLetters(grid: LevelGrid, explained: ReadonlySet<string>): LevelGrid {
  const letterOf = (one: WrittenLevel | undefined) =>
    one && /^(?:letter )?\p{L}$/u.test(one.key) ? one.key : undefined;
  const names = (grid[0] ?? []).map((_, i) => {
    const letters = new Set(grid.flatMap((row) => letterOf(row[i]) ?? []));
    return letters.has("x") && [...letters].some((letter) => letter !== "x" && !explained.has(letter));
  });
  return names.includes(true)
    ? grid.map((row) => row.map((one, i) => (names[i] && letterOf(one) !== undefined ? undefined : one)))
    : grid;
}

/** The letters o and x mean a circle and a cross next to triangles, or below headings in East Asian scripts. */
function withCircles(grid: LevelGrid, { columns }: ReportTable): LevelGrid {
  const keys = new Set(grid.flat().flatMap((one) => one?.key ?? []));
  const isKnown =
    keys.has("△") || columns.some((name) => /\p{sc=Hangul}|\p{sc=Han}|\p{sc=Hiragana}|\p{sc=Katakana}/u.test(name));
  if (!keys.has("o") || !(keys.has("x") || keys.has("△")) || !isKnown) return grid;
  const drawn: Readonly<Record<string, string>> = { o: "○", x: "×" };
  return grid.map((row) => row.map((one) => one && { ...one, key: drawn[one.key] ?? one.key }));
}

/** Zero and one mean no and yes in a column that has both, and no other figures. */
function withZeros({ columns, rows }: ReportTable, grid: LevelGrid): LevelGrid {
  const answers: Readonly<Record<string, string>> = { 0: "no", 1: "yes" };
  const isBinary = columns.map((_, i) => {
    const texts = new Set(rows.map((row) => textAt(row, i)).filter((text) => !isBlank(text)));
    return i > 0 && texts.size === 2 && texts.has("0") && texts.has("1");
  });
  if (!isBinary.includes(true)) return grid;
  return grid.map((row, at) =>
    row.map((one, i) => {
      const shown = isBinary[i] ? textAt(rows[at] ?? [], i) : "";
      const key = answers[shown];
      return key === undefined ? one : { key, shown };
    }),
  );
}

/** The letter x is a tick if no other cell means yes or no. */
function withTicks(grid: LevelGrid): LevelGrid {
  const all = grid.flat().flatMap((one) => (one ? one.key : []));
  const others = all.filter((key) => key !== "x" && (plainMarks.has(key) || plainAnswers.has(key)));
  if (others.length > 0 || !all.includes("x")) return grid;
  return grid.map((row) => row.map((one) => (one?.key === "x" ? { ...one, key: "✓" } : one)));
}

/** Blanks the cells whose mark means *unknown* in a legend. */
function withoutUnknown(table: ReportTable, legends: readonly Legend[]): ReportTable {
  const unknown = new Set(
    legends.flatMap((legend) =>
      legend.flatMap(({ key, meaning }) => (/^[^([]/.test(meaning) && isBlank(meaning) ? [key] : [])),
    ),
  );
  if (unknown.size === 0) return table;
  const known = (cell: ReportCell) => (unknown.has(signIn(cell.text)?.key ?? "") ? { ...cell, text: "" } : cell);
  return { ...table, rows: table.rows.map((row) => row.map(known)) };
}

/** Marks in the first column, some of them repeated, rate the things behind them: that column is read as the last. */
function withNamesFirst(table: ReportTable): ReportTable {
  const { columns, rows } = table;
  const marks = rows.flatMap((row) => {
    const { key = "", beside = "" } = levelIn(textAt(row, 0)) ?? {};
    // `✅ Kite` has the thing itself.
    const isAlone = !/\p{L}/u.test(beside) && !isLevel(textAt(row, 1));
    return isAlone && isLevelKey(key) && isMarkKey(key) ? [key] : [];
  });
  if (marks.length < minLevelShare * rows.length || new Set(marks).size === marks.length) return table;
  const [heading = "", ...others] = columns;
  const moved = (row: readonly ReportCell[]) => [...others.map((_, i) => row[i + 1] ?? empty), row[0] ?? empty];
  return { ...table, columns: [...others, heading], rows: rows.map(moved) };
}

type LevelGrid = readonly (readonly (WrittenLevel | undefined)[])[];

function blockOf(
  table: ReportTable,
  { grid, legend, scale }: { grid: LevelGrid; legend: ReadonlySet<string>; scale: string },
): RatedBlock | undefined {
  const { columns, rows } = table;
  const isKnown = ({ key }: WrittenLevel) => heightOf(key, scale) !== undefined || legend.has(key);
  // A mark that has a scale of its own, such as stars, or that may be punctuation.
  const isScored = (key: string) => scalesOf(key).some((one) => one !== "circle") || /^[!-~]$|\S\/\S/.test(key);
  /** Marks of no scale, or circles, in columns of marks. */
  const strange = columns.map((_, i) => {
    const said = rows.filter((row) => !isBlank(textAt(row, i))).length;
    const drawn = grid.flatMap((row) => row[i] ?? []).filter(({ key }) => isMarkKey(key) || plainMarks.has(key));
    const others = new Set(drawn.flatMap((one) => (isKnown(one) || isScored(one.key) ? [] : one.key)));
    const isOfMarks = i > 0 && drawn.length >= nearlyAll * said && drawn.some(isKnown);
    return isOfMarks && others.size <= maxStrange ? others : undefined;
  });
  const level = (row: number, column: number) => {
    const one = (scale === "plus" ? belowPlus(textAt(rows[row] ?? [], column)) : undefined) ?? grid[row]?.[column];
    return one && (isKnown(one) || strange[column]?.has(one.key)) ? one : undefined;
  };
  const share = (places: readonly (readonly [number, number])[]) => {
    const said = places.filter(
      ([row, column]) => !isBlank(textAt(rows[row] ?? [], column)) || level(row, column) !== undefined,
    );
    const rated = said.filter(([row, column]) => level(row, column) !== undefined).length;
    return { rated, most: said.length > 0 && rated >= minLevelShare * said.length, half: 2 * rated >= said.length };
  };
  const all = rows.map((_, i) => i);
  const inRow = (row: number, within: readonly number[]) => share(within.map((i) => [row, i] as const));
  const inColumn = (i: number, within: readonly number[]) => share(within.map((row) => [row, i] as const));
  const every = columns.map((_, i) => i);
  // A column of confidence counts as a rating only if no other column is rated, or if it has their ticks.
  const isTicked = (i: number) => all.every((row) => plainMarks.has(level(row, i)?.key ?? "✓"));
  const free = every.filter((i) => roleOf(columns[i] ?? "") === undefined || isTicked(i));
  const open = free.slice(1).some((i) => inColumn(i, all).most && inColumn(i, all).rated >= 2) ? free : every;
  const full = all.filter((row) => {
    const { rated, most } = inRow(row, open.slice(1));
    return most && rated >= 2;
  });
  const seeds = open.filter((i) =>
    [all, full].some((within) => inColumn(i, within).most && inColumn(i, within).rated >= 2),
  );
  // If cells are missing in a row, it is unknown which, unless they are those of columns without a heading.
  const named = columns.findLastIndex((name) => name !== "") + 1;
  const isWhole = (row: number) => (rows[row]?.length ?? 0) >= named;
  // Cells that span rows rate once.
  const isSpanned = (row: number) => row > 0 && seeds.every((i) => rows[row]?.[i] === rows[row - 1]?.[i]);
  const isHalfRated = ({ rated, half }: ReturnType<typeof share>) => rated >= 1 && half;
  const rated = all.filter((row) => isWhole(row) && !isSpanned(row) && isHalfRated(inRow(row, seeds)));
  const [first] = seeds;
  const found = open.filter(
    (i) => i >= (first ?? 0) && inColumn(i, rated).most && inColumn(i, rated).rated >= (seeds.length > 1 ? 1 : 2),
  );
  const chosen = found.length === columns.length ? found.slice(1) : found;
  return rated.length >= 2 && chosen.length > 0 ? { table, scale, rows: rated, columns: chosen, level } : undefined;
}

/** Among pluses, minuses are levels and no blanks, and `o` is the level between. */
function belowPlus(text: string): WrittenLevel | undefined {
  const [, shown = ""] = /^([-–−]{1,3}|[o0])(?:\s*\(.*\))?$/.exec(text) ?? [];
  return shown === "" ? undefined : { key: /[o0]/.test(shown) ? "neutral" : "-".repeat(shown.length), shown };
}

/** The scales of the cells after the first column, the most frequent first. */
function scalesIn(grid: LevelGrid, legend: ReadonlySet<string>): string[] {
  const cells = grid.flatMap((row) => row.slice(row.length > 1 ? 1 : 0)).filter((one) => one !== undefined);
  const scales = cells.flatMap(({ key }) => {
    // A letter that the report explains is not a grade.
    const own = legend.has(key) && /^\p{L}$/u.test(key) ? [] : scalesOf(key);
    return own.length === 0 && legend.has(key) ? ["legend"] : own;
  });
  // A triangle may be a mark beside ticks; an empty circle beside ticks belongs to their scale.
  const isTicked = cells.some(({ key }) => /^[✓✔✅]$/u.test(key));
  const isCircled = cells.some(({ key }) => isCircle(key) && (!isTicked || /^[△▲🔺]$/u.test(key)));
  return [...Map.groupBy(scales, (scale) => scale)]
    .filter(([scale]) => scale !== "circle" || isCircled)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([scale]) => scale);
}

function placeOf(block: RatedBlock): RatedPlace | undefined {
  const { table, rows, columns, level, scale } = block;
  const names = rowNames(table, rows, columns);
  if (!names) return undefined;
  const headings = columnNames(table, columns);
  const strange = unknownLevels(block);
  const alone = columns.length === 1 && (table.columns[columns[0] ?? 0] === "" || isPlainHeading(headings[0] ?? ""));
  const levels = new Map(rows.map((row) => [row, columns.map((i) => level(row, i) ?? strange(row, i))]));
  const cells = [...levels].flatMap(([row, own]) =>
    own.flatMap((rating, i) =>
      ratedCell(names.of.get(row), headings[i] ?? "", rating, table.rows[row]?.[columns[i] ?? 0]),
    ),
  );
  const unrated = table.rows.flatMap((row, at) =>
    columns.flatMap((column, i) => (levels.get(at)?.[i] ? [] : (levelIn(textAt(row, column))?.shown ?? []))),
  );
  return { scale, path: table.path, axes: axesOf(names.heading), alone, cells, unrated };
}

/** A column or block with at least this share of levels may have a few others, of no scale and no legend. */
const nearlyAll = 0.75;
const maxStrange = 2;

/** Other words among words. */
function unknownLevels({ table, rows, columns, scale, level }: RatedBlock): RatedBlock["level"] {
  const cells = rows.flatMap((row) => columns.map((i) => ({ row, i, text: textAt(table.rows[row] ?? [], i) })));
  const filled = cells.filter(({ text }) => !isBlank(text));
  const known = filled.flatMap(({ row, i }) => level(row, i) ?? []);
  const marks = known.filter(({ key }) => isMarkKey(key) || plainMarks.has(key)).length;
  if (known.length < nearlyAll * filled.length || marks >= nearlyAll * known.length) return () => undefined;
  const candidates = filled.flatMap(({ row, i, text }) => {
    const rating = level(row, i) ? undefined : levelIn(text);
    const short = rating?.shown === text && text.length <= 20 && !/\d|→|->|\S\/\S/.test(text);
    return rating && short && !isMarkKey(rating.key) ? [{ row, i, rating }] : [];
  });
  // A word that occurs once, or in only one of several columns, is a remark, and so is one of a row of other answers.
  const byRow = Map.groupBy(filled, ({ row }) => row);
  const isSaid = (all: typeof candidates) => {
    const [inRows, inColumns] = [new Set(all.map(({ row }) => row)), new Set(all.map(({ i }) => i))];
    const among = [...inRows].reduce((sum, row) => sum + (byRow.get(row)?.length ?? 0), 0);
    const isAmong = inRows.size > 1 || among < 3 || all.length < 0.5 * among;
    return all.length > 1 && isAmong && (columns.length < 3 || inColumns.size > 1);
  };
  const groups = [...Map.groupBy(candidates, ({ rating }) => rating.key).values()];
  // Nearly all is judged beside degrees; a person is asked about the place of the others.
  const said = ordinalScales.has(scale) ? groups : groups.filter(isSaid);
  const others = said.length <= maxStrange ? said.flat() : [];
  const ratings = new Map(others.map(({ row, i, rating }) => [`${row} ${i}`, rating]));
  return (row, column) => ratings.get(`${row} ${column}`);
}

/** Headings that only say that the column holds a level. */
const isPlainHeading = matches(`^(?:${anyOf("tables.current")} )?${anyOf("tables.level")}$`);

function columnNames({ columns }: ReportTable, chosen: readonly number[]): string[] {
  const short = chosen.map((i) => shortName(columns[i] ?? ""));
  return chosen.map((i, at) => {
    const name = short[at] ?? "";
    if (name === "") return `Column ${i + 1}`;
    const twice = short.filter((one) => one === name).length > 1;
    return twice ? cutLine(columns[i] ?? name, 80) : name;
  });
}

const isArea = says("tables.area");

/** Names of both axes: `Feature / Platform`. */
function axesOf(heading: string): [string, string] {
  const [first = "", second = ""] = heading.split(/[/\\|×]|\bvs\.?\b/).map((part) => shortName(part).toLowerCase());
  const row = first || "subject";
  const column = second || (isArea(row) ? "platform" : "area");
  return [row, column === row ? `${row} 2` : column];
}

/** A table whose headings are levels; a mark in each row selects one of them. */
function markedColumns(table: ReportTable): RatedPlace | undefined {
  const { columns, rows, path } = table;
  const heads = columns.flatMap((name, i) => {
    const rating = i === 0 ? undefined : levelIn(name);
    return rating && scalesOf(rating.key).length > 0 ? [{ i, rating }] : [];
  });
  const scale =
    heads[0] &&
    scalesOf(heads[0].rating.key).find((one) => heads.every(({ rating }) => heightOf(rating.key, one) !== undefined));
  if (heads.length < 2 || scale === undefined) return undefined;
  const marksByRow = rows.map((row) => heads.filter(({ i }) => !isBlank(textAt(row, i))));
  const isTick = (text: string) => {
    const key = levelIn(text)?.key ?? "";
    return plainMarks.has(key) || (key !== "" && isMarkKey(key)) || /^[xX•*]$/.test(text.trim());
  };
  const one = marksByRow.filter(
    (marks, at) => marks.length === 1 && marks.every(({ i }) => isTick(textAt(rows[at] ?? [], i))),
  );
  if (one.length < 2 || marksByRow.some((marks) => marks.length > 1) || one.length < 0.8 * rows.length)
    return undefined;
  const rated = rows.flatMap((_, at) => (marksByRow[at]?.length === 1 ? [at] : []));
  const headColumns = heads.map(({ i }) => i);
  const names = rowNames(table, rated, headColumns);
  if (!names) return undefined;
  const cells = rated.flatMap((at) => {
    const [mark] = marksByRow[at] ?? [];
    return ratedCell(names.of.get(at), "level", mark?.rating, rows[at]?.[mark?.i ?? 0]);
  });
  return { scale, path, axes: axesOf(names.heading), alone: true, cells };
}
