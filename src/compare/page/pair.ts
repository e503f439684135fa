import type { Trace } from "../../model/heuristics.ts";
import type { Block } from "../../model/reading.ts";
import { partsOf, textsOf, wordsOf } from "./text.ts";

/** Changed blocks of one side, by index, each with the name of its place. */
type Changed = ReadonlyMap<number, string>;

export function placesOf(units: readonly { readonly block: number; readonly place: string }[]): Map<number, string> {
  return new Map(units.map(({ block, place }) => [block, place]));
}

type Pair = readonly [old: number | undefined, now: number | undefined];

/** The blocks of both sides of a comparison, and which of them changed. */
export interface Sides {
  readonly before: readonly Block[];
  readonly after: readonly Block[];
  readonly olds: Changed;
  readonly news: Changed;
}

export interface PairingOptions {
  /** Old blocks whose removal was decided before, or that are around the content now: no text replaced them. */
  readonly decided?: ReadonlySet<number>;
  readonly trace?: Trace | undefined;
}

/**
 * Pairs each old block with the new one that it became: blocks that share a sentence, rows with the same name, texts
 * that share most of their words, and texts at the same place. The others were only removed, or only added.
 */
export function pairsOf(sides: Sides, { decided = new Set(), trace }: PairingOptions = {}): Pair[] {
  const { before, after, olds, news } = sides;
  const pairs: Pair[] = [];
  const [unpairedOld, unpairedNew] = [new Map(olds), new Map(news)];
  const take = (old: number | undefined, now: number | undefined) => {
    pairs.push([old, now]);
    if (old !== undefined) unpairedOld.delete(old);
    if (now !== undefined) unpairedNew.delete(now);
  };
  const [toOld, toNew] = [partners(after, before), partners(before, after)];
  for (const now of news.keys()) {
    const old = toOld(now);
    if (old !== undefined) take(old, now);
  }
  for (const old of [...unpairedOld.keys()]) {
    const now = toNew(old);
    if (now !== undefined) take(old, now);
  }
  for (const pairing of [byName, byNameAlone, byLikeness, byPlace] as Pairing[]) {
    for (const [old, now] of pairing({ before, after, olds: unpairedOld, news: unpairedNew }, trace)) {
      // Equal texts under different headings are not one text: one was removed, another added.
      if (before[old]?.text !== after[now]?.text) take(old, now);
    }
  }
  // A text that only grew, or shrank, has no changed text on one side. It is still the partner of the other.
  const unchangedOlds = unpairedBlocks(before, after, olds, pairs, 0);
  for (const index of decided) unchangedOlds.delete(index);
  for (const [from, to] of [
    [unchangedOlds, unpairedNew],
    [unpairedOld, unpairedBlocks(after, before, news, pairs, 1)],
  ] as const) {
    for (const pairing of [byName, byNameAlone, byLikeness] as Pairing[]) {
      for (const [old, now] of pairing({ before, after, olds: from, news: to })) take(old, now);
    }
  }
  for (const old of [...unpairedOld.keys()]) take(old, undefined);
  for (const now of [...unpairedNew.keys()]) take(undefined, now);
  return pairs;
}

/** The pairs of blocks, each with its changed texts. */
export function pairedTexts<T extends { readonly block: number; readonly place: string }>(
  before: readonly Block[],
  after: readonly Block[],
  { added, removed }: { readonly added: readonly T[]; readonly removed: readonly T[] },
  options?: PairingOptions,
) {
  const removalsByBlock = Map.groupBy(removed, ({ block }) => block);
  const additionsByBlock = Map.groupBy(added, ({ block }) => block);
  const pairs = pairsOf({ before, after, olds: placesOf(removed), news: placesOf(added) }, options);
  return pairs.map(([old = -1, now = -1]) => ({
    old: before[old],
    now: after[now],
    removals: removalsByBlock.get(old) ?? [],
    additions: additionsByBlock.get(now) ?? [],
  }));
}

/** Blocks whose text is not on the other side and that have no partner yet. */
function unpairedBlocks(
  blocks: readonly Block[],
  others: readonly Block[],
  changed: Changed,
  pairs: readonly Pair[],
  side: 0 | 1,
): Map<number, string> {
  const otherTexts = textsOf(others);
  const paired = new Set(pairs.map((pair) => pair[side]));
  const unpaired = new Map<number, string>();
  blocks.forEach((block, index) => {
    if (!otherTexts.has(block.text) && !paired.has(index) && !changed.has(index)) unpaired.set(index, "");
  });
  return unpaired;
}

type Pairing = (sides: Sides, trace?: Trace) => BlockPairs;

type BlockPairs = readonly (readonly [old: number, now: number])[];

/** Rows of one table with the same words in their first cells. */
function byName(sides: Sides): BlockPairs {
  return pairsByRowName(sides, ({ header = "" }) => header);
}

/** The same if the table's other columns changed. */
function byNameAlone(sides: Sides): BlockPairs {
  return pairsByRowName(sides, ({ header = "" }) => firstCell(header));
}

