import { makeOnce } from "../../model/cache.ts";
import type { Block } from "../../model/reading.ts";
import { keyOf, minDistinctiveLetters, partsOf, wordsOf } from "./text.ts";

/** Searches one side of a comparison, regardless of how its text is split. */

/**
 * Characters of one side that may be searched for moved or split texts. After that only whole sentences are looked up.
 * Enough for thousands of changes on any real page, and a time limit for others.
 */
export const allowance = 300_000_000;

/** The text of a reading in several forms, each prepared when it is first needed. */
class SearchableText {
  private readonly blocks: readonly Block[];
  private all: string | undefined;
  private letters: string | undefined;
  private ends: Uint8Array | undefined;
  private whole: Set<string> | undefined;

  constructor(blocks: readonly Block[]) {
    this.blocks = blocks;
  }

  words(): string {
    this.all ??= ` ${this.blocks.map((block) => wordsOf(block.text)).join(" ")} `;
    return this.all;
  }

  key(): string {
    this.letters ??= keyOf(this.words());
    return this.letters;
  }

  /** The offsets in the key at which words begin or end. */
  edges(): Uint8Array {
    if (this.ends) return this.ends;
    const key = this.key();
    this.ends = new Uint8Array(key.length + 1);
    let at = 0;
    for (const char of this.words()) {
      if (char !== " ") {
        at += char.length;
        continue;
      }
      this.ends[at] = 1;
      // A separator between numbers.
      if (key[at] === "·") this.ends[++at] = 1;
    }
    return this.ends;
  }

  sentences(): ReadonlySet<string> {
    if (!this.whole) {
      const raw = new Set(this.blocks.flatMap(partsOf));
      this.whole = new Set([...raw].map(wordsOf));
    }
    return this.whole;
  }
}

/** Prepared readings, since one check compares a reading with several others. */
const prepared = new WeakMap<readonly Block[], SearchableText>();

/** One side of a comparison, with its remaining allowance of characters. */
export class SideOfComparison {
  private readonly text: SearchableText;
  private left = allowance;

  constructor(blocks: readonly Block[]) {
    this.text = makeOnce(prepared, blocks, () => new SearchableText(blocks));
  }

  /** Whether this side has these words too. Short texts must be whole words. */
  has(words: string, other: SideOfComparison): boolean {
    const key = keyOf(words);
    if (key.length < minDistinctiveLetters) return this.times(words) > 0;
    return this.text.sentences().has(words) || this.hasKey(key, other);
  }

  private hasKey(key: string, other: SideOfComparison): boolean {
    if (this.left <= 0) return false;
    const all = this.text.key();
    this.left -= all.length;
    for (const at of placesOf(key, all)) if (this.isText(at, key, other)) return true;
    return false;
  }

  /**
   * Whether a match in the key is the searched text rather than part of longer words: "HeavyAnvil, of iron" does not
   * contain "Anvil, of iron". Words that the other side separates may be joined here.
   */
  private isText(at: number, key: string, other: SideOfComparison): boolean {
    const [all, edges] = [this.text.key(), this.text.edges()];
    let [from, to] = [at, at + key.length];
    while (from > 0 && !edges[from]) from--;
    while (to < all.length && !edges[to]) to++;
    if ((from === at && to === at + key.length) || this.left <= 0) return true;
    const [theirs, apart] = [other.text.key(), other.text.edges()];
    this.left -= theirs.length;
    const whole = all.slice(from, to);
    for (const place of placesOf(whole, theirs)) {
      const start = place + at - from;
      if (apart[start] && apart[start + key.length]) return true;
    }
    return false;
  }

  /** How often this side has these words; for long texts 0 or 1. */
  times(words: string): number {
    if (this.left <= 0) return this.text.sentences().has(words) ? 1 : 0;
    const all = this.text.words();
    this.left -= all.length;
    return occurrences(all, ` ${words} `);
  }
}

const digit = (char: string | undefined) => char !== undefined && char >= "0" && char <= "9";

/** The offsets of the key, but not within a longer number. Only its beginning is searched for, which is never slow. */
function* placesOf(key: string, all: string): Generator<number> {
  const starts = digit(key[0]);
  const ends = digit(key.at(-1));
  const start = key.slice(0, 64);
  let tries = 1_000;
  for (let at = all.indexOf(start); at >= 0 && tries-- > 0; at = all.indexOf(start, at + 1)) {
    if (starts && digit(all[at - 1])) continue;
    if (ends && digit(all[at + key.length])) continue;
    if (all.startsWith(key, at)) yield at;
  }
}

/** How often a text contains another one. Two matches may share the space between them. */
export function occurrences(all: string, part: string): number {
  let count = 0;
  for (let at = all.indexOf(part); at >= 0; at = all.indexOf(part, at + Math.max(1, part.length - 1))) count++;
  return count;
}
