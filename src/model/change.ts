import type { ClaimStatus } from "./claim.ts";
import type { FindingKind } from "./finding.ts";
import type { Block, Item } from "./reading.ts";
import type { Instant } from "./time.ts";
import type { Place } from "./words.ts";

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
      /** For a value that occurred before and lasted for a while: how often it returned. */
      readonly again?: number;
      /** It was already so at the first check, so no check saw it change. */
      readonly first?: true | FirstAuditFinding;
    }
  | { readonly kind: "block"; readonly before?: Block; readonly after?: Block }
  | {
      readonly kind: "claim";
      readonly claim: string;
      readonly from: ClaimStatus;
      readonly to: ClaimStatus;
      readonly before?: string;
      /** For *gone*: the text that replaced it, if any. */
      readonly after?: string;
      /** For *not found*: the source was parsed, and has another text in place of the proof. */
      readonly otherwise?: true;
      /** For *gone*, of a link that still works: the default branch has no such file. */
      readonly isFileGone?: true;
      /** How often it fell before: altered, gone or contradicted, and supported in between; for a fact, with this value. */
      readonly again?: number;
    }
  /** The source permanently serves something else: `now` in our own words (`another list`, `in German`). */
  | { readonly kind: "turned"; readonly now: string; readonly since: Instant }
  | {
      readonly kind: "link";
      readonly to: "gone" | "moved" | "back";
      readonly address?: string;
      /** For *gone*: the failure of the check that settled it, such as `404, not found`. */
      readonly says?: string | undefined;
      /** It was already gone or moved at the first check. */
      readonly first?: true | FirstAuditFinding;
      /** For a state that ended for a while and returned: how often. */
      readonly again?: number;
    };

export type ClaimChange = Extract<Change, { kind: "claim" }>;

/** Whether a claim still holds, but its proof moved within its source: from the link `before` to the link `after`. */
export function isMove(change: Change | undefined): boolean {
  return change?.kind === "claim" && change.from === "supported" && change.to === "supported";
}

/** Whether it was so at the first check already, so that no check saw it change. */
export function isOfFirstCheck(change: Change | undefined): boolean {
  return (change?.kind === "fact" || change?.kind === "link") && change.first !== undefined;
}

/** An audit's finding about something that the report cites, with the place of the citation. */
export interface FirstAuditFinding {
  readonly kind: FindingKind;
  readonly says: string;
  /** Its address, if it has one. */
  readonly cited?: string;
  /** The title of a work that no source watches: the report itself is the source. */
  readonly work?: string;
  readonly place?: Place;
}

export interface Seen {
  readonly change: Change;
  readonly since: Instant;
  /** For an entry: the last check that did not find it in its present form. */
  readonly absent?: Instant;
}

/** A difference seen once, waiting for confirmation. */
export interface Sighting {
  readonly change: Change;
  readonly since: Instant;
}

/** A difference that was ignored as noise, and why; shown by `explain`. */
export interface Noise {
  readonly change: Change;
  readonly reason:
    | "moves at every check"
    | "its date rolls"
    | "one of a few variants"
    | "returned to an earlier text"
    | "too old to be new"
    | "the time of the whole list"
    | "did not last"
    | "a stamp"
    | "the same words"
    | "a label"
    | "around the content"
    | "the site's"
    | "reported for another page";
  /** For a change of the whole site: how many of its pages made it, including this one. */
  readonly site?: { readonly pages: number };
}
