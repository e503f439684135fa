import { setTimeout as sleep } from "node:timers/promises";
import type { Kysely } from "kysely";
import { fromKysely, type JobWithMetadata, PgBoss } from "pg-boss";
import type { JobLane, Jobs, WorkPutAside } from "../../model/ports/index.ts";
import { aMinute, type Duration } from "../../model/time.ts";
import { createBatches } from "../store/gather.ts";
import { currentJobLease, jobSchema, jobsOfRepositories as queue } from "../store/postgres/job-lease.ts";
import {
  applicationName,
  createPool,
  keepAlive,
  type PoolOptions,
  postgresProblem,
  usualLongest,
} from "../store/postgres/pool.ts";
import { placeName } from "../store/problem.ts";
import type { Tables } from "../store/schema.ts";

/** The queue of jobs in PostgreSQL. A job is requested in the transaction of the change that needs it. */
export interface PostgresJobs extends Jobs {
  askWithin(transaction: Kysely<Tables>, ...lanes: readonly JobLane[]): Promise<void>;
  close(): Promise<void>;
}

export interface JobsOptions extends Pick<PoolOptions, "longest"> {
  /** Limit of jobs that this process runs side by side. */
  readonly atOnce?: number;
  /** Receives errors of the queue; once a minute for a lasting problem. */
  readonly onProblem?: (error: unknown) => void;
}

export const deadQueue = "dead";

/** Seconds between two comparisons with GitHub's list: each makes a request for every installation. */
const secondsBetweenLists = 600;

/** Seconds after which a process without a sign of life counts as dead; all others check every `watchSeconds`. */
const heartbeatSeconds = 20;
const watchSeconds = 5;

/** When jobs for all repositories are requested, in UTC. */
const schedules: readonly (readonly [JobLane, string])[] = [
  ["plan", "* * * * *"],
  ["list", "17 4 * * *"],
];

/** The pause until jobs are taken again: if there were some, so that the next ones are taken together, or else if there were none. */
const pauseAfterJobs: Duration = 40;
const pauseAfterNone: Duration = 100;
/** Jobs that end within this time are completed in one statement. */
const completedWithin: Duration = 25;
const heartbeatEvery: Duration = 5_000;

const retriesOfFailed = 5;
/** Retries of jobs whose process died, within a minute each time. The job itself is rarely the cause. */
const patience = { retryLimit: 30, retryDelay: 1, retryBackoff: true, retryDelayMax: 30 };

/**
 * The queue in a PostgreSQL database. pg-boss stores it, retries failed work, gives the work of a dead process to another, and
 * sets aside work that fails repeatedly. @throws StoreProblem
 */
export async function createJobs(
  address: string,
  { atOnce = 64, onProblem = () => {}, longest = usualLongest }: JobsOptions = {},
): Promise<PostgresJobs> {
  const report = reportOnceAMinute(placeName(address), onProblem);
  const boss = await bossAt(address, { report, longest });
  const seldom = { singletonSeconds: secondsBetweenLists, singletonNextSlot: true };
  const options = (lane: JobLane) => ({
    singletonKey: lane,
    group: { id: lane },
    ...(lane === "list" && seldom),
  });
  const runner = createRunner(boss, { atOnce, report });

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
      runner.begin(work);
    },
    end: () => runner.end(),
    async close() {
      await runner.end();
      await boss.stop({ graceful: true, timeout: 30_000 });
    },
  };
}

