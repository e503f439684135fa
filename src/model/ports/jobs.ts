import type { Instant } from "../time.ts";

/**
 * The work of one repository by its number, of an installation as a whole, or of all. `plan` requests the work of repositories
 * that are due; `list` compares with GitHub's list of repositories, at most once in ten minutes.
 */
export type JobLane = `repository ${number}` | `installation ${number}` | "plan" | "list";

/** Work that failed repeatedly and is left until it is requested again. */
export interface WorkPutAside {
  readonly lane: JobLane;
  /** When it last failed, and how often it was tried. */
  readonly at: Instant;
  readonly tries: number;
  /** The message of the last error. */
  readonly says: string;
}

/**
 * Work that any process may do, in a shared queue. Each lane has one piece of work at a time, over all processes. If it is
 * requested meanwhile, it is done again afterwards. Work that fails, or whose process dies, is repeated.
 */
export interface Jobs {
  /** `later`: a delay in seconds. */
  ask(lane: JobLane, later?: number): Promise<void>;
  /** Starts to work. Writes to the store are refused once the work has gone to another process. */
  begin(work: (lane: JobLane) => Promise<void>): Promise<void>;
  /** Takes no more work, and resolves once nothing is running. */
  end(): Promise<void>;
}
