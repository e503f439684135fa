import type { Block } from "../../model.ts";
import { partsOf, Side, type Standing } from "./side.ts";
import { nameOf, wordsOf } from "./text.ts";

/** A sentence or row that one side has and the other has not, wherever it stands and however it is cut. */
export interface Unit {
  /** The same for the same text. */
  readonly name: string;
  readonly text: string;
  /** Index of its block on its own side. */
  readonly block: number;
  /** Name of the last text before it that both sides have: the place where it stands. */
  readonly place: string;
}

export interface Difference {
  readonly added: readonly Unit[];
  readonly removed: readonly Unit[];
}

interface Found extends Unit {
  /** The other side has this text too, only less often. */
  readonly fewer: boolean;
}

/** What `after` says that `before` does not, and the other way round. */
export function difference(before: readonly Block[], after: readonly Block[]): Difference {
  const old = countsOf(before);
  const now = countsOf(after);
  const changed = (text: string) => old.get(text) !== now.get(text);
  if (!before.some((block) => changed(block.text)) && !after.some((block) => changed(block.text))) {
    return { added: [], removed: [] };
  }
  const left = new Side(before);
  const right = new Side(after);
  const removed = surplusOf(unitsOf(before, changed, left, right), before, after);
  const added = surplusOf(unitsOf(after, changed, right, left), after, before);
  return withoutLoneCounts(removed, added, before, after);
}

function countsOf(blocks: readonly Block[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const block of blocks) counts.set(block.text, (counts.get(block.text) ?? 0) + 1);
  return counts;
}

function unitsOf(blocks: readonly Block[], changed: (text: string) => boolean, own: Side, other: Side): Found[] {
  const found: Found[] = [];
  const known = new Map<string, { words: string; standing: Standing }>();
  let place = "";
  const see = (text: string, block: number) => {
    let { words, standing } = known.get(text) ?? {};
    if (words === undefined || standing === undefined) {
      words = wordsOf(text);
      standing = words === "" ? "same" : other.has(words, own);
      known.set(text, { words, standing });
    }
    if (standing !== "same") found.push({ name: nameOf(words), text, block, place, fewer: standing === "fewer" });
    else if (words !== "") place = text;
  };
  blocks.forEach((block, index) => {
    if (!changed(block.text)) place = block.text;
    else for (const text of partsOf(block)) see(text, index);
  });
  return named(found);
}

/** Of a block that stands on both sides, only as many as one side has more: those whose neighbours changed. */
function surplusOf(found: readonly Found[], own: readonly Block[], other: readonly Block[]): Found[] {
  const counted = Map.groupBy(
    found.filter((unit) => unit.fewer && own[unit.block]?.text === unit.text),
    (unit) => unit.text,
  );
  if (counted.size === 0) return [...found];
  const theirs = countsOf(other);
  const beside = (blocks: readonly Block[], index: number, side: -1 | 1) =>
    `${side} ${blocks[index]?.text} ${blocks[index + side]?.text ?? ""}`;
  const known = new Set(
    other.flatMap((block, index) =>
      counted.has(block.text) ? [beside(other, index, -1), beside(other, index, 1)] : [],
    ),
  );
  const settled = ({ block }: Found) =>
    Number(known.has(beside(own, block, -1))) + Number(known.has(beside(own, block, 1)));
  const left = new Set<Found>();
  for (const [text, units] of counted) {
    const more = Math.max(0, units.length - (theirs.get(text) ?? 0));
    for (const unit of units.toSorted((a, b) => settled(b) - settled(a)).slice(0, units.length - more)) left.add(unit);
  }
  return found.filter((unit) => !left.has(unit));
}

/** Places by name: the beginning of their text is enough. */
function named(found: readonly Found[]): Found[] {
  const names = new Map<string, string>();
  return found.map((unit) => {
    const start = unit.place.slice(0, 300);
    const name = names.get(start) ?? nameOf(wordsOf(start));
    names.set(start, name);
    return { ...unit, place: name };
  });
}

/** A short text that only occurs more or less often is news only where another took or left its place. */
function withoutLoneCounts(
  removed: readonly Found[],
  added: readonly Found[],
  before: readonly Block[],
  after: readonly Block[],
): Difference {
  const under = (blocks: readonly Block[], unit: Unit) => blocks[unit.block]?.path.at(-1) ?? "";
  const left = new Set(removed.map((unit) => under(before, unit)));
  const right = new Set(added.map((unit) => under(after, unit)));
  return {
    added: added.filter((unit) => !unit.fewer || left.has(under(after, unit))),
    removed: removed.filter((unit) => !unit.fewer || right.has(under(before, unit))),
  };
}
