import type { Config } from "../../model/config.ts";
import { cut } from "../../model/markdown.ts";
import { reportTextOf } from "../parse/report-text.ts";
import { isLevel, levelIn, writingsOf } from "../rate/levels.ts";
import { ratedTextOf, ratingsOf } from "../rate/ratings.ts";
import { applySplices, lineOf, type Splice } from "./splice.ts";
import {
  type Cell,
  type Fit,
  fitOf,
  htmlTables,
  labelWords,
  markdownTables,
  type Table,
  withoutFences,
} from "./tables.ts";

export interface PlaceByHand {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The line as in the file, not escaped. */
  readonly text: string;
}

/** A rating that has changed. */
export interface CellEdit {
  readonly rating: string;
  /** The previous level. */
  readonly old: string;
  readonly level: string;
}

export interface CellEdited {
  readonly text: string;
  /** Places to edit; empty if the cell was edited. */
  readonly byHand: readonly PlaceByHand[];
  readonly found: boolean;
}

const maxReportCharacters = 2_000_000;
/** A longer text is not read again to find a cell. */
const maxCharactersToRead = 300_000;
const maxReadings = 16;

/**
 * Changes the table cell of a rating. If there is none or several, the place is changed after which the report reads
 * as it should. Otherwise, or if the level is not in the cell exactly once, the text is unchanged and the places are
 * listed. Pure.
 */
export function editCell(path: string, text: string, edit: CellEdit, config: Config): CellEdited {
  if (text.length > maxReportCharacters) return { text, byHand: [], found: false };
  const fitting = tablesOf(path, text).map((table) => cellsFor(table, edit, config));
  const cells = [...new Map(fitting.flat().map((cell) => [cell.from, cell])).values()];
  const [first, ...others] = cells;
  // If several tables may have the rating, one change would leave the others wrong.
  const isInSeveral = fitting.filter(({ length }) => length > 0).length > 1;
  const edited =
    first && others.length === 0
      ? editLevel(text, first, edit)
      : isInSeveral
        ? undefined
        : editByReading(path, text, edit, config);
  if (edited !== undefined) return { text: edited, byHand: [], found: true };
  const places = cells.map(({ from }) => placeAt(path, text, from));
  return { text, byHand: places.length > 0 ? places : likelyPlaces(path, text, edit, config), found: false };
}

/**
 * Changes the one place of a level, in any format, after which the report has this rating at its new level, and all
 * others as before. Undefined if there is none. Each reading halves the places.
 */
function editByReading(
  path: string,
  text: string,
  { rating, old, level }: CellEdit,
  config: Config,
): string | undefined {
  let places = levelsIn(text, old).map((one) => replacement(text, 0, one, level));
  if (places.length === 0 || text.length > maxCharactersToRead) return undefined;
  const key = namesKey(rating.split("/").map((part) => config.names.get(part) ?? part));
  const before = levelsByNames(path, text);
  if (before.get(key) !== old) return undefined;
  for (let readings = 0; places.length > 1 && readings < maxReadings; readings++) {
    const half = places.slice(0, Math.ceil(places.length / 2));
    const isThere = levelsByNames(path, applySplices(text, half)).get(key) !== old;
    places = isThere ? half : places.slice(half.length);
  }
  const edited = applySplices(text, places);
  const after = levelsByNames(path, edited);
  const isRight = [...before].every(([names, before]) => after.get(names) === (names === key ? level : before));
  return isRight && places.length === 1 ? edited : undefined;
}

/** The ratings that a draft of the report would have. */
function levelsByNames(path: string, text: string): Map<string, string> {
  const ratings = ratingsOf(ratedTextOf(reportTextOf(path, text)), []);
  return new Map(ratings?.rated.map(({ names, level }) => [namesKey(names), level]));
}

function namesKey(names: readonly string[]): string {
  return JSON.stringify(names.map((name) => labelWords(name).join(" ")).sort());
}

function tablesOf(path: string, text: string): Table[] {
  if (/\.x?html?$/i.test(path)) return htmlTables(text);
  const outside = withoutFences(text);
  return [...markdownTables(outside), ...htmlTables(outside)];
}

/**
 * The cells in a row for one part of the id and a column for the other. For an id of one part, the cells of its row
 * with a level.
 */
function cellsFor(table: Table, { rating, old, level }: CellEdit, config: Config): Cell[] {
  const parts = rating.split("/");
  const [first = "", second] = parts;
  if (parts.length > 2) return [];
  if (second !== undefined)
    return [...crossingCells(table, first, second, config), ...crossingCells(table, second, first, config)];
  const holdsLevel = ({ shown }: Cell) => [old, level].some((word) => levelsIn(shown, word).length > 0);
  return rowsCalled(first, table, config).flatMap((row) => (table.rows[row] ?? []).slice(1).filter(holdsLevel));
}

function crossingCells(table: Table, ofRow: string, ofColumn: string, config: Config): Cell[] {
  const headers = table.rows.slice(0, table.headers);
  const columns = new Set(headers.flatMap((header) => matchingLabels(header, ofColumn, config, 1)));
  const rows = rowsCalled(ofRow, table, config);
  return rows.flatMap((row) => [...columns].flatMap((column) => table.rows[row]?.[column] ?? []));
}

/** The rows whose first cell has a name, or another cell just the name: numbers may come first. */
function rowsCalled(part: string, { rows, headers }: Table, config: Config): number[] {
  const isExact = (cell: Cell) => fitOf(cell.shown, part, config) === "exact";
  const labels = rows.map((row) => row.find(isExact) ?? row[0]);
  return matchingLabels(labels, part, config, headers);
}

