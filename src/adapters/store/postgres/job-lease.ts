import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely, RawBuilder } from "kysely";
import type { Tables } from "../schema.ts";

/** The right of this process to a job, until the queue takes the process for dead. */
export interface JobLease {
  /** Selects a row if the job still belongs to this process, and locks it until the transaction ends. */
  readonly held: RawBuilder<unknown>;
  /** Completes the job if the transaction is committed. */
  complete(transaction: Kysely<Tables>): Promise<void>;
}

/** The queue took this process for dead and gave its job to another one. This process must write nothing more for the job. */
export class LostJobLease extends Error {
  override readonly name = "LostJobLease";
  constructor() {
    super("another process has this job now");
  }
}

/** The lease of the job that is being done, if any: every transaction of the store asks it before it writes. */
export const currentJobLease = new AsyncLocalStorage<JobLease>();
