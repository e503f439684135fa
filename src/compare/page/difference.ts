import type { Block } from "../../model/reading.ts";
import { keyOf, nameOf, partsOf, telling, wordsOf } from "./text.ts";

/**
 * A sentence or row that one side has and the other has not, wherever it stands and however it is cut; or an entry that
 * stands under another heading, or one more copy of a text, which is another text by its place.
 */
export interface ChangedText {
  /** Equal for equal texts. */
  readonly name: string;
  readonly text: string;
  /** The index of its block on its own side. */
  readonly block: number;
  /** The name of its place: the path of a value, else the last text before it that both sides have. */
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

/**
 * Finds the sentences that `after` has and `before` has not, and the other way round, entries that moved, and texts that
 * stand at one more place.
 */
export function difference(before: readonly Block[], after: readonly Block[]): TextDifference {
  const old = countsOf(before);
  const now = countsOf(after);
  const changed = (text: string) => old.get(text) !== now.get(text);
  const moved = movedBetween(before, after);
  if (!before.some((block) => changed(block.text)) && !after.some((block) => changed(block.text))) return moved;
  const left = new SideOfComparison(before);
  const right = new SideOfComparison(after);
  const removed = surplusOf(unitsOf(before, changed, left, right), before, after);
  const added = surplusOf(unitsOf(after, changed, right, left), after, before);
  const [went, came] = withoutRespaced(removed, added);
  const rest = withoutLoneCounts(went, came, before, after);
  const all = { added: [...rest.added, ...moved.added], removed: [...rest.removed, ...moved.removed] };
  return {
    added: [...all.added, ...copiesIn(after, now, before, old, all.added)],
    removed: [...all.removed, ...copiesIn(before, old, after, now, all.removed)],
  };
}

/** More copies at once are no edit: the page is drawn anew. */
const maxCopies = 3;
/** A text with fewer letters and digits says nothing by itself: "Yes", "Copy". */
const minCopied = 8;

/**
 * Copies of a text that the other side has less often, each between two texts that stand beside each other there, as where
 * one more function is "Deprecated since 3.2", or with nothing between them but a text that this side has less often, as
 * where what is said of one is said of another one now. `found`: what is told already.
 */
function copiesIn(
  own: readonly Block[],
  owns: ReadonlyMap<string, number>,
  other: readonly Block[],
  others: ReadonlyMap<string, number>,
  found: readonly ChangedText[],
): ChangedText[] {
  const more = (text: string) => others.has(text) && (owns.get(text) ?? 0) > (others.get(text) ?? 0);
  const less = (text: string) => owns.has(text) && (owns.get(text) ?? 0) < (others.get(text) ?? 0);
  if (!own.some(({ text }) => more(text))) return [];
  const told = new Set(found.map(({ block }) => block));
  const join = (...blocks: readonly (Block | undefined)[]) => blocks.map((block) => block?.text ?? "").join("\n");
  const known = new Set(
    other.flatMap((block, i) => [join(other[i - 1], block), join(other[i - 1], block, other[i + 1])]),
  );
  const replaced = new Set(other.flatMap((block, i) => (less(block.text) ? [join(other[i - 1], other[i + 1])] : [])));
  const copies = own.flatMap((block, index): ChangedText[] => {
    const [above, below] = [own[index - 1], own[index + 1]];
    if (!above || !below || !more(block.text) || told.has(index)) return [];
    if (above.text === block.text || below.text === block.text) return [];
    const isThere = known.has(join(above, below)) || replaced.has(join(above, below));
    if (!isThere || known.has(join(above, block, below))) return [];
    const words = wordsOf(block.text);
    if (keyOf(words).length < minCopied) return [];
    const place = nameOf(wordsOf(above.text.slice(0, longestPlace)));
    return [{ name: nameOf(`${words} below ${place}`), text: block.text, block: index, place }];
  });
  return copies.length > maxCopies ? [] : copies;
}

/** Entries that moved at once, at most: more are a new sort order. */
const maxMoved = 20;

/**
 * Entries and rows that stand under another heading or entry now, as from "Planned" to "Done", and entries that stand under
 * one more, or one less. All of these are on both sides, and of headings something else stayed under each. A list whose
 * entries all went out of one of them, or all into one, is laid out anew.
 */
function movedBetween(before: readonly Block[], after: readonly Block[]): TextDifference {
  const [olds, news] = [entriesOf(before), entriesOf(after)];
  const all = [...olds].flatMap(([text, old]) => {
    const now = news.get(text) ?? [];
    const [went, came] = [onlyIn(old, now), onlyIn(now, old)];
    const isMoved = old.length === now.length || [...old, ...now].every(({ block }) => block.kind !== "row");
    return now.length > 0 && went.length + came.length > 0 && isMoved ? [{ went, came }] : [];
  });
  if (all.length === 0) return { added: [], removed: [] };
  const stay = stayersOf(olds, news, before, after);
  const [held, holds] = [aboveEntries(before), aboveEntries(after)];
  const isClear = (from: Entry, to: Entry) => !isWithin(from, to) || (held.has(from.above) && holds.has(from.above));
  const moves = all.filter(
    ({ went, came }) =>
      [...went, ...came].every(({ above }) => stay.has(above)) &&
      went.every((old) => came.every((now) => isClear(old, now) && isClear(now, old))),
  );
  if (moves.length > maxMoved) return { added: [], removed: [] };
  return {
    added: moves.flatMap(({ came }) => came.map(unitOf)),
    removed: moves.flatMap(({ went }) => went.map(unitOf)),
  };
}

/** An entry of a list or of a description, or a row, under its heading or the entry that it belongs to. */
interface Entry {
  readonly block: Block;
  readonly index: number;
  /** In words, so that another spelling of it is the same. */
  readonly above: string;
}

/** Entries by their text. */
type Entries = ReadonlyMap<string, readonly Entry[]>;

/** The same text more often than that is no entry of its own. */
const mostAlike = 10;

function isEntry({ kind }: Block): boolean {
  return kind === "item" || kind === "term" || kind === "row";
}

function entriesOf(blocks: readonly Block[]): Entries {
  const all = blocks.flatMap((block, index): Entry[] => {
    const above = block.path.at(-1);
    return above !== undefined && isEntry(block) ? [{ block, index, above: wordsOf(above) }] : [];
  });
  const entries = Map.groupBy(all, ({ block }) => block.text);
  for (const [text, alike] of entries) {
    const isClear = alike.length <= mostAlike && new Set(alike.map(({ above }) => above)).size === alike.length;
    if (!isClear) entries.delete(text);
  }
  return entries;
}

/** The headings that entries stand under. */
function aboveEntries(blocks: readonly Block[]): Set<string> {
  return new Set(blocks.filter(isEntry).flatMap(({ path }) => path.slice(-1).map(wordsOf)));
}

/** Whether one stands deeper in the same list: under an entry beside which, or beside one above it, the other stands. */
function isWithin({ block: { path } }: Entry, { block: { path: other } }: Entry): boolean {
  return path.length > other.length && other.every((name, i) => name === path[i]);
}

function onlyIn(entries: readonly Entry[], others: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ above }) => !others.some((other) => other.above === above));
}

