import type { Failure } from "../failure.ts";

/**
 * Works on untrusted content apart from everything else, each task within limits of processor time and memory. Only plain data
 * is exchanged.
 */
export interface Workers {
  /**
   * Does one known task; `processor`: a limit of its own. @throws Failure `processor` or `memory` if it takes too much;
   * any error of the task
   */
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
export const ofReports = { processor: 20_000 } as const satisfies Partial<WorkLimits>;
