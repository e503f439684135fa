import type { MessageItem, MessageSection } from "../../model/message.ts";
import { stateSentence } from "../../status/status.ts";
import { type WeekOfNews, weeksOfNews } from "../digests.ts";
import type { Drawing } from "./drawing.ts";
import { homeLink, html, type Markup } from "./markup.ts";

/** Items of one section: the report's own page has them all. */
const mostItems = 40;

export function digestsPage(drawing: Drawing): Markup {
  const weeks = weeksOfNews(drawing, { isAnonymous: false, most: mostItems });
  return html`<div class="masthead"><h1>Week by week</h1>
<p class="state">${stateSentence(drawing.status)}</p></div>
${weeks.map(week)}`;
}

function week({ name, isRunning, digest: { title, sections } }: WeekOfNews): Markup {
  return html`<section aria-labelledby="${name}"><h2 id="${name}">${title}</h2>
${sections.map(part)}
${sections.length === 0 && html`<p class="calm">${isRunning ? "Nothing this week, so far." : "Nothing."}</p>`}
</section>`;
}

function part({ heading, items, more }: MessageSection): Markup {
  return html`<h3>${heading}</h3>
<ul class="told">${items.map((one) => html`<li>${said(one)}</li>`)}${more > 0 && html`<li>and ${more} more</li>`}</ul>`;
}

function said({ says, link }: MessageItem): Markup {
  return link === undefined ? html`${says}` : html`${says} ${homeLink(issueOf(link), link)}`;
}

/** `#12`, from the address of an issue. */
function issueOf(link: string): string {
  return `#${link.slice(link.lastIndexOf("/") + 1)}`;
}
