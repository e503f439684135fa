import type { Block } from "../../model/model.ts";

/** More blocks that went, or came, between two that stayed are a page written anew: nothing in it took one's place. */
const maxBlocksBetween = 12;

/**
 * The block that took the place of a passage: what came between the blocks that stand on either side of it still. Undefined
 * where nothing came there, or too much to tell which.
 */
export function replacementOf(passage: string, before: readonly Block[], after: readonly Block[]): Block | undefined {
  const old = before.findIndex(({ text }) => text.includes(passage));
  if (old < 0) return undefined;
  const stood = new Set(before.map(({ text }) => text));
  const stands = placesOf(after);
  const above = before.slice(0, old).findLastIndex(({ text }) => stands.has(text));
  const below = before.findIndex(({ text }, index) => index > old && stands.has(text));
  if (above < 0 && below < 0) return undefined;
  const from = above < 0 ? -1 : (stands.get(before[above]?.text ?? "") ?? -1);
  const to = below < 0 ? after.length : (stands.get(before[below]?.text ?? "") ?? after.length);
  const went = before.slice(above + 1, below < 0 ? before.length : below).filter(isText);
  const came = after.slice(from + 1, Math.max(from + 1, to)).filter((block) => isText(block) && !stood.has(block.text));
  if (went.length > maxBlocksBetween || came.length > maxBlocksBetween) return undefined;
  const place = went.findIndex(({ text }) => text === before[old]?.text);
  const one = came.length === 1 ? came[0] : came.length === went.length ? came[place] : undefined;
  return one && isRow(one) === isRow(before[old]) ? one : undefined;
}

/** Where each text stands that stands there once. */
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
