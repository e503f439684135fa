import type { Config } from "../model.ts";
import { ratingName } from "./resting.ts";

/** More names make a line that nobody reads. */
const most = 24;

/** Ratings by name, those of one row together: `**Google TPU**: Maturity, Kernels · **Apple MPS**, all 5`. */
export function ratingNames(ids: readonly string[], config: Config): string {
  if (config.axes.length !== 2) return listed(ids.map((id) => ratingName(id, config)));
  const rows = Map.groupBy(ids, rowOf);
  const names = [...rows].map(([row, its]) => {
    const name = `**${ratingName(row, config)}**`;
    const all = [...config.ratings.keys()].filter((id) => rowOf(id) === row).length;
    if (its.length === all && all > 2) return `${name}, all ${all}`;
    return `${name}: ${listed(its.map((id) => ratingName(id.slice(row.length + 1), config)))}`;
  });
  const more = names.length - most;
  return [...names.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].join(" · ");
}

function rowOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}

/** `a, b, c and 4 more` */
export function listed(names: readonly string[], count = most): string {
  const more = names.length - count;
  return more > 0 ? `${names.slice(0, count).join(", ")} and ${more} more` : names.join(", ");
}
