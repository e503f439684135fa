import type { Config } from "../../model/config.ts";
import { words } from "../../model/markdown.ts";
import { firstOf } from "../../model/words.ts";

/** `Google TPU · Maturity`. */
export function ratingName(id: string, config: Config): string {
  return id
    .split("/")
    .map((part) => words(config.names.get(part) ?? part, 80))
    .join(" · ");
}

/** Names in a line, at most; the others are counted. */
const maxNames = 24;

/** Ratings by name, grouped by row: `**Google TPU**: Maturity, Kernels · **Apple MPS**, all 5`. */
export function ratingNames(ids: readonly string[], config: Config): string {
  if (config.axes.length !== 2)
    return firstOf(
      ids.map((id) => ratingName(id, config)),
      maxNames,
    );
  const rows = Map.groupBy(ids, rowOf);
  const names = [...rows].map(([row, its]) => {
    const name = `**${ratingName(row, config)}**`;
    const all = [...config.ratings.keys()].filter((id) => rowOf(id) === row).length;
    if (its.length === all && all > 2) return `${name}, all ${all}`;
    return `${name}: ${firstOf(
      its.map((id) => ratingName(id.slice(row.length + 1), config)),
      maxNames,
    )}`;
  });
  const more = names.length - maxNames;
  return [...names.slice(0, maxNames), ...(more > 0 ? [`and ${more} more`] : [])].join(" · ");
}

function rowOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}
