import type { Block } from "../model.ts";
import { nth } from "./column.ts";
import { keywords, type Words, words } from "./words.ts";

/** A stretch of words that belong to one place: a block, or one cell of a row. */
export interface Place {
  readonly from: number;
  readonly to: number;
  /** The row's label, where the place is another cell of that row. */
  readonly label?: { readonly from: number; readonly to: number };
  /** How closely the words of `of` stand: own words before a column's head, those before a section's. */
  readonly closeness: number;
}

/** More words of `of` than this are not looked at. */
const maxKeys = 30;

/**
 * The places the words of `of` lead to, in the order of the page; every block where it is not given. In a table, where
 * label, column head and cell together hold all the words, that cell alone is the place; else the row is.
 */
export function placesOf(page: Words, of: string | undefined): Place[] {
  const keys = of === undefined ? [] : keywords(of).slice(0, maxKeys);
  const bits = new Map(keys.map((term, k) => [term.stem, 1 << k]));
  const all = 2 ** keys.length - 1;
  const maskOf = memo((text) => words(text).reduce((mask, word) => mask | (bits.get(word.term.stem) ?? 0), 0));
  const cells: Place[] = [];
  const whole: Place[] = [];
  for (const [from, to] of runs(page)) {
    const block = nth(page.blocks, nth(page.block, from));
    const own = maskIn(page, bits, from, to);
    const above = maskOf(block.path.join("\n"));
    if ((own | above | maskOf(block.header ?? "")) !== all) continue;
    whole.push({ from, to, closeness: own === all ? 1 : share(own, keys.length) / 2 });
    if (block.kind === "row") cells.push(...cellsOf(page, block, { from, to, above, all, bits, maskOf }));
  }
  const exact = of === undefined ? [] : cells;
  const rows = new Set(exact.map((cell) => page.block[cell.from]));
  // Where some cell is meant for certain, other cells of any row are not.
  return [...exact, ...whole.filter((place) => rows.size === 0 || isProse(page, place))].sort(
    (a, b) => a.from - b.from,
  );
}

interface Row {
  readonly from: number;
  readonly to: number;
  readonly above: number;
  readonly all: number;
  readonly bits: ReadonlyMap<string, number>;
  readonly maskOf: (text: string) => number;
}

function cellsOf(page: Words, block: Block, row: Row): Place[] {
  const heads = (block.header ?? "").split(" | ");
  const cells = split(page, block, row.from, row.to);
  const label = cells[0];
  if (label === undefined || heads.length !== block.text.split(" | ").length) return [];
  // The corner of a table often names what the whole table is about.
  const labelMask = maskIn(page, row.bits, label.from, label.to) | row.maskOf(nth(heads, 0));
  const found: Place[] = [];
  for (const cell of cells) {
    if (cell.from === cell.to) continue;
    const own = maskIn(page, row.bits, cell.from, cell.to);
    if ((own | labelMask | row.above | row.maskOf(nth(heads, cell.column))) !== row.all) continue;
    const place = { from: cell.from, to: cell.to, closeness: 1.5 };
    found.push(cell === label ? place : { ...place, label: { from: label.from, to: label.to } });
  }
  return found;
}

/** The words of each cell. */
function split(page: Words, block: Block, from: number, to: number): { column: number; from: number; to: number }[] {
  const cells: { column: number; from: number; to: number }[] = [];
  let offset = 0;
  let at = from;
  block.text.split(" | ").forEach((text, column) => {
    const end = offset + text.length;
    const first = at;
    while (at < to && nth(page.start, at) < end) at++;
    cells.push({ column, from: first, to: at });
    offset = end + 3;
  });
  return cells;
}

function isProse(page: Words, place: Place): boolean {
  return nth(page.blocks, nth(page.block, place.from)).kind !== "row";
}

/** The words of each block, from and to. */
function* runs(page: Words): Generator<[number, number]> {
  for (let from = 0; from < page.ids.length; ) {
    let to = from + 1;
    while (to < page.ids.length && page.block[to] === page.block[from]) to++;
    yield [from, to];
    from = to;
  }
}

function maskIn(page: Words, bits: ReadonlyMap<string, number>, from: number, to: number): number {
  if (bits.size === 0) return 0;
  let mask = 0;
  for (let i = from; i < to; i++) mask |= bits.get(nth(page.terms, nth(page.ids, i)).stem) ?? 0;
  return mask;
}

function share(mask: number, of: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return of === 0 ? 0 : count / of;
}

function memo(make: (text: string) => number): (text: string) => number {
  const made = new Map<string, number>();
  return (text) => {
    let value = made.get(text);
    if (value === undefined) {
      value = make(text);
      made.set(text, value);
    }
    return value;
  };
}
