import { saysStatus } from "../../language/boilerplate.ts";
import { cacheByText, makeOnce } from "../../model/cache.ts";
import type { Trace } from "../../model/heuristics.ts";
import type { Block } from "../../model/reading.ts";
import { labelLength } from "./labels.ts";
import { differenceByPosition, longestPlace, timesOf, withoutRespaced } from "./positions.ts";
import { signChanges } from "./signs.ts";
import { aFewPages, nameOf, partsOf, wordsOf } from "./text.ts";
import { SideOfComparison } from "./text-search.ts";

/** A text on one side only, however it is split; an entry with another heading; or one more copy, by its place. */
export interface ChangedText {
  /** Equal for equal texts. */
  readonly name: string;
  readonly text: string;
  /** The index of its block on its own side. */
  readonly block: number;
  /** The name of its place: the path of a value, else the last common text before it. */
  readonly place: string;
  /** Its subject: the term of a definition, or the name of a field. */
  readonly label?: string | undefined;
}

export interface TextDifference {
  readonly added: readonly ChangedText[];
  readonly removed: readonly ChangedText[];
}

export interface Differences extends TextDifference {
  /** Labels of the layout that appeared or disappeared: not news. */
  readonly labels: TextDifference;
}

/** Finds the sentences on one side only, entries that moved, and texts with one more place. */
export function difference(before: readonly Block[], after: readonly Block[], trace?: Trace): Differences {
  const moves = entryMoves(before, after);
  if (before.length === after.length && before.every(({ text }, i) => text === after[i]?.text))
    return { ...moves, labels: none };
  const [old, now] = [before, after].map((blocks) => timesOf(blocks.map(({ text }) => text)));
  const changed = (text: string) => old?.get(text) !== now?.get(text);
  const [oldSide, newSide] = [new SideOfComparison(before), new SideOfComparison(after)];
  const [oldUnits, newUnits] = [unitsOf(before, changed, oldSide, newSide), unitsOf(after, changed, newSide, oldSide)];
  const [removed, added] = [withoutRespaced(oldUnits, newUnits), withoutRespaced(newUnits, oldUnits)];
  const all = {
    added: [...added, ...moves.added, ...signChanges(after, before, changed)],
    removed: [...removed, ...moves.removed, ...signChanges(before, after, changed)],
  };
  const identify = ({ block, text }: Pick<ChangedText, "block" | "text">) => `${block} ${text}`;
  const reported = { added: new Set(all.added.map(identify)), removed: new Set(all.removed.map(identify)) };
  const sides = [
    { blocks: before, text: oldSide },
    { blocks: after, text: newSide },
  ] as const;
  const places = differenceByPosition(...sides, (side, part) => reported[side].has(identify(part)), trace);
  const additions = [...all.added, ...places.added];
  const removals = [...all.removed, ...places.removed];
  const newHeadings = layoutHeadings(additions, after, removals);
  const oldHeadings = layoutHeadings(removals, before, additions);
  return {
    added: additions.filter((unit) => !newHeadings.has(unit)),
    removed: removals.filter((unit) => !oldHeadings.has(unit)),
    labels: {
      added: [...newHeadings, ...places.labels.added],
      removed: [...oldHeadings, ...places.labels.removed],
    },
  };
}

/** A heading below several others, such as "Description", is a label of the layout, unless it replaced something. */
function layoutHeadings(
  units: readonly ChangedText[],
  blocks: readonly Block[],
  others: readonly ChangedText[],
): ReadonlySet<ChangedText> {
  const headings = blocks.filter(({ kind }) => kind === "heading");
  const byText = Map.groupBy(headings, ({ text }) => text);
  const isRepeated = (text: string) => new Set(byText.get(text)?.map(({ path }) => path.at(-1))).size > 1;
  const taken = new Set(others.map(({ place }) => place));
  const isLayout = ({ block, text, place }: ChangedText) =>
    blocks[block]?.kind === "heading" && !taken.has(place) && isRepeated(blocks[block].text) && !saysStatus(text);
  return new Set(units.filter(isLayout));
}

const none: TextDifference = { added: [], removed: [] };

/** Entries that moved at once, at most. More are a new sort order. */
const maxMoved = 20;

/**
 * Entries, rows and short paragraphs with another heading or parent entry, as from "Planned" to "Done", or entries with
 * one more or fewer. Others must have stayed under each of these headings: if all leave one, or all enter one, the list
 * was rearranged.
 */
