import { nth, type Stretch } from "../../language/fold.ts";
import { inUnitOf, type Quantity } from "../../language/quantity.ts";
import { keywords, type Term, type Words, wordsIn } from "../../language/words.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Block } from "../../model/reading.ts";

export interface RowCell {
  readonly text: string;
  /** Its offset in the text of the row. */
  readonly start: number;
  /** The head of its column; undefined if there are more or fewer heads than cells. */
  readonly head?: string;
}

const separator = " | ";
const cellsOfRows = new WeakMap<Block, ReadonlyMap<number, RowCell>>();

export function cellsOf(row: Block): readonly RowCell[] {
  return [...cellsByStart(row).values()];
}

/** The cells by the offsets of their texts. Cached, because each number of a row asks for its cell. */
export function cellsByStart(row: Block): ReadonlyMap<number, RowCell> {
  return makeOnce(cellsOfRows, row, () => cut(row));
}

function cut({ text: row, header = "" }: Block): Map<number, RowCell> {
  const [texts, heads] = [row.split(separator), header.split(separator)];
  let end = -separator.length;
  return new Map(
    texts.map((text, i) => {
      const start = end + separator.length;
      end = start + text.length;
      return [start, { text, start, ...(heads.length === texts.length && { head: heads[i] ?? "" }) }];
    }),
  );
}

/** The number of a cell with the unit of its column, of the row's label, or of the corner of the table. */
export function inUnitOfCell(number: string, { head = "" }: RowCell, label: RowCell | undefined): Quantity | undefined {
  return inUnitOf(number, head) ?? inUnitOf(number, label?.text ?? "") ?? inUnitOf(number, label?.head ?? "");
}

export function termAt(page: Words, at: number): Term {
  return nth(page.terms, nth(page.ids, at));
}

/** A stretch of words that belong to one place: a block, or one cell of a row. */
export interface Place extends Stretch {
  /** The row's label, if the place is another cell of that row; the term, if the place describes one. */
  readonly label?: Stretch;
  /** How close the words of `of` are: the place's own words before its column's head, and that before its section's. */
  readonly closeness: number;
}

/** The most words of `of` that are used. */
const maxKeys = 30;

/**
 * The places that the words of `of` lead to, in the order of the page; every block if there are none. If label, column
 * head and cell of a row together hold all the words, the place is that cell, otherwise the row. A term of a list and
 * the text below it are one place.
 */
export function figurePlaces(page: Words, of: string | undefined): Place[] {
  const letters = of === undefined ? [] : namingLetters(of);
  const keys = of === undefined ? [] : keywords(of).slice(0, maxKeys - letters.length);
  const bits = new Map(keys.map((term, k) => [term.stem, 1 << k]));
  const allBits = 2 ** (keys.length + letters.length) - 1;
  const lettersOf = (text: string) =>
    letters.reduce((mask, isNamed, k) => mask | (isNamed(text) ? 1 << (keys.length + k) : 0), 0);
  const masks = new Map<string, number>();
  const maskOf = (text: string) =>
    makeOnce(masks, text, () =>
      wordsIn(text).reduce((mask, word) => mask | (bits.get(word.term.stem) ?? 0), lettersOf(text)),
    );
  const maskIn: MaskIn = (from, to) => {
    if (bits.size === 0) return 0;
    let mask = letters.length === 0 ? 0 : lettersOf(writtenAt(page, from, to));
    for (let i = from; i < to; i++) mask |= bits.get(termAt(page, i).stem) ?? 0;
    return mask;
  };
  const cells: Place[] = [];
  const whole: Place[] = [];
  let term: Stretch | undefined;
  for (const [from, to] of runs(page)) {
    const index = nth(page.block, from);
    const block = nth(page.blocks, index);
    const cellMask = maskIn(from, to);
    const above = maskOf(block.path.join("\n"));
    const isBesideTerm = block.kind === "term" && term !== undefined && page.block[term.from] === index - 1;
    const label = isBesideTerm ? term : undefined;
    term = block.kind === "term" ? { from, to } : undefined;
    if ((cellMask | above | maskOf(block.header ?? "")) === allBits)
      whole.push({ from, to, closeness: cellMask === allBits ? 1 : share(cellMask, keys.length) / 2 });
    else if (label !== undefined && (cellMask | above | maskIn(label.from, label.to)) === allBits)
      whole.push({ from, to, label, closeness: 1 });
    else continue;
    if (block.kind === "row") cells.push(...cellPlaces(page, block, { from, to, above, all: allBits, maskIn, maskOf }));
  }
  const exact = of === undefined ? [] : cells;
  const rows = new Set(exact.map((cell) => page.block[cell.from]));
  // If a cell matches for certain, cells of other rows do not count.
  return [...exact, ...whole.filter((place) => rows.size === 0 || isProse(page, place))].sort(
    (a, b) => a.from - b.from,
  );
}

