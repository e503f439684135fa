import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresPoolClient } from "kysely";
import pg from "pg";
import { inTime } from "../../../model/concurrency.ts";
import { codeOf } from "../../../model/failure.ts";
import { StoreProblem, type StoreProblemKind } from "../../../model/problem.ts";
import { aMinute, type Duration } from "../../../model/time.ts";
import { placeName } from "../problem.ts";
import { escapeValue, unescapeRow } from "../tables.ts";

export interface PoolOptions {
  readonly most?: number;
  /** Time limit for getting a connection: a free one, or one to a server that does not answer yet. */
  readonly patience?: Duration;
  /** Time limit for the answer to a statement. */
  readonly longest?: Duration;
}

export type Pool = ReturnType<typeof createPool>;
export type Session = ReturnType<typeof sessionOn>;

/** Identifies Recheck's connections in the server's list. */
export const applicationName = "recheck";

const usualMost = 10;
const usualPatience: Duration = 15_000;
/** The system reports a silently broken connection after 15 minutes. Only `unhurried` statements take this long. */
export const usualLongest: Duration = 2 * aMinute;
const pauseBetweenTries: Duration = 250;

/** Milliseconds of silence after which the other machine is probed; after three failed probes the connection is closed. */
const unheardFor: Duration = 15_000;

export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: unheardFor } as const;

/** Work without a time limit for statements: they process whole tables, or wait for such a statement. */
export const untimedWork = new AsyncLocalStorage<true>();

/**
 * Makes the server release a process's locks soon: the first line if the process is suspended within a transaction, the
 * others if its machine disappears. The server's defaults are hours, or never.
 */
const letGoInTime = [
  // After waiting for a lock, a transaction must see what the previous one wrote, with any default of the database.
  "set default_transaction_isolation = 'read committed'",
  "set idle_in_transaction_session_timeout = '20s'",
  `set tcp_keepalives_idle = ${unheardFor / 1_000}`,
  "set tcp_keepalives_interval = 5",
  "set tcp_keepalives_count = 3",
].join("; ");

/** Times and row numbers: all are far below the largest exact number of JavaScript. */
const int8 = 20;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === int8 ? (Number as never) : pg.types.getTypeParser(oid, format as "text"),
};

/** `address`: as PostgreSQL's programs take it, with TLS: https://www.postgresql.org/docs/current/libpq-connect.html */
export function createPool(
  address: string,
  { most = usualMost, patience = usualPatience, longest = usualLongest }: PoolOptions = {},
) {
  const place = placeName(address);
  const pool = openPool(address, { most, patience, longest });
  const openClients = new Set<pg.PoolClient>();
  pool.on("connect", (client) => void openClients.add(client));
  pool.on("remove", (client) => void openClients.delete(client));
  /** Closes connections to a server that accepts no writes: the address may lead to another one now. */
  const outdated = new WeakSet<pg.PoolClient>();
  const noteReadOnly = (problem: unknown): unknown => {
    const isReadOnly = problem instanceof StoreProblem && problem.kind === "read-only";
    if (isReadOnly) for (const client of openClients) outdated.add(client);
    return problem;
  };
  const free = async (): Promise<pg.PoolClient> => {
    for (;;) {
      const client = await connectWithPatience(pool, place, patience);
      if (!outdated.has(client)) return client;
      client.release(true);
    }
  };
  const users = new Set<Promise<unknown>>();
  return {
    place,
    options: {},
    async connect() {
      const use = Promise.withResolvers<void>();
      const over = () => {
        users.delete(use.promise);
        use.resolve();
      };
      users.add(use.promise);
      try {
        return wrapClient(await free(), longest, (error) => noteReadOnly(postgresProblem(error, place)), over);
      } catch (error) {
        over();
        throw error;
      }
    },
    /** Ids of the server's processes for the open connections. */
    processes: () => [...openClients].flatMap((client) => ("processID" in client ? Number(client.processID) : [])),
    /** A connection for state that lives as long as the connection. The caller releases it. */
    session: async () => sessionOn(await free(), longest, place),
    /** Resolves once no connection is in use or requested. */
    async idle() {
      // Then all earlier requests are among its users.
      await new Promise(setImmediate);
      while (users.size > 0) await Promise.all(users);
    },
    end: () => pool.end(),
  };
}

function openPool(address: string, { most, patience, longest }: Required<PoolOptions>): pg.Pool {
  const pool = new pg.Pool({
    connectionString: address,
    types,
    max: most,
    connectionTimeoutMillis: patience,
    application_name: applicationName,
    ...keepAlive,
    // The pool ends a connection on which this fails.
    onConnect: async (client) => void (await inTime(client.query(letGoInTime), longest, expire)),
    // An idle connection does not keep a program from ending.
    allowExitOnIdle: true,
  });
  // The user of a connection gets its error; an idle connection is only replaced.
  pool.on("error", () => {});
  return pool;
}

