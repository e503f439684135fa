import type { Branches, Clock, Luggage } from "../ports.ts";

/** What is needed to keep what is remembered on a branch. */
export interface Keeping {
  readonly branches: Branches;
  readonly luggage: Luggage;
  /** The state branch; its lock is a branch beside it, `…-lock`. */
  readonly branch: string;
  readonly clock: Clock;
  /** The run that this is part of, where there are such. */
  readonly run: { readonly run?: string; readonly attempt?: number };
  /** The version of this program. */
  readonly version: string;
  /** A new random word. */
  readonly word: () => string;
  /** Milliseconds. */
  readonly wait: (duration: number) => Promise<void>;
  /** One sentence for whoever watches. */
  readonly say: (sentence: string) => void;
}
