import type { Block } from "../../model.ts";
import { keyOf, sentencesOf, telling, wordsOf } from "./text.ts";

/**
 * Characters that one side may be searched through for texts that moved or were cut anew; beyond it only whole
 * sentences are looked up. Enough for thousands of changes on any page a person reads; bounds the time of the others.
 */
const allowance = 300_000_000;

/** A longer text, in characters, is not searched for as a whole. */
const longest = 4_000;

export type Standing = "same" | "fewer" | "no";

/** What is compared as one: a row, or a sentence of anything else. */
export function partsOf(block: Block): string[] {
  return block.kind === "row" ? [block.text] : sentencesOf(block.text);
}

/** All that one side of a comparison says, prepared once and only when asked. */
export class Side {
  private readonly blocks: readonly Block[];
  private all: string | undefined;
  private keys: string | undefined;
  private runs: Set<string> | undefined;
  private whole: Set<string> | undefined;
  private left = allowance;

  constructor(blocks: readonly Block[]) {
    this.blocks = blocks;
  }

  /** `same`: this side says these words too, however cut; `fewer`: less often than the other one. */
  has(words: string, other: Side): Standing {
    const key = keyOf(words);
    if (key.length >= telling) {
      return this.sentences().has(words) || this.hasKey(key, words) ? "same" : "no";
    }
    const here = this.count(words);
    if (here === 0) return "no";
    return here >= other.count(words) ? "same" : "fewer";
  }

  private words(): string {
    this.all ??= ` ${this.blocks.map((block) => wordsOf(block.text)).join(" ")} `;
    return this.all;
  }

  private sentences(): Set<string> {
    if (!this.whole) {
      const raw = new Set(this.blocks.flatMap(partsOf));
      this.whole = new Set([...raw].map(wordsOf));
    }
    return this.whole;
  }

  private hasKey(key: string, words: string): boolean {
    if (this.left <= 0 || key.length > longest) return this.hasRuns(words);
    this.keys ??= keyOf(this.words());
    this.left -= this.keys.length;
    return contains(this.keys, key);
  }

  /** As good as `hasKey` for texts of many words, in time that depends on the text alone. */
  private hasRuns(words: string): boolean {
    this.runs ??= new Set(runsOf(this.words().trim()));
    for (const run of runsOf(words)) if (!this.runs.has(run)) return false;
    return true;
  }

  private count(words: string): number {
    if (this.left <= 0) return this.sentences().has(words) ? 1 : 0;
    this.left -= this.words().length;
    return occurrences(this.words(), ` ${words} `);
  }
}

const digit = (char: string | undefined) => char !== undefined && char >= "0" && char <= "9";

/** Every four words in a row; all of them where there are fewer. */
function* runsOf(words: string): Generator<string> {
  const all = words.split(" ");
  if (all.length < 4) yield words;
  for (let i = 0; i + 4 <= all.length; i++) yield `${all[i]} ${all[i + 1]} ${all[i + 2]} ${all[i + 3]}`;
}

/** Whether the key occurs, not as a part of a longer number. Its beginning is searched for: that is never slow. */
function contains(all: string, key: string): boolean {
  const starts = digit(key[0]);
  const ends = digit(key.at(-1));
  const start = key.slice(0, 64);
  let tries = 1_000;
  for (let at = all.indexOf(start); at >= 0 && tries-- > 0; at = all.indexOf(start, at + 1)) {
    if (starts && digit(all[at - 1])) continue;
    if (ends && digit(all[at + key.length])) continue;
    if (all.startsWith(key, at)) return true;
  }
  return false;
}

function occurrences(all: string, words: string): number {
  let count = 0;
  for (let at = all.indexOf(words); at >= 0; at = all.indexOf(words, at + words.length - 1)) count++;
  return count;
}
