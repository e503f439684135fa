import type { Block } from "../../model/reading.ts";

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
  const places = new Map<string, number>();
  const several = new Set<string>();
  for (const [place, { text }] of blocks.entries()) {
    if (places.has(text)) several.add(text);
    places.set(text, place);
  }
  for (const text of several) places.delete(text);
  return places;
}

function isText({ kind }: Block): boolean {
  return kind !== "heading";
}

function isRow(block: Block | undefined): boolean {
  return block?.kind === "row";
}
