import type { Config } from "../../model/config.ts";
import { type ReaderState, readerState, readerStates, stateSigns } from "../../model/states.ts";
import { type Matrix, matrixOf } from "../../status/matrix.ts";
import type { Status } from "../../status/status.ts";
import { columnWidths, padText, table, usualColumns } from "./columns.ts";
import type { Colour } from "./print.ts";
import type { Terminal } from "./terminal.ts";

const colours: Readonly<Record<ReaderState, Colour>> = {
  outdated: "red",
  changed: "yellow",
  "not checkable": "magenta",
  "up to date": "green",
};

type Ratings = Status["ratings"];

const indent = 2;

/** Prints the ratings below an empty line, if there are any. */
export function printMatrix(config: Config, ratings: Ratings, out: Terminal): void {
  if (ratings.length > 0) out.line();
  for (const line of matrixLines(config, ratings, out)) out.line(`  ${line}`);
}

/**
 * The ratings with their freshness: a matrix if two axes are declared and the terminal is wide enough, else a list.
 * Lines without indent, followed by the meaning of the signs.
 */
export function matrixLines(
  config: Config,
  ratings: Ratings,
  { paint, width }: Pick<Terminal, "paint" | "width">,
): string[] {
  if (ratings.length === 0) return [];
  const room = (width ?? usualColumns) - indent;
  const matrix = matrixOf(config, ratings);
  const square = matrix && inColumns(grid(matrix, config, ratings));
  const rows = ratings.map((its) => [nameOf(config, its.rating), cell(its)]);
  const fits = square && square.widths.reduce((sum, one) => sum + one + 2, -2) <= room;
  const list = () => (matrix ? byRow(matrix, config, ratings, room) : table(rows, "", room));
  const lines = fits ? square.lines : list();
  return [...lines, ...legend(room)].map((line) => colourSigns(line, paint));
}

function inColumns(rows: readonly (readonly string[])[]): { widths: number[]; lines: string[] } {
  const widths = columnWidths(rows);
  const lines = rows.map((row) =>
    row
      .map((text, column) => padText(text, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return { widths, lines };
}

function grid({ rows, columns, at }: Matrix, config: Config, ratings: Ratings): string[][] {
  const width = Math.max(...columnWidths(ratings.map(({ value }) => [value])));
  return [
    ["", ...columns.map((column) => nameOf(config, column))],
    ...rows.map((row) => [nameOf(config, row), ...columns.map((column) => cell(at(row, column), width))]),
  ];
}

function byRow(matrix: Matrix, config: Config, ratings: Ratings, room: number): string[] {
  return matrix.rows.flatMap((row) => {
    const own = ratings.filter(({ rating }) => rating.startsWith(`${row}/`));
    const rows = own.map((its) => [nameOf(config, its.rating.slice(row.length + 1)), cell(its)]);
    return [nameOf(config, row), ...table(rows, "  ", room)];
  });
}

function cell(its: Ratings[number] | undefined, width = 0): string {
  return its ? `${padText(its.value, width)} ${stateSigns[readerState(its.level)]}` : "";
}

function legend(room: number): string[] {
  const lines: string[] = [];
  for (const [state, sign] of Object.entries(stateSigns)) {
    const said = `${sign} ${state}`;
    const last = lines.at(-1);
    if (last !== undefined && `${last}   ${said}`.length <= room) lines[lines.length - 1] = `${last}   ${said}`;
    else lines.push(said);
  }
  return lines;
}

function colourSigns(line: string, paint: Terminal["paint"]): string {
  return readerStates.reduce(
    (text, state) => text.replaceAll(stateSigns[state], paint(colours[state], stateSigns[state])),
    line,
  );
}

function nameOf(config: Config, id: string): string {
  return config.names.get(id) ?? id;
}
