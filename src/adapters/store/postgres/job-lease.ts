import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely, RawBuilder } from "kysely";
import type { Tables } from "../schema.ts";

/** The right to a job of the queue, which this process has until the queue takes it for dead. */
export interface JobLease {
  /** Selects a row if the job is this process's, and keeps it so until the transaction has ended. */
  readonly held: RawBuilder<unknown>;
  /** Completes the job with the transaction, and only if that is committed. */
  complete(transaction: Kysely<Tables>): Promise<void>;
}

/** The queue took this process for dead and gave its job to another one. Nothing more of the job is written here. */
export class LostJobLease extends Error {
  override readonly name = "LostJobLease";
  constructor() {
    super("this job is another process's by now");
  }
}

/** The lease of the job that is being done, if any: every transaction of the store asks it before it writes. */
export const currentJobLease = new AsyncLocalStorage<JobLease>();
