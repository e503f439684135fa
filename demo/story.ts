/** A story is made of a past, and of days on which things are published. Data; `days.ts` holds the shipped one. */

/** A piece of a page or a document below one heading. */
export interface Section {
  readonly heading: string;
  readonly paragraphs?: readonly string[];
  readonly list?: readonly string[];
  /** Header first. */
  readonly table?: readonly (readonly string[])[];
}

/** One thing that a source says from now on. `source` is an id of `sources.yaml`. */
export type Publication =
  /** An entry of a list, by the name of its kind: a tag, a version, the title of a post or commit. */
  | {
      readonly kind: "entry";
      readonly source: string;
      readonly name: string;
      readonly title?: string;
      readonly text?: string;
      readonly pre?: boolean;
    }
  /** A version that a page or file lists, or names if it shows only one. */
  | { readonly kind: "version"; readonly source: string; readonly version: string }
  /** The whole text of a page, file or issue. */
  | { readonly kind: "text"; readonly source: string; readonly sections: readonly Section[] }
  /** One passage gives way to another. */
  | { readonly kind: "edit"; readonly source: string; readonly from: string; readonly to: string }
  /** Facts of a repository (`public`, `archived`), issue (`state`, `labels`) or pull request (`state`, `labels`). */
  | { readonly kind: "facts"; readonly source: string; readonly facts: Readonly<Record<string, string>> };

/** The state of the web on a day, besides its texts. It lasts from that day on, unless it says `today`. */
export interface Weather {
  /** Pages get another menu, footer and banner. */
  readonly redesign?: boolean;
  /** Paragraphs are cut into other lines and other markup. */
  readonly rewrap?: boolean;
  /** Lists that have no order come in another one. */
  readonly shuffle?: boolean;
  /** Today these hosts show a bot wall. */
  readonly walls?: readonly string[];
  /** Today these hosts take the request and never answer. */
  readonly hangs?: readonly string[];
  /** Today nothing can be reached: our own connection is down. */
  readonly offline?: boolean;
}

/** A release that is to fire once for each trigger, however many sources announce it. */
export interface Announcement {
  readonly product: string;
  readonly version: string;
  readonly triggers: readonly string[];
  /** Sources that are to be found in each firing's evidence. */
  readonly places: number;
}

export interface Day {
  /** `2026-06-18`. */
  readonly date: string;
  /** The world's deeds, a sentence a line. */
  readonly world: readonly string[];
  readonly publishes?: readonly Publication[];
  readonly weather?: Weather;
  /** Triggers that should fire; without one it is a quiet day. */
  readonly fires: readonly string[];
  readonly announces?: readonly Announcement[];
}

export interface Story {
  /** Dates and publications before the first day. */
  readonly past: readonly (readonly [date: string, publication: Publication])[];
  readonly days: readonly Day[];
  /** Claims that were untrue at the first check. */
  readonly notFound: readonly string[];
}

export const isQuiet = (day: Day): boolean => day.fires.length === 0;
