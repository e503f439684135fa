import type { ChangedText, Differences } from "./difference.ts";
import { timesOf } from "./positions.ts";
import { nameOf, partsOf, wordsOf } from "./text.ts";

/** Finds texts that crossed the border between the content and the menus around it: the page says the same. */

/** Texts around the content that are remembered, at most. */
const maxTexts = 2_000;

export function namesAround(texts: readonly string[]): readonly string[] {
  return texts
    .flatMap((text) => partsOf({ path: [], kind: "paragraph", text }))
    .map(wordsOf)
    .filter((words) => words !== "")
    .slice(0, maxTexts)
    .map(nameOf);
}

/** Added texts that are now fewer around the content, removed ones that are more, and those between: boxes cross. */
export function borderCrossings(
  { added, removed, labels }: Differences,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): ReadonlySet<ChangedText> {
  if (!before || !after) return new Set();
  const [oldTimes, newTimes] = [before, after].map(timesOf);
  const moreOf = ({ text }: ChangedText) => {
    const name = nameOf(wordsOf(text));
    return (newTimes?.get(name) ?? 0) - (oldTimes?.get(name) ?? 0);
  };
  return new Set([
    ...crossingsAndBetween((unit) => moreOf(unit) < 0, added, labels.added),
    ...crossingsAndBetween((unit) => moreOf(unit) > 0, removed, labels.removed),
  ]);
}

/** The texts that crossed, and those of a changed block between two such blocks. One of the two may be a label. */
function crossingsAndBetween(
  isCrossed: (unit: ChangedText) => boolean,
  units: readonly ChangedText[],
  labels: readonly ChangedText[],
): ChangedText[] {
  const crossedBlocks = new Set(units.filter(isCrossed).map(({ block }) => block));
  const beside = crossedBlocks.union(new Set(labels.map(({ block }) => block)));
  const isEnclosed = ({ block }: ChangedText) =>
    (crossedBlocks.has(block - 1) && beside.has(block + 1)) || (beside.has(block - 1) && crossedBlocks.has(block + 1));
  return units.filter((unit) => isCrossed(unit) || isEnclosed(unit));
}
