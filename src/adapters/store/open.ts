import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { HostMemory, Stores } from "../../model/ports/index.ts";
import { NodeSqliteDialect } from "./dialect.ts";
import { hostMemoryOf } from "./hosts.ts";
import { migrate, migrations, refuseNewer, versionOf } from "./migrations.ts";
import { resultCode, SQLITE_BUSY, StoreProblem, storeProblemOf } from "./problem.ts";
import { adopt, registryOf, repositories, rowKeyOf } from "./registry.ts";
import { outside, storeOf } from "./store.ts";
import type { Tables } from "./tables.ts";

/** All repositories of one file. */
export interface Database extends Stores {
  readonly hosts: HostMemory;
  /** The names of the repositories that something is remembered of. */
  repositories(): Promise<string[]>;
  /** Finds the repository that has this name: what `repository` takes. */
  keyOf(name: string): Promise<string>;
  /** Gives all that is remembered of one repository, that no App serves, to another of which nothing is. */
  adopt(from: string, to: string): Promise<void>;
  /** Ends after the work that has begun. */
  close(): Promise<void>;
}

/** A statement waits for another connection's for so long. */
const busyTimeoutMs = 5_000;

/**
 * Opens the SQLite file at this path, or `:memory:`, and brings it up to date. Its folder is made when missing, and is
 * this process's alone to write until it is closed.
 *
 * With `readonly` nothing is made, changed or locked: it works beside a running Recheck, and each call sees what was
 * committed before it.
 *
 * @throws StoreProblem
 */
export async function openStore(path: string, options: { readonly?: boolean } = {}): Promise<Database> {
  if (options.readonly) return over(openToRead(path), path);
  if (path === ":memory:") return over(openToWrite(path), path);
  const lock = lockFolderOf(path);
  try {
    return over(openToWrite(path), path, lock.release);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openToWrite(path: string): DatabaseSync {
  return prepared(path, { timeout: busyTimeoutMs }, (connection) => {
    // FULL: what was committed outlives a power cut. Unchanged looks come many to a commit, so one sync serves them all.
    connection.exec("pragma journal_mode = wal; pragma synchronous = full");
    migrate(connection, migrations, path);
    // Nobody else writes here: whoever began them is no more.
    connection.exec("update attempt set died = 1 where died = 0");
    if (path !== ":memory:") keepPrivate(path);
  });
}

/** Texts of sources and reports that are kept may be private: no other user of the machine reads them. */
function keepPrivate(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`].filter((one) => existsSync(one))) {
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      // Another user's file, or a disk without modes: who may read it was not ours to say.
      if (!["EPERM", "ENOTSUP", "ENOSYS", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}

function openToRead(path: string): DatabaseSync {
  if (!existsSync(path)) throw new StoreProblem("missing", `nothing is recorded in ${path} yet`);
  return prepared(path, { timeout: busyTimeoutMs, readOnly: true }, (connection) => {
    const version = versionOf(connection);
    refuseNewer(version, migrations.length, path);
    if (version === 0) throw new StoreProblem("missing", `nothing is recorded in ${path} yet`);
    if (version < migrations.length) {
      throw new StoreProblem("older", `${path} was written by an older Recheck: the next scan brings it up to date`);
    }
  });
}

/** @throws StoreProblem */
function prepared(
  path: string,
  options: { timeout: number; readOnly?: boolean },
  prepare: (connection: DatabaseSync) => void,
): DatabaseSync {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, options);
    prepare(connection);
    return connection;
  } catch (error) {
    connection?.close();
    throw storeProblemOf(error, path);
  }
}

function over(connection: DatabaseSync, path: string, release?: () => void): Database {
  const database = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection, path) });
  return {
    repository: (key) => storeOf(database, String(key)),
    registry: registryOf(
      () => outside(database),
      (work) => outside(database).transaction().execute(work),
    ),
    hosts: hostMemoryOf(() => outside(database)),
    repositories: () => repositories(database),
    keyOf: (name) => rowKeyOf(database, name),
    adopt: (from, to) => adopt(database, from, to),
    async close() {
      if (!connection.isOpen) return;
      await database.connection().execute(async () => database.destroy());
      release?.();
    },
  };
}

/**
 * Makes this process the only writer in the folder of a database, until `release` or its death. The folder is made when
 * missing, for this user alone.
 *
 * The lock is a transaction held open on a tiny database of its own: the operating system drops it with the process,
 * even after kill -9, so a stale lock never has to be cleaned up, and readers of the real database are not held up.
 *
 * @throws StoreProblem
 */
export function lockFolderOf(path: string): { release(): void } {
  const folder = dirname(path);
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    database = new DatabaseSync(join(folder, "recheck.lock"), { timeout: 0 });
    database.exec("begin exclusive");
  } catch (error) {
    database?.close();
    if (resultCode(error) !== SQLITE_BUSY) throw storeProblemOf(error, path);
    throw new StoreProblem("locked", `another Recheck is running on ${folder}`, error);
  }
  return { release: () => database.close() };
}
