import type { styleText } from "node:util";
import { signOf } from "../../describe.ts";
import type { Config, FreshnessLevel } from "../../model.ts";
import type { Status } from "../../status.ts";

/** Each level of freshness by its sign and its colour. */
export const signs: Readonly<Record<FreshnessLevel, { sign: string; colour: Parameters<typeof styleText>[0] }>> = {
  "in doubt": { sign: signOf["in doubt"], colour: "red" },
  blind: { sign: signOf.blind, colour: "magenta" },
  "to review": { sign: signOf["to review"], colour: "yellow" },
  due: { sign: signOf.due, colour: "cyan" },
  fresh: { sign: signOf.fresh, colour: "green" },
};

type Paint = (colour: Parameters<typeof styleText>[0], text: string) => string;

/** The ratings with their freshness: a matrix where two axes are declared, else a list. Lines without an indent. */
export function matrixLines(config: Config, ratings: Status["ratings"], paint: Paint): string[] {
  if (ratings.length === 0) return [];
  const rows =
    config.axes.length === 2 ? grid(config, ratings) : ratings.map((one) => [nameOf(config, one.rating), cell(one)]);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? "")].length)));
  const lines = rows.map((row) =>
    row
      .map((text, column) => text + " ".repeat((widths[column] ?? 0) - [...text].length))
      .join("  ")
      .trimEnd(),
  );
  return [...lines.map((line) => coloured(line, paint)), coloured(legend(), paint)];
}

function grid(config: Config, ratings: Status["ratings"]): string[][] {
  const parts = ratings.map(({ rating }) => rating.split("/"));
  const rows = [...new Set(parts.map(([row = ""]) => row))];
  const columns = [...new Set(parts.map(([, column = ""]) => column))];
  const width = Math.max(...ratings.map(({ value }) => value.length));
  const at = (row: string, column: string) => ratings.find(({ rating }) => rating === `${row}/${column}`);
  return [
    ["", ...columns.map((column) => nameOf(config, column))],
    ...rows.map((row) => [nameOf(config, row), ...columns.map((column) => cell(at(row, column), width))]),
  ];
}

function cell(one: Status["ratings"][number] | undefined, width = 0): string {
  return one ? `${one.value.padEnd(width)} ${signs[one.level].sign}` : "";
}

function legend(): string {
  return Object.entries(signs)
    .map(([level, { sign }]) => `${sign} ${level}`)
    .join("   ");
}

function coloured(line: string, paint: Paint): string {
  return Object.values(signs).reduce((text, { sign, colour }) => text.replaceAll(sign, paint(colour, sign)), line);
}

function nameOf(config: Config, id: string): string {
  return config.names.get(id) ?? id;
}
