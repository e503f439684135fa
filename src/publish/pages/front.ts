import { triggerName } from "../../describe.ts";
import { headline } from "../../recheck/headline.ts";
import { askedRatings, inOrder } from "../../recheck/question.ts";
import type { Status } from "../../status.ts";
import { conclusionsPart } from "./conclusions.ts";
import type { Drawing } from "./drawing.ts";
import { heldPart } from "./held.ts";
import { issueLink } from "./issue.ts";
import { dayOf, homeward, html, inward, type Markup, minuteOf } from "./markup.ts";
import { matrixPart } from "./matrix.ts";
import { ratingLinks } from "./ratings.ts";
import { timelinePart } from "./timeline.ts";
import { watchedPart } from "./watched.ts";
import { stateSentence } from "./words.ts";

/** The first page: how the report stands, and what is asked. */
export function frontPage(drawing: Drawing): Markup {
  return html`${head(drawing)}
${askedPart(drawing)}
${matrixPart(drawing)}
${conclusionsPart(drawing)}
${timelinePart(drawing)}
${heldPart(drawing)}
${watchedPart(drawing)}`;
}

function head(drawing: Drawing): Markup {
  const { config, status, staleAfter } = drawing;
  const { title, url, version, audited } = config.report;
  const looked =
    status.lastLook === undefined
      ? html`Its sources have not been looked at yet.`
      : html`Its sources were last looked at <span class="nowrap">${minuteOf(status.lastLook)}</span>; what stands here holds until <span class="nowrap">${minuteOf(staleAfter)}</span>.`;
  return html`<div class="masthead">
<h1>${homeward(title, url)}</h1>
<p class="state">${stateSentence(status)}</p>
<p class="meta">${version !== undefined && `Version ${version}, last`}${version === undefined && "Last"} checked by its author against its sources on ${dayOf(audited)}. ${looked}</p>
</div>`;
}

/** What waits for an answer, the most pressing first. */
function askedPart(drawing: Drawing): Markup {
  const isContrary = ({ firings }: Status["open"][number]) => firings.some(({ weight }) => weight === "contrary");
  const open = drawing.status.open.toSorted((a, b) => Number(isContrary(b)) - Number(isContrary(a)));
  const items = open.map((one) => asked(one, isContrary(one), drawing));
  return html`<section aria-labelledby="asked">
<h2 id="asked">Asked now</h2>
${items.length > 0 ? html`<ol class="asked">${items}</ol>` : html`<p class="calm">${drawing.status.lastLook === undefined ? "Nothing yet." : "Nothing. No event waits for an answer."}</p>`}
</section>`;
}

function asked({ trigger, issue, firings }: Status["open"][number], isContrary: boolean, drawing: Drawing): Markup {
  const { config, places } = drawing;
  const [strongest] = inOrder(firings);
  const more = firings.length - 1;
  const ratings = askedRatings(firings, config);
  const weight = isContrary ? "contrary" : "routine";
  return html`<li class="${weight}">
<h3>${inward(triggerName(trigger, config), places.trigger(trigger))} <span class="weight ${weight}">${weight}</span></h3>
<p>${strongest && html`${headline(strongest, config).sentence}, seen ${dayOf(strongest.seen)}`}${more > 0 && `, and ${more} more`}. <span class="nowrap">Asked in ${issueLink(issue, drawing)}.</span></p>
${ratings.length > 0 && html`<p class="about">${ratingLinks(ratings, drawing)}</p>`}
</li>`;
}
