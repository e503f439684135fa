/** Heuristics as measures see them: rules that can be switched off, and thresholds. */

/** A heuristic that can be named, counted and switched off. In a list of them, the first that applies decides. */
export interface NamedRule<Case> {
  readonly id: string;
  readonly reason: string;
  applies(one: Case): boolean;
}

/** A decision by a threshold, which shows how close it was. */
export interface Decision {
  /** `share of the page's own text in its main part`. */
  readonly threshold: string;
  readonly value: number;
  /** The value at which the decision changes. */
  readonly limit: number;
  /** The beginning of the text in question. */
  readonly about?: string;
}

/** Receives decisions; without it, nothing is recorded. */
export type Trace = (decision: Decision) => void;
