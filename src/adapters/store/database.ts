import type { Kysely } from "kysely";
import type { AnswerMemory, HostMemory, Stores } from "../../model/ports/index.ts";
import { answerMemoryOf, hostMemoryOf } from "./hosts.ts";
import { adopt, eraseNamed, registryOf, repositories, rowKeyOf } from "./registry.ts";
import type { Tables } from "./schema.ts";
import { outside, storeOf } from "./store.ts";
import type { Engine } from "./tables.ts";

/** All repositories of one database, of any kind. */
export interface Database extends Stores {
  readonly hosts: HostMemory;
  readonly answers: AnswerMemory;
  /** Facts about hosts that many processes share, with turns; undefined for a single process. */
  readonly sharedHosts?: HostMemory;
  repositories(): Promise<string[]>;
  /** Finds the repository of this name, as an argument for `repository`. */
  keyOf(name: string): Promise<string>;
  /** Moves everything stored about one repository, which no App serves, to another one without data. */
  adopt(from: string, to: string): Promise<void>;
  /** Erases everything about a repository, by its name. Returns whether anything was stored. */
  erase(name: string): Promise<boolean>;
  /**
   * Locks the repository of this key for this process, until it is closed. Running checks found there belong to a dead
   * process. @throws StoreProblem `locked` if another process works for it
   */
  own(key: string): Promise<void>;
  /**
   * Runs some work in one transaction. No other process may write these tables meanwhile, or have the database open for
   * writing at the beginning or end. @throws StoreProblem `locked` if another process has
   */
  alone<T>(tables: readonly (keyof Tables)[], work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** All rows of all repositories, for moving them all. */
  readonly rows: Kysely<Tables>;
  /** The last number of each numbered table. A number is never reused. */
  numbers(transaction: Kysely<Tables>): Promise<Numbers>;
  /** Continues the numbers from there. */
  numberOn(transaction: Kysely<Tables>, numbers: Numbers): Promise<void>;
  close(): Promise<void>;
}

export type Numbers = ReadonlyMap<keyof Tables, number>;

export function databaseOver(
  database: Kysely<Tables>,
  engine: Engine,
  own: Pick<Database, "sharedHosts" | "own" | "alone" | "numbers" | "numberOn" | "close">,
): Database {
  return {
    repository: (key) => storeOf(database, String(key), engine),
    registry: registryOf(() => outside(database), engine),
    hosts: hostMemoryOf(() => outside(database), engine),
    answers: answerMemoryOf(() => outside(database), engine),
    repositories: () => repositories(database),
    keyOf: (name) => rowKeyOf(database, name),
    adopt: (from, to) => adopt(database, from, to, engine),
    erase: (name) => engine.together(database, (db) => eraseNamed(db, name)),
    rows: database,
    ...own,
  };
}
