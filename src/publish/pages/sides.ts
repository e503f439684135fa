import { diffArrays } from "diff";
import type { Change } from "../../model/change.ts";
import { changedTexts, changePath } from "../../model/change-words.ts";
import { cut, cutLine } from "../../model/markdown.ts";
import type { StoredFiring } from "../../model/ports/index.ts";
import { firingAnchor } from "../../model/published.ts";
import { aDay, aMinute, span } from "../../model/time.ts";
import { partWords, weightWords } from "../../model/words.ts";
import { passageOf } from "../../recheck/issue/evidence.ts";
import { leadOf, refs } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import { answerWords, type Drawing, sourceTitle } from "./drawing.ts";
import { dayOf, html, internalLink, joinMarkup, type Markup, type MarkupPiece, minuteOf, openLink } from "./markup.ts";

/** Limits: characters compared, characters shown of an unchanged run, and words that may differ. */
const maxCompared = 4_000;

const around = 160;

const maxEdits = 600;

export function sides(before: string | undefined, after: string | undefined): Markup {
  const [left = "", right = ""] = [before, after].map((text) => text && cutLine(text, maxCompared));
  const parts = differences(left, right);
  const was = mergeChanges(parts.filter(({ added }) => !added));
  const is = mergeChanges(parts.filter(({ removed }) => !removed));
  return html`<div class="sides">
<div class="side"><p class="label">before</p>${before === undefined ? html`<p class="none">not there</p>` : html`<p>${was.map(showParts)}</p>`}</div>
<div class="side"><p class="label">after</p>${after === undefined ? html`<p class="none">not there any more</p>` : html`<p>${is.map(showParts)}</p>`}</div>
</div>`;
}

interface Part {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}

/** A word with inner punctuation (`2.13.0`, `192GB`, `bit-exact`), white space, or a sign. */
const token = /[\p{L}\p{N}]+(?:[.,:'’_/-][\p{L}\p{N}]+)*|\s+|./gu;

/** The differing words; each text as a whole if too many differ. */
function differences(before: string, after: string): Part[] {
  const [left = [], right = []] = [before, after].map((text) => text.match(token) ?? []);
  const parts = diffArrays<string>(left, right, { maxEditLength: maxEdits });
  if (parts) return parts.map(({ value, added, removed }) => ({ value: value.join(""), added, removed }));
  return [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ];
}

/** Words that changed one after the other are one change, with the spaces between them. */
function mergeChanges(parts: readonly Part[]): Part[] {
  const mergedParts: Part[] = [];
  for (const part of parts) {
    const last = mergedParts.at(-1);
    const before = mergedParts.at(-2);
    if (last && isChanged(part) && isChanged(last)) {
      mergedParts.splice(-1, 1, { ...part, value: last.value + part.value });
    } else if (last && before && isChanged(part) && isChanged(before) && last.value.trim() === "") {
      mergedParts.splice(-2, 2, { ...part, value: before.value + last.value + part.value });
    } else mergedParts.push(part);
  }
  return mergedParts;
}

function isChanged({ added, removed }: Part): boolean {
  return added || removed;
}

function showParts({ value, added, removed }: Part, index: number, all: readonly Part[]): MarkupPiece {
  if (added || removed) return markChange(value, added ? "ins" : "del");
  return clipRun(value, index === 0, index === all.length - 1);
}

/** A change as an element of its own, without the white space around it. */
function markChange(value: string, mark: "ins" | "del"): MarkupPiece {
  const words = value.trim();
  if (words === "") return value;
  const from = value.indexOf(words);
  const around = [value.slice(0, from), value.slice(from + words.length)];
  return [around[0], mark === "ins" ? html`<ins>${words}</ins>` : html`<del>${words}</del>`, around[1]];
}

/** Shortens an unchanged run to the words next to a difference. */
function clipRun(text: string, isFirst: boolean, isLast: boolean): string {
  const head = isFirst ? 0 : around;
  const tail = isLast ? 0 : around;
  if (text.length <= head + tail + around) return text;
  return `${head > 0 ? `${cut(text, head)} ` : "… "}${tail > 0 ? wordsAtEnd(text, tail) : ""}`;
}

function wordsAtEnd(text: string, count: number): string {
  const from = text.length - count;
  return text.slice(Math.max(from, text.indexOf(" ", from) + 1)).toWellFormed();
}

/** Edits that the page has shown: a block, the claims in it and several sources may show the same one. */
export class ShownEdits {
  readonly #shown: (readonly [before: string, after: string])[] = [];

  show(before: string | undefined, after: string | undefined): Markup {
    if (before === undefined || after === undefined) return sides(before, after);
    if (this.#shown.some((one) => isSameEdit(one, [before, after]) || isSameEdit([before, after], one))) {
      return html`<p class="note">Before and after are shown above.</p>`;
    }
    this.#shown.push([before, after]);
    return sides(before, after);
  }
}

/** Whether the longer texts differ only in the shorter ones. */
function isSameEdit([before, after]: readonly [string, string], [long, longAfter]: readonly [string, string]): boolean {
  const at = long.indexOf(before);
  if (at < 0 || !longAfter.startsWith(after, at) || long.slice(0, at) !== longAfter.slice(0, at)) return false;
  return long.slice(at + before.length) === longAfter.slice(at + after.length);
}

/**
 * Both sides of a change, if it has them. A proof that was searched for the first time has no text before it. For an address
 * that moved, the new address is shown.
 */
export function sidesOf(change: Change, edits = new ShownEdits()): Markup | undefined {
  if (change.kind === "claim" && change.before === undefined) return blockquote(change.after);
  if (change.kind === "link") return blockquote(change.address);
  const [before, after] = changedTexts(change) ?? [];
  return before === after ? undefined : edits.show(before, after);
}

function blockquote(text: string | undefined): Markup | undefined {
  return text === undefined ? undefined : html`<blockquote><p>${cutLine(text, 600)}</p></blockquote>`;
}

const maxDifferences = 6;

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
  const names = pieces.flatMap((piece) => {
    const source = drawing.config.sources.get(piece.source);
    if (!source) return [];
    const cites = source.cites.length > 0 ? `, ${refs(source.cites)}` : "";
    const open = openLink(drawing.link(source, passageOf(piece, drawing.config)));
    return [html`${internalLink(sourceTitle(source), drawing.places.source(source.id))}${cites} (${open})`];
  });
  return names.length > 0 && html`<p class="where">in ${joinMarkup(names, "; ")}</p>`;
}

function shownIn({ evidence }: StoredFiring, edits: ShownEdits): MarkupPiece {
  // The same edit may appear as a block, as a claim within it, and in several sources.
  const different = [...new Map(evidence.map((piece) => [sameTexts(piece.change), piece])).values()].filter(
    ({ change }, _, all) => !all.some((other) => other.change !== change && liesIn(change, other.change)),
  );
  const rows = different
    .slice(0, maxDifferences)
    .map(
      ({ change, excerpt }) =>
        html`${heading(change)}${sidesOf(change, edits)}${excerpt && html`<blockquote><p>${cut(excerpt, 600)}</p></blockquote>`}`,
    );
  const more = different.length - maxDifferences;
  return [rows, more > 0 && html`<p class="note">and ${more} more differences</p>`];
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
