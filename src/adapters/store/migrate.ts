import type { DatabaseSync } from "node:sqlite";
import { StoreProblem } from "./problem.ts";

/** Brings a database from the version before it to its own. Runs inside a transaction. */
export type Migration = (database: DatabaseSync) => void;

/** How many migrations a database has had: SQLite keeps the number in the file's header, inside the transaction. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("pragma user_version").get()?.user_version);
}

/**
 * Forward only, one transaction for each step: killed half-way, the file is as it was before that step.
 * Foreign keys are not enforced meanwhile (a table may be rebuilt), but must hold at the end of each step.
 *
 * @throws StoreProblem `newer` or `foreign`
 */
export function migrate(database: DatabaseSync, migrations: readonly Migration[], name: string): void {
  const from = versionOf(database);
  refuseNewer(from, migrations.length, name);
  if (from === 0 && hasTables(database)) throw new StoreProblem("foreign", `${name} is not a database of Recheck`);
  database.exec("pragma foreign_keys = off");
  for (const [index, migration] of migrations.entries()) {
    if (index >= from) step(database, migration, index + 1);
  }
  database.exec("pragma foreign_keys = on");
}

export function refuseNewer(found: number, known: number, name: string): void {
  if (found <= known) return;
  const versions = `its format is version ${found}, this program knows up to ${known}`;
  throw new StoreProblem("newer", `${name} was written by a newer Recheck (${versions}): update Recheck`);
}

function step(database: DatabaseSync, migration: Migration, version: number): void {
  database.exec("begin immediate");
  try {
    migration(database);
    const broken = database.prepare("pragma foreign_key_check").all();
    if (broken.length > 0)
      throw new Error(`migration ${version} leaves ${broken.length} rows without what they refer to`);
    database.exec(`pragma user_version = ${version}`);
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

function hasTables(database: DatabaseSync): boolean {
  return database.prepare("select 1 from sqlite_schema limit 1").get() !== undefined;
}
