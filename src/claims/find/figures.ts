import { nth } from "../../language/fold.ts";
import {
  isSame,
  sentenceAt,
  spanAt,
  type Term,
  termsIn,
  type Word,
  type Words,
  wordsIn,
  wordsOfText,
} from "../../language/words.ts";
import { type ClaimChange, isMove } from "../../model/change.ts";
import type { Claim, MovedFigure } from "../../model/claim.ts";
import { boundAt, oppositesOf, type WrittenBound } from "./bound.ts";
import { denialOfPassage } from "./denial.ts";
import { occurrences } from "./quote.ts";

/** Whether the second text lacks a figure of the first and has another one of the same kind. */
export function hasOtherFigure(wanted: string, there: string): boolean {
  const [old, now] = [figuredText(wanted), figuredText(there)];
  const instead = onlyIn(now, old);
  return onlyIn(old, now).some(({ sort }) => instead.some((other) => other.sort === sort));
}

/**
 * The only figure of a claim's proof that its source replaced, or the link to the proof that it replaced. Undefined in
 * doubt: if more has changed, if the passage has other words now, or if the proof does not hold the figure. Pure.
 */
export function movedFigure({ proof }: Pick<Claim, "proof">, change: ClaimChange): MovedFigure | undefined {
  const { from, to, otherwise, before, after } = change;
  if (isMove(change) && before !== undefined && after !== undefined) return { old: before, now: after };
  const isMoved = to === "altered" || (to === "not found" && otherwise === true);
  const wanted =
    "quote" in proof ? proof.quote : "value" in proof ? proof.value : "fact" in proof ? proof.is : undefined;
  if (!isMoved || wanted === undefined || after === undefined) return undefined;
  const [proofText, old, now] = [figuredText(wanted), figuredText(before ?? wanted), figuredText(after)];
  // Without the earlier passage, only the words of `of` say which figure it is.
  const isBare = before === undefined;
  if (isBare ? !("value" in proof) || proof.of === undefined : distinctiveWords(old) !== distinctiveWords(now))
    return undefined;
  const [lost, ...more] = onlyIn(old, now);
  const [come, ...others] = onlyIn(now, old).filter(({ sort }) => !isBare || sort === lost?.sort);
  if (!lost || !come || more.length + others.length > 0 || lost.sort !== come.sort) return undefined;
  const proved = proofText.figures.filter(({ sort }) => sort === lost.sort);
  const [first] = proved;
  if (proved.some(({ term }) => isSame(term, lost.term))) return { old: lost.text, now: come.text };
  // The passage changed again: the report still has the figure of the proof.
  const isOlder = from === "altered" && first && proved.length === 1 && !isSame(first.term, come.term);
  return isOlder ? { old: first.text, now: come.text } : undefined;
}

/** The only figure that a text replaced, if its other words are the same. Pure. */
export function replacedFigure(before: string, after: string): MovedFigure | undefined {
  const [old, now] = [figuredText(before), figuredText(after)];
  const [[lost, ...more], [come, ...others]] = [onlyIn(old, now), onlyIn(now, old)];
  const isAlone = more.length + others.length === 0 && distinctiveWords(old) === distinctiveWords(now);
  return lost && come && isAlone && lost.sort === come.sort ? { old: lost.text, now: come.text } : undefined;
}

/** Whether a claim was corrected after its passage changed: its proof has only the words of the new passage. */
export function isCorrectedSince({ proof }: Pick<Claim, "proof">, { to, before, after }: ClaimChange): boolean {
  const wanted = termsIn("quote" in proof ? proof.quote : "value" in proof ? proof.value : "");
  if (to === "supported" || wanted.length === 0 || after === undefined) return false;
  const holds = (terms: readonly Term[]) => wanted.every((term) => terms.some((other) => isSame(other, term)));
  return holds(termsIn(after)) && (before === undefined ? "value" in proof : !holds(termsIn(before)));
}

interface FiguredText {
  readonly words: readonly Word[];
  readonly figures: readonly (Figure & { readonly text: string })[];
}

function figuredText(text: string): FiguredText {
  const words = wordsIn(text);
  const figures = words.flatMap(({ term, start, end }) =>
    figureOf(term).map((figure) => ({ ...figure, text: text.slice(start, end) })),
  );
  return { words, figures };
}

function distinctiveWords({ words }: FiguredText): string {
  return words.flatMap(({ term }) => (term.weight >= 1 && figureOf(term).length === 0 ? [term.stem] : [])).join(" ");
}

function onlyIn({ figures }: FiguredText, other: FiguredText): FiguredText["figures"] {
  return figures.filter(({ term }) => other.words.every((word) => !isSame(word.term, term)));
}

interface Figure {
  readonly term: Term;
  /** The dimension, or that it is a bare number. */
  readonly sort: string;
}

function figureOf(term: Term): Figure[] {
  if (term.quantity !== undefined) return [{ term, sort: term.quantity.dimension }];
  return term.number === undefined ? [] : [{ term, sort: "number" }];
}

