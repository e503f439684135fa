import { slugOf } from "../../model/published.ts";
import { daysIn } from "../../model/time.ts";
import { pluralize } from "../../model/words.ts";
import type { Drawing, Places } from "./drawing.ts";
import { html, joinMarkup, type Markup, type MarkupPiece, minuteOf, trustMarkup } from "./markup.ts";

export interface Page {
  readonly title: string;
  readonly description: string;
  /** The subject of the page, followed by the report's title. The front page has none: its heading is the title. */
  readonly what?: string;
  readonly under: keyof typeof menu;
  readonly rating?: string;
  readonly body: Markup;
}

export const menu = {
  report: { name: "Report", file: "index.html" },
  references: { name: "References", file: "references.html" },
  sources: { name: "Sources", file: "sources.html" },
  triggers: { name: "Triggers", file: "triggers.html" },
  digests: { name: "Week by week", file: "digests.html" },
} as const;

/** Lets a page load only the files beside it: no inline script or style, and no other host. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; base-uri 'none'; form-action 'none'";

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='none' stroke='%23b3261e' stroke-width='2.5' d='M13 8a5 5 0 1 1-1.5-3.5M12 1v4H8'/%3E%3C/svg%3E";

export function pageInFrame(page: Page, drawing: Drawing): string {
  const { config, places } = drawing;
  const { title } = config.report;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trustMarkup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="description" content="${page.description}">
<title>${page.title}</title>
<meta property="og:type" content="article">
<meta property="og:site_name" content="${title}">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta name="twitter:card" content="summary">
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${places.file("style.css")}">
<link rel="alternate" type="application/atom+xml" title="${title}" href="${places.file("feed.xml")}">
${feedOf(page, places) !== places.file("feed.xml") && html`<link rel="alternate" type="application/atom+xml" title="${page.title}" href="${feedOf(page, places)}">`}
<script src="${places.file("recheck.js")}" defer></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header class="bar">
<nav aria-label="Pages"><ul>
${joinMarkup(
  Object.entries(menu).map(([under, { name, file }]) => {
    const current = under === page.under && html` aria-current="page"`;
    return html`<li><a href="${places.file(file)}"${current}>${name}</a></li>`;
  }),
  "\n",
)}
</ul></nav>
<a class="follow" href="${feedOf(page, places)}">Follow</a>
</header>
<main id="content" tabindex="-1">
${stoppedNotice(drawing)}
${pageKindLine(page, drawing)}
${page.body}
</main>
${foot(page, drawing)}
</body>
</html>
`;
  return document.toString();
}

/** One line for readers who come by a link: the type of page, the report, and the date. */
function pageKindLine({ what }: Page, { config, places, status: { lastCheck } }: Drawing): Markup {
  const asOf = lastCheck === undefined ? ", not checked yet" : html`, as of ${minuteOf(lastCheck)}`;
  const subject =
    what === undefined
      ? "Whether the sources of this report still support it"
      : html`${what} <a href="${places.file("index.html")}">${config.report.title}</a>`;
  return html`<p class="meta what">${subject}${asOf}</p>`;
}

/** A rating has a feed and a badge of its own, and the digests have a feed. */
function feedOf({ rating, under }: Page, places: Places): string {
  if (rating !== undefined) return ownFile(rating, "xml", places);
  return places.file(under === "digests" ? "digests.xml" : "feed.xml");
}

function ownFile(rating: string, ending: string, places: Places): string {
  return places.file(`ratings/${encodeURIComponent(slugOf(rating))}.${ending}`);
}

/** Says that monitoring has stopped, if that is known now; else `recheck.js` does if the page is read too late. */
function stoppedNotice({ at, staleAfter, status: { lastCheck } }: Drawing): MarkupPiece {
  const isLate = at > staleAfter;
  const days = lastCheck === undefined ? 0 : daysIn(at - lastCheck);
  return html`<p class="stopped" id="stopped"${!isLate && html` hidden`}><strong>The monitor has stopped.</strong> What is shown here is <span data-age>${pluralize(days, "day")}</span> old; later events are missing.</p>`;
}

function foot(page: Page, { at, staleAfter, places, status: { lastCheck } }: Drawing): Markup {
  const checked = lastCheck !== undefined && html`, last check <span data-last-check>${minuteOf(lastCheck)}</span>`;
  const badge = page.rating === undefined ? places.file("badge.svg") : ownFile(page.rating, "svg", places);
  return html`<footer>
<p>Follow: <a href="${feedOf(page, places)}">the feed</a> (Atom), <a href="${places.file("status.json")}">status.json</a> (for programs), <a href="${badge}">the badge</a>.</p>
<p>Written <span data-written>${minuteOf(at)}</span> by Recheck${checked}; valid until <span data-stale>${minuteOf(staleAfter)}</span>. Texts of sources are quoted without their markup.</p>
</footer>`;
}
