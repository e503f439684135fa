/** A link to somewhere else. */
export interface Link {
  /** What people read of it; empty where it shows a picture alone. */
  readonly text: string;
  /** As it is written. */
  readonly address: string;
}

/** A piece of a report's text, with all that helps to find references and ratings in it. */
export interface Piece {
  readonly kind: "heading" | "text" | "item" | "row";
  /** Headings above it, outermost first. */
  readonly path: readonly string[];
  /** Its lines, joined by line feeds; white space within a line is folded. Marks of citations are left out. */
  readonly text: string;
  readonly links: readonly Link[];
  /** Of a heading: 1 to 6, where it is marked as one. */
  readonly level?: number;
  /** The number of an item in an ordered list. */
  readonly number?: number;
  /** Ids by which links within the report reach it. */
  readonly ids: readonly string[];
  /** References that it names: `¹`, `[1]`, `[^1]`. */
  readonly cited: readonly number[];
  /** Of a row: its cells, and which table it is in. */
  readonly cells?: readonly string[];
  readonly table?: number;
  /** Of a row: it names the columns. */
  readonly head?: boolean;
}

/** A report, read. */
export interface Pieces {
  /** As the document's head says it. */
  readonly title?: string;
  /** Where it is published, as its head says it. */
  readonly url?: string;
  /** `key: value` of its front matter. */
  readonly front: ReadonlyMap<string, string>;
  readonly pieces: readonly Piece[];
  /** Addresses that Markdown defines by number, `[1]: https://…`, with their titles. */
  readonly defined: ReadonlyMap<number, Link>;
  /** There was more than is read. */
  readonly cut: boolean;
}