/**
 * Whether a text with the same figure now says the opposite. `before`, `after`: the sentence around the figure,
 * or its cell with the label, when it was the proof and now.
 */
export function isTurned(value: string, before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined || before === after) return false;
  return [hasChangedPlaces, isTakenBackNow, isBoundTurned].some((turns) => turns(value, before, after));
}

/**
 * "A takes 16 GB, B takes 24 GB" became "A takes 24 GB, B takes 16 GB". A mere change of order does not count. In "Model 2
 * takes 24 GB, model 1 takes 16 GB" other figures moved too, and "24 GB or 16 GB" has no name in between.
 */
function hasChangedPlaces(value: string, before: string, after: string): boolean {
  const wanted = keysOf(value);
  const [old = [], now = []] = [before, after].map((text) => termsIn(text));
  const placesIn = (terms: readonly Word["term"][]) =>
    terms.flatMap(({ key }, place) => (wanted.has(key) ? [place] : []));
  const [from, to] = [placesIn(old), placesIn(now)];
  const places = new Set([...from, ...to]);
  const frames = [old, now].map((terms) =>
    terms.map((term, i) => (places.has(i) && figureOf(term).length > 0 ? "#" : term.key)).join(" "),
  );
  if (from.length === 0 || to.length === 0 || frames[0] !== frames[1]) return false;
  if (from.some((place) => to.includes(place))) return false;
  const between = old.slice(Math.min(...places) + 1, Math.max(...places));
  return between.some((term) => term.weight >= 1 && figureOf(term).length === 0);
}

/** "Takes 16 GB" became "does not take 16 GB" or "takes 16 GB only with a licence". */
function isTakenBackNow(value: string, before: string, after: string): boolean {
  const [wasTaken, isTaken] = [before, after].map((text) => denialOfPassage(wordsOfText(text), value) !== undefined);
  return !wasTaken && isTaken === true;
}

/** "At most 16 GB" that became "at least 16 GB". */
function isBoundTurned(value: string, before: string, after: string): boolean {
  const [old, ...others] = boundsOf(value, before);
  const [now, ...more] = boundsOf(value, after);
  if (old === undefined || now === undefined || others.length + more.length > 0) return false;
  return old !== "none" && now !== "none" && oppositesOf[old].includes(now);
}

function boundsOf(value: string, text: string): Set<WrittenBound | "none"> {
  const wanted = keysOf(value);
  const words = wordsIn(text);
  return new Set(words.flatMap(({ term }, at) => (wanted.has(term.key) ? [boundAt(text, words, at) ?? "none"] : [])));
}

function keysOf(value: string): Set<string> {
  return new Set(wordsIn(value).flatMap(({ term }) => figureOf(term).map(() => term.key)));
}

/** Signs that compare or bound a figure anywhere: `sail~=1.20`, `^1.20`, `3.9+`. */
const ofFigure = /(?:[!=~]==?|~>|(?<!\[)\^)(?= ?['"]?\d)|(?<=\d)\+(?![\p{L}\d])/gu;
/** In code also signs that compare, add, subtract or negate: `a < b`, `base - delta`, `!ready`. */
const ofCode = new RegExp(
  [
    /[!=~]==?|~>|(?<!\[)\^(?= ?['"]?\d)|~(?=\d)|(?<=\d)\+(?![\p{L}\d])/u,
    / [-+<>] |(?<=[\p{L}\d_)\]])[-+<>](?=[\p{L}\d_(])|(?<![\p{L}\p{N}])!(?=[\p{L}(])/u,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gu",
);

/**
 * A passage as it is on a page, if all its places have other signs than the quote: "sail==1.20" for "sail~=1.20". In
 * "sail>=1.20" the sign counts as another word.
 */
export function withOtherSigns(page: Words, quote: string, original: Words): string | undefined {
  const [quoted] = placesOf(original, quote);
  const places = placesOf(page, quote);
  if (quoted === undefined) return undefined;
  const isSame = places.some(({ text, signs, isLower }) => {
    const [is, was] = [signsIn(text, signs), signsIn(quoted.text, signs)];
    return is === was || (isLower && `${is} +`.trim() === was);
  });
  return isSame ? undefined : places[0]?.text;
}

/** A place of a passage. `isLower`: it ends with a figure, and words after it mean the same as `+`: `3.9 or newer`. */
interface Place {
  readonly text: string;
  readonly signs: RegExp;
  readonly isLower: boolean;
}

function placesOf(page: Words, quote: string): Place[] {
  const passage = termsIn(quote);
  return occurrences(page, passage).map((at) => {
    const last = at + passage.length - 1;
    const { text, block } = spanAt(page, at, last);
    const behind = spanAt(page, last, sentenceAt(page, at, last)[1]).text;
    const isLower = /^\d/.test(behind) && boundAt(behind, wordsIn(behind), 0) === "lower";
    return { text, signs: nth(page.blocks, block).kind === "code" ? ofCode : ofFigure, isLower };
  });
}

function signsIn(text: string, signs: RegExp): string {
  return (text.match(signs) ?? []).map((sign) => sign.trim()).join(" ");
}
