import { freshnessLevels, type ReaderState, readerState, stateSigns } from "../../model/states.ts";
import { ratingTitle } from "../../model/words.ts";
import { type Matrix, matrixOf } from "../../status/matrix.ts";
import type { RatingStatus } from "../../status/status.ts";
import { type Drawing, meaningOf } from "./drawing.ts";
import { stateClass } from "./filter.ts";
import { dayOf, html, type Markup, type MarkupPiece } from "./markup.ts";

export function matrixSection(drawing: Drawing): Markup | undefined {
  const { config, status } = drawing;
  if (status.ratings.length === 0) return undefined;
  const matrix = matrixOf(config, status.ratings);
  return html`<section aria-labelledby="ratings">
<h2 id="ratings">Ratings</h2>
<div class="scroll" role="region" tabindex="0" aria-label="Every rating">${matrix ? grid(matrix, drawing) : list(drawing)}</div>
${legend(status.ratings)}
</section>`;
}

function grid({ rows, columns, at }: Matrix, drawing: Drawing): Markup {
  const { config } = drawing;
  const name = (id: string) => config.names.get(id) ?? id;
  const [down = "", across = ""] = config.axes;
  return html`<table class="matrix">
<caption>Level and state<span class="visually-hidden"> by ${down} and ${across}</span>; each leads to its page</caption>
<thead><tr><th scope="col" class="corner">${down}</th>${columns.map((column) => html`<th scope="col">${name(column)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr><th scope="row">${name(row)}</th>${columns.map((column) => cell(at(row, column), name(column), drawing))}</tr>`)}</tbody>
</table>`;
}

/** On a narrow screen each row is a list, in which a cell names its column. */
function cell(one: RatingStatus | undefined, column: string, drawing: Drawing): Markup {
  if (!one) return html`<td class="no"><span class="visually-hidden">not rated</span></td>`;
  const step = stepOf(one.value, drawing.config.levels);
  return html`<td class="cell${step === undefined ? "" : ` step-${step}`}"><a href="${drawing.places.rating(one.rating)}" data-column="${column}"><span class="level">${one.value}</span> ${stateMark(readerState(one.level))}</a></td>`;
}

/** The position of a level among all: 0 lowest to 4 highest. */
function stepOf(level: string, levels: readonly string[]): number | undefined {
  const index = levels.indexOf(level);
  if (index < 0 || levels.length < 2) return undefined;
  return Math.round((index / (levels.length - 1)) * 4);
}

export function stateMark(state: ReaderState): Markup {
  return html`<span class="mark ${stateClass(state)}"><span aria-hidden="true">${stateSigns[state]}</span> ${state}</span>`;
}

function list(drawing: Drawing): Markup {
  const { config, status, places } = drawing;
  const rows = status.ratings.map(
    (one) =>
      html`<tr><th scope="row"><a href="${places.rating(one.rating)}">${ratingTitle(one.rating, config)}</a></th><td class="level">${one.value}</td><td>${stateMark(readerState(one.level))}</td><td class="wide-only">${sinceText(one)}</td></tr>`,
  );
  return html`<table class="plain">
<caption>Level and state of each rating; each leads to its page</caption>
<thead><tr><th scope="col">rating</th><th scope="col">level</th><th scope="col">now</th><th scope="col" class="wide-only">since</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

/** `since 2026-11-20`; of a fresh rating, when it will be due. */
export function sinceText({ level, at }: Pick<RatingStatus, "level" | "at">): MarkupPiece {
  return level === "fresh" ? html`to be reviewed by ${dayOf(at)}` : html`since ${dayOf(at)}`;
}

/** Readers see fewer states than there are reasons: each state is explained once, with all its reasons. */
function legend(ratings: readonly RatingStatus[]): Markup {
  const met = freshnessLevels.filter((level) => ratings.some((one) => one.level === level)).toReversed();
  const entries = [...Map.groupBy(met, readerState)].toReversed().map(([state, levels]) => {
    return html`<div><dt>${stateMark(state)}</dt><dd>${levels.map((level) => meaningOf[level]).join("; or ")}</dd></div>`;
  });
  return html`<dl class="legend">${entries}</dl>`;
}
