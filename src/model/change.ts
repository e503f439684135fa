import type { ClaimStatus } from "./claim.ts";
import type { Block, Item } from "./reading.ts";
import type { Instant } from "./time.ts";

/** A typed difference between two snapshots. */
export type Change =
  | { readonly kind: "item-added"; readonly item: Item }
  | { readonly kind: "item-edited"; readonly before: Item; readonly item: Item }
  | { readonly kind: "item-withdrawn"; readonly item: Item }
  | {
      readonly kind: "fact";
      readonly name: string;
      readonly before?: string;
      readonly after?: string;
      /** For a value that was seen before and held for a while: how many times it came. */
      readonly again?: number;
    }
  | { readonly kind: "block"; readonly before?: Block; readonly after?: Block }
  | {
      readonly kind: "claim";
      readonly claim: string;
      readonly from: ClaimStatus;
      readonly to: ClaimStatus;
      readonly before?: string;
      /** For *gone*: the text that took its place, where one did. */
      readonly after?: string;
      /** For *not found*: the source was read, and says something else where the proof should be. */
      readonly otherwise?: true;
      /**
       * How many times it was altered, gone or contradicted before and supported in between; for a fact, by this value.
       */
      readonly again?: number;
    }
  /** The source gives something else for good: what, in our own words (`another list`, `in German`), and since when. */
  | { readonly kind: "turned"; readonly now: string; readonly since: Instant }
  | {
      readonly kind: "link";
      readonly to: "gone" | "moved" | "back";
      readonly address?: string;
      /** For a state that was there before and ended for a while: how many times. */
      readonly again?: number;
    };

/** A change that counts, and when it was first seen. */
export interface Seen {
  readonly change: Change;
  readonly since: Instant;
  /** For an entry: the last look that did not find it as it is now. */
  readonly absent?: Instant;
}

/** A difference seen once, waiting for a second look. */
export interface Sighting {
  readonly change: Change;
  readonly since: Instant;
}

/** A difference that was taken for noise, and why: shown by `explain`. */
export interface Noise {
  readonly change: Change;
  readonly reason:
    | "moves at every look"
    | "one of a few variants"
    | "returned to an earlier text"
    | "too old to be new"
    | "did not last"
    | "laid out anew"
    | "a stamp"
    | "the same words"
    | "the site's"
    | "told of the site";
  /** For a change that is the site's: how many of its pages made it, including this one. */
  readonly site?: { readonly pages: number };
}
