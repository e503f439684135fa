import type { Config } from "../model/config.ts";
import { cell, link, words } from "../model/markdown.ts";
import { readerState, stateSigns } from "../model/states.ts";
import type { Part } from "../recheck/issue/layout.ts";
import { ratingAddress, ratingName } from "../recheck/issue/question.ts";
import type { RatingStatus, Status } from "./status.ts";

export interface Matrix {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  at(row: string, column: string): RatingStatus | undefined;
}

/** Undefined without two axes in config: then ratings are a list. */
export function matrixOf({ axes }: Config, ratings: readonly RatingStatus[]): Matrix | undefined {
  const parts = ratings.map(({ rating }) => rating.split("/"));
  if (axes.length !== 2 || parts.some(({ length }) => length !== 2)) return undefined;
  const byId = new Map(ratings.map((one) => [one.rating, one]));
  const namesOnAxis = (axis: number) => [...new Set(parts.map((its) => its[axis] ?? ""))];
  return { rows: namesOnAxis(0), columns: namesOnAxis(1), at: (row, column) => byId.get(`${row}/${column}`) };
}

/** Each rating with its level and state: a matrix if config has two axes, else a list. */
export function matrixPart(config: Config, { ratings }: Status): Part {
  const matrix = matrixOf(config, ratings);
  const { head, entries } = matrix ? grid(matrix, config) : list(config, ratings);
  const legend = Object.entries(stateSigns).map(([state, sign]) => `${sign} ${state}`);
  return {
    head: ["### Ratings", "", ...head],
    entries,
    tail: ["", `<sub>${legend.join(", ")}</sub>`],
    least: 1,
    one: "row of ratings",
    many: "rows of ratings",
  };
}

function grid({ rows, columns, at }: Matrix, config: Config): { head: string[]; entries: string[] } {
  const names = columns.map((column) => cellName(column, config));
  const cells = (row: string) => columns.map((column) => cellText(at(row, column), config));
  return {
    head: [`| | ${names.join(" | ")} |`, `|---|${"---|".repeat(names.length)}`],
    entries: rows.map((row) => `| **${cellName(row, config)}** | ${cells(row).join(" | ")} |`),
  };
}

function list(config: Config, ratings: readonly RatingStatus[]): { head: string[]; entries: string[] } {
  return {
    head: ["| rating | now |", "|---|---|"],
    entries: ratings.map((one) => `| ${cellName(one.rating, config)} | ${cellText(one, config)} |`),
  };
}

function cellText(one: RatingStatus | undefined, config: Config): string {
  if (!one) return "";
  const value = link(words(one.value, 80), ratingAddress(one.rating, config));
  return `${cell(value)}\u00a0${stateSigns[readerState(one.level)]}`;
}

function cellName(id: string, config: Config): string {
  return cell(ratingName(id, config));
}
