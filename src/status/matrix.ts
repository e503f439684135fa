import type { Config } from "../model/config.ts";
import { cell, link, words } from "../model/markdown.ts";
import { readerState, stateSigns } from "../model/states.ts";
import type { Part } from "../recheck/issue/layout.ts";
import { ratingAddress, ratingName } from "../recheck/issue/question.ts";
import type { OverviewDrawing } from "./overview.ts";
import type { Status } from "./status.ts";

type Rated = Status["ratings"][number];

/** Each rating with its level and state: a matrix if config has two axes, else a list. */
export function matrixPart({ config, status: { ratings } }: Pick<OverviewDrawing, "config" | "status">): Part {
  const { head, entries } = config.axes.length === 2 ? grid(config, ratings) : list(config, ratings);
  const legend = Object.entries(stateSigns).map(([state, sign]) => `${sign} ${state}`);
  return {
    head: ["### Ratings", "", ...head],
    entries,
    tail: ["", `<sub>${legend.join(", ")}</sub>`],
    between: "\n",
    least: 1,
    one: "row of ratings",
    many: "rows of ratings",
  };
}

function grid(config: Config, ratings: readonly Rated[]): { head: string[]; entries: string[] } {
  const rows = new Map<string, Map<string, Rated>>();
  const columns = new Set<string>();
  for (const one of ratings) {
    const [row = "", column = ""] = one.rating.split("/");
    columns.add(column);
    rows.set(row, (rows.get(row) ?? new Map<string, Rated>()).set(column, one));
  }
  const names = [...columns].map((column) => cellName(column, config));
  return {
    head: [`| | ${names.join(" | ")} |`, `|---|${"---|".repeat(names.length)}`],
    entries: [...rows].map(
      ([row, its]) =>
        `| **${cellName(row, config)}** | ${[...columns].map((column) => cellText(its.get(column), config)).join(" | ")} |`,
    ),
  };
}

function list(config: Config, ratings: readonly Rated[]): { head: string[]; entries: string[] } {
  return {
    head: ["| rating | now |", "|---|---|"],
    entries: ratings.map((one) => `| ${cellName(one.rating, config)} | ${cellText(one, config)} |`),
  };
}

/** A rating's value, linked to its published page, and its freshness. */
function cellText(one: Rated | undefined, config: Config): string {
  if (!one) return "";
  const value = link(words(one.value, 80), ratingAddress(one.rating, config));
  return `${cell(value)}\u00a0${stateSigns[readerState(one.level)]}`;
}

function cellName(id: string, config: Config): string {
  return cell(ratingName(id, config));
}
