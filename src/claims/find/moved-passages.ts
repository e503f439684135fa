import { holdsQuantity, quantities } from "../../language/quantity.ts";
import { isSame, sentenceAt, spanAt, type Term, termsIn, type Words, wordsIn } from "../../language/words.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Block } from "../../model/reading.ts";
import { cellsOf } from "./places.ts";
import type { Value } from "./value.ts";

interface Statement {
  readonly text: string;
  readonly terms: readonly Term[];
}

/** A sentence, a cell with its row's label, or a text with the term that it explains. */
interface Part extends Statement {
  /** The words before it, with the separator. */
  readonly label?: Statement;
}

/**
 * The text now at the place that proved a value, if the value is now elsewhere. For example, "Kite A | 16 GB" became
 * "Kite A | 24 GB" above a new "Kite B | 16 GB". Undefined if the place is gone or still has the value, or if the value's new place
 * had it before.
 *
 * @param original the words of the place while it was the proof
 * @param altered the text last found: an altered claim stays altered while it is there
 */
export function textAtOldPlace(
  { value, of }: Value,
  {
    original,
    now,
    altered,
  }: { readonly original: string | undefined; readonly now: string; readonly altered?: string },
  { page, old }: { readonly page: Words; readonly old: () => Words },
): string | undefined {
  if (original === undefined || original === now) return undefined;
  const frame = frameOf(value, original);
  // A number without a subject may be a section's, and sections are renumbered.
  if (frame === undefined || (of === undefined && quantities(value).length === 0)) return undefined;
  const originalTerms = termsIn(original);
  const there = statements(page, originalTerms.length);
  const key = keyOf(originalTerms);
  if (there.some(({ terms }) => keyOf(terms) === key)) return undefined;
  const others = there.filter(({ terms }) => frame(terms));
  if (others.length === 0 || altered !== undefined) return others.find(({ text }) => text === altered)?.text;
  const other = termsIn(now);
  if (statements(old(), other.length).some(({ terms }) => keyOf(terms) === keyOf(other))) return undefined;
  const before = new Set(statements(old(), originalTerms.length).map(({ terms }) => keyOf(terms)));
  return others.find(({ terms }) => !before.has(keyOf(terms)))?.text;
}

/** A test for the words of a text with another figure in place of the value. */
function frameOf(value: string, original: string): ((terms: readonly Term[]) => boolean) | undefined {
  const figures = wordsIn(value).flatMap(({ term }) => (isFigure(term) ? [term] : []));
  const [figure, ...more] = figures;
  const originalTerms = termsIn(original);
  const isDistinctive = originalTerms.some((term) => term.weight >= 1 && !isFigure(term));
  const place = figure === undefined ? -1 : originalTerms.findIndex(({ key }) => key === figure.key);
  if (figure === undefined || more.length > 0 || place < 0 || !isDistinctive) return undefined;
  return (terms) =>
    terms.length === originalTerms.length &&
    terms.every((term, i) => (i === place ? isOther(term, figure) : term.key === originalTerms[i]?.key));
}

function isFigure({ quantity, number }: Term): boolean {
  return quantity !== undefined || number !== undefined;
}

function isOther(there: Term, wanted: Term): boolean {
  if (wanted.quantity === undefined) return there.number !== undefined && !isSame(there, wanted);
  if (there.quantity === undefined || there.quantity.dimension !== wanted.quantity.dimension) return false;
  return !holdsQuantity(there.quantity, wanted.quantity);
}

function keyOf(terms: readonly Term[]): string {
  return terms.map(({ key }) => key).join(" ");
}

function statementOf(text: string): Statement {
  return { text, terms: termsIn(text) };
}

/** The parts of a page with this many words, label included. Only these are joined to labels, which may be long. */
function statements(page: Words, words: number): Statement[] {
  return makeOnce(partsOfPages, page, () => partsOf(page)).flatMap(({ text, terms, label }) => {
    if (terms.length + (label?.terms.length ?? 0) !== words) return [];
    return [label ? { text: label.text + text, terms: [...label.terms, ...terms] } : { text, terms }];
  });
}

const partsOfPages = new WeakMap<Words, readonly Part[]>();

function partsOf(page: Words): readonly Part[] {
  const parts: Part[] = [];
  const labelled = (label: Statement, texts: readonly string[]) => {
    for (const text of texts) if (hasDigit(text)) parts.push({ ...statementOf(text), label });
  };
  page.blocks.forEach((block, index) => {
    const above = page.blocks[index - 1];
    if (block.kind === "term" && above?.kind === "term") labelled(statementOf(`${above.text}: `), [block.text]);
    if (block.kind !== "row") return;
    const [label = "", ...cells] = cellsOf(block).map(({ text }) => text);
    labelled(statementOf(`${label} | `), cells);
  });
  for (let at = 0; at < page.ids.length; ) {
    const [from, to] = sentenceAt(page, at, at);
    const { text } = spanAt(page, from, to);
    if (hasDigit(text)) parts.push(statementOf(text));
    at = to + 1;
  }
  return parts;
}

function hasDigit(text: string): boolean {
  return /\d/.test(text);
}

/**
 * The most removed or added blocks between two that stayed: with more, the page was rewritten and no block replaced
 * another.
 */
const maxBlocksBetween = 12;

/**
 * The block that replaced a passage: the new text between the blocks on either side that are still there. Undefined if
 * no block is new there, or too many are.
 */
export function replacementOf(passage: string, before: readonly Block[], after: readonly Block[]): Block | undefined {
  const old = before.findIndex(({ text }) => text.includes(passage));
  if (old < 0) return undefined;
  const textsBefore = new Set(before.map(({ text }) => text));
  const placesNow = placesOf(after);
  const above = before.slice(0, old).findLastIndex(({ text }) => placesNow.has(text));
  const below = before.findIndex(({ text }, index) => index > old && placesNow.has(text));
  if (above < 0 && below < 0) return undefined;
  const from = above < 0 ? -1 : (placesNow.get(before[above]?.text ?? "") ?? -1);
  const to = below < 0 ? after.length : (placesNow.get(before[below]?.text ?? "") ?? after.length);
  const went = before.slice(above + 1, below < 0 ? before.length : below).filter(isText);
  const came = after
    .slice(from + 1, Math.max(from + 1, to))
    .filter((block) => isText(block) && !textsBefore.has(block.text));
  if (went.length > maxBlocksBetween || came.length > maxBlocksBetween) return undefined;
  const place = went.findIndex(({ text }) => text === before[old]?.text);
  const one = came.length === 1 ? came[0] : came.length === went.length ? came[place] : undefined;
  return one && isRow(one) === isRow(before[old]) ? one : undefined;
}

/** The places of texts that occur once. */
function placesOf(blocks: readonly Block[]): Map<string, number> {
  const places = Map.groupBy(blocks.keys(), (place) => blocks[place]?.text ?? "");
  return new Map(
    [...places].flatMap(([text, [place, ...more]]) =>
      place !== undefined && more.length === 0 ? [[text, place]] : [],
    ),
  );
}

function isText({ kind }: Block): boolean {
  return kind !== "heading";
}

function isRow(block: Block | undefined): boolean {
  return block?.kind === "row";
}
