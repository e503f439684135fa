import { Failure } from "../../model/failure.ts";
import type { Block, Reading } from "../../model/reading.ts";

/** More than any page or list that a person reads. */
const usual = { characters: 5_000_000, blocks: 200_000 };

/**
 * Counts the size of a reading while its text is made: a few bytes of a response may expand greatly, or be repeated.
 * Headings and headers count for every block below them, as they are stored.
 */
export class Size {
  private characters = 0;
  private blocks = 0;
  private readonly limits: typeof usual;

  constructor(limits: Partial<typeof usual> = {}) {
    this.limits = { ...usual, ...limits };
  }

  /** @throws Failure `too-large` */
  take(characters: number): void {
    const limit = this.limits.characters;
    this.characters += characters;
    if (this.characters > limit) throw new Failure("too-large", { limit });
  }

  /** Counts a block whose text follows. @throws Failure `too-many` */
  count(): void {
    const limit = this.limits.blocks;
    if (++this.blocks > limit) throw new Failure("too-many", { limit, found: this.blocks });
  }

  /** Counts a block and returns it. @throws Failure `too-large`, `too-many` */
  of(block: Block): Block {
    this.count();
    let over = block.header?.length ?? 0;
    for (const heading of block.path) over += heading.length;
    this.take(over + block.text.length);
    return block;
  }
}

/** Returns the reading, if its total size is allowed. @throws Failure `too-large`, `too-many` */
export function checkSize(reading: Reading): Reading {
  const size = new Size();
  for (const block of reading.blocks ?? []) size.of(block);
  for (const { id, title, url = "", version = "", blocks = [] } of reading.items ?? []) {
    size.take(id.length + title.length + url.length + version.length);
    for (const block of blocks) size.of(block);
  }
  for (const [name, value] of Object.entries(reading.facts ?? {})) size.take(name.length + value.length);
  return reading;
}
