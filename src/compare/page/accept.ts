import { makeOnce } from "../../model/cache.ts";
import type { Block } from "../../model/reading.ts";
import { bySide, type Judged } from "./judge.ts";
import { pairsOf, placesOf } from "./pair.ts";
import { partsOf, textsOf, wordsOf } from "./text.ts";
import { SideOfComparison } from "./text-search.ts";

/**
 * The new reading without the changes that still wait: waiting additions are left out, waiting removals keep their
 * place, and a block with a waiting sentence keeps its old text. If everything waits, nothing is new.
 */
export function accept(before: readonly Block[], after: readonly Block[], judged: readonly Judged[]): readonly Block[] {
  const waiting = judged.filter((unit) => unit.hold);
  if (waiting.length === 0) return after;
  if (waiting.length === judged.length) return before;
  const { added, removed } = bySide(waiting);
  const [olds, news] = [placesOf(removed), placesOf(added)];
  const [removals, right] = [new Set(olds.keys()), new Set(news.keys())];
  const newTexts = textsOf(after);
  const settledBlocks = new Set(judged.filter((unit) => !unit.hold).map((unit) => unit.side + unit.block));
  for (const [old, now] of pairsOf({ before, after, olds, news })) {
    if (old === undefined || now === undefined) continue;
    if (right.has(now) && !settledBlocks.has(`removed${old}`)) removals.add(old);
    else if (removals.has(old) && !newTexts.has(before[old]?.text ?? "") && !settledBlocks.has(`added${now}`))
      right.add(now);
  }
  const rest = after.filter((_, index) => !right.has(index));
  const restTexts = textsOf(rest);
  for (const index of lostFrom(before, removals, rest, restTexts)) removals.add(index);

  const behind = new Map<string, Block[]>();
  let anchor = "";
  before.forEach((block, index) => {
    if (removals.has(index)) makeOnce(behind, anchor, () => []).push(block);
    else if (restTexts.has(block.text)) anchor = block.text;
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

/** Old blocks whose text would otherwise only be in a waiting block. */
function lostFrom(
  before: readonly Block[],
  keptPlaces: ReadonlySet<number>,
  rest: readonly Block[],
  restTexts: ReadonlySet<string>,
): number[] {
  const [oldSide, newSide] = [new SideOfComparison(before), new SideOfComparison(rest)];
  const says = (text: string) => {
    const words = wordsOf(text);
    return words === "" || newSide.has(words, oldSide);
  };
  return before.flatMap((block, index) =>
    keptPlaces.has(index) || restTexts.has(block.text) || partsOf(block).every(says) ? [] : [index],
  );
}
