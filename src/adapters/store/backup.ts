import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StoreProblem } from "../../model/problem.ts";
import { type Instant, isoTime } from "../../model/time.ts";
import { readableVersion, refuseEmpty, versionOf } from "./migrations.ts";
import { lockFolderOf, readDatabase } from "./open.ts";
import { expectStore, explainErrors, foreignFile, storeProblemOf } from "./problem.ts";

export interface StoreCopy {
  readonly bytes: number;
  /** SHA-256 of the whole file, in hexadecimal. */
  readonly sha256: string;
  readonly version: number;
}

/**
 * Copies the committed state to a file of its own, also while a server or a scan is writing. The file is complete or missing,
 * and only for its user. @throws StoreProblem; `exists` if the file already exists
 */
export async function backUp(store: string, to: string): Promise<StoreCopy> {
  expectStore(store);
  if (existsSync(to)) throw new StoreProblem("exists", `${to} is there already: name another file`);
  const part = `${to}.part`;
  discard(part);
  try {
    readDatabase(store, (database) => {
      refuseEmpty(database, store);
      copyInto(part, database);
    });
    const version = readVersion(part, store);
    syncFile(part);
    renameSync(part, to);
    return { bytes: statSync(to).size, sha256: await digestOf(to), version };
  } catch (error) {
    const problem = storeProblemOf(error, to);
    // Errors while reading are the store's fault; all others are the target file's.
    const isOfStore = problem instanceof StoreProblem && ["damaged", "foreign"].includes(problem.kind);
    throw isOfStore ? storeProblemOf(error, store) : problem;
  } finally {
    discard(part);
  }
}

/** Copies a database into a new file, which only its user may read from the first byte on; its journal has the same mode. */
function copyInto(path: string, database: DatabaseSync): void {
  closeSync(openSync(path, "wx", 0o600));
  database.prepare("vacuum into ?").run(path);
}

/** Removes an incomplete copy, and the journal that a full disk or a killed process leaves next to it. */
function discard(part: string): void {
  for (const end of ["", "-journal"]) rmSync(part + end, { force: true });
}

export interface RestoreResult extends StoreCopy {
  /** The path of the earlier store. */
  readonly kept?: string;
}

/**
 * Replaces the store by a copy; the earlier store is kept next to it. A copy of an older version is updated when it is next
 * opened. @throws StoreProblem if another Recheck is running, or the copy is incomplete, foreign or newer
 */
export async function restore(from: string, store: string, now: Instant): Promise<RestoreResult> {
  if (statSync(from).isDirectory()) throw new StoreProblem("foreign", `${from} is a folder: name the file of a copy`);
  const version = readVersion(from);
  const lock = lockFolderOf(store);
  const part = `${store}.restoring`;
  try {
    discard(part);
    // A store that was copied with its log has its newest rows in that log.
    if (existsSync(`${from}-wal`)) readDatabase(from, (database) => copyInto(part, database));
    else copyFileSync(from, part);
    chmodSync(part, 0o600);
    syncFile(part);
    const earlierStore = existsSync(store) ? `${store}.${isoTime(now).slice(0, 19).replaceAll(":", "-")}` : undefined;
    // A log left by a killed writer belongs to the old file, so it is merged before the file is put aside.
    if (earlierStore !== undefined) settle(store);
    if (earlierStore !== undefined) putAside(store, earlierStore);
    for (const end of ["-wal", "-shm"]) rmSync(store + end, { force: true });
    renameSync(part, store);
    const copy = { bytes: statSync(store).size, sha256: await digestOf(store), version };
    return { ...copy, kept: earlierStore };
  } catch (error) {
    throw storeProblemOf(error, store);
  } finally {
    discard(part);
    lock.release();
  }
}

/** The version of a file, which must be an undamaged database of Recheck. @throws StoreProblem about `name` */
function readVersion(path: string, name = path): number {
  return explainErrors(name, () =>
    readDatabase(path, (database) => {
      const version = versionOf(database);
      const isOurs = database.prepare("select 1 from sqlite_schema where name = 'watch'").get() !== undefined;
      if (version === 0 || !isOurs) throw foreignFile(name);
      readableVersion(database, name);
      const [{ integrity_check: found } = {}] = database.prepare("pragma integrity_check(1)").all();
      if (found !== "ok") throw new StoreProblem("damaged", `${name} is damaged: ${String(found)}`);
      const foreign = foreignParts(database);
      if (foreign.length > 0)
        throw new StoreProblem("foreign", `${name} holds ${foreign.join(", ")}, which Recheck did not make`);
      return version;
    }),
  );
}

/** SQL triggers and views: a store has none, and one of them could change what it remembers. */
export function foreignParts(database: DatabaseSync): string[] {
  const parts = database
    .prepare("select type, name from sqlite_schema where type in ('trigger', 'view') limit 5")
    .all();
  return parts.map(({ type, name }) => `the ${String(type)} ${String(name)}`);
}

/** Renames the store. If the program is killed at any moment, one store is in its place. */
function putAside(store: string, backup: string): void {
  if (existsSync(backup)) throw new StoreProblem("exists", `${backup} is there already: try again`);
  try {
    linkSync(store, backup);
  } catch {
    // The file system has no links.
    copyFileSync(store, backup);
    chmodSync(backup, 0o600);
    syncFile(backup);
  }
}

function settle(path: string): void {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  try {
    database.exec("pragma wal_checkpoint(truncate)");
  } catch {
    // A store that cannot even be opened is a reason to restore a copy, so it is set aside unchanged.
  } finally {
    database.close();
  }
}

function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

async function digestOf(path: string): Promise<string> {
  const sum = createHash("sha256");
  for await (const part of createReadStream(path)) sum.update(part);
  return sum.digest("hex");
}
