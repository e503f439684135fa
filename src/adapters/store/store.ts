import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import type { Firing } from "../../model/firing.ts";
import type {
  AnswerMemory,
  ArchivedChange,
  CheckResult,
  HostMemory,
  Store,
  Stores,
  Transaction,
} from "../../model/ports/index.ts";
import { diedAttempts, noteAttempts } from "./attempts.ts";
import * as checks from "./checks.ts";
import * as firings from "./firings.ts";
import { answerMemoryOf, hostMemoryOf } from "./hosts.ts";
import { messageReads, messageWrites, recheckReads, recheckSteps, recheckWrites } from "./rechecks.ts";
import {
  adopt,
  askToAttend,
  eraseNamed,
  finish,
  registryOf,
  repositories,
  rowKeyOf,
  updateRepository,
} from "./registry.ts";
import type { Tables } from "./schema.ts";
import { type Engine, methods, type Scope } from "./tables.ts";
import * as watches from "./watches.ts";

/** The database of the running commit: waiting for the same database there would never end. */
const committing = new AsyncLocalStorage<Kysely<Tables>>();

/** The database, except during its own transaction: other work waits until that has ended. */
function outsideCommit(database: Kysely<Tables>): Kysely<Tables> {
  if (committing.getStore() === database) throw new Error("within a commit only its own transaction may be used");
  return database;
}

/** The store of one repository: its transactions come one after the other. */
function storeOf(database: Kysely<Tables>, repository: string, engine: Engine): Store {
  const scope = (): Scope => ({ db: outsideCommit(database), repository });
  const lease =
    <T>(work: (scope: Scope) => Promise<T>) =>
    async (db: Kysely<Tables>) => {
      await engine.hold(db, repository);
      return await work({ db, repository });
    };
  /** In a transaction that is durable when it returns. */
  const together = async <T>(work: (scope: Scope) => Promise<T>) => await engine.together(scope().db, lease(work));
  /** In a transaction that a later durable one makes durable. */
  const unsynced = async <T>(work: (scope: Scope) => Promise<T>) => {
    const done: T[] = [];
    await engine.unsynced(scope().db, async (db) => void done.push(await lease(work)(db)));
    return done.at(-1) as T;
  };
  return {
    commit: async (work, durable) => {
      const run = durable === "soon" ? unsynced : together;
      return await run((within) => {
        const transaction: Transaction = methods(async (step) => await step(within), steps);
        return committing.run(database, () => work(transaction));
      });
    },
    ...methods(async (work) => await work(scope()), reads),
    ...methods(together, writes),
    attempt: async (sources, at, ended) => noteAttempts(scope(), engine, { sources, began: at, ended }),
    died: async () => diedAttempts(scope(), engine),
    touch: async (unchanged) => watches.touchWatches(scope(), engine, unchanged),
  };
}

const reads = {
  ...watches.watchReads,
  ...checks.checkReads,
  firings: firings.firings,
  events: firings.eventsIn,
  ...recheckReads,
  ...messageReads,
};

const writes = {
  saveRoster: watches.saveRoster,
  forget: watches.forget,
  rename,
  ...recheckWrites,
  ...messageWrites,
};

const steps = {
  sightings: firings.sightings,
  sightingsOf: firings.sightingsOf,
  firingsOf: firings.firingsOf,
  claims: checks.claims,
  keep,
  fire,
  noteAudit: watches.noteAudit,
  keepArchived,
  ...recheckSteps,
  hurry: watches.hurry,
  updateRepository,
  finish: async ({ db }: Scope, delivery: string) => finish(db, delivery),
};

async function fire(scope: Scope, all: readonly Firing[]): Promise<void> {
  await firings.addFirings(scope, all);
  await askToAttend(scope);
}

async function keepArchived(scope: Scope, change: ArchivedChange): Promise<void> {
  await checks.saveArchivedChange(scope, change);
  await askToAttend(scope);
}

async function rename(scope: Scope, from: string, to: string): Promise<void> {
  await watches.renameRows(scope, from, to);
  await checks.renameClaims(scope, from, to);
  await firings.renameInEvidence(scope, from, to);
}

async function keep(scope: Scope, result: CheckResult): Promise<void> {
  const { watch, check } = result;
  await watches.saveWatches(scope, watch);
  if (result.memory !== undefined) await checks.saveMemory(scope, watch, result.memory);
  if (result.snapshot) await checks.addSnapshot(scope, result.snapshot);
  await checks.addCheckRecord(scope, check);
  await checks.pruneCheckRecords(scope, check);
  await watches.pruneForgotten(scope, check.at);
  await checks.saveClaims(scope, result.claims);
  await firings.addSightings(scope, result.events);
  await firings.addFirings(scope, result.firings);
  await askToAttend(scope);
  // Done last: the stored evidence of this check protects its snapshot.
  if (result.snapshot) await checks.pruneSnapshots(scope, result.snapshot);
}

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
  connection: Pick<Database, "sharedHosts" | "own" | "alone" | "numbers" | "numberOn" | "close">,
): Database {
  return {
    repository: (key) => storeOf(database, String(key), engine),
    registry: registryOf(() => outsideCommit(database), engine),
    hosts: hostMemoryOf(() => outsideCommit(database), engine),
    answers: answerMemoryOf(() => outsideCommit(database), engine),
    repositories: () => repositories(database),
    keyOf: (name) => rowKeyOf(database, name),
    adopt: (from, to) => adopt(database, from, to, engine),
    erase: (name) => engine.together(database, (db) => eraseNamed(db, name)),
    rows: database,
    ...connection,
  };
}