/** A session with a connection of its own. Releasing it closes the connection and ends its locks. */
function sessionOn(client: pg.PoolClient, longest: Duration, place: string) {
  let isLost = false;
  client.on("error", ignore);
  client.once("end", () => {
    isLost = true;
  });
  return {
    async ask(text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
      try {
        return (await queryInTime(client, text, values, longest)).rows;
      } catch (error) {
        throw postgresProblem(error, place);
      }
    },
    /** Whether it has ended, and so have its locks. */
    isLost: () => isLost,
    release: () => client.release(true),
  };
}

/** A server that restarts or fails over is tried again for a while, because nothing was sent to it yet. */
async function connectWithPatience(pool: pg.Pool, place: string, patience: Duration): Promise<pg.PoolClient> {
  const until = performance.now() + patience;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      const problem = postgresProblem(error, place);
      const isOver = performance.now() + pauseBetweenTries > until;
      if (isOver || !(problem instanceof Error && "kind" in problem && problem.kind === "unreachable")) throw problem;
      await sleep(pauseBetweenTries);
    }
  }
}

/** The running query reports the end of its connection. */
const ignore = () => {};

/** The answer to a statement. A connection that is too slow is ended, unless the work is unhurried. */
async function queryInTime(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[],
  longest: Duration,
): Promise<pg.QueryResult> {
  const asked = client.query(text, [...values]);
  if (untimedWork.getStore()) return await asked;
  return await inTime(asked, longest, () => {
    void client.end();
    return expire();
  });
}

/** @throws Error that `problems` explains as unreachable */
function expire(): never {
  throw new Error("timeout expired");
}

function wrapClient(
  client: pg.PoolClient,
  longest: Duration,
  problemOf: (error: unknown) => unknown,
  over: () => void,
): PostgresPoolClient {
  client.on("error", ignore);
  return {
    // Only whole answers are asked for here, never a cursor.
    query: (async (text: string, values: readonly unknown[] = []) => {
      try {
        const { command, rowCount, rows = [] } = await queryInTime(client, text, values.map(escapeValue), longest);
        return { command, rowCount, rows: rows.map(unescapeRow) };
      } catch (error) {
        throw problemOf(error);
      }
    }) as PostgresPoolClient["query"],
    release() {
      client.off("error", ignore);
      client.release();
      over();
    },
  };
}

/** `says`: DB means the database with its place. */
type Explanation = readonly [kind: StoreProblemKind, says: string, codes: string, ofDriver?: RegExp];

const untrusted: Explanation = [
  "unusable",
  "DB does not offer TLS in the way that DATABASE_URL requires",
  "",
  /does not support SSL|certificate|self-signed|tls/i,
];

/**
 * By the codes of errors: https://www.postgresql.org/docs/current/errcodes-appendix.html, and those of Node's network. The
 * driver's own errors have none, but a message, which the first pattern that matches explains.
 */
const problems: readonly Explanation[] = [
  [
    "unreachable",
    "DB does not answer",
    "57P03 ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN ENOENT ETIMEDOUT",
    /Connection terminated due to connection timeout|timeout expired|Query read timeout/,
  ],
  ["busy", "DB has no free connection", "53300", /timeout exceeded when trying to connect/],
  [
    "unreachable",
    "DB ended the connection",
    "25P03 57P01 57P02 57P05 08000 08003 08006 08P01 ECONNRESET EPIPE",
    /Connection terminated|Client has encountered a connection error|not queryable/,
  ],
  ["refused", "DB refuses this user's login", "28000 28P01", /no password|password must be a string|SASL/],
  untrusted,
  ["refused", "this user lacks a permission in DB", "42501"],
  ["busy", "DB cancelled a statement, by request or because it took longer than statement_timeout", "57014"],
  ["busy", "a lock in DB was held for longer than lock_timeout", "55P03"],
  ["busy", "DB is out of memory", "53200"],
  ["conflict", "a transaction in DB was undone because of another one", "40001 40P01"],
  ["damaged", "DB is damaged", "XX001 XX002"],
  ["unusable", "the disk of DB fails to read or write it", "58030"],
  ["read-only", "DB is read-only: it may be a standby", "25006"],
  ["full", "there is no space left for DB", "53100"],
  ["unusable", "there is no database at PLACE", "3D000 57P04"],
];

/** An error of the driver as a StoreProblem; any other one unchanged. `place`: where the database is. */
export function postgresProblem(error: unknown, place: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreProblem) return error;
  // Node tries each address of a name, and reports all errors.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = codeOf(first);
  // Certificates, keys and local sockets are files.
  const isFile = "syscall" in first && first.syscall === "open";
  const ofServer = /^[0-9A-Z]{5}$/.test(code);
  const byCode = problems.find(([, , codes]) => code !== "" && codes.split(" ").includes(code));
  const byMessage = ofServer ? undefined : problems.find(([, , , ofDriver]) => ofDriver?.test(first.message));
  const [kind, says] = (isFile ? untrusted : byCode) ?? byMessage ?? [];
  return kind && says
    ? new StoreProblem(
        kind,
        says.replace(/DB|PLACE/, (word) => (word === "DB" ? `the database at ${place}` : place)),
        error,
      )
    : error;
}