function pairsByRowName({ before, after, olds, news }: Sides, tableOf: (row: Block) => string): BlockPairs {
  const named = (blocks: readonly Block[], indexes: Changed) =>
    Map.groupBy(indexes.keys(), (index) => nameOfRow(blocks[index], tableOf) ?? "");
  const right = named(after, news);
  return [...named(before, olds)].flatMap(([name, left]) => {
    const [[old], [now]] = [left, right.get(name) ?? []];
    if (name === "" || old === undefined || now === undefined) return [];
    return left.length === 1 && right.get(name)?.length === 1 ? [[old, now] as const] : [];
  });
}

function nameOfRow(row: Block | undefined, tableOf: (row: Block) => string): string | undefined {
  if (row?.kind !== "row" || !row.text.includes(" | ")) return undefined;
  const name = wordsOf(firstCell(row.text));
  return /\p{L}/u.test(name) ? `${row.path.at(-1) ?? ""} | ${tableOf(row)} | ${name}` : undefined;
}

function firstCell(row: string): string {
  return row.split(" | ", 1)[0] ?? "";
}

/** With more pairs, it is another page rather than an edit, and they are not compared. */
const most = 20_000;
/** Compared words of a text, at most: its beginning. */
const weighed = 200;

/** Two texts are one, edited, if they share more than this share of their words. */
const likeEnough = 0.5;

/** Texts that share more than half of their words, the most similar first. */
function byLikeness({ before, after, olds, news }: Sides, trace?: Trace): BlockPairs {
  if (olds.size * news.size > most) return [];
  const right = [...news].map(([now, place]) => ({ now, place, ...weightOf(after[now]) }));
  const alike = [...olds].flatMap(([old, place]) => {
    const weight = weightOf(before[old]);
    return right
      .filter(({ isRow }) => isRow === weight.isRow)
      .map((other) => ({ old, now: other.now, here: place === other.place, likeness: likeness(weight, other) }))
      .filter(({ likeness }) => {
        const about = before[old]?.text.slice(0, 60);
        trace?.({ threshold: "share of words of two texts that are one", value: likeness, limit: likeEnough, about });
        return likeness > likeEnough;
      });
  });
  const pairedBlocks = new Set<string>();
  return alike
    .sort((a, b) => b.likeness - a.likeness || Number(b.here) - Number(a.here))
    .flatMap(({ old, now }) => {
      if (pairedBlocks.has(`old ${old}`) || pairedBlocks.has(`now ${now}`)) return [];
      pairedBlocks.add(`old ${old}`).add(`now ${now}`);
      return [[old, now] as const];
    });
}

/** Whether one text may have become the other: they share more than half of their words, or one begins with the other. */
export function areAlike(one: Block | undefined, other: Block | undefined): boolean {
  return likeness(weightOf(one), weightOf(other)) > likeEnough;
}

interface Weight {
  readonly isRow: boolean;
  readonly words: string;
  readonly set: ReadonlySet<string>;
}

function weightOf(block: Block | undefined): Weight {
  const words = wordsOf(block?.text ?? "").split(" ", weighed);
  return { isRow: block?.kind === "row", words: `${words.join(" ")} `, set: new Set(words) };
}

/** The share of common words. A text that begins with all of the other is similar to it, at any length. */
function likeness(a: Weight, b: Weight): number {
  const shared = a.set.intersection(b.set).size / Math.max(a.set.size, b.set.size);
  return a.words.startsWith(b.words) || b.words.startsWith(a.words) ? Math.max(shared, 0.6) : shared;
}

/** Pairs the removed and added texts of one place, in order. Rows must be similar. */
function byPlace({ before, after, olds, news }: Sides): BlockPairs {
  const prose = (blocks: readonly Block[], indexes: Changed) => {
    const texts = [...indexes].filter(([index]) => blocks[index]?.kind !== "row");
    return Map.groupBy(texts, ([, place]) => place);
  };
  const right = prose(after, news);
  return [...prose(before, olds)].flatMap(([place, left]) => {
    const here = right.get(place) ?? [];
    return left.slice(0, here.length).map(([old], index) => [old, here[index]?.[0] ?? old] as const);
  });
}

/** By its index, the changed block of `theirs` that shares a sentence. Blocks on both sides have no partner. */
function partners(mine: readonly Block[], theirs: readonly Block[]): (index: number) => number | undefined {
  let holders: Map<string, number> | undefined;
  return (index) => {
    const block = mine[index];
    if (!block || block.kind === "row") return undefined;
    holders ??= holdersOf(theirs, textsOf(mine));
    for (const part of partsOf(block)) {
      const holder = holders.get(`${block.kind} ${part}`);
      if (holder !== undefined) return holder;
    }
    return undefined;
  };
}

function holdersOf(blocks: readonly Block[], known: ReadonlySet<string>): Map<string, number> {
  const holders = new Map<string, number>();
  blocks.forEach((block, index) => {
    if (!known.has(block.text)) for (const part of partsOf(block)) holders.set(`${block.kind} ${part}`, index);
  });
  return holders;
}
