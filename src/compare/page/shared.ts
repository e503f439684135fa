import type { Block } from "../../model/reading.ts";
import type { Instant } from "../../model/time.ts";
import type { PageMemory } from "./memory.ts";
import { frameOf, isNumberLine, isRenumbered, isStampAgain } from "./stamps.ts";
import { nameOf, partsOf, wordsOf } from "./text.ts";

/** A change of one page beside what other pages of its site remember: what all of them did at once is the site's. */

export interface BlockChange {
  readonly before?: Block;
  readonly after?: Block;
}

/** The changes that another page shows since a time, prepared once for many changes. */
export interface OtherPage {
  /** Names of texts that came there, and that went. */
  readonly came: ReadonlySet<string>;
  readonly went: ReadonlySet<string>;
  /** Its blocks at the last check, by kind and text. */
  readonly blocks: ReadonlySet<string>;
  /** Those of them that are above its title, and the short lines at its end. */
  readonly frame: ReadonlySet<string>;
}

/** A text that waits for its second check there counts: here it may be the second check already. */
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

/** Whether another page made the same change: what went is gone there, what came is there as one block. */
export function isMadeBy({ came, went, blocks }: OtherPage, { before, after }: BlockChange): boolean {
  const [left, right] = [namesOnlyOf(before, after), namesOnlyOf(after, before)];
  if (left.length === 0 && right.length === 0) return false;
  if (after && !blocks.has(keyOf(after))) return false;
  return left.every((name) => went.has(name)) && right.every((name) => came.has(name));
}

/** Whether the text that changed here is still there as it was. */
export function standsStill({ blocks }: OtherPage, { before }: BlockChange): boolean {
  return before !== undefined && blocks.has(keyOf(before));
}

/** Whether what came here is there, and what went is not. */
export function standsThere({ blocks }: OtherPage, { before, after }: BlockChange): boolean {
  return after !== undefined && blocks.has(keyOf(after)) && !(before && blocks.has(keyOf(before)));
}

function keyOf({ kind, text }: Block): string {
  return `${kind} ${text}`;
}

/** The texts of a block that another one has not, as a page remembers them. */
function namesOnlyOf(block: Block | undefined, other: Block | undefined): string[] {
  const wordings = (of: Block | undefined) => (of ? partsOf(of).map(wordsOf) : []);
  const had = new Set(wordings(other));
  return wordings(block)
    .filter((words) => words !== "" && !had.has(words))
    .map(nameOf);
}

/** Whether nothing changed but the version, date or build that a stamp names. */
export function isRestamped({ before, after }: BlockChange): boolean {
  return isLine(after) && before?.kind === after.kind && isStampAgain(before.text, after.text);
}

/** Whether nothing changed but the version, date or build in a line that is no sentence, or such a line came. */
export function isRenumberedLine({ before, after }: BlockChange): boolean {
  if (!isLine(after) || /[.!?。！？]$/u.test(after.text)) return false;
  return before ? before.kind === after.kind && isRenumbered(before.text, after.text) : isNumberLine(after.text);
}

/** Whether another page has the text that came in its frame. */
export function isInFrame({ frame }: OtherPage, { after }: BlockChange): boolean {
  return after !== undefined && frame.has(keyOf(after));
}

function isLine(block: Block | undefined): block is Block {
  return block !== undefined && !["row", "heading", "code"].includes(block.kind);
}
