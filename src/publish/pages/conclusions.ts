import { freshnessLevels } from "../../status-file.ts";
import type { Drawing } from "./drawing.ts";
import { html, type Markup } from "./markup.ts";
import { mark } from "./matrix.ts";
import { ratingLinks } from "./ratings.ts";

/** What rests on ratings, with the least fresh of them. */
export function conclusionsPart(drawing: Drawing): Markup | undefined {
  const { config, status } = drawing;
  if (config.conclusions.size === 0) return undefined;
  const levels = new Map(status.ratings.map(({ rating, level }) => [rating, level]));
  const rows = [...config.conclusions.values()].map(({ id, text }) => {
    const ratings = ratingsBelow(id, config.conclusions).filter((rating) => levels.has(rating));
    const worst = freshnessLevels.find((level) => ratings.some((rating) => levels.get(rating) === level));
    const shaken = ratings.filter((rating) => worst !== "fresh" && levels.get(rating) === worst);
    const name = config.names.get(id);
    return html`<tr><th scope="row">${name !== undefined && html`<span class="name">${name}:</span> `}${text}</th><td>${worst && mark({ level: worst })}</td><td class="wide-only">${ratingLinks(shaken, drawing)}</td></tr>`;
  });
  return html`<section aria-labelledby="conclusions">
<h2 id="conclusions">What rests on them</h2>
<table class="plain"><caption>Conclusions of the report, each as fresh as the least fresh rating below it</caption>
<thead><tr><th scope="col">conclusion</th><th scope="col">now</th><th scope="col" class="wide-only">because of</th></tr></thead>
<tbody>${rows}</tbody></table>
</section>`;
}

/** The ratings under a conclusion, through other conclusions too. */
function ratingsBelow(id: string, conclusions: Drawing["config"]["conclusions"]): string[] {
  const found = new Set([id]);
  for (const one of found) for (const below of conclusions.get(one)?.restsOn ?? []) found.add(below);
  return [...found];
}
