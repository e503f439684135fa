import type { Block } from "../../model.ts";
import { keyOf, nameOf, sentencesOf, telling, wordsOf } from "./text.ts";

/** A sentence or row that one side has and the other has not, wherever it stands and however it is cut. */
export interface Unit {
  /** The same for the same text. */
  readonly name: string;
  readonly text: string;
  /** Index of its block on its own side. */
  readonly block: number;
  /** Name of the last text before it that both sides have: the place where it stands. */
  readonly place: string;
}

export interface Difference {
  readonly added: readonly Unit[];
  readonly removed: readonly Unit[];
}

const none: Difference = { added: [], removed: [] };

/** What `after` says that `before` does not, and the other way round. */
export function difference(before: readonly Block[], after: readonly Block[]): Difference {
  const old = countsOf(before);
  const now = countsOf(after);
  const changed = (text: string) => old.get(text) !== now.get(text);
  if (!before.some((block) => changed(block.text)) && !after.some((block) => changed(block.text))) return none;
  const left = new Side(before);
  const right = new Side(after);
  const removed = unitsOf(before, changed, left, right);
  const added = unitsOf(after, changed, right, left);
  return withoutLoneCounts({ added, removed }, before, after);
}

function countsOf(blocks: readonly Block[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const block of blocks) counts.set(block.text, (counts.get(block.text) ?? 0) + 1);
  return counts;
}

interface Found extends Unit {
  /** The other side has this text too, only less often. */
  readonly fewer: boolean;
}

function unitsOf(blocks: readonly Block[], changed: (text: string) => boolean, own: Side, other: Side): Found[] {
  const found: Found[] = [];
  let place = "";
  blocks.forEach((block, index) => {
    if (!changed(block.text)) {
      place = block.text;
      return;
    }
    const texts = block.kind === "row" ? [block.text] : sentencesOf(block.text);
    for (const text of texts) {
      const words = wordsOf(text);
      if (words === "") continue;
      const standing = other.has(words, own);
      if (standing === "same") place = words;
      else found.push({ name: nameOf(words), text, block: index, place, fewer: standing === "fewer" });
    }
  });
  return found.map((unit) => ({ ...unit, place: nameOf(wordsOf(unit.place)) }));
}

/** A short text that only occurs more or less often is news only where another took or left its place. */
function withoutLoneCounts(
  { added, removed }: { added: Found[]; removed: Found[] },
  before: readonly Block[],
  after: readonly Block[],
): Difference {
  const under = (blocks: readonly Block[], unit: Unit) => blocks[unit.block]?.path.at(-1) ?? "";
  const left = new Set(removed.map((unit) => under(before, unit)));
  const right = new Set(added.map((unit) => under(after, unit)));
  return {
    added: added.filter((unit) => !unit.fewer || left.has(under(after, unit))),
    removed: removed.filter((unit) => !unit.fewer || right.has(under(before, unit))),
  };
}

/** All the words of one side, prepared once and only when asked. */
class Side {
  private readonly blocks: readonly Block[];
  private allWords: string | undefined;
  private allKeys: string | undefined;

  constructor(blocks: readonly Block[]) {
    this.blocks = blocks;
  }

  private words(): string {
    this.allWords ??= ` ${this.blocks.map((block) => wordsOf(block.text)).join(" ")} `;
    return this.allWords;
  }

  private keys(): string {
    this.allKeys ??= keyOf(this.words());
    return this.allKeys;
  }

  /** `same`: this side has these words too, however cut; `fewer`: less often than the other one. */
  has(words: string, other: Side): "same" | "fewer" | "no" {
    const key = keyOf(words);
    if (key.length >= telling) return contains(this.keys(), key) ? "same" : "no";
    const here = occurrences(this.words(), ` ${words} `);
    if (here === 0) return "no";
    return here >= occurrences(other.words(), ` ${words} `) ? "same" : "fewer";
  }
}

/** Whether the key occurs, not as a part of a longer number. */
function contains(all: string, key: string): boolean {
  const digit = (char: string | undefined) => char !== undefined && char >= "0" && char <= "9";
  const startsDigit = digit(key[0]);
  const endsDigit = digit(key.at(-1));
  for (let at = all.indexOf(key); at >= 0; at = all.indexOf(key, at + 1)) {
    if (startsDigit && digit(all[at - 1])) continue;
    if (endsDigit && digit(all[at + key.length])) continue;
    return true;
  }
  return false;
}

function occurrences(all: string, words: string): number {
  let count = 0;
  for (let at = all.indexOf(words); at >= 0; at = all.indexOf(words, at + words.length - 1)) count++;
  return count;
}
