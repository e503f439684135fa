import { AsyncLocalStorage } from "node:async_hooks";
import { type RawBuilder, sql } from "kysely";

/** pg-boss has a schema of its own, separate from Recheck's. */
export const jobSchema = "recheck_jobs";
export const jobsOfRepositories = "work";

/** The right of this process to a job, until the queue takes the process for dead. The queue counts the attempts at a job. */
export interface JobLease {
  readonly id: string;
  readonly attempt: number;
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

/**
 * Selects those keys that this process may write for: without a job, or with one that it still has. Until the transaction
 * ends, a lock keeps the queue from giving these jobs to another process, and lets heartbeats pass.
 */
export function keysWithLease(
  all: readonly (readonly [key: string, lease: JobLease | undefined])[],
): RawBuilder<unknown> {
  const leases = all.flatMap(([key, lease]) => (lease ? [{ key, ...lease }] : []));
  const free = all.flatMap(([key, lease]) => (lease ? [] : [key]));
  const of = <C extends "key" | "id" | "attempt">(column: C) => leases.map((lease) => lease[column]);
  const heldLeases = sql`select leased.key from unnest(${of("key")}::text[], ${of("id")}::uuid[], ${of("attempt")}::int[])
      as leased(key, id, attempt)
    join ${sql.id(jobSchema, "job")} as job on job.name = ${jobsOfRepositories} and job.id = leased.id
      and job.state = 'active' and job.retry_count = leased.attempt for key share of job`;
  const unleased = sql`select unnest(${free}::text[]) as key`;
  if (leases.length === 0) return unleased;
  return free.length === 0 ? heldLeases : sql`select key from (${heldLeases}) as held union all ${unleased}`;
}
