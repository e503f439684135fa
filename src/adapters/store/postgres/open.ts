import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect, type RawBuilder, sql } from "kysely";
import type { BegunCheck } from "../../../model/ports/index.ts";
import { StoreProblem } from "../../../model/problem.ts";
import type { Duration } from "../../../model/time.ts";
import { type AttemptNote, attemptState } from "../attempts.ts";
import { createBatches, queryTogether } from "../gather.ts";
import { hostMemoryOf } from "../hosts.ts";
import { type Rest, restUpdate } from "../registry.ts";
import { keyOf, numberedTables, type Tables } from "../schema.ts";
import { type Database, databaseOver, type Numbers } from "../store.ts";
import type { Engine, Scope } from "../tables.ts";
import { savedWatch, type WatchColumns } from "../watches.ts";
import { currentJobLease, type JobLease, keysWithLease, LostJobLease } from "./job-lease.ts";
import { inSchema, migrate, mustBeKnown, quoteName, versionOf } from "./migrations.ts";
import { applicationName, createPool, type Pool, type PoolOptions, type Session, untimedWork } from "./pool.ts";
import { sharedHostsOf } from "./shared-hosts.ts";

const ownSchema = "recheck";

export interface PostgresOptions extends PoolOptions {
  /** Opens it read-only. */
  readonly readonly?: boolean;
  readonly schema?: string;
  /** Requests a job in the transaction that causes it. */
  readonly ask?: Engine["ask"];
}

/** Opens and updates a database, which any number of processes may have open, and write. @throws StoreProblem */
export async function openPostgres(address: string, options: PostgresOptions = {}): Promise<Database> {
  const { schema = ownSchema } = options;
  const pool = createPool(address, options);
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: inSchema(schema),
  });
  try {
    if (options.readonly) mustBeKnown(await versionOf(kysely, schema), pool.place, "read");
    else await untimedWork.run(true, () => migrate(kysely, schema, pool.place));
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  const locks = createLocks(kysely, pool, schema);
  const refuseLost = (...keys: readonly string[]) => {
    if (keys.some((key) => locks.isLost(key)))
      throw new StoreProblem("unreachable", `the database ${pool.place} ended the connection`);
  };
  const engine: Engine = {
    ...engineIn(schema, refuseLost, options.ask),
    note: notesIn(kysely),
    ...(options.ask && { died: (repository) => takeOverNotes({ db: kysely, repository }) }),
    touch: writeFor(kysely, refuseLost, touches),
    rest: writeFor(kysely, refuseLost, rests),
  };
  const hosts = hostMemoryOf(() => kysely, engine);
  const sharedHosts = options.ask && sharedHostsOf(hosts, kysely);
  let closed: Promise<void> | undefined;
  const close = async () => {
    await sharedHosts?.settled();
    await pool.idle();
    locks.release();
    await kysely.destroy();
  };
  return databaseOver(kysely, engine, {
    sharedHosts,
    own: locks.take,
    async alone(tables, work) {
      await mustBeAlone(kysely, pool);
      const workLocked = async (transaction: Kysely<Tables>) => {
        // The server would end a transaction that is idle while work is done elsewhere.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
        // A process that opens the database now waits for this lock before it writes, and is noticed at the end.
        const all = sql.join(tables.map((one) => sql.table(one)));
        await sql`lock table ${all} in share row exclusive mode`.execute(transaction);
        const done = await work(transaction);
        await mustBeAlone(kysely, pool);
        return done;
      };
      return await untimedWork.run(true, () => kysely.transaction().execute(workLocked));
    },
    numbers: (transaction) => numbersOf(transaction, schema),
    numberOn: (transaction, numbers) => numberOn(transaction, schema, numbers),
    close: () => (closed ??= close()),
  });
}

/** The repositories that this process has locked, each with a connection of its own. */
function createLocks(database: Kysely<Tables>, pool: Pool, schema: string) {
  const sessions = new Map<string, Session>();
  return {
    /** @throws StoreProblem if another process works for it */
    async take(key: string): Promise<void> {
      if (sessions.has(key)) return;
      const session = await pool.session();
      try {
        const [found] = await session.ask("select pg_try_advisory_lock(hashtextextended($1, 0)) as mine", [
          `${schema} worker of ${key}`,
        ]);
        if (found?.mine !== true)
          throw new StoreProblem("locked", `another Recheck is working for ${key} in ${pool.place}`);
        // No other process works for it, so these checks belong to a dead one.
        await database.updateTable("attempt").set({ died: attemptState.died }).where("repository", "=", key).execute();
      } catch (error) {
        session.release();
        throw error;
      }
      sessions.set(key, session);
    },
    /** Whether the connection with the lock has ended: another process may work for the repository now. */
    isLost: (key: string) => sessions.get(key)?.isLost() === true,
    release(): void {
      for (const session of sessions.values()) session.release();
    },
  };
}

