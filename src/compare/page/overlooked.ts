import type { Noise } from "../../model/change.ts";
import type { Block } from "../../model/reading.ts";
import type { TextDifference } from "./difference.ts";
import { keyOf, wordsOf } from "./text.ts";

/** Differences that are not compared at all, so that a person who saw one finds why it was silent. */

/** So many of each sort are reported of one check, and so many stamps remembered. */
const maxOverlooked = 20;

/** The lines of a reading that were left out of its content. */
export function stampsOf(seen: readonly Block[], content: readonly Block[]): readonly Block[] {
  if (seen.length === content.length) return [];
  const kept = new Set(content);
  return seen.filter((block) => !kept.has(block)).slice(0, maxOverlooked);
}

/** Stamps that are not those of the last reading, each beside one of those that are gone. */
export function restamped(before: readonly Block[], after: readonly Block[]): Noise[] {
  const [gone, come] = [without(before, after), without(after, before)];
  return come.map((stamp, i) => ({
    change: { kind: "block", ...(gone[i] && { before: gone[i] }), after: stamp },
    reason: "a stamp",
  }));
}

/** Texts of a layout that came to a place, or left it. */
export function labelsOf(
  before: readonly Block[],
  after: readonly Block[],
  { added, removed }: TextDifference,
): readonly Noise[] {
  const changes = [
    ...added.map(({ block }) => ({ after: after[block] })),
    ...removed.map(({ block }) => ({ before: before[block] })),
  ];
  return changes.slice(0, maxOverlooked).map((change) => ({ change: { kind: "block", ...change }, reason: "a label" }));
}

/** Texts that were written otherwise, and have the same words in the same order. */
export function respelled(before: readonly Block[], after: readonly Block[]): Noise[] {
  const come = without(after, before);
  if (come.length === 0) return [];
  const gone = new Map(without(before, after).map((block) => [keyOf(wordsOf(block.text)), block]));
  return come
    .flatMap((block): Noise[] => {
      const old = gone.get(keyOf(wordsOf(block.text)));
      return old ? [{ change: { kind: "block", before: old, after: block }, reason: "the same words" }] : [];
    })
    .slice(0, maxOverlooked);
}

function without(blocks: readonly Block[], others: readonly Block[]): readonly Block[] {
  const known = new Set(others.map(({ text }) => text));
  return blocks.filter(({ text }) => !known.has(text));
}
