import type { Kysely, RawBuilder } from "kysely";
import type { BegunCheck, JobLane } from "../../model/ports/index.ts";
import type { Begun } from "./attempts.ts";
import type { Tables } from "./schema.ts";
import type { WatchColumns } from "./watches.ts";

/** The operations that differ between kinds of databases. */
export interface Engine {
  /**
   * Makes a transaction wait for every other one that holds any of these names. A name is the key of a repository, or of
   * something shared.
   */
  hold(transaction: Kysely<Tables>, ...names: readonly string[]): Promise<void>;
  /** Requests work in the transaction that causes it, if processes share work in a queue. */
  ask?(transaction: Kysely<Tables>, ...lanes: readonly JobLane[]): Promise<void>;
  /** Completes, with the transaction, the job that it is part of. */
  complete?(transaction: Kysely<Tables>): Promise<void>;
  /** Notes the running checks of a repository together with other notes; by default separately. */
  note?(repository: string, begun: Begun): Promise<void>;
  /** Lists the checks that were running when a process died, if any process may work for the repository. */
  died?(repository: string): Promise<BegunCheck[]>;
  /** Stores unchanged checks in one statement; by default in a transaction. */
  touch?(repository: string, rows: readonly WatchColumns[]): Promise<void>;
  /** A field of a column that holds JSON. */
  field<T>(column: string, name: string): RawBuilder<T>;
  /** Runs a transaction. Its work may be repeated if another transaction was in the way. */
  together<T>(database: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Runs a transaction whose work outlives this program, and need not outlive the machine. */
  unsynced(database: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<void>): Promise<void>;
}

/** The database or transaction of a query, and the repository whose rows it may see. */
export interface Scope {
  readonly db: Kysely<Tables>;
  /** The number of one that an App serves, as text, or the name of any other. */
  readonly repository: string;
}

/** How many values go into one statement; SQLite allows 32,766 parameters. */
const chunkSize = 500;

export function chunks<T>(values: readonly T[]): T[][] {
  const pieces: T[][] = [];
  for (let at = 0; at < values.length; at += chunkSize) pieces.push(values.slice(at, at + chunkSize));
  return pieces;
}

type Value = string | number | boolean | undefined;

/** A partial change as columns: named fields are set, and those that are undefined are emptied. */
export function columns(change: Readonly<Record<string, Value>>): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : (value ?? null)]),
  );
}
