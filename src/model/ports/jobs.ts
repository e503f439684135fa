import type { Instant } from "../model.ts";

/**
 * Whose work is to be done: a repository's by its number, an installation's as a whole, or what is done for all. `plan`
 * asks for the work of repositories whose time has come; `list` compares with GitHub's list of repositories, where it is asked
 * for soon again after a while.
 */
export type JobLane = `repository ${number}` | `installation ${number}` | "plan" | "list";

/** Work that failed again and again: it is left alone until it is asked for the next time. */
export interface WorkPutAside {
  readonly lane: JobLane;
  /** When it failed last, and how often it was tried. */
  readonly at: Instant;
  readonly tries: number;
  /** The message of the last error. */
  readonly says: string;
}

/**
 * Work that any process may do, in a queue that all share. Of one lane a piece is done at a time, whoever does it: asked
 * for while it is under way it is done once more. One whose process dies, or that fails, is done by another.
 */
export interface Jobs {
  /** `later`: not before so many seconds have passed. */
  ask(lane: JobLane, later?: number): Promise<void>;
  /** Begins to do what is asked for. What `work` writes to the store is refused once its piece is another process's. */
  begin(work: (lane: JobLane) => Promise<void>): Promise<void>;
  /** Takes nothing more, and resolves once nothing is under way. */
  end(): Promise<void>;
}
