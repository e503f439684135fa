import type { Instant } from "../../model.ts";

/** One entry of a feed, before it is XML: texts as they are, for people. */
export interface Entry {
  /** The same for as long as it tells of the same; unique within the report. */
  readonly key: string;
  readonly kind: "opened" | "answered" | "blind" | "seen again";
  readonly title: string;
  readonly published: Instant;
  readonly updated: Instant;
  /** Where a person reads on. */
  readonly link?: string;
  readonly says: string;
  readonly list: readonly string[];
  /** The ratings whose feeds tell of it too. */
  readonly ratings: ReadonlySet<string>;
}
