import { axisX, barX, gridX, ruleX, text, tickX } from "@observablehq/plot";
import { headline } from "../../recheck/headline.ts";
import { type Held, heldPublishers } from "../held.ts";
import { type Chart, chartOf, label, type Width } from "./chart.ts";
import type { Drawing } from "./drawing.ts";
import { dayOf, html, inward, type Markup, type Piece } from "./markup.ts";
import { calledRating, counted, daysOf, listed } from "./words.ts";

/** More bars than these say less. */
const mostBars = 40;
const mostPublishers = 16;

/** How long judgements held, from the audit to the first event that speaks against them. */
export function heldPart(drawing: Drawing): Markup | undefined {
  const ratings = drawing.held;
  const publishers = heldPublishers(drawing);
  if (drawing.status.lastLook === undefined || ratings.length + publishers.length === 0) return undefined;
  const { config } = drawing;
  const ended = ratings.filter((one) => one.ended);
  const days = ended.map((one) => daysOf(one.for)).sort((a, b) => a - b);
  const soFar = daysOf(drawing.status.lastLook - config.report.audited);
  const name = (one: Held) => calledRating(one.id, config);
  return html`<section aria-labelledby="held">
<h2 id="held">How long judgements held</h2>
<p class="lead">${ratings.length > 0 ? `${ended.length} of ${counted(ratings.length, "rating")} that a source can settle met something contrary within ${soFar} days of the audit${days.length > 0 ? `, the first after ${days[0]} and half of them within ${days[Math.floor((days.length - 1) / 2)]}` : ""}.` : ""}</p>
<p class="note">Each bar runs from the audit to the first event that spoke against a rating; an open end (→) holds as far as anybody saw. The upright stroke is how long it was expected to stand still: its declared volatility. A bar that ends left of its stroke fell sooner than its author thought.</p>
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
    (a, b) => Number(b.ended !== undefined) - Number(a.ended !== undefined) || a.for - b.for || b.sources - a.sources,
  );
}

function bars(title: string, all: readonly Held[], most: number, name: (one: Held) => string): Markup {
  const ordered = inOrder(all);
  const shown = ordered.slice(0, most);
  const more = ordered.length - shown.length;
  return html`${chartOf(chart(title, shown, name))}${more > 0 && html`<p class="note">And ${more} more, in the table.</p>`}`;
}

interface Bar {
  readonly row: number;
  readonly name: string;
  readonly days: number;
  readonly declared?: number;
  readonly ended: boolean;
}

function chart(title: string, shown: readonly Held[], name: (one: Held) => string): Chart {
  const ended = shown.filter((one) => one.ended).map((one) => `${name(one)} ${daysOf(one.for)} days`);
  const holding = shown.length - ended.length;
  return {
    title,
    says: `${ended.length > 0 ? `Until something contrary came: ${listed(ended)}. ` : ""}${holding > 0 ? `${holding} still hold. ` : ""}The table below says the same.`,
    draw: (width) => options(shown, name, width),
  };
}

function options(shown: readonly Held[], name: (one: Held) => string, { name: width }: Width) {
  const isWide = width === "wide";
  const all = shown.map((one, row) => bar(one, row, name));
  const most = Math.max(30, ...all.map(({ days, declared = 0 }) => Math.max(days, Math.min(declared, 400))));
  const row = isWide ? 20 : 34;
  const lift = isWide ? 0 : 7;
  const y = "row";
  return {
    height: all.length * row + 40,
    ...{ marginLeft: isWide ? 250 : 4, marginRight: 52, marginTop: 26, marginBottom: 8 },
    x: { domain: [0, most * 1.02], label: null },
    y: { domain: all.map((one) => one.row), axis: null, padding: 0 },
    marks: [
      gridX({ stroke: "var(--line)", strokeOpacity: 1, ticks: isWide ? 8 : 4 }),
      axisX({
        anchor: "top",
        ticks: isWide ? 8 : 4,
        tickSize: 0,
        tickFormat: (days: number) => (days === 0 ? "audit" : `${days} d`),
      }),
      barX(
        all.filter((one) => !one.ended),
        { y, x1: 0, x2: "days", fill: "var(--hold)", insetTop: row / 2 - 3 + lift, insetBottom: row / 2 - 3 - lift },
      ),
      barX(
        all.filter((one) => one.ended),
        { y, x1: 0, x2: "days", fill: "var(--doubt)", insetTop: row / 2 - 3 + lift, insetBottom: row / 2 - 3 - lift },
      ),
      tickX(
        all.filter((one) => one.declared !== undefined),
        {
          y,
          x: "declared",
          stroke: "var(--ink)",
          strokeWidth: 2,
          insetTop: row / 2 - 6 + lift,
          insetBottom: row / 2 - 6 - lift,
        },
      ),
      text(all, {
        y,
        x: "days",
        text: (one: Bar) => (one.ended ? `✗ ${one.days} d` : `→ ${one.days} d`),
        textAnchor: "start",
        dx: 6,
        dy: lift,
        fill: "var(--ink)",
        stroke: "var(--paper)",
        strokeWidth: 3,
      }),
      ruleX([0], { stroke: "var(--ink)" }),
      isWide
        ? text(all, {
            y,
            frameAnchor: "left",
            text: (one: Bar) => label(one.name, 42),
            textAnchor: "end",
            dx: -10,
            fill: "var(--ink)",
          })
        : text(all, {
            y,
            frameAnchor: "left",
            text: (one: Bar) => label(one.name, 46),
            textAnchor: "start",
            dx: 4,
            dy: -8,
            fill: "var(--ink)",
            stroke: "var(--paper)",
            strokeWidth: 3,
          }),
    ],
  };
}

function bar(one: Held, row: number, name: (one: Held) => string): Bar {
  return {
    row,
    name: name(one),
    days: daysOf(one.for),
    ended: one.ended !== undefined,
    ...(one.declared !== undefined && { declared: daysOf(one.declared) }),
  };
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
