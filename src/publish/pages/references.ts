import type { StoredFiring } from "../../model/ports/index.ts";
import {
  countStates,
  countsSentence,
  type ReaderState,
  readerState,
  readerStates,
  referenceReasons,
} from "../../model/states.ts";
import { dayNumber } from "../../model/time.ts";
import { asSentence, pluralize, triggerName } from "../../model/words.ts";
import { type Citation, citationsOf, titleAndAddress } from "../references.ts";
import { claimsPart } from "./claims.ts";
import { answerWords, type Drawing, ratingLinks, sourceTitle } from "./drawing.ts";
import { filterPart, stateClass } from "./filter.ts";
import { dayOf, externalLink, html, internalLink, joinMarkup, type Markup, type MarkupPiece } from "./markup.ts";
import { stateMark } from "./matrix.ts";
import { ShownEdits, sameTexts, sidesOf } from "./sides.ts";

/** Limit of differences per citation; the pages of its sources have all of them. */
const maxDifferences = 4;

/** Every citation of the report with its state: the most pressing first, and within each state the newest. */
export function referencesPage(drawing: Drawing): Markup {
  // References of one day stay in the order of the report.
  const dayOfState = ({ state: { since = 0 } }: Citation) => dayNumber(since);
  const all = citationsOf(drawing).toSorted((a, b) => rank(a) - rank(b) || dayOfState(b) - dayOfState(a));
  const numbered = all.filter(({ number }) => number !== undefined);
  const others = all.filter(({ number }) => number === undefined);
  return html`<div class="masthead"><h1>References</h1>
<p class="state">${all.length === 0 ? "No citation of the report is listed yet." : countsSentence(all.map(stateOf), "reference")}</p></div>
${filterPart(countStates(all.map(stateOf)), { what: "references", isNumbered: numbered.length > 0 })}
${listOf(numbered, "numbered", "Numbered references", drawing)}
${listOf(others, "others", numbered.length > 0 ? "Also watched, without a number" : "All of them", drawing)}`;
}

function listOf(all: readonly Citation[], id: string, heading: string, drawing: Drawing): MarkupPiece {
  if (all.length === 0) return undefined;
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
<ol class="references filtered">${all.map((one) => citationItem(one, drawing))}</ol></section>`;
}

function stateOf({ state }: Citation): ReaderState {
  return readerState(state.reason);
}

function rank({ state: { reason } }: Citation): number {
  return readerStates.indexOf(readerState(reason)) * referenceReasons.length + referenceReasons.indexOf(reason);
}

function citationItem(citation: Citation, drawing: Drawing): Markup {
  const { number, unwatchable } = citation;
  const { title, url } = titleAndAddress(citation, drawing);
  const { reason, since, says } = citation.state;
  const state = readerState(reason);
  const edits = new ShownEdits();
  const name = externalLink(title ?? url ?? "Without a title", url);
  const because = reason === "unwatched" && unwatchable ? unwatchable.because : says;
  // The sentence for a failed source already says since when.
  const when =
    reason !== "unseen" &&
    reason !== "gone" &&
    since !== undefined &&
    html`Since ${dayOf(since)}${because !== undefined && ": "}`;
  // Config may say why as a sentence.
  const isEnded = !when && because !== undefined && /[.!?…]$/.test(because);
  return html`<li id="${citation.anchor}" class="${stateClass(state)}"${number !== undefined && html` data-number="${number}"`}>
<h3><span class="number">${number !== undefined && `[${number}]`}</span> ${name} ${stateMark(state)}</h3>
${(because !== undefined || when) && html`<p>${when}${because !== undefined && (when ? because : asSentence(because))}${!isEnded && "."}</p>`}
${askedBy(citation, drawing)}
${differences(citation.firings, edits)}
${claims(citation, drawing, edits)}
${watchedBy(citation, drawing)}
</li>`;
}

function askedBy({ firings, claims }: Citation, drawing: Drawing): MarkupPiece {
  const ratings = [...new Set(claims.flatMap((claim) => claim.ratings))].filter((id) => drawing.config.ratings.has(id));
  const questions = [...new Map(firings.map((firing) => [firing.recheck ?? firing.trigger, firing])).values()];
  if (questions.length === 0) return undefined;
  return html`<p class="about">Asked by ${joinMarkup(
    questions
      .slice(0, 6)
      .map(
        ({ trigger, recheck }) =>
          html`${internalLink(triggerName(trigger, drawing.config), drawing.places.trigger(trigger))} (${answerWords(drawing.recheck.get(recheck), drawing)})`,
      ),
    ", ",
  )}${ratings.length > 0 && html`; ${ratingLinks(ratings, drawing)} ${ratings.length === 1 ? "rests" : "rest"} on it`}.</p>`;
}

/** Before and after, each difference once: several sources or checks may show the same words. */
function differences(firings: readonly StoredFiring[], edits: ShownEdits): MarkupPiece {
  const evidence = firings.flatMap((firing) => firing.evidence).filter(({ part }) => part !== "claim");
  const different = [...new Map(evidence.map((piece) => [sameTexts(piece.change), piece.change])).values()];
  return different.slice(0, maxDifferences).map((change) => sidesOf(change, edits));
}

/** Claims in question are shown; those that hold are counted and folded. */
function claims({ claims: all, state }: Citation, drawing: Drawing, edits: ShownEdits): MarkupPiece {
  if (all.length === 0) return undefined;
  const asking = all.filter(({ state }) => state !== "supported");
  const holding = all.filter(({ state }) => state === "supported");
  return [
    asking.length > 0 && claimsPart(asking, drawing, { edits, sentence: state.says }),
    holding.length > 0 &&
      html`<details><summary>${pluralize(holding.length, "claim")} supported by it</summary>${claimsPart(holding, drawing, {})}</details>`,
  ];
}

function watchedBy({ direct, others }: Citation, { places }: Drawing): MarkupPiece {
  const link = ({ source }: Citation["direct"][number]) => internalLink(sourceTitle(source), places.source(source.id));
  const own = direct.map(link);
  const instead = others.filter(({ source }) => !direct.some((one) => one.source.id === source.id)).map(link);
  if (own.length + instead.length === 0) return undefined;
  return html`<p class="where">Watched: ${joinMarkup([...own, ...instead.slice(0, 6)], ", ")}${instead.length > 6 && ` and ${instead.length - 6} more`}${own.length === 0 && ", in its place"}</p>`;
}
