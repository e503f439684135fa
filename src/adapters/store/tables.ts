import type { Kysely, RawBuilder } from "kysely";
import type { JobLane } from "../../model/ports/index.ts";
import type { Begun } from "./attempts.ts";
import type { Tables } from "./schema.ts";

/** Does what each kind of database does in a way of its own. */
export interface Engine {
  /**
   * Has a transaction wait for every other one that holds any of these names, until that has ended. A name is the key
   * of a repository, or of what all share.
   */
  hold(transaction: Kysely<Tables>, ...names: readonly string[]): Promise<void>;
  /** Asks for work in the transaction that gives rise to it, where processes share it by a queue. */
  ask?(transaction: Kysely<Tables>, lane: JobLane): Promise<void>;
  /** Completes, with the transaction, the job that it is part of. */
  complete?(transaction: Kysely<Tables>): Promise<void>;
  /** Notes what is under way in a repository, together with what others note; else each by itself. */
  note?(repository: string, begun: Begun): Promise<void>;
  /** A field of a column that holds JSON. */
  field<T>(column: string, name: string): RawBuilder<T>;
  /** Runs a transaction: its work may be done again from the beginning, where another one was in the way. */
  together<T>(database: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Runs a transaction whose work outlives this program, and need not outlive the machine. */
  unsynced(database: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<void>): Promise<void>;
}

/** Where a query runs (the database, or a transaction on it) and whose rows it may see. */
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

/** A partial change as columns: what it names is set, and what it names as undefined is emptied. */
export function columns(change: Readonly<Record<string, Value>>): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => [name, typeof value === "boolean" ? Number(value) : (value ?? null)]),
  );
}
