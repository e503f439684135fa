import type { Noise } from "../../model/change.ts";
import type { Block } from "../../model/reading.ts";
import type { TextDifference } from "./difference.ts";
import { keyOf, textsOf, wordsOf } from "./text.ts";

/** Differences that the comparison skips, so that `explain` can show them. */

/** Reported differences of each sort in one check, and remembered stamps, at most. */
export const maxOverlooked = 20;

/** The stamps of a reading: its lines that are not content. */
export function stampsOf(seen: readonly Block[], content: readonly Block[]): readonly Block[] {
  if (seen.length === content.length) return [];
  const kept = new Set(content);
  return seen.filter((block) => !kept.has(block)).slice(0, maxOverlooked);
}

/** New stamps, each with one that is gone. */
export function stampNoise(before: readonly Block[], after: readonly Block[]): Noise[] {
  const [gone, come] = [blocksMissingFrom(before, after), blocksMissingFrom(after, before)];
  return come.map((stamp, i) => ({
    change: { kind: "block", ...(gone[i] && { before: gone[i] }), after: stamp },
    reason: "a stamp",
  }));
}

/** Texts that appeared or disappeared, as ignored changes of their blocks. */
export function noiseOf(
  before: readonly Block[],
  after: readonly Block[],
  { added, removed }: TextDifference,
  reason: Noise["reason"],
): Noise[] {
  const changes = [
    ...added.map(({ block }) => ({ after: after[block] })),
    ...removed.map(({ block }) => ({ before: before[block] })),
  ];
  return changes.map((change) => ({ change: { kind: "block", ...change }, reason }));
}

/** Texts that changed but have the same words in the same order. */
export function respellingNoise(before: readonly Block[], after: readonly Block[]): Noise[] {
  const come = blocksMissingFrom(after, before);
  if (come.length === 0) return [];
  const gone = new Map(blocksMissingFrom(before, after).map((block) => [keyOf(wordsOf(block.text)), block]));
  return come
    .flatMap((block): Noise[] => {
      const old = gone.get(keyOf(wordsOf(block.text)));
      return old ? [{ change: { kind: "block", before: old, after: block }, reason: "the same words" }] : [];
    })
    .slice(0, maxOverlooked);
}

function blocksMissingFrom(blocks: readonly Block[], others: readonly Block[]): readonly Block[] {
  const known = textsOf(others);
  return blocks.filter(({ text }) => !known.has(text));
}