/** Characters of the name of an entry or heading, at most. */
const longestName = 90;

/** Headings under which an entry stayed, and entries that have others within them and stayed themselves. */
function stayersOf(olds: Entries, news: Entries, before: readonly Block[], after: readonly Block[]): Set<string> {
  const stay = new Set<string>();
  for (const [text, old] of olds) {
    for (const { above } of news.get(text) ?? []) if (old.some((entry) => entry.above === above)) stay.add(above);
  }
  const [had, has] = [holdersOf(before), holdersOf(after)];
  for (const above of new Set([...olds.values(), ...news.values()].flat().map((entry) => entry.above)))
    if (had.has(above) && has.has(above)) stay.add(above);
  return stay;
}

/** The words of entries that may hold others, whether or not their box is ticked. */
function holdersOf(blocks: readonly Block[]): Set<string> {
  const entries = blocks.filter(({ kind, text }) => (kind === "item" || kind === "term") && text.length < longestName);
  return new Set(entries.map(({ text }) => wordsOf(text).replace(/^[✓☐] /, "")));
}

/** The entry at its place: under another heading it is another text. */
function unitOf({ block: { text }, index, above }: Entry): ChangedText {
  const place = nameOf(above);
  return { name: nameOf(`${wordsOf(text)} under ${place}`), text, block: index, place };
}

/** Leaves out short texts that differ only in spaces between their letters, as is done for longer ones. */
function withoutRespaced(removed: readonly Found[], added: readonly Found[]): [readonly Found[], readonly Found[]] {
  const letters = ({ text }: Found) => keyOf(wordsOf(text));
  const [went, came] = [removed.map(letters), added.map(letters)];
  const without = (all: readonly Found[], own: readonly string[], others: readonly string[]) => {
    const theirs = new Set(others);
    return all.filter((_, i) => !theirs.has(own[i] ?? ""));
  };
  return [without(removed, went, came), without(added, came, went)];
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
  const see = (text: string, block: number, at: string | undefined) => {
    let { words, standing } = known.get(text) ?? {};
    if (words === undefined || standing === undefined) {
      words = wordsOf(text);
      standing = words === "" ? "same" : other.has(words, own);
      known.set(text, { words, standing });
    }
    if (standing !== "same")
      found.push({ name: nameOf(words), text, block, place: at ?? place, fewer: standing === "fewer" });
    else if (words !== "") place = text;
  };
  blocks.forEach((block, index) => {
    if (!changed(block.text)) place = block.text;
    else for (const text of partsOf(block)) see(text, index, pathOfValue(block));
  });
  return named(found);
}

