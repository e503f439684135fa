/** Decisions by a threshold, to measure how close each one was. Without a trace, nothing is recorded. */

export interface Decision {
  /** `share of the page's own text in its main part`. */
  readonly threshold: string;
  readonly value: number;
  /** The value at which the decision changes. */
  readonly limit: number;
  /** The beginning of the text in question. */
  readonly about?: string;
}

/** Receives every decision. */
export type Trace = (decision: Decision) => void;

/** An experiment with the rules for boilerplate: one is switched off, or the rules that apply are noted. */
export interface RuleTrial {
  readonly without?: string;
  readonly applied?: (rule: string) => void;
}
