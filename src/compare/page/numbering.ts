import type { Block } from "../../model/reading.ts";
import type { ChangedText, TextDifference } from "./difference.ts";
import { sectionNumber, wordsOf } from "./text.ts";

/** Numbers of sections: "2.1 Limits", "Chapter 3. Limits". They change with other sections, so they are not news. */

/** Headings in which only the number changed. */
export function renumberedIn(
  { added, removed }: TextDifference,
  { before, after }: { readonly before: readonly Block[]; readonly after: readonly Block[] },
): ReadonlySet<ChangedText> {
  const [went, came] = [titlesOf(removed, before), titlesOf(added, after)];
  const both = new Set(went.values()).intersection(new Set(came.values()));
  return new Set([...went, ...came].flatMap(([unit, title]) => (both.has(title) ? [unit] : [])));
}

function titlesOf(units: readonly ChangedText[], blocks: readonly Block[]): Map<ChangedText, string> {
  const headings = units.filter(({ block, text }) => blocks[block]?.kind === "heading" && sectionNumber.test(text));
  return new Map(headings.map((unit) => [unit, wordsOf(unit.text.replace(sectionNumber, ""))]));
}
