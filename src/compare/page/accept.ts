import type { Block } from "../../model.ts";
import type { Judged } from "./judge.ts";
import type { Side } from "./memory.ts";
import { partners } from "./partner.ts";

/**
 * The new reading with what still waits undone: held additions left out, held removals kept where they stood, and a
 * block in which a sentence waits as it was before.
 */
export function accept(before: readonly Block[], after: readonly Block[], judged: readonly Judged[]): readonly Block[] {
  const held = judged.filter((unit) => unit.hold);
  if (held.length === 0) return after;
  const left = blocksOf(held, "removed");
  const right = blocksOf(held, "added");
  const [toOld, toNew] = [partners(after, before), partners(before, after)];
  const known = new Set(after.map((block) => block.text));
  for (const index of [...right]) add(left, toOld(index));
  for (const index of [...left]) if (!known.has(before[index]?.text ?? "")) add(right, toNew(index));
  const there = new Set(after.filter((_, index) => !right.has(index)).map((block) => block.text));

  const behind = new Map<string, Block[]>();
  let anchor = "";
  before.forEach((block, index) => {
    if (left.has(index)) {
      const kept = behind.get(anchor) ?? [];
      kept.push(block);
      behind.set(anchor, kept);
    } else if (there.has(block.text)) anchor = block.text;
  });

  const result = [...(behind.get("") ?? [])];
  after.forEach((block, index) => {
    if (right.has(index)) return;
    result.push(block);
    for (const kept of behind.get(block.text) ?? []) result.push(kept);
    behind.delete(block.text);
  });
  return result;
}

function add(indexes: Set<number>, index: number | undefined): void {
  if (index !== undefined) indexes.add(index);
}

function blocksOf(units: readonly Judged[], side: Side): Set<number> {
  return new Set(units.filter((unit) => unit.side === side).map((unit) => unit.block));
}
