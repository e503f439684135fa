import type { Block, Instant } from "../../model/model.ts";
import { partsOf } from "./difference.ts";
import type { PageMemory } from "./memory.ts";
import { isStampAgain, nameOf, wordsOf } from "./text.ts";

/** A change of one page beside what other pages of its site remember: what all of them did at once is the site's. */

export interface BlockChange {
  readonly before?: Block;
  readonly after?: Block;
}

/** Whether another page made the same change since then, or was seen to: what went is gone there, what came stands there as one block. */
export function isMadeBy(
  { accepted, latest = accepted, born, gone, pending }: PageMemory,
  { before, after }: BlockChange,
  since: Instant,
): boolean {
  const [went, came] = [namesOnlyOf(before, after), namesOnlyOf(after, before)];
  if (went.length === 0 && came.length === 0) return false;
  if (after && !latest.some(({ kind, text }) => kind === after.kind && text === after.text)) return false;
  const isThere = (side: "added" | "removed", past: readonly { readonly name: string; readonly at: Instant }[]) => {
    const own = pending.filter((wait) => wait.side === side && wait.since >= since);
    const names = new Set([...own, ...past.filter(({ at }) => at >= since)].map(({ name }) => name));
    return (name: string) => names.has(name);
  };
  const accepts = gone.filter((text) => text.accepted);
  return went.every(isThere("removed", accepts)) && came.every(isThere("added", born));
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
  if (!before || !after || before.kind !== after.kind) return false;
  return isProse(before) && isStampAgain(before.text, after.text);
}

function isProse({ kind }: Block): boolean {
  return kind !== "row" && kind !== "heading" && kind !== "code";
}
