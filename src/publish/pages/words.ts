import { isOver, type StoredRecheck } from "../../model/ports/index.ts";
import type { Source } from "../../model/source.ts";
import type { FreshnessLevel } from "../../model/states.ts";
import { issueName, ratingTitle, verdictCounts } from "../../model/words.ts";
import type { Drawing } from "./drawing.ts";
import { dayOf, homeLink, html, internalLink, joinMarkup, type Markup } from "./markup.ts";

export const meaningOf: Readonly<Record<FreshnessLevel, string>> = {
  "in doubt": "an event contradicts it, and is not answered yet",
  "not corrected": "a sentence below it is no longer true, and its question was closed without a review",
  blind: "a source it rests on could not be read for a week, and no other source covers it",
  "to review": "an event that the report asked to review is not answered yet",
  due: "its last review is older than its declared volatility allows",
  fresh: "no event contradicts it",
};

/** How people call a source: by its title in config, else by its address. */
export function sourceTitle({ title, address }: Source): string {
  return title ?? address;
}

/** `#12`, linked if the repository has an address. */
export function issueLink(issue: number | undefined, { repository }: Drawing): Markup {
  const address = issue === undefined || repository === undefined ? undefined : `${repository}/issues/${issue}`;
  return homeLink(issueName(issue), address);
}

/** The state of a question: `open in #12`, `answered in #12 on 2026-09-12: 1 changed, 3 kept`. */
export function answerWords(recheck: StoredRecheck | undefined, drawing: Drawing): Markup {
  if (!recheck) return html`not asked about yet`;
  const { issue } = recheck;
  if (!isOver(recheck))
    return issue === undefined ? html`${issueName(issue)}` : html`${issueLink(issue, drawing)}, open`;
  const where = issue === undefined ? "" : html`${issueLink(issue, drawing)}, `;
  const when = html` on ${dayOf(recheck.closed)}`;
  const { verdict } = recheck;
  if (verdict?.kind === "dismiss") return html`${where}dismissed${when}: “${verdict.because}”`;
  const verdicts = verdictCounts(drawing.answers.filter((one) => one.recheck === recheck.id));
  if (verdicts !== "") return html`${where}answered${when}: ${verdicts}`;
  if (!verdict) return html`${where}closed by hand${when}`;
  return html`${where}kept${when}${verdict.because !== undefined && html`: “${verdict.because}”`}`;
}

const most = 24;

/** Links to ratings, grouped by row: `Google TPU: Maturity, Kernels · Apple MPS: Cost`. */
export function ratingLinks(ids: readonly string[], { config, places }: Drawing): Markup {
  const shown = ids.slice(0, most);
  const more = ids.length > most && ` and ${ids.length - most} more`;
  if (config.axes.length !== 2) {
    return html`${joinMarkup(
      shown.map((id) => internalLink(ratingTitle(id, config), places.rating(id))),
      ", ",
    )}${more}`;
  }
  const rows = [...Map.groupBy(shown, (id) => id.slice(0, id.indexOf("/")))].map(([row, its]) => {
    const links = its.map((id) => internalLink(ratingTitle(id.slice(row.length + 1), config), places.rating(id)));
    return html`<span class="row">${ratingTitle(row, config)}:</span> ${joinMarkup(links, ", ")}`;
  });
  return html`${joinMarkup(rows, " · ")}${more}`;
}
