import type { Block } from "../../model/reading.ts";
import { keyOf, partsOf, telling, wordsOf } from "./text.ts";

/** What one side of a comparison says, wherever and however it is cut. */

/**
 * Characters of one side that may be searched for texts that moved or were split differently; beyond that only whole
 * sentences are looked up. Enough for thousands of changes on any page that people read, and a bound on the time for
 * others.
 */
export const allowance = 300_000_000;

/** Characters of a text that is searched for as a whole, at most. */
const longest = 4_000;

/** All that a reading says, each form of it prepared once and only when asked. */
class Said {
  private readonly blocks: readonly Block[];
  private all: string | undefined;
  private letters: string | undefined;
  private ends: Uint8Array | undefined;
  private fours: Set<string> | undefined;
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

  /** Where in the key a word begins, or the one before it ends. */
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
      // Digits that were apart.
      if (key[at] === "·") this.ends[++at] = 1;
    }
    return this.ends;
  }

  runs(): ReadonlySet<string> {
    this.fours ??= new Set(runsOf(this.words().trim()));
    return this.fours;
  }

  sentences(): ReadonlySet<string> {
    if (!this.whole) {
      const raw = new Set(this.blocks.flatMap(partsOf));
      this.whole = new Set([...raw].map(wordsOf));
    }
    return this.whole;
  }
}

/** The readings at hand, prepared once: one check compares the same one with several others. */
const prepared = new WeakMap<readonly Block[], Said>();

function saidBy(blocks: readonly Block[]): Said {
  const known = prepared.get(blocks);
  if (known) return known;
  const said = new Said(blocks);
  prepared.set(blocks, said);
  return said;
}

/** One side of a comparison, with the rest of the characters that may still be searched. */
export class SideOfComparison {
  private readonly said: Said;
  private left = allowance;

  constructor(blocks: readonly Block[]) {
    this.said = saidBy(blocks);
  }

  /** Whether this side says these words too. Short ones must be words here as well. */
  has(words: string, other: SideOfComparison): boolean {
    const key = keyOf(words);
    if (key.length < telling) return this.times(words) > 0;
    return this.said.sentences().has(words) || this.hasKey(key, words, other);
  }

  private hasKey(key: string, words: string, other: SideOfComparison): boolean {
    if (this.left <= 0 || key.length > longest) return this.hasRuns(words);
    const all = this.said.key();
    this.left -= all.length;
    for (const at of placesOf(key, all)) if (this.isText(at, key, other)) return true;
    return false;
  }

  /**
   * Whether what is at a place in the key is the text that the other side has, rather than the end of longer words:
   * "Anvil, of iron" is not said by "HeavyAnvil, of iron". Words that the other side has apart are those words.
   */
  private isText(at: number, key: string, other: SideOfComparison): boolean {
    const [all, edges] = [this.said.key(), this.said.edges()];
    let [from, to] = [at, at + key.length];
    while (from > 0 && !edges[from]) from--;
    while (to < all.length && !edges[to]) to++;
    if ((from === at && to === at + key.length) || this.left <= 0) return true;
    const [theirs, apart] = [other.said.key(), other.said.edges()];
    this.left -= theirs.length;
    const whole = all.slice(from, to);
    for (const place of placesOf(whole, theirs)) {
      const start = place + at - from;
      if (apart[start] && apart[start + key.length]) return true;
    }
    return false;
  }

  /** As good as `hasKey` for texts of many words, in time that depends on the text alone. */
  private hasRuns(words: string): boolean {
    const runs = this.said.runs();
    for (const run of runsOf(words)) if (!runs.has(run)) return false;
    return true;
  }

  /** How often this side says these words, at least whether it does. */
  times(words: string): number {
    if (this.left <= 0) return this.said.sentences().has(words) ? 1 : 0;
    const all = this.said.words();
    this.left -= all.length;
    return occurrences(all, ` ${words} `);
  }
}

const digit = (char: string | undefined) => char !== undefined && char >= "0" && char <= "9";

/** Every four words in a row; if there are fewer, all of them. */
function* runsOf(words: string): Generator<string> {
  const all = words.split(" ");
  if (all.length < 4) yield words;
  for (let i = 0; i + 4 <= all.length; i++) yield `${all[i]} ${all[i + 1]} ${all[i + 2]} ${all[i + 3]}`;
}

/** Where the key occurs, not as a part of a longer number. Its beginning is searched for: that is never slow. */
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

/** How often a text holds another one. The space between two words belongs to both. */
export function occurrences(all: string, part: string): number {
  let count = 0;
  for (let at = all.indexOf(part); at >= 0; at = all.indexOf(part, at + Math.max(1, part.length - 1))) count++;
  return count;
}
