import type { ClaimChange, Noise, Sighting } from "./change.ts";
import type { Condition } from "./condition.ts";
import type { Firing } from "./firing.ts";
import type { Instant } from "./time.ts";

/** One check, as reported to people and programs. */
export interface Check {
  readonly source: string;
  readonly at: Instant;
  readonly outcome: CheckStatus;
  /** For *unknown*: the reason. */
  readonly failure?: Trouble;
  /** Seen once; the confirmation is due at `secondCheck`. */
  readonly sightings: readonly Sighting[];
  readonly secondCheck?: Instant;
  readonly noise: readonly Noise[];
  /** Firings that this check caused, or added evidence to. */
  readonly firings: readonly Firing[];
  /** When the source is due again. */
  readonly next: Instant;
}

/** The outcome of one attempt to see a source. */
export type CheckStatus = "first" | "unchanged" | "changed" | "unknown";

/** Why a source cannot be seen, and since when. */
export interface Trouble {
  readonly kind: string;
  /** The reason as a sentence. */
  readonly says: string;
  readonly since: Instant;
  /** Consecutive checks. */
  readonly count: number;
  /** The latest of these checks with one and the same failure: since when, and how many. */
  readonly alike?: { readonly since: Instant; readonly count: number };
  /** Nothing was requested at the latest check, because of how the host answered other requests. */
  readonly unasked?: true | undefined;
}

/** A difference seen once, with the consequences if it lasts. */
export interface PendingSighting extends Sighting {
  readonly asks: readonly ForeseenFiring[];
  readonly claims?: readonly ClaimChange[];
}

/** A condition that is met if a difference lasts, the trigger that it fires, and the weight. */
export interface ForeseenFiring {
  readonly trigger: string;
  readonly condition: Condition;
  readonly weight?: Firing["weight"];
  /** The claim that this is about, by `source/claim`. */
  readonly claim?: string;
}
