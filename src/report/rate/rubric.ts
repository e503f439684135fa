import { anyOf, matches } from "../../language/lexicon.ts";
import { cutLine } from "../../model/markdown.ts";
import type { ReportTable } from "../parse/report-text.ts";
import { isLevel, levelIn } from "./levels.ts";
import type { Ratings } from "./ratings.ts";
import { shortName } from "./words.ts";

/** The meaning of each level, for each name of one axis. */
export interface Rubric {
  readonly axis: number;
  readonly meanings: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

const maxNames = 40;

/** Whether a table explains levels: its headings are levels, its cells are not. */
export function isRubric({ columns, rows }: ReportTable): boolean {
  const headings = columns.slice(1);
  const cells = rows.flatMap((row) => row.slice(1));
  const words = cells.filter(({ text }) => /\p{L}/u.test(text)).length;
  return (
    headings.length >= 2 &&
    headings.every(isLevel) &&
    words >= 0.5 * cells.length &&
    cells.filter(({ text }) => isLevel(text)).length < 0.5 * cells.length
  );
}

/**
 * Whether a table derives a level from two others, such as likelihood and impact: its rows and columns are such levels,
 * or each row begins with two.
 */
export function isDerivation({ columns, rows }: ReportTable): boolean {
  const pairs = rows.map((row) => row.slice(0, 2).map(({ text }) => text));
  const isPair = (pair: readonly string[]) => pair.filter(isNamedLevel).length + pair.filter(isAny).length === 2;
  const firsts = new Set(pairs.map(([first]) => first));
  const distinct = new Set(pairs.map((pair) => JSON.stringify(pair)));
  if (rows.length >= 4 && pairs.every(isPair) && firsts.size < rows.length && distinct.size === rows.length)
    return true;
  const named = columns.map(isNamedLevel);
  const first = Math.max(1, named.indexOf(true));
  const headings = named.slice(first);
  return (
    headings.length >= 2 &&
    headings.every(Boolean) &&
    rows.every((row) => row.slice(0, first).some(({ text }) => isNamedLevel(text)))
  );
}

const isAny = matches(`^(?:${anyOf("tables.any")}|\\*|-|–)$`);
const ofRisk = new RegExp(`\\b${anyOf("tables.risk")}\\b`, "gi");

/** `High`, `Impact: High`, `High impact`, `Almost certain` */
function isNamedLevel(text: string): boolean {
  const level = text.replace(ofRisk, "");
  return isLevel(level.replace(/^[\s:]+|(?<![\s:])[\s:]+$/g, "")) || isLikelihood(text);
}

const isLikelihood = matches(`^${anyOf("tables.likelihood")}\\b`);

export function rubricOf(tables: readonly ReportTable[], ratings: Ratings): Rubric | undefined {
  const byName = new Map(
    ratings.rated.flatMap(({ names: own }) => own.map((name, axis) => [name.toLowerCase(), { name, axis }])),
  );
  for (const { columns, rows } of tables.filter(isRubric)) {
    const levels = columns.map((heading) => levelIn(heading)?.shown ?? "");
    const texts = rows.map((row) => row.map(({ text }) => text));
    const rubricRows = texts.flatMap((row) => nameIn(row, byName) ?? []);
    if (rubricRows.length === 0 || rubricRows.length < 0.5 * rows.length) continue;
    const axis = rubricRows[0]?.axis ?? 0;
    const meanings = rubricRows
      .filter((one) => one.axis === axis)
      .map(({ name, cells }): [string, Map<string, string>] => [name, meaningsOf(levels, cells)]);
    return { axis, meanings: new Map(meanings.slice(0, maxNames)) };
  }
  return undefined;
}

function meaningsOf(columns: readonly string[], cells: readonly string[]): Map<string, string> {
  return new Map(
    columns.slice(1).flatMap((level, i): [string, string][] => {
      const meaning = cutLine(cells[i] ?? "", 300);
      return meaning === "" ? [] : [[level, meaning]];
    }),
  );
}

/** A row's name and its other cells. In a table from plain lines, the first meaning begins with the name. */
function nameIn(
  row: readonly string[],
  byName: ReadonlyMap<string, { name: string; axis: number }>,
): { name: string; axis: number; cells: string[] } | undefined {
  const [first = "", ...cells] = row;
  const known = byName.get(shortName(first).toLowerCase());
  if (known || first !== "") return known && { ...known, cells };
  const [meaning = "", ...rest] = cells;
  const lower = meaning.toLowerCase();
  const [longest] = [...byName.keys()]
    .filter((name) => lower.startsWith(`${name} `))
    .sort((a, b) => b.length - a.length);
  const named = longest === undefined ? undefined : byName.get(longest);
  return named && { ...named, cells: [meaning.slice((longest ?? "").length + 1), ...rest] };
}
