import type { Block } from "../../model.ts";
import { partsOf } from "./side.ts";

/**
 * For a block of `mine`, by index, the changed block of `theirs` that shares a sentence with it: what it was before, or
 * became. Blocks that both sides have are nobody's partner.
 */
export function partners(mine: readonly Block[], theirs: readonly Block[]): (index: number) => number | undefined {
  let holders: Map<string, number> | undefined;
  return (index) => {
    const block = mine[index];
    if (!block || block.kind === "row") return undefined;
    holders ??= holdersOf(theirs, new Set(mine.map((other) => other.text)));
    for (const part of partsOf(block)) {
      const holder = holders.get(`${block.kind} ${part}`);
      if (holder !== undefined) return holder;
    }
    return undefined;
  };
}

function holdersOf(blocks: readonly Block[], known: ReadonlySet<string>): Map<string, number> {
  const holders = new Map<string, number>();
  blocks.forEach((block, index) => {
    if (!known.has(block.text)) for (const part of partsOf(block)) holders.set(`${block.kind} ${part}`, index);
  });
  return holders;
}
