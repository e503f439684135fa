import { isOnPage } from "../claims/find/quote.ts";
import { compare, type Memory } from "../compare/index.ts";
import { lostSince } from "../compare/lost.ts";
import { wordsOfBlocks } from "../language/words.ts";
import { Failure } from "../model/failure.ts";
import type { Block, Reading } from "../model/reading.ts";
import { day } from "../model/time.ts";
import type { Reader } from "../read/reader.ts";
import type { CopyToRead, FirstReading, ReadCopy } from "./audit-copy.ts";
import type { CopyToMatch, Side, SideTexts } from "./shown-side.ts";

/** Reads copies from a web archive: whether one is of the same page, and which side of a change it shows. */

/** Parses a copy like the page itself. It must look like the same page: not a part of it, and not in another language. */
export async function readCopy(
  { source, found: { copy, response }, memory }: CopyToRead,
  reader: Reader | undefined,
): Promise<ReadCopy> {
  const of = `the copy of ${day(copy.at)}`;
  try {
    const reading = await reader?.read(response, source);
    if (!reading?.blocks || !memory.page) return { says: `${of} contains no text` };
    const now: Reading = { blocks: memory.page.accepted, language: memory.language };
    const then: Memory = { page: { ...memory.page, accepted: reading.blocks }, language: reading.language };
    const text = { mayBeHalf: true };
    const [apart] = [
      ...lostSince({ page: memory.page, language: memory.language }, reading, text),
      ...lostSince(then, now, text),
    ];
    return apart ? { says: `${of} and the page cannot be compared: ${apart.failure.message}` } : { copy, reading };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { says: `${of}: ${error.message}` };
  }
}

/** Parses a copy and finds the side that it shows; undefined if it shows neither. @throws Failure if it cannot be parsed */
export async function shownSide(
  { source, response, sides: { before, after }, memory }: CopyToMatch,
  reader: Reader | undefined,
): Promise<Side | undefined> {
  const blocks = (await reader?.read(response, source))?.blocks;
  if (!blocks) return undefined;
  const words = wordsOfBlocks(blocks);
  const holds = (text: string) => isOnPage(words, text);
  const shows = ({ says, lacks }: SideTexts) => says.every(holds) && !lacks.some(holds);
  if (before && shows(before)) return "before";
  if (after && shows(after) && (memory === undefined || sharesHalf(blocks, memory))) return "after";
  return undefined;
}

/** Whether half of a copy's text is on the page now. Otherwise it is something else that merely lacks a passage. */
function sharesHalf(blocks: readonly Block[], memory: string): boolean {
  const { page }: Memory = JSON.parse(memory);
  const texts = new Set(page?.accepted.map(({ text }) => text));
  return blocks.filter(({ text }) => texts.has(text)).length >= blocks.length / 2;
}

export function firstMemory({ reading, options }: FirstReading): Memory {
  return compare(undefined, reading, options).memory;
}
