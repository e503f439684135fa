import type { Failure } from "../failure.ts";
import type { Instant } from "../time.ts";
import type { Delivery } from "./registry.ts";

/** Works on untrusted content apart, each task within limits of processor time and memory. Only plain data passes. */
export interface Workers {
  /** Does one known task; `processor`: its own limit. @throws Failure `processor` or `memory`; its error */
  run(task: string, input: unknown, asker?: TaskGiver & Partial<Pick<WorkLimits, "processor">>): Promise<unknown>;
}

/** What a task may use of the program that gave it. */
export interface TaskGiver {
  /** Sent to each worker once, for any number of tasks, so it must not change. */
  readonly shared?: object;
  /** Answers questions of the running task. That time does not count as the task's. */
  answer?(question: string, args: readonly unknown[]): Promise<unknown>;
}

/** The limits of one task, which its failures name. */
export interface WorkLimits {
  /** Milliseconds of processor time. */
  readonly processor: number;
  readonly megabytes: number;
}

/** The failure of a task that took too much. */
export type Excess = Extract<Failure["kind"], "processor" | "memory">;

/** The limit of a task on a whole report: many times what one of 2,000 references takes. */
export const reportLimits = { processor: 20_000 } as const satisfies Partial<WorkLimits>;

/**
 * The work of one repository by its number, of an installation as a whole, or of all. `plan` requests the work of repositories
 * that are due; `list` compares with GitHub's list of repositories, at most once in ten minutes.
 */
export type JobLane = `repository ${number}` | `installation ${number}` | "plan" | "list";

/** The lane of news: that of its repository, or else of the whole installation. */
export function laneOf({ repository, installation }: Pick<Delivery, "repository" | "installation">): JobLane {
  return repository === undefined ? `installation ${installation}` : `repository ${repository}`;
}

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
