import type { Instant } from "../time.ts";

/**
 * The work of one repository by its number, of an installation as a whole, or of all. `plan` asks for the work of
 * repositories that are due; `list` compares with GitHub's list of repositories, at most once in ten minutes.
 */
export type JobLane = `repository ${number}` | `installation ${number}` | "plan" | "list";

/** Work that failed again and again: it is left until it is asked for the next time. */
export interface WorkPutAside {
  readonly lane: JobLane;
  /** When it last failed, and how often it was tried. */
  readonly at: Instant;
  readonly tries: number;
  /** The message of the last error. */
  readonly says: string;
}

/**
 * Work that any process may do, in a queue that all share. Each lane has one piece of work at a time, in whichever
 * process; one that is asked for meanwhile is done afterwards. Work that fails, or whose process dies, is done again.
 */
export interface Jobs {
  /** `later`: not before so many seconds have passed. */
  ask(lane: JobLane, later?: number): Promise<void>;
  /** Starts to work. Writes to the store are refused once the piece of work has gone to another process. */
  begin(work: (lane: JobLane) => Promise<void>): Promise<void>;
  /** Takes no more work, and resolves once nothing is under way. */
  end(): Promise<void>;
}
