import type { Block } from "../../model/reading.ts";
import { keyOf, nameOf, partsOf, telling, wordsOf } from "./text.ts";

/**
 * A sentence or row that only one side has, wherever it is and however it is split; for an entry under another heading,
 * the text in its place.
 */
export interface ChangedText {
  /** Equal for equal texts. */
  readonly name: string;
  readonly text: string;
  /** The index of its block on its own side. */
  readonly block: number;
  /** The name of the last text before it that both sides have: its place. */
  readonly place: string;
}

export interface TextDifference {
  readonly added: readonly ChangedText[];
  readonly removed: readonly ChangedText[];
}

interface Found extends ChangedText {
  /** The other side has this text too, but fewer times. */
  readonly fewer: boolean;
}

/** Finds the sentences that only `after` or only `before` has, and the entries that moved. */
export function difference(before: readonly Block[], after: readonly Block[]): TextDifference {
  const old = countsOf(before);
  const now = countsOf(after);
  const changed = (text: string) => old.get(text) !== now.get(text);
  const moved = movedBetween(before, after, (text) => old.get(text) === 1 && now.get(text) === 1);
  if (!before.some((block) => changed(block.text)) && !after.some((block) => changed(block.text))) return moved;
  const left = new SideOfComparison(before);
  const right = new SideOfComparison(after);
  const removed = surplusOf(unitsOf(before, changed, left, right), before, after);
  const added = surplusOf(unitsOf(after, changed, right, left), after, before);
  const [went, came] = withoutRespaced(removed, added);
  const rest = withoutLoneCounts(went, came, before, after);
  return { added: [...rest.added, ...moved.added], removed: [...rest.removed, ...moved.removed] };
}

/** Entries that moved at once, at most: more are a new sort order. */
const maxMoved = 20;

/**
 * Entries and rows that moved to another heading, as from "Planned" to "Done", where both sides have both headings, and
 * something else stayed under each. `isOnce`: whether both sides have a text exactly once.
 */
function movedBetween(
  before: readonly Block[],
  after: readonly Block[],
  isOnce: (text: string) => boolean,
): TextDifference {
  const [olds, news] = [entriesOf(before, isOnce), entriesOf(after, isOnce)];
  const isIn = (entries: Entries, { block, heading }: Entry) => entries.get(block.text)?.heading === heading;
  const stay = new Set([...olds.values()].flatMap((entry) => (isIn(news, entry) ? [entry.heading] : [])));
  const pairs = [...olds.values()].flatMap((went) => {
    const came = news.get(went.block.text);
    const isMoved = came && came.heading !== went.heading && stay.has(went.heading) && stay.has(came.heading);
    return isMoved ? [{ went, came }] : [];
  });
  if (pairs.length > maxMoved) return { added: [], removed: [] };
  return { added: pairs.map(({ came }) => unitOf(came)), removed: pairs.map(({ went }) => unitOf(went)) };
}

/** An entry of a list, or a row, with its heading. */
interface Entry {
  readonly block: Block;
  readonly index: number;
  readonly heading: string;
}

/** By their text. */
type Entries = ReadonlyMap<string, Entry>;

function entriesOf(blocks: readonly Block[], isOnce: (text: string) => boolean): Entries {
  const entries = new Map<string, Entry>();
  blocks.forEach((block, index) => {
    const heading = block.path.at(-1);
    if (heading === undefined || (block.kind !== "item" && block.kind !== "row") || !isOnce(block.text)) return;
    entries.set(block.text, { block, index, heading });
  });
  return entries;
}

/** The entry in its place: under another heading it is another text. */
function unitOf({ block: { text }, index, heading }: Entry): ChangedText {
  const place = nameOf(wordsOf(heading));
  return { name: nameOf(`${wordsOf(text)} under ${place}`), text, block: index, place };
}

