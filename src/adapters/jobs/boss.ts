import { type Kysely, sql } from "kysely";
import { fromKysely, type JobResult, type JobWithMetadata, PgBoss } from "pg-boss";
import type { JobLane, Jobs, WorkPutAside } from "../../model/ports/index.ts";
import { aMinute } from "../../model/time.ts";
import { currentJobLease, type JobLease } from "../store/postgres/job-lease.ts";
import { applicationName, createPool, keptAlive, type PoolOptions, usualLongest } from "../store/postgres/pool.ts";
import { postgresProblem } from "../store/postgres/problem.ts";
import { placeName } from "../store/problem.ts";
import type { Tables } from "../store/schema.ts";

/** The queue of jobs in PostgreSQL. A job is requested in the transaction of the change that needs it. */
export interface PostgresJobs extends Jobs {
  askWithin(transaction: Kysely<Tables>, ...lanes: readonly JobLane[]): Promise<void>;
  close(): Promise<void>;
}

export interface JobsOptions extends Pick<PoolOptions, "longest"> {
  /** Number of loops of this process that take jobs, a few at a time. */
  readonly loops?: number;
  /** Receives errors of the queue; once a minute for a lasting problem. */
  readonly onProblem?: (error: unknown) => void;
}

/** pg-boss has a schema of its own, separate from Recheck's. */
export const schema = "recheck_jobs";
const queue = "work";
export const deadQueue = "dead";

/**
 * Seconds between two comparisons with GitHub's list, whichever process starts them: each makes a request for every
 * installation.
 */
const secondsBetweenLists = 600;

/** Seconds after which a process without a sign of life counts as dead; all others check every `watchSeconds`. */
const heartbeatSeconds = 20;
const watchSeconds = 5;

/** When jobs for all repositories are requested, in UTC. */
const schedules: readonly (readonly [JobLane, string])[] = [
  ["plan", "* * * * *"],
  ["list", "17 4 * * *"],
];

/**
 * Jobs that a loop takes at once. It takes the next ones when all have ended. With one job at a time, pg-boss would let
 * the loop sleep for a second after each.
 */
const piecesAtOnce = 4;

const retriesOfFailed = 5;
/**
 * Retries of jobs whose process died, within a minute each time. The job itself is rarely the cause, and each process
 * did part of it.
 */
const patience = { retryLimit: 30, retryDelay: 1, retryBackoff: true, retryDelayMax: 30 };

/**
 * The queue in a PostgreSQL database. pg-boss stores it, retries failed work, gives the work of a dead process to another, and
 * sets aside work that fails repeatedly. @throws StoreProblem
 */
export async function createJobs(
  address: string,
  { loops = 16, onProblem = () => {}, longest = usualLongest }: JobsOptions = {},
): Promise<PostgresJobs> {
  const report = onceAMinute(placeName(address), onProblem);
  const boss = await bossAt(address, { report, longest });
  const seldom = { singletonSeconds: secondsBetweenLists, singletonNextSlot: true };
  const options = (lane: JobLane) => ({
    singletonKey: lane,
    group: { id: lane },
    ...(lane === "list" && seldom),
  });

  return {
    async ask(lane, later) {
      await boss.send(queue, { lane }, { ...options(lane), ...(later !== undefined && { startAfter: later }) });
    },
    async askWithin(transaction, ...lanes) {
      const all = lanes.map((lane) => ({ data: { lane }, ...options(lane) }));
      if (all.length > 0) await boss.insert(queue, all, { db: fromKysely(transaction) });
    },
    async begin(work) {
      for (const [lane, cron] of schedules) await boss.schedule(queue, cron, { lane }, { ...options(lane), key: lane });
      const how = {
        localConcurrency: loops,
        batchSize: piecesAtOnce,
        pollingIntervalSeconds: 1,
        burstWhenBatchFull: true,
        includeMetadata: true,
        groupConcurrency: 1,
        heartbeatRefreshSeconds: 5,
        perJobResults: true,
      } as const;
      await boss.work(queue, how, async (all: Job[]) => {
        const results = await Promise.all(all.map((job) => resultOf(job, boss, work)));
        const done = all.flatMap(({ data }, at) => (results[at]?.status === "completed" ? data.lane : []));
        // The records are also cleared when the work is next done.
        if (done.length > 0) await forgetPutAside(done, boss).catch(report);
        return results;
      });
    },
    async end() {
      await boss.offWork(queue, { wait: true });
    },
    close: () => boss.stop({ graceful: true, timeout: 30_000 }),
  };
}

