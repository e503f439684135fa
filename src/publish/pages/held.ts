import { counted } from "../../describe.ts";
import { headline } from "../../recheck/headline.ts";
import { type Held, heldPublishers } from "../held.ts";
import { nameOf } from "../names.ts";
import { chartOf } from "./chart.ts";
import type { Drawing } from "./drawing.ts";
import { barsOf } from "./held-chart.ts";
import { dayOf, html, inward, type Markup, type Piece } from "./markup.ts";
import { daysOf } from "./words.ts";

/** More bars than these say less. */
const mostBars = 40;
const mostPublishers = 12;

/** How long judgements held, from the audit to the first event that speaks against them. */
export function heldPart(drawing: Drawing): Markup | undefined {
  const ratings = drawing.held;
  const publishers = heldPublishers(drawing);
  if (drawing.status.lastLook === undefined || ratings.length + publishers.length === 0) return undefined;
  const { config } = drawing;
  const ended = ratings.filter((one) => one.ended);
  const days = ended.map((one) => daysOf(one.for)).sort((a, b) => a - b);
  const soFar = daysOf(drawing.status.lastLook - config.report.audited);
  const name = (one: Held) => nameOf(one.id, config);
  return html`<section aria-labelledby="held">
<h2 id="held">How long judgements held</h2>
<p class="lead">${ratings.length > 0 ? `${ended.length} of ${counted(ratings.length, "rating")} that a source can settle met something contrary within ${soFar} days of the audit${days.length > 0 ? `, the first after ${days[0]} and half of them within ${days[Math.floor((days.length - 1) / 2)]}` : ""}.` : ""}</p>
<p class="note">Each bar runs from the audit to the first event that spoke against a rating; an open end (→) holds as far as anybody saw. The upright stroke is how long it was expected to stand still: its declared volatility. A red bar that ends before its stroke fell sooner than its author expected.</p>
${ratings.length > 0 && part("By rating", bars("How long each rating held", ratings, mostBars, name))}
${ratings.length > 0 && tableOf("Ratings", ratings, (one) => inward(name(one), drawing.places.rating(one.id)), drawing)}
${
  publishers.length > 0 &&
  part(
    "By publisher",
    bars("How long the sources of each publisher held", publishers, mostPublishers, ({ id }) => id),
  )
}
${publishers.length > 0 && tableOf("Publishers", publishers, ({ id }) => id, drawing)}
</section>`;
}

function part(title: string, chart: Markup): Markup {
  return html`<h3>${title}</h3>${chart}`;
}

/** Those that fell first, the soonest on top; then those that hold. */
function inOrder(all: readonly Held[]): Held[] {
  return all.toSorted(
    (a, b) =>
      Number(b.ended !== undefined) - Number(a.ended !== undefined) || (a.ended ? a.for - b.for : b.for - a.for),
  );
}

function bars(title: string, all: readonly Held[], most: number, name: (one: Held) => string): Markup {
  const ordered = inOrder(all);
  const shown = ordered.slice(0, most);
  const more = ordered.length - shown.length;
  return html`${chartOf(barsOf(title, shown, name))}${more > 0 && html`<p class="note">And ${more} more, in the table.</p>`}`;
}

function tableOf(title: string, all: readonly Held[], name: (one: Held) => Piece, { config }: Drawing): Markup {
  const rows = inOrder(all).map(
    (one) =>
      html`<tr><th scope="row">${name(one)}</th><td class="number">${daysOf(one.for)} days</td><td>${
        one.ended ? html`✗ ${dayOf(one.ended.at)}: ${headline(one.ended.firing, config).text}` : "→ still holds"
      }</td><td class="number">${one.declared === undefined ? "" : `${daysOf(one.declared)} days`}</td></tr>`,
  );
  return html`<details><summary>${title}, as a table</summary>
<div class="scroll" role="region" tabindex="0" aria-label="${title}, how long they held"><table>
<thead><tr><th scope="col">${title}</th><th scope="col">held</th><th scope="col">until</th><th scope="col">declared</th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`;
}
