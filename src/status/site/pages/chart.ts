import { type PlotOptions, plot } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { clean } from "../../../model/markdown.ts";
import { html, type Markup, made } from "./markup.ts";

/** A chart, drawn once for a wide page and once for a narrow one. Plain SVG: no script, no style of its own. */
export interface Chart {
  /** The same in a few words, and in a sentence for those who do not see it. */
  readonly title: string;
  readonly says: string;
  draw(width: Width): PlotOptions;
}

export interface Width {
  readonly name: "wide" | "narrow";
  /** In pixels, at which its text has the size that it says. */
  readonly pixels: number;
}

const widths: readonly Width[] = [
  { name: "wide", pixels: 880 },
  { name: "narrow", pixels: 340 },
];

const { document } = parseHTML("<!doctype html><html><body></body></html>");

/** Both drawings of a chart; the style shows the one that has room. */
export function chartOf(chart: Chart): Markup {
  return html`<div class="chart">${widths.map((width) => drawn(chart, width))}</div>`;
}

/** Texts of sources go into it as text, and come out escaped. */
function drawn({ title, says, draw }: Chart, width: Width): Markup {
  const options = { document, width: width.pixels, style: { fontSize: "11px" }, ...draw(width) } as PlotOptions;
  const svg = plot(options);
  // The page's policy allows no style in it: what it says stands in the pages' own.
  svg.querySelector("style")?.remove();
  svg.removeAttribute("style");
  for (const part of svg.querySelectorAll("[aria-label], [aria-hidden]")) {
    part.removeAttribute("aria-label");
    part.removeAttribute("aria-hidden");
  }
  for (const [name, value] of Object.entries({
    class: width.name,
    role: "img",
    "aria-label": clean(`${title}. ${says}`),
    "font-size": "11",
    "font-family": "inherit",
  })) {
    svg.setAttribute(name, value);
  }
  return made(svg.outerHTML);
}

/** A text of config or of a source for a chart, cut to what has room. */
export function label(text: string, most: number): string {
  const shown = clean(text).replace(/\s+/g, " ").trim();
  return shown.length <= most ? shown : `${shown.slice(0, most - 1).trimEnd()}…`;
}
