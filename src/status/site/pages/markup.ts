import { type PlotOptions, plot } from "@observablehq/plot";
import { html as escaping, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { parseHTML } from "linkedom";
import { clean, viaRedirect } from "../../../model/markdown.ts";
import type { FreshnessLevel, Instant, Source } from "../../../model/model.ts";
import { isOver, type StoredRecheck } from "../../../model/ports/index.ts";
import { freshnessLevels } from "../../../model/states.ts";
import { day, isoTime, minute } from "../../../model/time.ts";
import { counted, issueName, listed, verdictCounts } from "../../../model/words.ts";
import type { Status } from "../../status.ts";
import { nameOf } from "../json.ts";
import { webAddress } from "../plain.ts";
import type { Drawing } from "./drawing.ts";

/** HTML in which every text is inert: it is escaped, and holds neither controls nor characters that turn its direction. */
export type Markup = HtmlEscapedString;

/** What may stand in a template: text is escaped, nothing is left out. */
export type Piece = string | number | undefined | false | Markup | readonly Piece[];

/** A template of our own words. Whatever is put into it stays text. */
export function html(words: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  return escaping(words, ...pieces.map(inert)) as Markup;
}

function inert(piece: Piece): unknown {
  // What is markup already is a String object.
  if (typeof piece === "string") return clean(piece);
  return Array.isArray(piece) ? piece.map(inert) : piece;
}

/** Markup that a library made of texts that went through `clean`. */
export function made(markup: string): Markup {
  return raw(markup);
}

/** Pieces with something between them. */
export function joined(pieces: readonly Piece[], between: Piece): Piece[] {
  return pieces.flatMap((piece, i) => (i === 0 ? [piece] : [between, piece]));
}

/** A link out of the pages, for the web only; else the words alone. Pages of sources on GitHub are reached by its redirect. */
export function outward(words: Piece, address: string | undefined): Markup {
  const checked = webAddress(address);
  return checked === undefined ? html`${words}` : html`<a href="${viaRedirect(checked)}" rel="noreferrer">${words}</a>`;
}

/** A link to the report's own repository, or to the report. */
export function homeward(words: Piece, address: string | undefined): Markup {
  const checked = webAddress(address);
  return checked === undefined ? html`${words}` : html`<a href="${checked}">${words}</a>`;
}

/** A link between the pages. `path`: from where both stand. */
export function inward(words: Piece, path: string): Markup {
  return html`<a href="${path}">${words}</a>`;
}

/** `2026-07-08`. */
export function dayOf(at: Instant): Markup {
  return html`<time datetime="${isoTime(at)}">${day(at)}</time>`;
}

/** `2026-07-08 17:02 UTC`. */
export function minuteOf(at: Instant): Markup {
  return html`<time datetime="${isoTime(at)}">${minute(at)}</time>`;
}

/** The words that several pages use. */

/** What each level of freshness means, for those who never read a manual. */
export const meaningOf: Readonly<Record<FreshnessLevel, string>> = {
  "in doubt": "something was seen that speaks against it, and nobody has answered yet",
  blind: "a source it rests on has not been seen for a week, and nothing else says the same",
  "to review": "something happened that the report asked to look at, and nobody has answered yet",
  due: "nobody has reviewed it for longer than its subject stays still",
  fresh: "nothing speaks against it",
};

export function calledSource({ title, address }: Source): string {
  return title ?? address;
}

/** Begins as a sentence does. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** `4 of 20 ratings are in doubt, 11 to review and 5 fresh.` */
export function stateSentence({ ratings, lastLook }: Pick<Status, "ratings" | "lastLook">): string {
  if (lastLook === undefined) return "Nobody has looked yet: nothing is known of what the report rests on.";
  if (ratings.length === 0) return "This report has no ratings; its claims are watched.";
  const counts = freshnessLevels
    .map((level) => ({ level, count: ratings.filter((one) => one.level === level).length }))
    .filter(({ count }) => count > 0);
  const [first, ...others] = counts;
  if (!first) return "";
  if (others.length === 0) {
    return ratings.length === 1
      ? `Its one rating is ${first.level}.`
      : `All ${ratings.length} ratings are ${first.level}.`;
  }
  const is = first.count === 1 ? "is" : "are";
  const rest = listed(others.map(({ level, count }) => `${count} ${level}`));
  return `${first.count} of ${counted(ratings.length, "rating")} ${is} ${first.level}, ${rest}.`;
}

/** `#12`, linked where the repository has an address. */
export function issueLink(issue: number | undefined, { repository }: Drawing): Markup {
  const address = issue === undefined || repository === undefined ? undefined : `${repository}/issues/${issue}`;
  return homeward(issueName(issue), address);
}

/** What became of a question: `open in #12`, `answered in #12 on 2026-09-12: 1 changed, 3 kept`. */
export function answerOf(recheck: StoredRecheck | undefined, drawing: Drawing): Markup {
  if (!recheck) return html`not asked about yet`;
  const link = issueLink(recheck.issue, drawing);
  if (!isOver(recheck)) return html`${link}, open`;
  const when = html` on ${dayOf(recheck.closed)}`;
  const { verdict } = recheck;
  if (verdict?.kind === "dismiss") return html`${link}, dismissed${when}: “${verdict.because}”`;
  const verdicts = verdictCounts(drawing.answers.filter((one) => one.recheck === recheck.id));
  if (verdicts !== "") return html`${link}, answered${when}: ${verdicts}`;
  if (!verdict) return html`${link}, closed without an answer`;
  return html`${link}, kept${when}${verdict.because !== undefined && html`: “${verdict.because}”`}`;
}

/** A chart, drawn once for a wide page and once for a narrow one. Plain SVG: no script, no style of its own. */
export interface Chart {
  /** What it shows, in a few words, and in a sentence for those who do not see it. */
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