function writtenAt(page: Words, from: number, to: number): string {
  const { text } = nth(page.blocks, nth(page.block, from));
  return text.slice(nth(page.start, from), nth(page.end, to - 1));
}

/** Which words of `of` are in a stretch of the page, as bits. */
type MaskIn = (from: number, to: number) => number;

/** A capital that ends a name and would otherwise be an article: in `Kite A` and `USB-A`. */
const namingLetter = /(?<![\p{L}\p{N}])([\p{L}\p{N}]{1,40})[ -]A(?![\p{L}\p{N}])/gu;

const wordBeforeLetter =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,40}(?=[\s\p{Pd}\p{Ps}\p{Pi}:"']{1,3}A(?![\p{Script=Latin}\p{N}]))/gu;
const loneLetter = /(?:^|\| )A(?= \||$)/mu;

/** For each such letter: a test whether a text has it after the same word, or alone in a line or cell. */
function namingLetters(of: string): ((text: string) => boolean)[] {
  const names = [...of.matchAll(namingLetter)].map(([, name = ""]) => name);
  return names
    .filter((name) => wordsIn(name).some(({ term }) => term.weight >= 1))
    .map((name) => {
      const named = new RegExp(`^${name}$`, "iu");
      return (text) => loneLetter.test(text) || (text.match(wordBeforeLetter) ?? []).some((word) => named.test(word));
    });
}

interface Row extends Stretch {
  readonly above: number;
  readonly all: number;
  readonly maskIn: MaskIn;
  readonly maskOf: (text: string) => number;
}

function cellPlaces(page: Words, block: Block, row: Row): Place[] {
  const [label, ...cells] = cellStretches(page, block, row);
  if (label?.head === undefined) return [];
  // The corner of a table often names the subject of the whole table.
  const labelMask = row.maskIn(label.from, label.to) | row.maskOf(label.head);
  return [label, ...cells].flatMap((cell): Place[] => {
    const { from, to, head = "" } = cell;
    const inTable = labelMask | row.maskOf(head);
    const [own, beside] = [row.maskIn(from, to), inTable | row.above];
    if (from === to || (own | beside) !== row.all) return [];
    if (beside !== row.all && isWanted(row, cell)) return [];
    const closeness = (own | inTable) === row.all ? 1.5 : 1.25;
    return [{ from, to, closeness, ...(cell !== label && { label: { from: label.from, to: label.to } }) }];
  });
}

/** Whether a cell holds only words of `of`: it is a part of the row's name, such as `Pro` in `Kite | Pro | 16 GB`. */
function isWanted({ maskIn }: Row, { from, to }: Stretch): boolean {
  for (let at = from; at < to; at++) if (maskIn(at, at + 1) === 0) return false;
  return true;
}

function cellStretches(page: Words, block: Block, { from, to }: Stretch): (Stretch & Pick<RowCell, "head">)[] {
  let at = from;
  return cellsOf(block).map(({ start, text, head }) => {
    const first = at;
    while (at < to && nth(page.start, at) < start + text.length) at++;
    return { from: first, to: at, head };
  });
}

function isProse(page: Words, place: Place): boolean {
  return nth(page.blocks, nth(page.block, place.from)).kind !== "row";
}

/** The range of words of each block, end excluded. */
function* runs(page: Words): Generator<[number, number]> {
  for (let from = 0; from < page.ids.length; ) {
    let to = from + 1;
    while (to < page.ids.length && page.block[to] === page.block[from]) to++;
    yield [from, to];
    from = to;
  }
}

function share(mask: number, of: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return of === 0 ? 0 : count / of;
}