/** Opens the queue, and creates it if there is none. @throws StoreProblem */
async function bossAt(
  address: string,
  { report, longest }: { readonly report: (error: unknown) => void; readonly longest: number },
): Promise<PgBoss> {
  // pg-boss passes options that it does not know to the driver.
  const forConnections = { ...keepAlive, query_timeout: longest };
  const boss = new PgBoss({
    connectionString: address,
    schema: jobSchema,
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

/** Reports problems in the store's words, once a minute: each loop of pg-boss reports its own every second. */
function reportOnceAMinute(place: string, report: (error: unknown) => void): (met: unknown) => void {
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
    report(problem);
  };
}

type Job = JobWithMetadata<{ lane: JobLane }>;

/** Takes jobs whenever it may run more. pg-boss's own loops would wait for the slowest of the last ones. */
function createRunner(
  boss: PgBoss,
  { atOnce, report }: Required<Pick<JobsOptions, "atOnce">> & { readonly report: (error: unknown) => void },
) {
  const running = new Map<Job, Promise<void>>();
  const ending = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  let heartbeats: NodeJS.Timeout | undefined;

  const complete = createBatches<Job, void>(
    async (all) => {
      const jobs = [...all.values()];
      await boss.complete(queue, jobs);
      const lanes = jobs.map(({ data }) => data.lane);
      // The records of failed attempts are also cleared when the work is next done.
      await forgetPutAside(lanes, boss).catch(report);
      return new Map();
    },
    { pause: completedWithin },
  );

  async function run(job: Job, work: (lane: JobLane) => Promise<void>): Promise<void> {
    const { id, retryCount, data } = job;
    try {
      await currentJobLease.run({ id, attempt: retryCount }, () => work(data.lane));
      await complete(id, job);
    } catch (error) {
      if (retryCount >= retriesOfFailed) await boss.getDb().executeSql(endRetries, [queue, id]);
      await boss.fail(queue, job, error as Error);
    }
  }

  function start(job: Job, work: (lane: JobLane) => Promise<void>): void {
    const done = run(job, work)
      .catch(report)
      .then(() => void running.delete(job));
    running.set(job, done);
  }

  async function take(work: (lane: JobLane) => Promise<void>): Promise<boolean> {
    const free = atOnce - running.size;
    if (free <= 0) return true;
    const options = { batchSize: free, includeMetadata: true, groupConcurrency: 1 } as const;
    const jobs: Job[] = await boss.fetch(queue, options);
    for (const job of jobs) start(job, work);
    return jobs.length > 0;
  }

  /** Repeats some work until the end. It returns whether there was something to do. */
  async function repeat(work: () => Promise<boolean>, [pause, longer]: readonly [Duration, Duration]): Promise<void> {
    while (!ending.signal.aborted) {
      const isBusy = await work().catch(report);
      await sleep(isBusy ? pause : longer, undefined, ending).catch(() => {});
    }
  }

  return {
    begin(work: (lane: JobLane) => Promise<void>): void {
      ended = repeat(() => take(work), [pauseAfterJobs, pauseAfterNone]);
      heartbeats = setInterval(() => {
        if (running.size > 0) boss.touch(queue, [...running.keys()]).catch(report);
      }, heartbeatEvery);
    },
    async end(): Promise<void> {
      ending.abort();
      await ended;
      await Promise.all(running.values());
      clearInterval(heartbeats);
    },
  };
}

/** Puts a job aside if it fails once more. */
const endRetries = `update ${jobSchema}.job set retry_limit = retry_count where name = $1 and id = $2`;

async function forgetPutAside(lanes: readonly JobLane[], boss: PgBoss): Promise<void> {
  const text = `delete from ${jobSchema}.job where name = $1 and singleton_key = any($2::text[])`;
  await boss.getDb().executeSql(text, [deadQueue, lanes]);
}

const most = 1_000;

/** Lists jobs that failed repeatedly and were not done since, newest first. @throws StoreProblem */
export async function workPutAside(address: string): Promise<WorkPutAside[]> {
  const pool = createPool(address, { most: 1 });
  try {
    const session = await pool.session();
    try {
      const [table] = await session.ask("select to_regclass($1) as name", [`${jobSchema}.job`]);
      if (!table?.name) return [];
      const rows = await session.ask(
        `select distinct on (singleton_key) singleton_key as lane, created_on as at, source_retry_count as retries,
           coalesce(source_output->>'message', source_output->'value'->>'message', '') as says
         from ${jobSchema}.job where name = $1 and singleton_key is not null order by singleton_key, created_on desc limit ${most}`,
        [deadQueue],
      );
      return rows
        .map(({ lane, at, retries, says }) => ({
          lane: String(lane) as WorkPutAside["lane"],
          at: (at as Date).getTime(),
          tries: Number(retries) + 1,
          says: says === "job heartbeat timeout" ? "its worker died or stopped responding each time" : String(says),
        }))
        .toSorted((a, b) => b.at - a.at);
    } finally {
      session.release();
    }
  } finally {
    await pool.end();
  }
}