/** Opens the queue, and creates it if there is none. @throws StoreProblem */
async function bossAt(
  address: string,
  { report, longest }: { readonly report: (error: unknown) => void; readonly longest: number },
): Promise<PgBoss> {
  // pg-boss passes options that it does not know to the driver.
  const forConnections = { ...keptAlive, query_timeout: longest };
  const boss = new PgBoss({
    connectionString: address,
    schema,
    application_name: applicationName,
    max: 5,
    ...forConnections,
    superviseIntervalSeconds: watchSeconds,
    monitorIntervalSeconds: watchSeconds,
    // The query shows which lanes are running. Without a refresh, the lane of a dead process would be skipped.
    queueCacheIntervalSeconds: 2,
    cronMonitorIntervalSeconds: 15,
    cronWorkerIntervalSeconds: 5,
  });
  boss.on("error", report);
  try {
    await boss.start();
    await boss.createQueue(deadQueue, { retentionSeconds: 60 * 60 * 24 * 30 });
    await boss.createQueue(queue, {
      // At most one job of each lane runs, and one waits.
      policy: "stately",
      heartbeatSeconds,
      expireInSeconds: 60 * 60 * 23,
      ...patience,
      deadLetter: deadQueue,
      deleteAfterSeconds: 60 * 60,
    });
    // A queue made by an older version still has its retry settings.
    await boss.updateQueue(queue, patience);
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {});
    throw postgresProblem(error, placeName(address));
  }
  return boss;
}

/**
 * Reports problems in the store's words, each once a minute: every loop of pg-boss reports its own each second, as an
 * object with an error's fields and the loop's name.
 */
function onceAMinute(place: string, tell: (error: unknown) => void): (met: unknown) => void {
  const reportedAt = new Map<string, number>();
  return (met) => {
    const { message = String(met), ...rest } = met as Partial<Error>;
    const says = message.replace(/ \(Queue: [^()]*\)$/, "");
    const error = met instanceof Error ? met : Object.assign(new Error(says), rest);
    const problem = postgresProblem(error, place) as Error;
    const now = performance.now();
    for (const [one, at] of reportedAt) if (now - at >= aMinute) reportedAt.delete(one);
    if (reportedAt.has(problem.message)) return;
    reportedAt.set(problem.message, now);
    tell(problem);
  };
}

type Job = JobWithMetadata<{ lane: JobLane }>;

/** Runs a job, and reports its outcome to the queue. */
async function resultOf(job: Job, boss: PgBoss, work: (lane: JobLane) => Promise<void>): Promise<JobResult> {
  const { id, retryCount, data } = job;
  try {
    await currentJobLease.run(leaseOf(boss, job), () => work(data.lane));
    return { id, status: "completed" };
  } catch (error) {
    return { id, status: retryCount < retriesOfFailed ? "failed" : "deadletter", output: error as Error };
  }
}

/** Deletes the records of failed lanes once their work is done. */
async function forgetPutAside(lanes: readonly JobLane[], boss: PgBoss): Promise<void> {
  const text = `delete from ${schema}.job where name = $1 and singleton_key = any($2::text[])`;
  await boss.getDb().executeSql(text, [deadQueue, lanes]);
}

/** The lease of one attempt at a job. The queue counts attempts: a job that went to another process has one more. */
function leaseOf(boss: PgBoss, { id, retryCount }: { readonly id: string; readonly retryCount: number }): JobLease {
  return {
    // The lock keeps the queue from giving the job to another process until the transaction ends, and lets heartbeats
    // pass.
    held: sql`select 1 from ${sql.id(schema, "job")} where name = ${queue} and id = ${id}
      and state = 'active' and retry_count = ${retryCount} for key share`,
    async complete(transaction) {
      await boss.complete(queue, { id, retryCount }, undefined, { db: fromKysely(transaction) });
    },
  };
}

const most = 1_000;

/** Lists jobs that failed repeatedly and were not done since, newest first. @throws StoreProblem */
export async function workPutAside(address: string): Promise<WorkPutAside[]> {
  const pool = createPool(address, { most: 1 });
  try {
    const session = await pool.session();
    try {
      const [table] = await session.ask("select to_regclass($1) as name", [`${schema}.job`]);
      if (!table?.name) return [];
      const rows = await session.ask(
        `select distinct on (singleton_key) singleton_key as lane, created_on as at, source_retry_count as retries,
           coalesce(source_output->>'message', source_output->'value'->>'message', '') as says
         from ${schema}.job where name = $1 and singleton_key is not null order by singleton_key, created_on desc limit ${most}`,
        [deadQueue],
      );
      return rows
        .map(({ lane, at, retries, says }) => ({
          lane: String(lane) as WorkPutAside["lane"],
          at: (at as Date).getTime(),
          tries: Number(retries) + 1,
          says: reason(String(says)),
        }))
        .toSorted((a, b) => b.at - a.at);
    } finally {
      session.release();
    }
  } finally {
    await pool.end();
  }
}

/** Rewords the queue's message about a worker that stopped responding. */
function reason(says: string): string {
  return says === "job heartbeat timeout" ? "the worker that did it died, or hung, each time" : says;
}
