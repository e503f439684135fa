import { inUnitOf, type Quantity } from "../../language/quantity.ts";
import { makeOnce } from "../../model/make-once.ts";
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
