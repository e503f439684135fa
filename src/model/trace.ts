/** Decisions by a threshold, for those who ask how near to it one was. Without a trace, nothing is recorded. */

export interface Decision {
  /** `share of the page's own text in its main part`. */
  readonly threshold: string;
  readonly value: number;
  /** The value at which it is decided otherwise. */
  readonly limit: number;
  /** The beginning of the text that it is about. */
  readonly about?: string;
}

/** Hears of every decision. */
export type Trace = (decision: Decision) => void;
