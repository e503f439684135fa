import type { ChangedText, TextDifference } from "./difference.ts";
import { timesOf } from "./positions.ts";
import { nameOf, partsOf, wordsOf } from "./text.ts";

/**
 * What was there cannot come, and what is there cannot go. A text that came to the content and went from the menus around
 * it, or the other way round, is on the page as before: only the border of the content is another.
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

/** The changed texts that the page around its content has fewer of if they came, or more of if they went. */
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
