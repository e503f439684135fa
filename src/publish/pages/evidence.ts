import type { Change } from "../../model/change.ts";
import { changedTexts, changePath } from "../../model/change-words.ts";
import { cut } from "../../model/markdown.ts";
import type { StoredFiring } from "../../model/ports/index.ts";
import { firingAnchor } from "../../model/published.ts";
import type { Block } from "../../model/reading.ts";
import { aDay, aMinute, span } from "../../model/time.ts";
import { partWords, weightWords } from "../../model/words.ts";
import { leadOf, refs } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import { answerWords, type Drawing, sourceTitle } from "./drawing.ts";
import {
  dayOf,
  externalLink,
  html,
  internalLink,
  joinMarkup,
  type Markup,
  type MarkupPiece,
  minuteOf,
} from "./markup.ts";
import { type ShownEdits, sidesOf } from "./sides.ts";

const mostDifferences = 6;

export function firingPart(firing: StoredFiring, drawing: Drawing, edits: ShownEdits): Markup {
  const lead = leadOf(firing);
  const recheck = drawing.recheck.get(firing.recheck);
  const title = headline(firing, drawing.config).sentence;
  return html`<article class="firing ${firing.weight}" id="${firingAnchor(firing)}">
<h3>${title}</h3>
<p class="meta"><span class="weight ${firing.weight}">${weightWords[firing.weight]}</span> · ${seen(firing)}${lead && html` · ${partWords(lead, drawing.config.triggers.get(firing.trigger))}`} · ${answerWords(recheck, drawing)}</p>
${sourcesOf(firing, drawing)}
${shownIn(firing, edits)}
</article>`;
}

function seen({ seen: at, fired, event }: StoredFiring): Markup {
  const happened = event.at !== undefined && event.at < at - aDay ? html`${dayOf(event.at)}, ` : "";
  const confirmed = fired - at >= aMinute ? `, confirmed ${span(fired - at)} later` : "";
  return html`${happened}seen ${minuteOf(at)}${confirmed}`;
}

function sourcesOf(firing: StoredFiring, drawing: Drawing): MarkupPiece {
  const pieces = [...new Map(firing.evidence.map((piece) => [piece.source, piece])).values()].slice(0, 8);
  const named = pieces.flatMap((piece) => {
    const source = drawing.config.sources.get(piece.source);
    if (!source) return [];
    const cites = source.cites.length > 0 ? `, ${refs(source.cites)}` : "";
    const address = drawing.link(source, passageOf(piece.change));
    const open = externalLink(address?.includes("#:~:text=") ? "open the passage" : "open", address);
    return [html`${internalLink(sourceTitle(source), drawing.places.source(source.id))}${cites} (${open})`];
  });
  return named.length > 0 && html`<p class="where">in ${joinMarkup(named, "; ")}</p>`;
}

function passageOf(change: Change): Block | undefined {
  if (change.kind === "block") return change.after;
  if (change.kind !== "claim" || change.after === undefined) return undefined;
  return { path: [], kind: "row", text: change.after };
}

function shownIn({ evidence }: StoredFiring, edits: ShownEdits): MarkupPiece {
  // The same edit may appear as a block, as a claim within it, and in several sources.
  const different = [...new Map(evidence.map((piece) => [sameTexts(piece.change), piece])).values()].filter(
    ({ change }, _, all) => !all.some((other) => other.change !== change && liesIn(change, other.change)),
  );
  const shown = different
    .slice(0, mostDifferences)
    .map(
      ({ change, excerpt }) =>
        html`${heading(change)}${sidesOf(change, edits)}${excerpt && html`<blockquote><p>${cut(excerpt, 600)}</p></blockquote>`}`,
    );
  const more = different.length - mostDifferences;
  return [shown, more > 0 && html`<p class="note">and ${more} more differences</p>`];
}

/** Equal for two changes that show the same difference. */
export function sameTexts(change: Change): string {
  return JSON.stringify(changedTexts(change) ?? change);
}

/** Whether another change shows all that a claim's passage shows: both its sides lie in the other's. */
function liesIn(change: Change, other: Change): boolean {
  if (change.kind !== "claim" || change.before === undefined || change.after === undefined) return false;
  if (other.kind !== "block" || !other.before || !other.after) return false;
  return other.before.text.includes(change.before) && other.after.text.includes(change.after);
}

function heading(change: Change): MarkupPiece {
  const path = changePath(change);
  return path.length > 0 && html`<p class="path">${path.map((part) => cut(part, 80)).join(" › ")}</p>`;
}
