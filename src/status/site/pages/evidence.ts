import { diffArrays } from "diff";
import { changedTexts, changePath } from "../../../model/change.ts";
import { cut, fold } from "../../../model/markdown.ts";
import type { Block, Change } from "../../../model/model.ts";
import type { StoredFiring } from "../../../model/ports/index.ts";
import { claimSigns, claimStanding } from "../../../model/states.ts";
import { aDay, aMinute, span } from "../../../model/time.ts";
import { partWords } from "../../../model/words.ts";
import { headline } from "../../../recheck/issue/headline.ts";
import { leadOf, refs } from "../../../recheck/issue/question.ts";
import type { ClaimStory } from "../../explain/source.ts";
import { claimsSourceOf, firingsAgainst } from "../json.ts";
import type { Drawing } from "./drawing.ts";
import {
  answerOf,
  calledSource,
  dayOf,
  html,
  inward,
  joined,
  type Markup,
  minuteOf,
  outward,
  type Piece,
  ratingLinks,
} from "./markup.ts";

/** Differences of one firing that are shown. */
const mostDifferences = 6;

/** One firing: what was seen, where, in which words before and after, and how it was answered. */
export function firingPart(firing: StoredFiring, drawing: Drawing): Markup {
  const lead = leadOf(firing);
  const recheck = drawing.recheck.get(firing.recheck);
  const title = headline(firing, drawing.config).sentence;
  return html`<article class="firing ${firing.weight}">
<h3>${title}</h3>
<p class="meta"><span class="weight ${firing.weight}">${firing.weight}</span> · ${seen(firing)}${lead && html` · ${partWords(lead)}`} · ${answerOf(recheck, drawing)}</p>
${sourcesOf(firing, drawing)}
${shownIn(firing)}
</article>`;
}

function seen({ seen: at, fired, event }: StoredFiring): Markup {
  const happened = event.at !== undefined && event.at < at - aDay ? html`${dayOf(event.at)}, ` : "";
  const confirmed = fired - at >= aMinute ? `, confirmed ${span(fired - at)} later` : "";
  return html`${happened}seen ${minuteOf(at)}${confirmed}`;
}

/** Each source that showed it, with the way there. */
function sourcesOf(firing: StoredFiring, drawing: Drawing): Piece {
  const pieces = [...new Map(firing.evidence.map((piece) => [piece.source, piece])).values()].slice(0, 8);
  const named = pieces.flatMap((piece) => {
    const source = drawing.config.sources.get(piece.source);
    if (!source) return [];
    const cites = source.cites.length > 0 ? `, ${refs(source.cites)}` : "";
    const address = drawing.link(source, passageOf(piece.change));
    const open = outward(address?.includes("#:~:text=") ? "open the passage" : "open", address);
    return [html`${inward(calledSource(source), drawing.places.source(source.id))}${cites} (${open})`];
  });
  return named.length > 0 && html`<p class="where">in ${joined(named, "; ")}</p>`;
}

/** What a browser is to scroll to. */
function passageOf(change: Change): Block | undefined {
  if (change.kind === "block") return change.after;
  if (change.kind !== "claim" || change.after === undefined) return undefined;
  return { path: [], kind: "row", text: change.after };
}

function shownIn({ evidence }: StoredFiring): Piece {
  const different = [...new Map(evidence.map((piece) => [JSON.stringify(piece.change), piece])).values()];
  const shown = different
    .slice(0, mostDifferences)
    .map(
      ({ change, excerpt }) =>
        html`${heading(change)}${sidesOf(change)}${excerpt && html`<blockquote><p>${cut(excerpt, 600)}</p></blockquote>`}`,
    );
  const more = different.length - mostDifferences;
  return [shown, more > 0 && html`<p class="note">and ${more} more differences</p>`];
}

function heading(change: Change): Piece {
  const path = changePath(change);
  return path.length > 0 && html`<p class="path">${path.map((part) => cut(part, 80)).join(" › ")}</p>`;
}

/** Characters of a text that are compared, of an unchanged run that are shown, and words that may differ. */
const most = 4_000;
const around = 160;
const mostEdits = 600;

/** What was there and what is there now, side by side, with the words that changed marked. */
export function sides(before: string | undefined, after: string | undefined): Markup {
  const [left, right] = [before, after].map((text) => (text === undefined ? undefined : cut(fold(text), most)));
  const parts = left === undefined || right === undefined ? undefined : differences(left, right);
  const was =
    (parts && merged(parts.filter(({ added }) => !added))) ?? (left === undefined ? [] : [whole(left, "removed")]);
  const is =
    (parts && merged(parts.filter(({ removed }) => !removed))) ?? (right === undefined ? [] : [whole(right, "added")]);
  return html`<div class="sides">
<div class="side"><p class="label">before</p>${left === undefined ? html`<p class="none">not there</p>` : html`<p>${was.map(shown)}</p>`}</div>
<div class="side"><p class="label">after</p>${right === undefined ? html`<p class="none">not there any more</p>` : html`<p>${is.map(shown)}</p>`}</div>
</div>`;
}

interface Part {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}

