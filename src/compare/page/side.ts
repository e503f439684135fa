import type { Block } from "../../model.ts";
import { keyOf, sentencesOf, telling, withoutMail, wordsOf } from "./text.ts";

/** Characters that one comparison may look through for texts that moved or were cut anew: bounds its time. */
const allowance = 2_000_000_000;

/** What is compared as one: a row, or a sentence of anything else. */
export function partsOf(block: Block): string[] {
  return block.kind === "row" ? [block.text] : sentencesOf(block.text);
}

/** All that one side of a comparison says, prepared once and only when asked. */
export class Side {
  private readonly blocks: readonly Block[];
  private all: string | undefined;
  private keys: string | undefined;
  private cut: Set<string> | undefined;
  private hidden: { keys: string; protected: boolean } | undefined;
  private left = allowance;

  constructor(blocks: readonly Block[]) {
    this.blocks = blocks;
  }

  /** `same`: this side says these words too, however cut; `fewer`: less often than the other one. */
  has(text: string, words: string, other: Side): "same" | "fewer" | "no" {
    const key = keyOf(words);
    if (key.length >= telling && this.sentences().has(words)) return "same";
    const here = key.length >= telling ? this.hasKey(key) : this.count(words);
    if (here === 0) return this.hasBehindMail(text, other) ? "same" : "no";
    return key.length >= telling || here >= other.count(words) ? "same" : "fewer";
  }

  private words(): string {
    this.all ??= ` ${this.blocks.map((block) => wordsOf(block.text)).join(" ")} `;
    return this.all;
  }

  private sentences(): Set<string> {
    this.cut ??= new Set(this.blocks.flatMap((block) => partsOf(block).map(wordsOf)));
    return this.cut;
  }

  private hasKey(key: string): number {
    this.keys ??= keyOf(this.words());
    this.left -= this.keys.length;
    return this.left > 0 && contains(this.keys, key) ? 1 : 0;
  }

  private count(words: string): number {
    this.left -= this.words().length;
    return this.left > 0 ? occurrences(this.words(), ` ${words} `) : 0;
  }

  /** An address that is hidden on one side only is the same address. */
  private hasBehindMail(text: string, other: Side): boolean {
    const without = withoutMail(text);
    if (!without.mail || !(this.mail().protected || other.mail().protected)) return false;
    return contains(this.mail().keys, keyOf(wordsOf(without.text)));
  }

  private mail(): { keys: string; protected: boolean } {
    this.hidden ??= {
      keys: keyOf(this.blocks.map((block) => wordsOf(withoutMail(block.text).text)).join(" ")),
      protected: this.blocks.some((block) => /\[email\sprotected\]/.test(block.text)),
    };
    return this.hidden;
  }
}

const digit = (char: string | undefined) => char !== undefined && char >= "0" && char <= "9";

/** Whether the key occurs, not as a part of a longer number. */
function contains(all: string, key: string): boolean {
  const starts = digit(key[0]);
  const ends = digit(key.at(-1));
  let tries = 1_000;
  for (let at = all.indexOf(key); at >= 0 && tries-- > 0; at = all.indexOf(key, at + 1)) {
    if (!(starts && digit(all[at - 1])) && !(ends && digit(all[at + key.length]))) return true;
  }
  return false;
}

function occurrences(all: string, words: string): number {
  let count = 0;
  for (let at = all.indexOf(words); at >= 0; at = all.indexOf(words, at + words.length - 1)) count++;
  return count;
}