/** Removes short texts that differ only in spaces between their letters, as is done for longer ones. */
function withoutRespaced(removed: readonly Found[], added: readonly Found[]): [readonly Found[], readonly Found[]] {
  const letters = ({ text }: Found) => keyOf(wordsOf(text));
  const [went, came] = [new Set(removed.map(letters)), new Set(added.map(letters))];
  return [removed.filter((unit) => !came.has(letters(unit))), added.filter((unit) => !went.has(letters(unit)))];
}

function countsOf(blocks: readonly Block[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const block of blocks) counts.set(block.text, (counts.get(block.text) ?? 0) + 1);
  return counts;
}

function unitsOf(
  blocks: readonly Block[],
  changed: (text: string) => boolean,
  own: SideOfComparison,
  other: SideOfComparison,
): Found[] {
  const found: Found[] = [];
  const known = new Map<string, { words: string; standing: SaidAlso }>();
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

/** Of blocks that both sides have, only as many as one side has more: those whose neighbours changed. */
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

/** Places by name; the beginning of their text suffices. */
function named(found: readonly Found[]): Found[] {
  const names = new Map<string, string>();
  return found.map((unit) => {
    const start = unit.place.slice(0, 300);
    const name = names.get(start) ?? nameOf(wordsOf(start));
    names.set(start, name);
    return { ...unit, place: name };
  });
}

/** Removes short texts that only occur more or less often, unless something else took or left their place. */
function withoutLoneCounts(
  removed: readonly Found[],
  added: readonly Found[],
  before: readonly Block[],
  after: readonly Block[],
): TextDifference {
  const under = (blocks: readonly Block[], unit: ChangedText) => blocks[unit.block]?.path.at(-1) ?? "";
  const left = new Set(removed.map((unit) => under(before, unit)));
  const right = new Set(added.map((unit) => under(after, unit)));
  return {
    added: added.filter((unit) => !unit.fewer || left.has(under(after, unit))),
    removed: removed.filter((unit) => !unit.fewer || right.has(under(before, unit))),
  };
}

/**
 * Characters of one side that may be searched for texts that moved or were split differently; beyond that only whole
 * sentences are looked up. Enough for thousands of changes on any page that people read, and a bound on the time for
 * others.
 */
const allowance = 300_000_000;

/** Characters of a text that is searched for as a whole, at most. */
const longest = 4_000;

export type SaidAlso = "same" | "fewer" | "no";

/** All that a reading says, each form of it prepared once and only when asked. */
class Said {
  private readonly blocks: readonly Block[];
  private all: string | undefined;
  private letters: string | undefined;
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

/** Readings that are there: one look compares the same with several others. */
const prepared = new WeakMap<readonly Block[], Said>();

function saidBy(blocks: readonly Block[]): Said {
  const known = prepared.get(blocks);
  if (known) return known;
  const said = new Said(blocks);
  prepared.set(blocks, said);
  return said;
}

/** One side of a comparison, which is searched through so far. */
export class SideOfComparison {
  private readonly said: Said;
  private left = allowance;

  constructor(blocks: readonly Block[]) {
    this.said = saidBy(blocks);
  }

  /** `same`: this side says these words too, however cut; `fewer`: less often than the other one. */
  has(words: string, other: SideOfComparison): SaidAlso {
    const key = keyOf(words);
    if (key.length >= telling) {
      return this.said.sentences().has(words) || this.hasKey(key, words) ? "same" : "no";
    }
    const here = this.count(words);
    if (here === 0) return "no";
    return here >= other.count(words) ? "same" : "fewer";
  }

  private hasKey(key: string, words: string): boolean {
    if (this.left <= 0 || key.length > longest) return this.hasRuns(words);
    const all = this.said.key();
    this.left -= all.length;
    return contains(all, key);
  }

  /** As good as `hasKey` for texts of many words, in time that depends on the text alone. */
  private hasRuns(words: string): boolean {
    const runs = this.said.runs();
    for (const run of runsOf(words)) if (!runs.has(run)) return false;
    return true;
  }

  private count(words: string): number {
    if (this.left <= 0) return this.said.sentences().has(words) ? 1 : 0;
    const all = this.said.words();
    this.left -= all.length;
    return occurrences(all, ` ${words} `);
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
