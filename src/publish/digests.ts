import type { MessageItem, MessageSection } from "../model/message.ts";
import { aDay } from "../model/time.ts";
import { type Digest, type DigestPeriod, digestIn } from "../status/messages/digest.ts";
import { mondayOf, weekName } from "../status/messages/plan.ts";
import { stateSentence } from "../status/status.ts";
import type { Edition } from "./edition.ts";
import { blindEntries, type FeedEntry } from "./feed-rechecks.ts";
import type { Drawing } from "./pages/drawing.ts";
import { homeLink, html, internalLink, type Markup, withDays } from "./pages/markup.ts";

export interface WeekOfNews extends DigestPeriod {
  /** `2026-W47`. */
  readonly name: string;
  readonly isRunning: boolean;
  readonly digest: Digest;
}

const maxWeeks = 60;

/** The weeks since the audit with events, and the present one; newest first. Empty before the first check. */
export function weeksOfNews(
  edition: Edition,
  how: { readonly isAnonymous: boolean; readonly most: number },
): WeekOfNews[] {
  const { at, config, status, firings, answers } = edition;
  if (status.lastCheck === undefined) return [];
  const blind = blindEntries(edition).filter(({ kind }) => kind === "blind");
  const moments = [...firings.map(({ fired }) => fired), ...answers.map((answer) => answer.at)];
  const all = [...moments, ...blind.map(({ published }) => published)];
  const shown = all.filter((moment) => moment <= at && moment >= config.report.audited);
  const mondays = [...new Set([at, ...shown].map(mondayOf))].sort((a, b) => b - a).slice(0, maxWeeks);
  return mondays.map((monday) => {
    const isRunning = monday === mondayOf(at);
    const period = { after: monday - 1, until: isRunning ? at : monday + 7 * aDay - 1 };
    const unseen = isRunning ? undefined : unseenIn(period, blind);
    return {
      ...period,
      name: weekName(monday),
      isRunning,
      digest: digestIn(period, edition, { ...how, unseen }),
    };
  });
}

function unseenIn({ after, until }: DigestPeriod, lost: readonly FeedEntry[]): { says: string }[] {
  return lost
    .filter(({ published }) => published > after && published <= until)
    .flatMap(({ list }) => list.map((says) => ({ says })));
}

/** Items of one section: the report's own page has them all. */
const maxItems = 40;

export function digestsPage(drawing: Drawing): Markup {
  const weeks = weeksOfNews(drawing, { isAnonymous: false, most: maxItems });
  return html`<div class="masthead"><h1>Week by week</h1>
<p class="state">${stateSentence(drawing.status)}</p></div>
${weeks.map(week)}`;
}

function week({ name, isRunning, digest: { title, sections } }: WeekOfNews): Markup {
  return html`<section aria-labelledby="${name}"><h2 id="${name}">${withDays(title)}</h2>
${sections.map(part)}
${sections.length === 0 && html`<p class="calm">${isRunning ? "Nothing this week, so far." : "Nothing."}</p>`}
</section>`;
}

function part({ heading, items, more }: MessageSection): Markup {
  // The address of an issue ends with its number.
  const issue = (link: string) => html` ${homeLink(`#${link.slice(link.lastIndexOf("/") + 1)}`, link)}`;
  const words = ({ says, page }: MessageItem) =>
    page === undefined ? withDays(says) : internalLink(withDays(says), page);
  return html`<h3>${heading}</h3>
<ul class="changes">${items.map(({ link, ...item }) => html`<li>${words(item)}${link !== undefined && issue(link)}</li>`)}${more > 0 && html`<li>and ${more} more</li>`}</ul>`;
}
