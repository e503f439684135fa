import { clean } from "../../model/markdown.ts";
import { html, type Markup } from "./markup.ts";

/** A chart, drawn once for a wide page and once for a narrow one. Plain SVG: no script, no style of its own. */
export interface Chart {
  /** A short title, and a sentence for screen readers. */
  readonly title: string;
  readonly says: string;
  draw(width: Width): { readonly height: number; readonly marks: readonly Markup[] };
}

export interface Width {
  readonly name: "wide" | "narrow";
  /** Width in pixels at which its text has its nominal size. */
  readonly pixels: number;
}

const widths: readonly Width[] = [
  { name: "wide", pixels: 880 },
  { name: "narrow", pixels: 340 },
];

/** Both drawings of a chart; the style sheet shows the one that fits. */
export function chartOf({ title, says, draw }: Chart): Markup {
  const drawn = widths.map((width) => {
    const { height, marks } = draw(width);
    return html`<svg class="${width.name}" role="img" aria-label="${`${title}. ${says}`}" viewBox="0 0 ${width.pixels} ${height}" width="${width.pixels}" height="${height}" font-size="11" font-family="inherit">${marks}</svg>`;
  });
  return html`<div class="chart">${drawn}</div>`;
}

export type Point = readonly [x: number, y: number];

const rounded = (pixels: number) => Math.round(pixels * 10) / 10;

export function rule([x1, y1]: Point, [x2, y2]: Point, stroke: string, thickness = 1): Markup {
  return html`<path d="M${rounded(x1)},${rounded(y1)}L${rounded(x2)},${rounded(y2)}" fill="none" stroke="${stroke}" stroke-width="${thickness}"/>`;
}

export function bar([x, y]: Point, [width, height]: Point, fill: string, stroke = "none"): Markup {
  return html`<rect x="${rounded(x)}" y="${rounded(y)}" width="${Math.max(0, rounded(width))}" height="${rounded(height)}" fill="${fill}" stroke="${stroke}"/>`;
}

export type Anchor = "start" | "middle" | "end";

/** A text centred vertically on a point. It has an outline in the page's colour, because bars and lines may be behind it. */
export function words([x, y]: Point, text: string, anchor: Anchor, fill = "var(--ink)"): Markup {
  return html`<text x="${rounded(x)}" y="${rounded(y)}" dy="0.32em" text-anchor="${anchor}" fill="${fill}" stroke="var(--paper)" stroke-width="4" paint-order="stroke">${text}</text>`;
}

/** The position of a value between two pixels; values beyond the range are drawn at its end. */
export function scale([from, to]: Point, [left, right]: Point): (value: number) => number {
  return (value) => {
    const share = (value - from) / (to - from);
    return left + Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share)) * (right - left);
  };
}

/** Zero, and further ticks at equal intervals of days, up to a limit of steps. */
export function everySoManyDays(most: number, steps: number): number[] {
  const found = [1, 2, 7, 14, 30, 60, 90, 180, 365].find((length) => most / length <= steps);
  const step = found ?? Math.ceil(most / steps / 365) * 365;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

export function label(text: string, most: number): string {
  const shown = clean(text).replace(/\s+/g, " ").trim();
  return shown.length <= most ? shown : `${shown.slice(0, most - 1).trimEnd()}…`;
}