/** The place of a value is its path, whatever changes beside it. */
function pathOfValue({ kind, text }: Block): string | undefined {
  const end = kind === "value" ? text.indexOf(": ") : -1;
  return end < 0 ? undefined : text.slice(0, end);
}

/** Keeps, of a block that both sides have, only as many copies as one side has more: those whose neighbours changed. */
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

/** Characters of a text that name a place. */
const longestPlace = 300;

/** Places by name: the beginning of their text is enough. */
function named(found: readonly Found[]): Found[] {
  const names = new Map<string, string>();
  return found.map((unit) => {
    const start = unit.place.slice(0, longestPlace);
    const name = names.get(start) ?? nameOf(wordsOf(start));
    names.set(start, name);
    return { ...unit, place: name };
  });
}

/**
 * Removes short texts that only occur more or less often, unless something else took or left their place: under the
 * nearest that both sides have, as what stands over a text may be edited with it.
 */
function withoutLoneCounts(
  removed: readonly Found[],
  added: readonly Found[],
  before: readonly Block[],
  after: readonly Block[],
): TextDifference {
  if (![...removed, ...added].some(({ fewer }) => fewer)) return { added, removed };
  const [had, has] = [before, after].map((blocks) => new Set(blocks.flatMap(({ path }) => path)));
  const old = ({ block }: ChangedText) => before[block]?.path.findLast((name) => has?.has(name)) ?? "";
  const now = ({ block }: ChangedText) => after[block]?.path.findLast((name) => had?.has(name)) ?? "";
  const [left, right] = [new Set(removed.map(old)), new Set(added.map(now))];
  return {
    added: added.filter((unit) => !unit.fewer || left.has(now(unit))),
    removed: removed.filter((unit) => !unit.fewer || right.has(old(unit))),
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
  private ends: Uint8Array | undefined;
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

  /** Where in the key a word begins, or the one before it ends. */
  edges(): Uint8Array {
    if (this.ends) return this.ends;
    const key = this.key();
    this.ends = new Uint8Array(key.length + 1);
    let at = 0;
    for (const char of this.words()) {
      if (char !== " ") {
        at += char.length;
        continue;
      }
      this.ends[at] = 1;
      // Digits that were apart.
      if (key[at] === "·") this.ends[++at] = 1;
    }
    return this.ends;
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

/** The readings at hand, prepared once: one look compares the same one with several others. */
const prepared = new WeakMap<readonly Block[], Said>();

function saidBy(blocks: readonly Block[]): Said {
  const known = prepared.get(blocks);
  if (known) return known;
  const said = new Said(blocks);
  prepared.set(blocks, said);
  return said;
}

/** One side of a comparison, with the rest of the characters that may still be searched. */
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
      return this.said.sentences().has(words) || this.hasKey(key, words, other) ? "same" : "no";
    }
    const here = this.count(words);
    if (here === 0) return "no";
    return here >= other.count(words) ? "same" : "fewer";
  }

  private hasKey(key: string, words: string, other: SideOfComparison): boolean {
    if (this.left <= 0 || key.length > longest) return this.hasRuns(words);
    const all = this.said.key();
    this.left -= all.length;
    for (const at of placesOf(key, all)) if (this.isText(at, key, other)) return true;
    return false;
  }

  /**
   * Whether what stands at a place in the key is the text that the other side has, rather than the end of longer words:
   * "Anvil, of iron" is not said by "HeavyAnvil, of iron". Words that the other side has apart are those words.
   */
  private isText(at: number, key: string, other: SideOfComparison): boolean {
    const [all, edges] = [this.said.key(), this.said.edges()];
    let [from, to] = [at, at + key.length];
    while (from > 0 && !edges[from]) from--;
    while (to < all.length && !edges[to]) to++;
    if ((from === at && to === at + key.length) || this.left <= 0) return true;
    const [theirs, apart] = [other.said.key(), other.said.edges()];
    this.left -= theirs.length;
    const whole = all.slice(from, to);
    for (const place of placesOf(whole, theirs)) {
      const start = place + at - from;
      if (apart[start] && apart[start + key.length]) return true;
    }
    return false;
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

/** Where the key occurs, not as a part of a longer number. Its beginning is searched for: that is never slow. */
function* placesOf(key: string, all: string): Generator<number> {
  const starts = digit(key[0]);
  const ends = digit(key.at(-1));
  const start = key.slice(0, 64);
  let tries = 1_000;
  for (let at = all.indexOf(start); at >= 0 && tries-- > 0; at = all.indexOf(start, at + 1)) {
    if (starts && digit(all[at - 1])) continue;
    if (ends && digit(all[at + key.length])) continue;
    if (all.startsWith(key, at)) yield at;
  }
}

function occurrences(all: string, words: string): number {
  let count = 0;
  for (let at = all.indexOf(words); at >= 0; at = all.indexOf(words, at + words.length - 1)) count++;
  return count;
}
