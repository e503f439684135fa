import type { Failure } from "../failure.ts";

/**
 * Does work on what strangers serve, apart from everything else, each task within limits of processor time and memory.
 * Only plain data goes there and comes back.
 */
export interface Workers {
  /**
   * Does one task that the workers know.
   * @throws Failure `processor` or `memory` where it takes too much; whatever the task throws
   */
  run(task: string, input: unknown, asker?: TaskGiver): Promise<unknown>;
}

/** The program that gave a task, as far as the task may ask it. */
export interface TaskGiver {
  /** Given to each worker once, for any number of tasks: it must not change. */
  readonly shared?: object;
  /** Answers what the task asks meanwhile; that time does not count as the task's. */
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
