import type { Block } from "../../model/reading.ts";
import type { Instant } from "../../model/time.ts";
import { frameOf, isNumberLine, isRenumbered, isStampAgain, numberLinesAbove } from "./build-stamps.ts";
import type { PageMemory } from "./memory.ts";
import { namesOnlyOf } from "./text.ts";

/** Compares a change of a page with other pages of its site. A change that all of them made is the site's. */

export interface BlockChange {
  readonly before?: Block;
  readonly after?: Block;
}

/** The changes of another page since a time, prepared for many comparisons. */
export interface OtherPage {
  /** Names of the texts that appeared and disappeared there. */
  readonly came: ReadonlySet<string>;
  readonly went: ReadonlySet<string>;
  /** Its blocks at the last check, by kind and text. */
  readonly blocks: ReadonlySet<string>;
  /** The blocks above its title, and the short lines at its end. */
  readonly frame: ReadonlySet<string>;
}

/** Prepares another page. Its waiting changes count, since this page may be at its second check already. */
export function otherPage({ accepted, latest = accepted, born, gone, pending }: PageMemory, since: Instant): OtherPage {
  const recent = (texts: PageMemory["born"]) => texts.filter(({ at }) => at >= since).map(({ name }) => name);
  const waiting = (side: "added" | "removed") =>
    pending.filter((wait) => wait.side === side && wait.since >= since).map(({ name }) => name);
  return {
    came: new Set([...recent(born), ...waiting("added")]),
    went: new Set([...recent(gone.filter((text) => text.accepted)), ...waiting("removed")]),
    blocks: new Set(latest.map(keyOf)),
    frame: new Set(frameOf(latest).map(keyOf)),
  };
}

/** Whether the other page made the same change: the old text is gone there, and the new text is there as one block. */
export function isMadeBy({ came, went, blocks }: OtherPage, { before, after }: BlockChange): boolean {
  const [left, right] = [namesOnlyOf(before, after), namesOnlyOf(after, before)];
  if (left.length === 0 && right.length === 0) return false;
  if (after && !blocks.has(keyOf(after))) return false;
  return left.every((name) => went.has(name)) && right.every((name) => came.has(name));
}

export function hasOldText({ blocks }: OtherPage, { before }: BlockChange): boolean {
  return before !== undefined && blocks.has(keyOf(before));
}

export function hasNewText({ blocks }: OtherPage, { before, after }: BlockChange): boolean {
  return after !== undefined && blocks.has(keyOf(after)) && !(before && blocks.has(keyOf(before)));
}

function keyOf({ kind, text }: Block): string {
  return `${kind} ${text}`;
}

/** Whether only the version, date or build of a stamp changed. */
export function isRestamped({ before, after }: BlockChange): boolean {
  return isLine(after) && before?.kind === after.kind && isStampAgain(before.text, after.text);
}

/** Whether only the version, date or build of a line changed that is not a sentence, or such a line appeared. */
export function isRenumberedLine({ before, after }: BlockChange): boolean {
  if (!isLine(after) || /[.!?。！？]$/u.test(after.text)) return false;
  return before ? before.kind === after.kind && isRenumbered(before.text, after.text) : isNumberLine(after.text);
}

/** Names of lines above the title that are remembered, at most. */
const mostRestamped = 100;

/** The names of lines above the title that had another version, date or build before, those of now included. */
export function restampedAfter(
  { accepted, restamped = [] }: Pick<PageMemory, "accepted" | "restamped">,
  after: readonly Block[],
): readonly string[] {
  const had = numberLinesAbove(accepted);
  const now = [...numberLinesAbove(after)].flatMap(([name, text]) => ((had.get(name) ?? text) === text ? [] : [name]));
  return [...new Set([...restamped, ...now])].slice(-mostRestamped);
}

/** Whether a line above the title has another version, date or build, and had another one before that. */
export function isRestampedAgain(
  { before, after }: BlockChange,
  blocks: readonly Block[],
  { restamped = [] }: Pick<PageMemory, "restamped">,
): boolean {
  if (!before || !after || restamped.length === 0 || !isRenumbered(before.text, after.text)) return false;
  const lines = numberLinesAbove(blocks);
  return restamped.some((name) => lines.get(name) === after.text);
}

export function isInFrame({ frame }: OtherPage, { after }: BlockChange): boolean {
  return after !== undefined && frame.has(keyOf(after));
}

function isLine(block: Block | undefined): block is Block {
  return block !== undefined && !["row", "heading", "code"].includes(block.kind);
}