/** The server lists a connection for a moment after it was closed. */
const closingTakes: Duration = 3_000;

async function mustBeAlone(database: Kysely<Tables>, { processes, place }: Pool): Promise<void> {
  const until = performance.now() + closingTakes;
  for (;;) {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where datname = current_database() and application_name = ${applicationName}`.execute(database);
    if (rows.every(({ pid }) => processes().includes(pid))) return;
    if (performance.now() > until) throw new StoreProblem("locked", `another Recheck is working in ${place}`);
    await sleep(100);
  }
}

function sequence(schema: string, table: keyof Tables) {
  return sql`pg_get_serial_sequence(${`${quoteName(schema)}.${table}`}, ${keyOf(table)[0]})`;
}

async function numbersOf(database: Kysely<Tables>, schema: string): Promise<Numbers> {
  const numbers = new Map<keyof Tables, number>();
  for (const table of numberedTables) {
    const { rows } = await sql<{ last: number | null }>`select last_value as last from pg_sequences
      where format('%I.%I', schemaname, sequencename) = ${sequence(schema, table)}`.execute(database);
    const [{ last } = { last: null }] = rows;
    if (last !== null) numbers.set(table, last);
  }
  return numbers;
}

/** Rows that were inserted with numbers did not advance the sequence. */
async function numberOn(transaction: Kysely<Tables>, schema: string, numbers: Numbers): Promise<void> {
  for (const table of numberedTables) {
    const columns = sql.join(keyOf(table).map((name) => sql.ref(name)));
    const most = sql<{ most: number | null }>`select max(${columns}) as most from ${sql.table(table)}`;
    const { rows } = await most.execute(transaction);
    const last = Math.max(rows[0]?.most ?? 0, numbers.get(table) ?? 0);
    if (last > 0) await sql`select setval(${sequence(schema, table)}, ${last})`.execute(transaction);
  }
}

/** Limit of tries of a transaction. The server undoes one of two transactions that wait for each other. */
const maxTries = 3;

async function retryDeadlocks<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries >= maxTries || !(error instanceof StoreProblem) || error.kind !== "conflict") throw error;
    }
  }
}

function inTransaction<T>(database: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T> {
  return retryDeadlocks(() => database.transaction().execute(work));
}

/** Writes that come within this time share a statement. */
const writtenWithin: Duration = 25;

/** Writes for repositories whose job this process still has: only for keys in `lease`. @throws LostJobLease */
function writeFor<T>(
  database: Kysely<Tables>,
  refuseLost: (key: string) => void,
  write: (lease: RawBuilder<unknown>, all: readonly (readonly [key: string, value: T])[]) => RawBuilder<unknown>,
): (key: string, value: T) => Promise<void> {
  const statement = createBatches<{ readonly value: T; readonly lease: JobLease | undefined }, true>(
    async (batch) => {
      const all = [...batch];
      const lease = sql`lease as (${keysWithLease(all.map(([key, { lease }]) => [key, lease]))})`;
      const written = write(
        lease,
        all.map(([key, { value }]) => [key, value]),
      );
      const query = sql<{ key: string }>`${written} select key from lease`;
      const { rows } = await retryDeadlocks(() => query.execute(database));
      return new Map(rows.map(({ key }) => [key, true]));
    },
    { pause: writtenWithin },
  );
  return async (key, value) => {
    refuseLost(key);
    if (!(await statement(key, { value, lease: currentJobLease.getStore() }))) throw new LostJobLease();
  };
}

/** Saves the watches of repositories, and ends their notes. */
function touches(
  lease: RawBuilder<unknown>,
  all: readonly (readonly [key: string, rows: readonly WatchColumns[]])[],
): RawBuilder<unknown> {
  const rows = all.flatMap(([key, rows]) => rows.map((row) => ({ ...row, key })));
  const of = <C extends keyof (typeof rows)[number]>(column: C) => rows.map((row) => row[column]);
  return sql`with ${lease}, saved as (
      select one.* from set_config('synchronous_commit', 'off', true),
        unnest(${of("key")}::text[], ${of("source")}::text[], ${of("subject")}::text[], ${of("next")}::bigint[],
          ${of("looked")}::bigint[], ${of("past")}::bigint[], ${of("audit")}::bigint[], ${of("rest")}::text[])
          as one(key, source, subject, next, looked, past, audit, rest) join lease using (key)
    ), ended as (
      delete from ${sql.table("attempt")} where (repository, source) in (select key, source from saved)
    ), written as (
      insert into ${sql.table("watch")} as known (repository, source, subject, next, forgotten, looked, past, audit, rest)
      select key, source, subject, next, 0, looked, past, audit, rest from saved ${savedWatch}
    )`;
}

function rests(lease: RawBuilder<unknown>, all: readonly (readonly [key: string, rest: Rest])[]): RawBuilder<unknown> {
  const of = (value: (rest: Rest) => number | undefined) => all.map(([, rest]) => value(rest) ?? null);
  const asked = { now: sql.raw("visit.at"), by: sql.raw("visit.by") };
  return sql`with ${lease}, visit as (
      select * from unnest(${all.map(([key]) => key)}::text[], ${of(({ now }) => now)}::bigint[], ${of(({ by }) => by)}::bigint[])
        as one(key, at, by) join lease using (key)
    ), rested as (
      ${restUpdate(asked, field)} from visit where id = visit.key::bigint
    )`;
}

function field<T>(column: string, name: string): RawBuilder<T> {
  return sql`(${sql.ref(column)}::json ->> ${sql.lit(name)})`;
}

/** Locks of transactions, which end with them. `refuseLost` throws if another process may have the lock of this one. */
function engineIn(schema: string, refuseLost: (...names: readonly string[]) => void, ask: Engine["ask"]): Engine {
  return {
    ask,
    async hold(transaction, ...names) {
      refuseLost(...names);
      const locks = names.map((name) => sql`pg_advisory_xact_lock(hashtextextended(${`${schema} ${name}`}, 0))`);
      const mine = keysWithLease([["", currentJobLease.getStore()]]);
      const { rows } = await sql<{ mine: number }>`with lease as (${mine})
        select (select count(*) from lease) as mine, ${sql.join(locks)}`.execute(transaction);
      if (rows[0]?.mine === 0) throw new LostJobLease();
    },
    field,
    together: inTransaction,
    async unsynced(database, work) {
      await inTransaction(database, async (transaction) => {
        await sql`set local synchronous_commit = off`.execute(transaction);
        await work(transaction);
      });
    },
  };
}

/** Takes over the notes of a dead process. A check during which two processes died is returned; others are repeated. */
export async function takeOverNotes(scope: Scope): Promise<BegunCheck[]> {
  return (await takeOver(scope, undefined))
    .flatMap(({ source, began, died }) => (died === attemptState.died ? [{ source, began }] : []))
    .sort((a, b) => (a.source < b.source ? -1 : 1));
}

const takeOver = queryTogether((db, repositories) => {
  const { underWay, suspected, died } = attemptState;
  return db
    .updateTable("attempt")
    .set(({ eb }) => ({ died: eb.case().when("died", "=", underWay).then(suspected).else(died).end() }))
    .where("repository", "in", repositories)
    .where("died", "<>", suspected)
    .returningAll();
});

/** Notes running checks of all repositories in one statement, unsynced: `set_config` is limited to its transaction. */
export function notesIn(database: Kysely<Tables>): (repository: string, begun: AttemptNote) => Promise<void> {
  return createBatches<AttemptNote, void>(async (all) => {
    const whole = [...all].filter(([, { ended }]) => ended === undefined).map(([repository]) => repository);
    const began = pairs(all, ({ sources }) => sources);
    const ended = pairs(all, ({ ended = [] }) => ended);
    const times = [...all].flatMap(([, { sources, began }]) => sources.map(() => began));
    const attempt = sql.table("attempt");
    await sql`with begun as (
        select * from unnest(${began.repositories}::text[], ${began.sources}::text[], ${times}::bigint[]) as one(repository, source, began)
      ), gone as (
        delete from ${attempt} where (repository, source) in
            (select * from unnest(${ended.repositories}::text[], ${ended.sources}::text[]))
          or (repository = any(${whole}::text[]) and died <> ${attemptState.suspected}
            and (repository, source) not in (select repository, source from begun))
      )
      insert into ${attempt} as known (repository, source, began, died)
        select repository, source, began, ${attemptState.underWay}::bigint from set_config('synchronous_commit', 'off', true), begun
        on conflict (repository, source) do update set began = excluded.began, died = ${attemptState.underWayAgain}
          where known.died = ${attemptState.suspected}`.execute(database);
    return new Map();
  });
}

function pairs(all: ReadonlyMap<string, AttemptNote>, of: (begun: AttemptNote) => readonly string[]) {
  const pairs = [...all].flatMap(([repository, begun]) => of(begun).map((source) => ({ repository, source })));
  return { repositories: pairs.map(({ repository }) => repository), sources: pairs.map(({ source }) => source) };
}
