import type { Memory } from "../compare/index.ts";
import { standsOn } from "../compare/passage/quote.ts";
import { wordsOfBlocks } from "../compare/passage/words.ts";
import type { Change } from "../model/change.ts";
import { changedTexts } from "../model/change-words.ts";
import { Failure } from "../model/failure.ts";
import type { Response } from "../model/ports/index.ts";
import type { Block } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import type { Reader } from "../read/reader.ts";
import type { World } from "./check.ts";

/** The side of a change that a copy of its page shows, recognised by that side's texts. */
export type Side = "before" | "after";

/** The texts that a page has on one side of the changes, and those that it lacks there. */
export interface Said {
  readonly says: readonly string[];
  readonly lacks: readonly string[];
}

/** Gathers the texts of one side of changes, each once. */
export function saidOn(side: Side, changes: readonly Change[]): Said {
  const says = new Set<string>();
  const lacks = new Set<string>();
  for (const change of changes) {
    const [before, after] = changedTexts(change) ?? [];
    const [own, other] = side === "before" ? [before, after] : [after, before];
    if (own !== undefined) says.add(own);
    else if (other !== undefined) lacks.add(other);
  }
  return { says: [...says], lacks: [...lacks] };
}

/** A copy that may show what changed, as plain data. */
export interface CopyToMatch {
  readonly source: Source;
  readonly response: Response;
  /** The sides that a copy of its date may show. */
  readonly sides: { readonly [side in Side]?: Said };
  /** The memory of its source, as stored, where the newer texts alone do not show that the copy is of this page. */
  readonly memory?: string;
}

/**
 * Reads a copy and finds the side that it shows; undefined where it shows neither. @throws Failure where it cannot be
 * read
 */
export async function shownSide(
  { source, response, sides: { before, after }, memory }: CopyToMatch,
  reader: Reader | undefined,
): Promise<Side | undefined> {
  const blocks = (await reader?.read(response, source))?.blocks;
  if (!blocks) return undefined;
  const words = wordsOfBlocks(blocks);
  const holds = (text: string) => standsOn(words, text);
  const shows = ({ says, lacks }: Said) => says.every(holds) && !lacks.some(holds);
  if (before && shows(before)) return "before";
  if (after && shows(after) && (memory === undefined || isLike(blocks, memory))) return "after";
  return undefined;
}

/** Does the same in a worker, where there are any: a copy that cannot be read, or takes too much, shows nothing. */
export async function shownSideApart(
  copy: CopyToMatch,
  { readers, workers }: Pick<World, "readers" | "workers">,
): Promise<Side | undefined> {
  if (!copy.sides.before && !copy.sides.after) return undefined;
  try {
    if (!workers) return await shownSide(copy, readers.get(copy.source.kind));
    return (await workers.run("shows", copy)) as Side | undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Whether half of a copy's text stands on the page now: else it is something else that merely lacks a passage. */
function isLike(blocks: readonly Block[], memory: string): boolean {
  const { page }: Memory = JSON.parse(memory);
  const texts = new Set(page?.accepted.map(({ text }) => text));
  return blocks.filter(({ text }) => texts.has(text)).length >= blocks.length / 2;
}
