import type { Block } from "../../model.ts";
import type { Judged } from "./judge.ts";

/** The new reading, with what still waits undone: held additions left out, held removals kept in. */
export function accept(before: readonly Block[], after: readonly Block[], judged: readonly Judged[]): readonly Block[] {
  const held = judged.filter((unit) => unit.hold);
  if (held.length === 0) return after;
  const notYet = new Set(held.filter((unit) => unit.side === "added").map((unit) => unit.block));
  const stillKept = new Set(held.filter((unit) => unit.side === "removed").map((unit) => unit.block));
  const kept = [...stillKept].sort((a, b) => a - b).flatMap((index) => before[index] ?? []);
  const result: Block[] = [];
  const under = new Map<string, number>();
  after.forEach((block, index) => {
    if (notYet.has(index)) return;
    result.push(block);
    under.set(block.path.join("\n"), result.length);
  });
  // Behind the last block under the same headings; from the end on, so that positions stay true.
  const placed = kept.map((block) => ({ block, at: under.get(block.path.join("\n")) ?? result.length }));
  for (const { block, at } of placed.sort((a, b) => b.at - a.at)) result.splice(at, 0, block);
  return result;
}