function entryMoves(before: readonly Block[], after: readonly Block[]): TextDifference {
  const [olds, news] = [entriesOf(before), entriesOf(after)];
  const all = [...olds].flatMap(([text, old]) => {
    const now = news.get(text) ?? [];
    const [went, came] = [onlyIn(old, now), onlyIn(now, old)];
    const isMoved = old.length === now.length || [...old, ...now].every(({ block }) => isListed(block));
    return now.length > 0 && went.length + came.length > 0 && isMoved ? [{ went, came }] : [];
  });
  if (all.length === 0) return none;
  const stay = lastingParents(olds, news, before, after);
  const [oldParents, newParents] = [aboveEntries(before), aboveEntries(after)];
  const isClear = (from: Entry, to: Entry) =>
    !isWithin(from, to) || (oldParents.has(from.above) && newParents.has(from.above));
  const moves = all.filter(
    ({ went, came }) =>
      [...went, ...came].every(({ above }) => stay.has(above)) &&
      went.every((old) => came.every((now) => isClear(old, now) && isClear(now, old))),
  );
  if (moves.length > maxMoved) return none;
  return {
    added: moves.flatMap(({ came }) => came.map(unitOf)),
    removed: moves.flatMap(({ went }) => went.map(unitOf)),
  };
}

/** A list entry, term, row or short paragraph, such as a price, under its heading or parent entry. */
interface Entry {
  readonly block: Block;
  readonly index: number;
  /** Normalised, so that spellings do not matter. */
  readonly above: string;
}

type Entries = ReadonlyMap<string, readonly Entry[]>;

/** More copies of a text than this are not an entry. */
const mostAlike = 10;

function isListed({ kind }: Block): boolean {
  return kind === "item" || kind === "term";
}

function isEntry(block: Block): boolean {
  return isListed(block) || block.kind === "row" || (block.kind === "paragraph" && block.text.length < labelLength);
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

function aboveEntries(blocks: readonly Block[]): Set<string> {
  return new Set(blocks.filter(isEntry).flatMap(({ path }) => path.slice(-1).map(wordsOf)));
}

/** Whether the first entry is deeper in the same list than the second. */
function isWithin({ block: { path } }: Entry, { block: { path: other } }: Entry): boolean {
  return path.length > other.length && other.every((name, i) => name === path[i]);
}

function onlyIn(entries: readonly Entry[], others: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ above }) => !others.some((other) => other.above === above));
}

/** Characters of the name of an entry or heading, at most. */
const longestName = 90;

/** Headings under which an entry stayed, and parent entries that stayed themselves. */
function lastingParents(olds: Entries, news: Entries, before: readonly Block[], after: readonly Block[]): Set<string> {
  const lasting = new Set<string>();
  for (const [text, old] of olds) {
    for (const { above } of news.get(text) ?? []) if (old.some((entry) => entry.above === above)) lasting.add(above);
  }
  const [oldHolders, newHolders] = [holdersOf(before), holdersOf(after)];
  for (const above of new Set([...olds.values(), ...news.values()].flat().map((entry) => entry.above)))
    if (oldHolders.has(above) && newHolders.has(above)) lasting.add(above);
  return lasting;
}

/** The normalised texts of possible parent entries, without the state of a checkbox. */
function holdersOf(blocks: readonly Block[]): Set<string> {
  const entries = blocks.filter(({ kind, text }) => (kind === "item" || kind === "term") && text.length < longestName);
  return new Set(entries.map(({ text }) => wordsOf(text).replace(/^[✓☐] /, "")));
}

/** The entry, identified by its heading. */
function unitOf({ block: { text }, index, above }: Entry): ChangedText {
  const place = nameOf(above);
  return { name: nameOf(`${wordsOf(text)} under ${place}`), text, block: index, place };
}

function unitsOf(
  blocks: readonly Block[],
  changed: (text: string) => boolean,
  side: SideOfComparison,
  other: SideOfComparison,
): ChangedText[] {
  const units: ChangedText[] = [];
  const isThere = cacheByText(aFewPages, (words) => words === "" || other.has(words, side));
  let place = "";
  const see = (text: string, index: number, block: Block) => {
    const words = wordsOf(text);
    const label = block.kind === "term" ? block.path.at(-1) : undefined;
    if (!isThere(words))
      units.push({ name: nameOf(words), text, block: index, place: pathOfValue(block) ?? place, label });
    else if (words !== "") place = text;
  };
  blocks.forEach((block, index) => {
    if (!changed(block.text)) place = block.text;
    else for (const text of partsOf(block)) see(text, index, block);
  });
  return namePlaces(units);
}

/** A value's place is its path, even if its neighbours change. */
function pathOfValue({ kind, text }: Block): string | undefined {
  const end = kind === "value" ? text.indexOf(": ") : -1;
  return end < 0 ? undefined : text.slice(0, end);
}

/** Replaces each place by its name, made from the beginning of its text. */
function namePlaces(units: readonly ChangedText[]): ChangedText[] {
  const names = new Map<string, string>();
  return units.map((unit) => {
    const start = unit.place.slice(0, longestPlace);
    return { ...unit, place: makeOnce(names, start, () => nameOf(wordsOf(start))) };
  });
}