/** A word with what stands within it (`2.13.0`, `192GB`, `bit-exact`), white space, or a sign. */
const token = /[\p{L}\p{N}]+(?:[.,:'’_/-][\p{L}\p{N}]+)*|\s+|./gu;

/** Undefined where almost every word is another. */
function differences(before: string, after: string): Part[] | undefined {
  const [left, right] = [before, after].map((text) => text.match(token) ?? []);
  const parts = diffArrays(left ?? [], right ?? [], { maxEditLength: mostEdits });
  return parts?.map(({ value, added, removed }) => ({ value: value.join(""), added, removed }));
}

function whole(value: string, what: "added" | "removed"): Part {
  return { value, added: what === "added", removed: what === "removed" };
}

/** Words that changed one after the other are one change, with the spaces between them. */
function merged(parts: readonly Part[]): Part[] {
  const found: Part[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    const before = found.at(-2);
    if (last && isChanged(part) && isChanged(last)) {
      found.splice(-1, 1, { ...part, value: last.value + part.value });
    } else if (last && before && isChanged(part) && isChanged(before) && last.value.trim() === "") {
      found.splice(-2, 2, { ...part, value: before.value + last.value + part.value });
    } else found.push(part);
  }
  return found;
}

function isChanged({ added, removed }: Part): boolean {
  return added || removed;
}

function shown({ value, added, removed }: Part, index: number, all: readonly Part[]): Piece {
  if (added || removed) return marked(value, added ? "ins" : "del");
  return clipped(value, index === 0, index === all.length - 1);
}

/** The white space around it is no part of the mark. */
function marked(value: string, mark: "ins" | "del"): Piece {
  const words = value.trim();
  if (words === "") return value;
  const from = value.indexOf(words);
  const around = [value.slice(0, from), value.slice(from + words.length)];
  return [around[0], mark === "ins" ? html`<ins>${words}</ins>` : html`<del>${words}</del>`, around[1]];
}

/** An unchanged run, cut to what stands next to a difference. */
function clipped(text: string, isFirst: boolean, isLast: boolean): string {
  const head = isFirst ? 0 : around;
  const tail = isLast ? 0 : around;
  if (text.length <= head + tail + around) return text;
  return `${head > 0 ? `${cut(text, head)} ` : "… "}${tail > 0 ? wordsAtEnd(text, tail) : ""}`;
}

function wordsAtEnd(text: string, count: number): string {
  const from = text.length - count;
  return text.slice(Math.max(from, text.indexOf(" ", from) + 1)).toWellFormed();
}

/** Both sides of a change that has them; a proof that was looked for the first time has no text before it. */
export function sidesOf(change: Change): Markup | undefined {
  if (change.kind === "claim" && change.before === undefined) {
    return change.after === undefined
      ? undefined
      : html`<blockquote><p>${cut(fold(change.after), 600)}</p></blockquote>`;
  }
  const [before, after] = changedTexts(change) ?? [];
  return before === after ? undefined : sides(before, after);
}

/** What the page is about already, and need not be told of each claim. */
export interface On {
  readonly rating?: string;
  readonly source?: string;
}

/** Claims with their states: those in question with all that is known of them, those that hold in one line each. */
export function claimsPart(claims: readonly ClaimStory[], drawing: Drawing, on: On): Markup {
  const ended = new Set(
    claims.filter((claim) => firingsAgainst(claim, drawing.unanswered).length > 0).map(({ claim }) => claim),
  );
  const holds = (claim: ClaimStory) => claim.status === "supported" && !ended.has(claim.claim);
  const sorted = claims.toSorted((a, b) => Number(holds(a)) - Number(holds(b)));
  return html`<ul class="claims">${sorted.map((claim) => claimItem(claim, ended.has(claim.claim), drawing, on))}</ul>`;
}

function claimItem(claim: ClaimStory, isEnded: boolean, drawing: Drawing, on: On): Markup {
  const status = claimStanding(claim.status, isEnded);
  const overturned = status !== claim.status;
  const isFine = status === "supported";
  const since = claim.since === undefined || overturned ? "" : html` since ${dayOf(claim.since)}`;
  const words = overturned ? "contradicted by another event, whatever its own source still says" : status;
  return html`<li class="claim ${isFine ? "holds" : "asks"}">
<p class="says"><span class="sign" aria-hidden="true">${claimSigns[status]}</span> ${claim.says}</p>
<p class="meta">${words}${since}${claim.unseen && ", as last seen"}${placeOf(claim, drawing, on)}${ratingsOf(claim, drawing, on)}${quoteOf(claim)}</p>
${detail(claim)}
</li>`;
}

function placeOf(story: ClaimStory, { config, link, places }: Drawing, on: On): Piece {
  const { claim, cites, found } = story;
  const source = claimsSourceOf(story, config);
  if (!source) return html` · ${claim}`;
  const address = link(source, found === undefined ? undefined : { path: [], kind: "row", text: found });
  const open = outward(address?.includes("#:~:text=") ? "open the passage" : "open", address);
  const cited = cites.length > 0 ? `, ${refs(cites)}` : "";
  if (source.id === on.source) return html`${cited} · ${open}`;
  return html` · ${inward(calledSource(source), places.source(source.id))}${cited} (${open})`;
}

function ratingsOf({ ratings }: ClaimStory, drawing: Drawing, on: On): Piece {
  const others = ratings.filter((id) => drawing.config.ratings.has(id) && id !== on.rating);
  return others.length > 0 && html` · ${on.rating !== undefined && "also "}under ${ratingLinks(others, drawing)}`;
}

/** What proves it, in a few words. */
function quoteOf({ status, found, proof }: ClaimStory): Piece {
  if (status === "supported" && found !== undefined) return html` · <q>${cut(found, 240)}</q>`;
  return status !== "altered" && status !== "contradicted" && ` · its proof is ${cut(proof, 240)}`;
}

function detail({ status, before, found }: ClaimStory): Piece {
  if (status === "altered" && found !== undefined) return sides(before, found);
  if (status === "gone") return sides(before ?? found, undefined);
  return (
    status === "contradicted" && found !== undefined && html`<blockquote><p>by ${cut(found, 600)}</p></blockquote>`
  );
}
