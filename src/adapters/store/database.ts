import type { Kysely } from "kysely";
import type { AnswerMemory, HostMemory, Stores } from "../../model/ports/index.ts";
import { answerMemoryOf } from "./answers.ts";
import { hostMemoryOf } from "./hosts.ts";
import { adopt, eraseNamed, registryOf, repositories, rowKeyOf } from "./registry.ts";
import type { Tables } from "./schema.ts";
import { outside, storeOf } from "./store.ts";
import type { Engine } from "./tables.ts";

/** All repositories of one database, of any kind. */
export interface Database extends Stores {
  readonly hosts: HostMemory;
  readonly answers: AnswerMemory;
  /** The same for one of many processes, which take turns at hosts; undefined if there is only one. */
  readonly sharedHosts?: HostMemory;
  /** The names of the repositories that something is remembered of. */
  repositories(): Promise<string[]>;
  /** Finds the repository that has this name: what `repository` takes. */
  keyOf(name: string): Promise<string>;
  /** Moves everything stored about one repository, which no App serves, to another one without data. */
  adopt(from: string, to: string): Promise<void>;
  /** Erases everything about a repository at once, by its name. Returns whether anything was stored of it. */
  erase(name: string): Promise<boolean>;
  /**
   * Makes this process the only one that works for the repository of this key, until it is closed. Running checks found there
   * belong to a process that has died. @throws StoreProblem `locked` if another process works for it
   */
  own(key: string): Promise<void>;
  /**
   * Does some work in one transaction while no other process writes these tables, or has the database open for writing at its
   * beginning or end. @throws StoreProblem `locked` if another process has
   */
  alone<T>(tables: readonly (keyof Tables)[], work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** All rows of all repositories, for moving them all. */
  readonly rows: Kysely<Tables>;
  /** The last number that a row of each numbered table was given: a number never means another row later. */
  numbers(transaction: Kysely<Tables>): Promise<Numbers>;
  /** Numbers later rows from there on. */
  numberOn(transaction: Kysely<Tables>, numbers: Numbers): Promise<void>;
  /** Ends after the work that has begun. */
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
