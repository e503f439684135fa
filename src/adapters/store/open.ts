import { chmodSync, constants, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { StoreProblem } from "../../model/problem.ts";
import { makeFolder } from "../files/refused.ts";
import { NodeSqliteDialect } from "./dialect.ts";
import { currentVersion, migrate, readableVersion } from "./migrations.ts";
import { expectStore, isAddress, isForbidden, olderStore, resultCode, SQLITE_BUSY, storeProblemOf } from "./problem.ts";
import type { Tables } from "./schema.ts";
import { type Database, databaseOver } from "./store.ts";
import type { Engine } from "./tables.ts";

/** The longest wait of a statement for another connection. */
const busyTimeoutMs = 5_000;

/**
 * Opens the store at this place and brings it up to date: the database at `postgres://…`, which many processes share, or the
 * SQLite file at a path, or `:memory:`. Only this process may write to a file until it is closed, in a folder that is created.
 * `readonly` makes, changes and locks nothing. Next to a running Recheck, each call sees what was committed before it; else all
 * calls see what was there when it was opened. @throws StoreProblem
 */
export async function openStore(
  path: string,
  options: { readonly readonly?: boolean; readonly ask?: Engine["ask"] } = {},
): Promise<Database> {
  if (isAddress(path)) return await (await import("./postgres/open.ts")).openPostgres(path, options);
  if (options.readonly) return sqliteDatabase(openToRead(path), path);
  if (path === ":memory:") return sqliteDatabase(openToWrite(path), path);
  const lock = lockFolderOf(path);
  try {
    return sqliteDatabase(openToWrite(path), path, lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openToWrite(path: string): DatabaseSync {
  return openPrepared(
    path,
    () => new DatabaseSync(path, { timeout: busyTimeoutMs }),
    (connection) => {
      // FULL: commits survive a power cut. Unchanged checks are committed many at once, so one sync serves them all.
      connection.exec("pragma journal_mode = wal; pragma synchronous = full");
      migrate(connection, path);
      // No other process writes here, so the one that began them has died.
      connection.exec("update attempt set died = 1 where died = 0");
      if (path !== ":memory:") keepPrivate(path);
    },
  );
}

/** Reads a store's file while another process may write, with the usual wait for locks. */
export function readDatabase<T>(path: string, work: (database: DatabaseSync) => T): T {
  const database = readConnection(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/**
 * A connection that only reads. SQLite makes two files beside a database in WAL mode, even for a reader. So a store that no
 * process has open is read from a copy of its bytes.
 */
export function readConnection(path: string): DatabaseSync {
  // Node reads a database from bytes only from 26.1 on.
  const bytes = "deserialize" in DatabaseSync.prototype ? settledBytes(path) : undefined;
  if (!bytes) return new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  const copy = new DatabaseSync(":memory:");
  try {
    copy.deserialize(bytes);
    return copy;
  } catch (error) {
    copy.close();
    throw error;
  }
}

/** The bytes of a database that no process has open and that no killed writer has left half-way. */
function settledBytes(path: string): Uint8Array | undefined {
  const state = () => {
    const file = statSync(path, { bigint: true, throwIfNoEntry: false });
    const isOpen = ["-wal", "-journal"].some((end) => existsSync(path + end));
    return file?.isFile() && !isOpen && file.size <= maxCopiedBytes ? `${file.size} ${file.mtimeNs}` : undefined;
  };
  const before = state();
  // SQLite says why a file cannot be read.
  if (before === undefined || isForbidden(path, constants.R_OK)) return undefined;
  const bytes = readFileSync(path);
  // A writer makes the log before it changes the file, and removes it last.
  if (state() !== before || bytes.length <= walMode.write) return undefined;
  // A copy in memory has no log. See https://www.sqlite.org/c3ref/deserialize.html
  if (bytes[walMode.read] === 2) bytes.fill(1, walMode.write, walMode.read + 1);
  return bytes;
}

/** Bytes of the file's header: 2 if the database keeps its log in a file beside it. */
const walMode = { write: 18, read: 19 } as const;
const maxCopiedBytes = 2 ** 28;

/** Texts of sources and reports that are kept may be private: no other user of the machine reads them. */
function keepPrivate(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`].filter((one) => existsSync(one))) {
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      // Another user's file, or a disk without modes: its permissions are not ours to change.
      if (!["EPERM", "ENOTSUP", "ENOSYS", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}

function openToRead(path: string): DatabaseSync {
  expectStore(path);
  return openPrepared(
    path,
    () => readConnection(path),
    (connection) => {
      if (readableVersion(connection, path) < currentVersion) throw olderStore(path);
    },
  );
}

/** @throws StoreProblem */
function openPrepared(
  path: string,
  open: () => DatabaseSync,
  prepare: (connection: DatabaseSync) => void,
): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    connection = open();
    prepare(connection);
    return connection;
  } catch (error) {
    connection?.close();
    throw storeProblemOf(error, path);
  }
}

/** A store over an open connection. `path`: its file, for messages. */
export function sqliteDatabase(connection: DatabaseSync, path: string, release?: () => void): Database {
  const kysely = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection, path) });
  const close = async () => {
    await kysely.connection().execute(async () => kysely.destroy());
    release?.();
  };
  let closed: Promise<void> | undefined;
  return databaseOver(kysely, sqlite, {
    // The file is this process's alone already.
    own: async () => {},
    alone: (_, work) => kysely.transaction().execute(work),
    async numbers(transaction) {
      const { rows } = await sql<{ name: keyof Tables; seq: number }>`select name, seq from sqlite_sequence`.execute(
        transaction,
      );
      return new Map(rows.map(({ name, seq }) => [name, seq]));
    },
    async numberOn(transaction, numbers) {
      for (const [name, seq] of numbers) {
        await sql`update sqlite_sequence set seq = max(seq, ${seq}) where name = ${name}`.execute(transaction);
        await sql`insert into sqlite_sequence (name, seq) select ${name}, ${seq}
          where exists (select 1 from sqlite_schema where name = ${name} and sql like '%autoincrement%')
          and not exists (select 1 from sqlite_sequence where name = ${name})`.execute(transaction);
      }
    },
    // Node says whether a database is open only from 22.15 on.
    close: () => (closed ??= close()),
  });
}

/** One connection has the file, so its transactions already run one after the other. */
const sqlite: Engine = {
  hold: async () => {},
  together: (database, work) => database.transaction().execute(work),
  field: (column, name) => sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${name}`)})`,
  async unsynced(database, work) {
    await database.connection().execute(async (connection) => {
      await sql`pragma synchronous = normal`.execute(connection);
      try {
        await connection.transaction().execute(work);
      } finally {
        await sql`pragma synchronous = full`.execute(connection);
      }
    });
  },
};

/**
 * Makes this process the only writer in the folder of a database, until `release` or its death. A missing folder is created,
 * for this user alone, with a .gitignore. The lock is an open transaction on a tiny database: the system drops it with the
 * process, even after kill -9, and readers of the real database are not blocked. @throws StoreProblem
 */
export function lockFolderOf(path: string): { release(): void } {
  const folder = dirname(path);
  let database: DatabaseSync | undefined;
  try {
    if (!existsSync(folder)) {
      makeFolder(folder, 0o700);
      // The folder is usually in the checkout of a report, and should not be committed.
      writeFileSync(join(folder, ".gitignore"), "*\n");
    }
    database = new DatabaseSync(join(folder, "recheck.lock"), { timeout: 0 });
    database.exec("begin exclusive");
  } catch (error) {
    database?.close();
    if (resultCode(error) !== SQLITE_BUSY) throw storeProblemOf(error, path);
    throw new StoreProblem("locked", `another Recheck is running on ${folder}: wait until it has ended`, error);
  }
  return { release: () => database.close() };
}
