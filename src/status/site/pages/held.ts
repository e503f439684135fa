import { axisX, barX, gridX, ruleX, text, tickX } from "@observablehq/plot";
import { builtIn } from "../../../model/firing.ts";
import { daysIn, period } from "../../../model/time.ts";
import { counted, listed, ratingTitle } from "../../../model/words.ts";
import { headline } from "../../../recheck/issue/headline.ts";
import { type Held, heldPublishers } from "../held.ts";
import { type Chart, chartOf, label } from "./chart.ts";
import type { Drawing } from "./drawing.ts";
import { dayOf, html, inward, type Markup, type MarkupPiece } from "./markup.ts";

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
  const days = ended.map((one) => daysIn(one.for)).sort((a, b) => a - b);
  // The report may have been audited anew since.
  const soFar = Math.max(0, daysIn(drawing.status.lastLook - config.report.audited));
  const beside = ratings.some(({ id }) => isFoundFirst(id, drawing)) ? "Beside what the first look found, " : "";
  const name = (one: Held) => ratingTitle(one.id, config);
  return html`<section aria-labelledby="held">
<h2 id="held">How long judgements held</h2>
<p class="lead">${ratings.length > 0 ? `${beside}${ended.length} of ${counted(ratings.length, "rating")} that a source can settle met something contrary within ${counted(soFar, "day")} of the audit${soonest(days)}.` : ""}</p>
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

/** `, the first after 12 and half of them within 38`, of days in order. */
function soonest(days: readonly number[]): string {
  const [first, half] = [days[0], days[Math.floor((days.length - 1) / 2)]];
  if (first === undefined) return "";
  return `, the first after ${first}${half === first ? "" : ` and half of them within ${half}`}`;
}

/**
 * Whether the first look already found something contrary to a rating: when that came nobody knows, and it ends no bar.
 */
export function isFoundFirst(rating: string, { touching }: Drawing): boolean {
  const found = touching.get(rating) ?? [];
  return found.some(({ trigger, weight }) => trigger === builtIn.notFound && weight === "contrary");
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

function tableOf(title: string, all: readonly Held[], name: (one: Held) => MarkupPiece, { config }: Drawing): Markup {
  const rows = inOrder(all).map(
    (one) =>
      html`<tr><th scope="row">${name(one)}</th><td class="number">${counted(daysIn(one.for), "day")}</td><td>${
        one.ended ? html`✗ ${dayOf(one.ended.at)}: ${headline(one.ended.firing, config).text}` : "→ still holds"
      }</td><td class="number">${one.declared === undefined ? "" : period(one.declared)}</td></tr>`,
  );
  return html`<details><summary>${title}, as a table</summary>
<div class="scroll" role="region" tabindex="0" aria-label="${title}, how long they held"><table>
<thead><tr><th scope="col">${title}</th><th scope="col">held</th><th scope="col">until</th><th scope="col">declared</th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`;
}

interface Bar {
  readonly row: number;
  readonly name: string;
  readonly days: number;
  readonly declared?: number;
  readonly ended: boolean;
}

/** A bar for each: red until something contrary came, open where it holds, with a stroke at what was declared. */
function barsOf(title: string, shown: readonly Held[], name: (one: Held) => string): Chart {
  const ended = shown.filter((one) => one.ended).map((one) => `${name(one)} ${counted(daysIn(one.for), "day")}`);
  const holding = shown.length - ended.length;
  const all = shown.map((one, row) => bar(one, row, name));
  return {
    title,
    says: `${ended.length > 0 ? `Until something contrary came: ${listed(ended)}. ` : ""}${holding > 0 ? `${holding} still ${holding === 1 ? "holds" : "hold"}. ` : ""}The table below says the same.`,
    draw: (width) => plotOf(all, width.name === "wide" ? wide : narrow),
  };
}

function bar(one: Held, row: number, name: (one: Held) => string): Bar {
  return {
    row,
    name: name(one),
    days: daysIn(one.for),
    ended: one.ended !== undefined,
    ...(one.declared !== undefined && { declared: daysIn(one.declared) }),
  };
}

/** On a wide page names stand beside their bars, on a narrow one above them. Lengths in pixels. */
interface Layout {
  readonly row: number;
  /** How far below the middle of its row a bar lies. */
  readonly down: number;
  readonly left: number;
  readonly ticks: number;
  readonly names: object;
  readonly letters: number;
}

const wide: Layout = { row: 20, down: 0, left: 262, ticks: 8, names: { textAnchor: "end", dx: -12 }, letters: 42 };
const halo = { stroke: "var(--paper)", strokeWidth: 4 };
const narrow: Layout = {
  row: 36,
  down: 7,
  left: 4,
  ticks: 4,
  letters: 46,
  names: { textAnchor: "start", dx: 3, dy: -8, ...halo },
};

function plotOf(all: readonly Bar[], { row, down, left, ticks, names, letters }: Layout): ReturnType<Chart["draw"]> {
  const longest = Math.max(15, ...all.map((one) => one.days));
  // A stroke much farther out would leave no room for the bars; the table has it.
  const near = all.flatMap(({ declared = 0 }) => (declared <= 5 * longest ? [declared] : []));
  const most = Math.max(longest, ...near);
  const days = everySoManyDays(most, ticks);
  const y = "row";
  const high = (half: number) => ({ insetTop: row / 2 - half + down, insetBottom: row / 2 - half - down });
  const declared = all.filter((one) => one.declared !== undefined && one.declared <= most);
  const fill = (one: Bar) => (one.ended ? "var(--doubt)" : "var(--hold)");
  return {
    height: all.length * row + 36,
    marginLeft: left,
    marginRight: 52,
    marginTop: 26,
    marginBottom: 4,
    x: { domain: [0, most], label: null },
    y: { domain: all.map((one) => one.row), axis: null, padding: 0 },
    color: { type: "identity" },
    marks: [
      gridX(days, { stroke: "var(--line)", strokeOpacity: 1 }),
      axisX(days, {
        anchor: "top",
        tickSize: 0,
        tickFormat: (count: number) => (count === 0 ? "audit" : `${count} d`),
      }),
      barX(all, { y, x1: 0, x2: "days", fill, ...high(3) }),
      tickX(declared, { y, x: "declared", stroke: "var(--paper)", strokeWidth: 5, ...high(7) }),
      tickX(declared, { y, x: "declared", stroke: "var(--ink)", strokeWidth: 2, ...high(7) }),
      text(all, {
        y,
        x: "days",
        textAnchor: "start",
        dx: 6,
        dy: down,
        fill: "var(--ink)",
        ...halo,
        text: (one: Bar) => `${one.ended ? "✗" : "→"} ${one.days} d`,
      }),
      ruleX([0], { stroke: "var(--ink)" }),
      text(all, { y, frameAnchor: "left", text: (one: Bar) => label(one.name, letters), fill: "var(--ink)", ...names }),
    ],
  };
}

/** The audit, and then every so many days that make no more than that many ticks. */
function everySoManyDays(most: number, ticks: number): number[] {
  const step =
    [10, 30, 60, 90, 180, 365].find((length) => most / length <= ticks) ?? Math.ceil(most / ticks / 365) * 365;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}