/** The labels that match a part: exact matches, or else near ones. `from`: the first index to try. */
function matchingLabels(labels: readonly (Cell | undefined)[], part: string, config: Config, from: number): number[] {
  const fits = labels.map((cell, index): Fit => (cell && index >= from ? fitOf(cell.shown, part, config) : "none"));
  const indexesOf = (wanted: Fit) => fits.flatMap((fit, index) => (fit === wanted ? [index] : []));
  const exact = indexesOf("exact");
  return exact.length > 0 ? exact : indexesOf("near");
}

const maxPlaces = 10;

/** Lines with the level and the name of a part of the id; lines with both parts if there are any. */
function likelyPlaces(path: string, text: string, { rating, old }: CellEdit, config: Config): PlaceByHand[] {
  const parts = rating.split("/").map((part) => labelWords(config.names.get(part) ?? part).join(" "));
  const scored = text.split("\n").map((line, index) => {
    const words = ` ${labelWords(line.slice(0, 4_000)).join(" ")} `;
    const isRated = wordsIn(line.slice(0, 4_000), old).length > 0;
    const score = isRated ? parts.filter((part) => part !== "" && words.includes(` ${part} `)).length : 0;
    return { score, line: index + 1, text: line };
  });
  const best = Math.max(0, ...new Set(scored.map(({ score }) => score)));
  const lines = scored.filter(({ score }) => score === best && best > 0).slice(0, maxPlaces);
  return lines.map(({ line, text: found }) => ({ path, line, text: cut(found.trim(), 200) }));
}

function placeAt(path: string, text: string, offset: number): PlaceByHand {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const feed = text.indexOf("\n", offset);
  return { path, line: lineOf(text, offset), text: cut(text.slice(start, feed < 0 ? text.length : feed).trim(), 200) };
}

/** Attributes that may repeat a level: for colours, scripts or screen readers. */
const levelAttribute = /(\s(?:class|title|aria-label|alt|data-[a-z-]{1,40})\s*=\s*)("[^"]*"|'[^']*')/gi;

/**
 * Changes a cell's level: in its text, and in the attributes of its tags. Undefined if the old level is not there
 * exactly once; unchanged if the new one already is.
 */
function editLevel(text: string, cell: Cell, { old, level }: CellEdit): string | undefined {
  const content = text.slice(cell.from, cell.to);
  const { beside = "" } = levelIn(cell.shown) ?? {};
  // Words around a picture do not change it, and half of `✅ Yes` does not change the other half.
  if (content.includes("![") || (isLevel(beside) && levelIn(old)?.beside !== beside)) return undefined;
  const splices: Splice[] = [];
  let oldWords = 0;
  let newWords = 0;
  for (const { from, to, tag } of partsOf(text, cell)) {
    const part = text.slice(from, to);
    if (tag) splices.push(...inTag(part, from, old, level));
    else {
      const places = levelsIn(part, old);
      oldWords += places.length;
      newWords += levelsIn(part, level).length;
      splices.push(...places.map((place) => replacement(part, from, place, level)));
    }
  }
  if (oldWords === 0 && newWords === 1 && content !== "") return text;
  return oldWords === 1 && newWords === 0 ? applySplices(text, splices) : undefined;
}

function partsOf(text: string, cell: Cell): { from: number; to: number; tag: boolean }[] {
  const parts: { from: number; to: number; tag: boolean }[] = [];
  for (let at = cell.tag; at < cell.to; ) {
    const open = text.indexOf("<", at);
    const from = open < 0 || open > cell.to ? cell.to : open;
    if (from > at) parts.push({ from: at, to: from, tag: false });
    if (from >= cell.to) break;
    const close = text.indexOf(">", from);
    const to = close < 0 || close >= cell.to ? Math.max(cell.from, from + 1) : close + 1;
    parts.push({ from, to, tag: true });
    at = to;
  }
  return parts;
}

function inTag(tag: string, from: number, old: string, level: string): Splice[] {
  return [...tag.matchAll(levelAttribute)].flatMap(({ 0: all, 2: value = "", index }) => {
    const start = index + all.length - value.length;
    return wordsIn(value, old).map((at) => replacement(value, from + start, { at, word: old }, level));
  });
}

/** A writing of a level in a text, and its offset. */
interface WrittenWord {
  readonly at: number;
  readonly word: string;
}

function levelsIn(text: string, level: string): WrittenWord[] {
  return writingsOf(level).flatMap((word) => wordsIn(text, word).map((at) => ({ at, word })));
}

/** Offsets of a word or mark, case-insensitive, without letters, digits or more of the mark around it. */
function wordsIn(text: string, word: string): number[] {
  const [where, wanted] = [text.toLowerCase(), word.toLowerCase()];
  if (where.length !== text.length || wanted === "") return [];
  const places: number[] = [];
  for (let at = where.indexOf(wanted); at >= 0; at = where.indexOf(wanted, at + wanted.length)) {
    const around = [text[at - 1] ?? "", text[at + wanted.length] ?? ""];
    const isRun = around[0] === wanted.at(-1) || around[1] === wanted[0];
    if (!isRun && !around.some((character) => /[\p{L}\p{N}]/u.test(character))) places.push(at);
  }
  return places;
}

/** A mark that is written by its name is replaced by the name of the other mark. */
function replacement(text: string, from: number, { at, word }: WrittenWord, level: string): Splice {
  const written = text.slice(at, at + word.length);
  const [, name = level] = /^:.+:$/.test(word) ? writingsOf(level) : [];
  return { from: from + at, to: from + at + word.length, text: inCase(written, word, name) };
}

/** The level in the case of the old one: MEDIUM, medium; otherwise as in config. */
function inCase(written: string, old: string, level: string): string {
  if (written === old) return level;
  if (written === written.toLowerCase()) return level.toLowerCase();
  return written === written.toUpperCase() ? level.toUpperCase() : level;
}
