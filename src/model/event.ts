import type { Seen } from "./change.ts";
import type { Condition } from "./condition.ts";
import type { Evidence } from "./firing.ts";
import type { Instant } from "./time.ts";

/** The meaning of a change, with a key that is the same in all sources that announce it. */
export interface Event {
  /** `pytorch 2.13.0`, `torchtpu public yes`; source and item if there is no product. */
  readonly key: string;
  readonly product?: string;
  readonly version?: string;
  /** When it happened, if a source says so. */
  readonly at?: Instant;
}

/** Changes of one check that are one event: one entry, one fact, or all blocks of a page together. */
export interface Occurrence {
  readonly event: Event;
  readonly changes: readonly Seen[];
}

/** An event that a check found, and the result of each trigger that listens to it. */
export interface Happening extends Occurrence {
  readonly hearings: readonly MatchResult[];
  /** How many changes and match results were left out because there were too many. */
  readonly left?: number;
}

export interface MatchResult {
  readonly trigger: string;
  /**
   * `fired`: it asks. `evidence`: it had asked already, and this is further evidence. `known`: a condition is met, but the
   * event was known before. `unmet`: no condition is met.
   */
  readonly outcome: "fired" | "evidence" | "known" | "unmet";
  /** For `known`: where it was seen before. Missing if the trigger has already asked about this very sighting. */
  readonly knownFrom?: { readonly source: string; readonly baseline: boolean };
  readonly verdicts: readonly Verdict[];
}

/** Whether a change of an event meets one condition, or why not. */
export interface Verdict {
  readonly part: Evidence["part"];
  /** @internal */
  readonly condition: Condition;
  readonly met: boolean;
  readonly because?: string;
}
