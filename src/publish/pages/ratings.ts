import { nameOf } from "../names.ts";
import type { Drawing } from "./drawing.ts";
import { html, inward, joined, type Markup } from "./markup.ts";

/** More make a line that nobody reads. */
const most = 24;

/** Ratings with the way to their pages, those of one row together: `Google TPU: Maturity, Kernels · Apple MPS: Cost`. */
export function ratingLinks(ids: readonly string[], { config, places }: Drawing): Markup {
  const shown = ids.slice(0, most);
  const more = ids.length > most && ` and ${ids.length - most} more`;
  if (config.axes.length !== 2) {
    return html`${joined(
      shown.map((id) => inward(nameOf(id, config), places.rating(id))),
      ", ",
    )}${more}`;
  }
  const rows = [...Map.groupBy(shown, (id) => id.slice(0, id.indexOf("/")))].map(([row, its]) => {
    const links = its.map((id) => inward(nameOf(id.slice(row.length + 1), config), places.rating(id)));
    return html`<span class="row">${nameOf(row, config)}:</span> ${joined(links, ", ")}`;
  });
  return html`${joined(rows, " · ")}${more}`;
}
