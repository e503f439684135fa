import type { ChangedText, TextDifference } from "./difference.ts";
import { timesOf } from "./positions.ts";
import { nameOf, partsOf, wordsOf } from "./text.ts";

/**
 * Finds texts that moved between the content and the menus around it. The page still says the same; only the border of
 * its content moved.
 */

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

/** The added texts that are now fewer around the content, and the removed ones that are now more. */
export function crossedIn(
  { added, removed }: TextDifference,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): ReadonlySet<ChangedText> {
  if (!before || !after) return new Set();
  const [had, has] = [before, after].map(timesOf);
  const moreOf = ({ text }: ChangedText) => {
    const name = nameOf(wordsOf(text));
    return (has?.get(name) ?? 0) - (had?.get(name) ?? 0);
  };
  return new Set([...added.filter((unit) => moreOf(unit) < 0), ...removed.filter((unit) => moreOf(unit) > 0)]);
}
