/** Records decisions by a threshold, to measure how close they were. Without a trace, nothing is recorded. */

export interface Decision {
  /** `share of the page's own text in its main part`. */
  readonly threshold: string;
  readonly value: number;
  /** The value at which the decision changes. */
  readonly limit: number;
  /** The beginning of the text in question. */
  readonly about?: string;
}

export type Trace = (decision: Decision) => void;
