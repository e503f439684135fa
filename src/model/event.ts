import type { Seen } from "./change.ts";
import type { Condition } from "./condition.ts";
import type { Evidence } from "./firing.ts";
import type { Instant } from "./time.ts";

/** Announced by a change, with a key that is the same wherever it is announced. */
export interface Event {
  /** `pytorch 2.13.0`, `torchtpu public yes`, or the source and item where there is no product. */
  readonly key: string;
  readonly product?: string;
  readonly version?: string;
  /** When it happened, where a source says so. */
  readonly at?: Instant;
}

/** Changes of one look that are one event: one entry, one fact, or all blocks of a page together. */
export interface Occurrence {
  readonly event: Event;
  readonly changes: readonly Seen[];
}

/** An event that a look found, and what each trigger that listens to it made of it. */
export interface Happening extends Occurrence {
  readonly hearings: readonly MatchResult[];
  /** How many changes and hearings were left out, where there were too many to keep. */
  readonly left?: number;
}

/** One trigger's answer to an event. */
export interface MatchResult {
  readonly trigger: string;
  /**
   * `fired`: it asks. `evidence`: it asked already, and this is further evidence. `known`: a condition is met, and the
   * event was known before. `unmet`: no condition is met.
   */
  readonly outcome: "fired" | "evidence" | "known" | "unmet";
  /** For `known`: where it was seen before. Absent where the trigger asked about this very sighting already. */
  readonly knownFrom?: { readonly source: string; readonly baseline: boolean };
  readonly verdicts: readonly Verdict[];
}

/** Whether one condition is met by a change of an event, or why it is not. */
export interface Verdict {
  readonly part: Evidence["part"];
  readonly condition: Condition;
  readonly met: boolean;
  readonly because?: string;
}
