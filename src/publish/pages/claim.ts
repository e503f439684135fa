import type { ClaimStory } from "../../explain/claims.ts";
import { refs } from "../../recheck/question.ts";
import { endedBy } from "../claims.ts";
import type { Drawing } from "./drawing.ts";
import { dayOf, html, inward, joined, type Markup, outward, type Piece } from "./markup.ts";
import { sides } from "./sides.ts";
import { calledRating, calledSource } from "./words.ts";

const signs: Readonly<Record<ClaimStory["status"], string>> = {
  supported: "✔",
  altered: "✗",
  gone: "✗",
  contradicted: "✗",
  unverified: "?",
  "not looked for yet": "?",
};

const said: Readonly<Record<ClaimStory["status"], string>> = {
  supported: "supported",
  altered: "altered",
  gone: "gone",
  contradicted: "contradicted",
  unverified: "its proof was never found",
  "not looked for yet": "not looked for yet",
};

/** Claims with their states: those in question with all that is known of them, those that hold in one line each. */
export function claimsPart(claims: readonly ClaimStory[], drawing: Drawing): Markup {
  const ended = new Set(
    claims.filter((claim) => endedBy(claim, drawing.unanswered).length > 0).map(({ claim }) => claim),
  );
  const holds = (claim: ClaimStory) => claim.status === "supported" && !ended.has(claim.claim);
  const sorted = claims.toSorted((a, b) => Number(holds(a)) - Number(holds(b)));
  return html`<ul class="claims">${sorted.map((claim) => claimItem(claim, ended.has(claim.claim), drawing))}</ul>`;
}

function claimItem(claim: ClaimStory, isEnded: boolean, drawing: Drawing): Markup {
  const overturned = isEnded && claim.status === "supported";
  const status = overturned ? "contradicted" : claim.status;
  const isFine = status === "supported";
  const since = claim.since === undefined || overturned ? "" : html` since ${dayOf(claim.since)}`;
  const words = overturned ? "overturned by another event, though its own source still says it" : said[status];
  return html`<li class="claim ${isFine ? "holds" : "asks"}">
<p class="says"><span class="sign" aria-hidden="true">${signs[status]}</span> ${claim.says}</p>
<p class="meta">${words}${since}${claim.unseen && ", as last seen"} · ${placeOf(claim, drawing)}${ratingsOf(claim, drawing)}</p>
${detail(claim)}
</li>`;
}

function placeOf({ claim, cites, found }: ClaimStory, { config, link, places }: Drawing): Piece {
  const source = config.sources.get(claim.slice(0, claim.indexOf("/")));
  if (!source) return claim;
  const address = link(source, found === undefined ? undefined : { path: [], kind: "row", text: found });
  const open = outward(address?.includes("#:~:text=") ? "open the passage" : "open", address);
  const cited = cites.length > 0 ? `, ${refs(cites)}` : "";
  return html`${inward(calledSource(source), places.source(source.id))}${cited} (${open})`;
}

function ratingsOf({ ratings }: ClaimStory, { config, places }: Drawing): Piece {
  const links = ratings
    .filter((id) => config.ratings.has(id))
    .map((id) => inward(calledRating(id, config), places.rating(id)));
  return links.length > 0 && html` · under ${joined(links, ", ")}`;
}

function detail({ status, before, found, proof }: ClaimStory): Piece {
  if (status === "altered" && found !== undefined) return sides(before, found);
  if (status === "gone") return sides(before ?? found, undefined);
  if (status === "contradicted" && found !== undefined) return html`<blockquote><p>${found}</p></blockquote>`;
  if (status === "supported" && found !== undefined) return html`<p class="found">“${found}”</p>`;
  return html`<p class="found">Its proof is ${proof}.</p>`;
}
