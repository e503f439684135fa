import { axisX, barX, gridX, ruleX, text, tickX } from "@observablehq/plot";
import type { Held } from "../held.ts";
import { type Chart, label } from "./chart.ts";
import { daysOf, listed } from "./words.ts";

interface Bar {
  readonly row: number;
  readonly name: string;
  readonly days: number;
  readonly declared?: number;
  readonly ended: boolean;
}

/** A bar for each: red until something contrary came, open where it holds, with a stroke at what was declared. */
export function barsOf(title: string, shown: readonly Held[], name: (one: Held) => string): Chart {
  const ended = shown.filter((one) => one.ended).map((one) => `${name(one)} ${daysOf(one.for)} days`);
  const holding = shown.length - ended.length;
  const all = shown.map((one, row) => bar(one, row, name));
  return {
    title,
    says: `${ended.length > 0 ? `Until something contrary came: ${listed(ended)}. ` : ""}${holding > 0 ? `${holding} still hold. ` : ""}The table below says the same.`,
    draw: (width) => plotOf(all, width.name === "wide" ? wide : narrow),
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
  ...{ row: 36, down: 7, left: 4, ticks: 4, letters: 46 },
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
    ...{ marginLeft: left, marginRight: 52, marginTop: 26, marginBottom: 4 },
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
        ...{ y, x: "days", textAnchor: "start", dx: 6, dy: down, fill: "var(--ink)", ...halo },
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
