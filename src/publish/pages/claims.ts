import { cut } from "../../model/markdown.ts";
import { claimReason, claimSigns } from "../../model/states.ts";
import { refs } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import type { ClaimStory } from "../../status/explain/source.ts";
import { claimsSourceOf, firingsAgainst } from "../references.ts";
import { type Drawing, ratingLinks, sourceTitle } from "./drawing.ts";
import { dayOf, html, internalLink, type Markup, type MarkupPiece, openLink } from "./markup.ts";
import { ShownEdits } from "./sides.ts";

/** The rating or source of the page, which claims do not repeat. */
export interface PageSubject {
  readonly rating?: string;
  readonly source?: string;
  /** Differences that the page has shown above. */
  readonly edits?: ShownEdits;
  /** The sentence that the page has shown above. */
  readonly sentence?: string;
}

/** Claims with their states: those in question in detail, the others in one line each. */
export function claimsPart(claims: readonly ClaimStory[], drawing: Drawing, on: PageSubject): Markup {
  const ended = new Set(claims.filter((claim) => firingsAgainst(claim, drawing.open).length > 0).map(({ id }) => id));
  const holds = ({ id, state }: ClaimStory) => state === "supported" && !ended.has(id);
  const sorted = claims.toSorted((a, b) => Number(holds(a)) - Number(holds(b)));
  return html`<ul class="claims">${sorted.map((claim) => claimItem(claim, ended.has(claim.id), drawing, on))}</ul>`;
}

function claimItem(claim: ClaimStory, isEnded: boolean, drawing: Drawing, on: PageSubject): Markup {
  const state = claimReason(claim.state, isEnded);
  const overturned = state !== claim.state;
  const since = claim.since === undefined || overturned ? "" : html` since ${dayOf(claim.since)}`;
  const words = overturned ? "contradicted by another event, though its own source still says it" : state;
  return html`<li class="claim ${state === "supported" ? "holds" : "asks"}">
<p class="says"><span class="sign" aria-hidden="true">${claimSigns[state]}</span> ${claim.says}</p>
<p class="meta">${words}${since}${claim.unseen && ", as last seen"}${placeOf(claim, drawing, on)}${ratingsOf(claim, drawing, on)}${quoteOf(claim)}</p>
${detail(claim, drawing, on)}
</li>`;
}

function placeOf(story: ClaimStory, { config, link, places }: Drawing, on: PageSubject): MarkupPiece {
  const { id, cites, found } = story;
  const source = claimsSourceOf(story, config);
  if (!source) return html` · ${id}`;
  const address = link(source, found === undefined ? undefined : { path: [], kind: "row", text: found });
  const open = openLink(address);
  const cited = cites.length > 0 ? `, ${refs(cites)}` : "";
  if (source.id === on.source) return html`${cited} · ${open}`;
  return html` · ${internalLink(sourceTitle(source), places.source(source.id))}${cited} (${open})`;
}

function ratingsOf({ ratings }: ClaimStory, drawing: Drawing, on: PageSubject): MarkupPiece {
  const others = ratings.filter((id) => drawing.config.ratings.has(id) && id !== on.rating);
  return others.length > 0 && html` · ${on.rating !== undefined && "also "}for ${ratingLinks(others, drawing)}`;
}

function quoteOf({ state, found, proof }: ClaimStory): MarkupPiece {
  if (state === "supported" && found !== undefined) return html` · <q>${cut(found, 240)}</q>`;
  return state !== "altered" && state !== "contradicted" && ` · its proof is ${cut(proof, 240)}`;
}

function detail(
  { state, before, found }: ClaimStory,
  { config, firings }: Drawing,
  { edits = new ShownEdits(), sentence: above }: PageSubject,
): MarkupPiece {
  if (state === "altered" && found !== undefined) return edits.show(before, found);
  if (state === "gone") return edits.show(before ?? found, undefined);
  // The contradicting text is shown with its event.
  const ended = state === "contradicted" && firings.find(({ event }) => event.key === found);
  if (!ended) return undefined;
  const { sentence } = headline(ended, config);
  return sentence !== above && html`<blockquote><p>${sentence}, seen ${dayOf(ended.seen)}</p></blockquote>`;
}
