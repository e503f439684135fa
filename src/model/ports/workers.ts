import type { Failure } from "../failure.ts";

/**
 * Where work on what strangers serve is done: apart from all else, each task within a limit of processor time and of
 * memory. Only plain data goes there and comes back.
 */
export interface Workers {
  /** Does one task of those that it knows. @throws Failure `processor` or `memory` where that takes too much; whatever the task throws */
  run(task: string, input: unknown, asker?: TaskGiver): Promise<unknown>;
}

/** The program that gave a task, as far as the task may ask it. */
export interface TaskGiver {
  /** Given to each worker once, however many tasks are done with it: it must not change. */
  readonly shared?: object;
  /** Answers what the task asks meanwhile; none of that time is the task's. */
  answer?(question: string, args: readonly unknown[]): Promise<unknown>;
}

/** The limits of one task: the reasons of failures name them. */
export interface WorkLimits {
  /** Milliseconds of processor time. */
  readonly processor: number;
  readonly megabytes: number;
}

/** Fails a task that took too much. */
export type Excess = Extract<Failure["kind"], "processor" | "memory">;
