/** A cell of a table, by the offsets of what stands in it. */
export interface Cell {
  /** What a reader sees. */
  readonly shown: string;
  readonly from: number;
  readonly to: number;
  /** Where its own tag begins, in HTML: its class may tell the level, too. */
  readonly tag: number;
}

/** Rows from top to bottom; a place that a cell spans holds that cell again. */
export interface Table {
  readonly rows: readonly (readonly (Cell | undefined)[])[];
  /** How many of the first rows are headers. */
  readonly headers: number;
}
