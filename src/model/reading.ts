import type { Instant } from "./time.ts";

/** A response as a reader understands it. A kind fills what it has. */
export interface Reading {
  readonly title?: string;
  /** BCP 47, where the source says it. */
  readonly language?: string;
  readonly items?: readonly Item[];
  readonly blocks?: readonly Block[];
  /**
   * Identifies the part of a page that holds its content, or a text's format. If it differs, the page was redesigned.
   */
  readonly region?: string;
  /** A document that ends before it is closed, as one does that was cut off on its way. */
  readonly unclosed?: true;
  readonly facts?: Facts;
  /** The source could not tell everything: missing facts stay as they were, and later ones are told as first seen. */
  readonly partial?: true;
  /** For a source that looks at others itself: how long its statements hold. */
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
  /** Where the source gives no time: the earliest that it can be. */
  readonly notBefore?: Instant;
  /** Grows with each entry that the source makes: an entry came before those with a higher one, whatever `at` says. */
  readonly serial?: number;
  /** As the source spells it: `v2.13.0`, `rocm-7.14.0`. */
  readonly version?: string;
  /** The source itself says that this is not a final release. */
  readonly pre?: boolean;
  /** Its text as blocks, for `matches` and for evidence. */
  readonly blocks?: readonly Block[];
}

/** A piece of a page's main content. */
export interface Block {
  /** Headings above it, outermost first, and the entry that it stands in. */
  readonly path: readonly string[];
  readonly kind: BlockKind;
  /** White space folded; a row's cells are joined by ` | `. */
  readonly text: string;
  /** For a row: its table's header cells, joined the same way. */
  readonly header?: string;
}

/** `value`: of data, written `path: value`; a program may make it anew for every answer. */
export type BlockKind = "heading" | "paragraph" | "item" | "row" | "code" | "quote" | "term" | "value";

/** Names to values, as text; booleans are `yes` and `no`. */
export type Facts = Readonly<Record<string, string>>;

/** How long a monitor's statements hold: if it has not looked again by `until`, it has stopped. */
export interface Holds {
  readonly until: Instant;
  /** When it last looked. */
  readonly since: Instant;
}
