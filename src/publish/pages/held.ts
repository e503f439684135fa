import { builtIn } from "../../model/firing.ts";
import { daysIn, period } from "../../model/time.ts";
import { counted, listed, ratingTitle } from "../../model/words.ts";
import { headline } from "../../recheck/issue/title.ts";
import { type Held, heldPublishers } from "../held.ts";
import { bar, type Chart, chartOf, everySoManyDays, label, rule, scale, words } from "./chart.ts";
import type { Drawing } from "./drawing.ts";
import { dayOf, html, internalLink, type Markup, type MarkupPiece } from "./markup.ts";

const mostBars = 40;
const mostPublishers = 12;
/** Fewer days since the audit than these are too few for bars. */
const leastDays = 30;

/** How long judgements held, from the audit to the first event that speaks against them. */
export function heldPart(drawing: Drawing): Markup | undefined {
  const ratings = drawing.held;
  const publishers = heldPublishers(drawing);
  if (drawing.status.lastCheck === undefined || ratings.length + publishers.length === 0) return undefined;
  const { config } = drawing;

  const ended = ratings.filter((one) => one.ended);
  const days = ended.map((one) => daysIn(one.for)).sort((a, b) => a - b);
  // The report may have been audited again since.
  const soFar = Math.max(0, daysIn(drawing.status.lastCheck - config.report.audited));
  if (soFar < leastDays) return undefined;
  const beside = ratings.some(({ id }) => isFoundFirst(id, drawing)) ? "Findings of the first check aside, " : "";
  const name = (one: Held) => ratingTitle(one.id, config);
  return html`<section aria-labelledby="held">
<h2 id="held">How long judgements held</h2>
<p class="lead">${ratings.length > 0 ? `${beside}${ended.length} of ${counted(ratings.length, "rating")} were contradicted within ${counted(soFar, "day")} of the audit${soonest(days)}.` : ""}</p>
<p class="note">Each bar runs from the audit to the first event that contradicted a rating; bars with an open end (→) still hold. The upright stroke is the expected time, the declared volatility. A red bar that ends before its stroke was contradicted sooner than expected.</p>
${ratings.length > 0 && part("By rating", bars("How long each rating held", ratings, mostBars, name))}
${ratings.length > 0 && tableOf("Ratings", ratings, (one) => internalLink(name(one), drawing.places.rating(one.id)), drawing)}
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

/** `; the first after 12 days, half of them within 38`, of days in order. */
function soonest(days: readonly number[]): string {
  const [first, half] = [days[0], days[Math.floor((days.length - 1) / 2)]];
  if (first === undefined) return "";
  return `; the first after ${counted(first, "day")}${half === first ? "" : `, half of them within ${half}`}`;
}

/** Whether the first check already found a contradiction of a rating. Its date is unknown, so it ends no bar. */
export function isFoundFirst(rating: string, { touching }: Drawing): boolean {
  const found = touching.get(rating) ?? [];
  return found.some(({ trigger, weight }) => trigger === builtIn.notFound && weight === "contrary");
}

function part(title: string, chart: Markup): Markup {
  return html`<h3>${title}</h3>${chart}`;
}

/** Contradicted ones first, sorted by time; then those that still hold. */
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

function barsOf(title: string, shown: readonly Held[], name: (one: Held) => string): Chart {
  const ended = shown.filter((one) => one.ended).map((one) => `${name(one)} ${counted(daysIn(one.for), "day")}`);
  const holding = shown.length - ended.length;
  return {
    title,
    says: `${ended.length > 0 ? `Contradicted after: ${listed(ended)}. ` : ""}${holding > 0 ? `${holding} still ${holding === 1 ? "holds" : "hold"}. ` : ""}The table below has the same data.`,
    draw: ({ name: width, pixels }) => drawHeld(shown, name, { ...layouts[width], right: pixels - 52 }),
  };
}

/** Wide pages have names beside the bars, narrow ones above them. Lengths in pixels. */
interface Layout {
  readonly row: number;
  /** How far below the middle of its row a bar lies. */
  readonly down: number;
  readonly left: number;
  readonly ticks: number;
  readonly letters: number;
}

const layouts: Readonly<Record<"wide" | "narrow", Layout>> = {
  wide: { row: 20, down: 0, left: 262, ticks: 6, letters: 42 },
  narrow: { row: 36, down: 7, left: 4, ticks: 4, letters: 46 },
};

/** Pixels above the first row, for the scale of days. */
const top = 26;

function drawHeld(
  shown: readonly Held[],
  name: (one: Held) => string,
  { row, down, left, right, ticks, letters }: Layout & { readonly right: number },
): ReturnType<Chart["draw"]> {
  const longest = Math.max(15, ...shown.map((one) => daysIn(one.for)));
  const declared = shown.map((one) => (one.declared === undefined ? undefined : daysIn(one.declared)));
  // A stroke much farther out would leave no room for the bars; the table has it.
  const near = declared.map((days) => (days !== undefined && days <= 5 * longest ? days : undefined));
  const most = Math.max(longest, ...near.map((days = 0) => days));
  const x = scale([0, most], [left, right]);
  const bottom = top + shown.length * row;
  const days = everySoManyDays(most, ticks);
  const rows = shown.map((one, i) => {
    const length = daysIn(one.for);
    const y = top + (i + 0.5) * row + down;
    const stroke = near[i];
    const upright = (colour: string, thickness: number, at: number) =>
      rule([x(at), y - 7], [x(at), y + 7], colour, thickness);
    return [
      bar([left, y - 3], [x(length) - left, 6], one.ended ? "var(--doubt)" : "var(--hold)"),
      stroke !== undefined && [upright("var(--paper)", 5, stroke), upright("var(--ink)", 2, stroke)],
      words([x(length) + 6, y], `${one.ended ? "✗" : "→"} ${length} d`, "start"),
      down === 0
        ? words([left - 12, y], label(name(one), letters), "end")
        : words([left + 3, y - 15], label(name(one), letters), "start"),
    ];
  });
  return {
    height: bottom + 4,
    marks: [
      ...days.map((count) => rule([x(count), top], [x(count), bottom], "var(--line)")),
      ...days.map((count) =>
        words([x(count), top - 12], count === 0 ? "audit" : `${count} d`, count === 0 ? "start" : "middle"),
      ),
      html`${rows}`,
      rule([left, top], [left, bottom], "var(--ink)"),
    ],
  };
}
