import { digest } from "../../model/digest.ts";
import type { Block } from "../../model/reading.ts";
import type { Instant } from "../../model/time.ts";
import type { ChangedText, TextDifference } from "./difference.ts";
import { type PageMemory, passing, restless } from "./memory.ts";
import { pairedTexts } from "./pair.ts";
import { signsOf } from "./signs.ts";
import { namesOnlyOf, wordsOf } from "./text.ts";

/** New texts that were there before, and old ones that were temporary; of one place both, or neither. */
export function returnsOf(
  { added, removed }: TextDifference,
  blocks: readonly Block[],
  memory: PageMemory,
  at: Instant,
): ReadonlySet<ChangedText> {
  if (saysAsBefore(blocks, memory)) return new Set([...removed, ...added]);
  const goneNames = new Set(memory.gone.filter((text) => text.accepted).map((text) => text.name));
  const undone = undoneBy({ added, removed }, memory, at);
  const youngNames = new Set(memory.born.filter((text) => at - text.at < restless).map((text) => text.name));
  const returned = new Set<ChangedText>();
  for (const { old, now, removals, additions } of pairedTexts(memory.accepted, blocks, { added, removed })) {
    const others = namesOnlyOf(now, old);
    const isReplaced = old !== undefined && others.length > 0;
    const isBack = others.every((name) => goneNames.has(name));
    const passed = (unit: ChangedText) => undone.has(unit.name) || (isReplaced && youngNames.has(unit.name));
    if (isBack && removals.every(passed)) for (const unit of removals) returned.add(unit);
    if (isReplaced && isBack && !removals.every(passed)) continue;
    for (const unit of additions) if (goneNames.has(unit.name)) returned.add(unit);
  }
  return returned;
}

function saysAsBefore(blocks: readonly Block[], { earlier = [] }: PageMemory): boolean {
  if (earlier.length === 0) return false;
  const now = contentOf(blocks);
  return earlier.some(({ digest }) => digest === now);
}

/** Identifies the text of a page, by its words and its meaningful signs. */
export function contentOf(blocks: readonly Block[]): string {
  const contentOfBlock = (block: Block) => {
    const words = [wordsOf(block.path.at(-1) ?? ""), wordsOf(block.text)];
    const signs = signsOf(block);
    // Texts of earlier versions were stored like this.
    return signs === "" && block.kind !== "code" ? words : [...words, signs];
  };
  return digest(blocks.map(contentOfBlock));
}

/** Texts whose whole edit was undone: all its additions are gone, and all its removals are back. */
function undoneBy({ added, removed }: TextDifference, memory: PageMemory, at: Instant): Set<string> {
  const back = new Set(added.map((unit) => unit.name));
  const away = new Set(removed.map((unit) => unit.name));
  const undone = new Map<Instant, boolean>();
  const note = (edit: Instant, holds: boolean) => undone.set(edit, (undone.get(edit) ?? true) && holds);
  for (const text of memory.born) note(text.at, away.has(text.name));
  for (const text of memory.gone) if (text.accepted) note(text.at, back.has(text.name));
  const names = memory.born.filter((text) => at - text.at < passing && undone.get(text.at)).map((text) => text.name);
  return new Set(names);
}
