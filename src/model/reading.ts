import type { Instant } from "./time.ts";

/** A parsed response. Each kind fills the parts that it has. */
export interface Reading {
  readonly title?: string;
  /** BCP 47, if the source says it. */
  readonly language?: string;
  readonly items?: readonly Item[];
  readonly blocks?: readonly Block[];
  /** Identifies a page's main part, or a text's format. If it differs, the page was redesigned. */
  readonly region?: string;
  /** For a page without text in its markup: the address of its text, or words for its place. */
  readonly from?: string;
  /** Texts of a page that are not its content: menus, headers, footers. */
  readonly around?: readonly string[];
  /** A document without its closing tag, or a text without its last line end, as if it was cut off in transit. */
  readonly unclosed?: true;
  readonly facts?: Facts;
  /** For facts that compare a file with its earlier text: that text, which is remembered. */
  readonly atFirst?: string;
  /** When something last happened in a repository. */
  readonly active?: Instant;
  /** The source may lack facts: missing ones keep their values, and later ones are reported as first seen. */
  readonly partial?: true;
  /** For a source that itself checks others: how long its statements hold. */
  readonly holds?: Holds;
}

/** One entry of a list: a release, a feed entry, a tag, a commit. */
export interface Item {
  /** Stable within its source. */
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  /** When it happened, according to the source. */
  readonly at?: Instant;
  /** @internal Grows with each entry: higher numbers came later, even if `at` says otherwise. */
  readonly serial?: number;
  /** As the source spells it: `v2.13.0`, `rocm-7.14.0`. */
  readonly version?: string;
  /** The source itself says that this is not a final release. */
  readonly pre?: boolean;
  /** @internal Its text as blocks, for `matches` and for evidence. */
  readonly blocks?: readonly Block[];
}

/** A piece of a page's main content. */
export interface Block {
  /** Headings above it, outermost first, and the list entry that contains it. */
  readonly path: readonly string[];
  readonly kind: BlockKind;
  /** White space folded; a row's cells are joined by ` | `. */
  readonly text: string;
  /** For a row: its table's header cells, joined the same way. */
  readonly header?: string;
  /** Its pieces of code, one a line, unless all of it is code. */
  readonly code?: string;
}

/** `value`: of data, written `path: value`. A program may generate it for every response. */
export type BlockKind = "heading" | "paragraph" | "item" | "row" | "code" | "quote" | "term" | "value";

/** Names to values, as text; booleans are `yes` and `no`. */
export type Facts = Readonly<Record<string, string>>;

/** How long a monitor's statements hold. If it has not checked again by `until`, it has stopped. */
export interface Holds {
  readonly until: Instant;
  /** When it last checked. */
  readonly since: Instant;
}
