import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import { explainErrors } from "./problem.ts";
import { escapeValue, unescapeRow } from "./tables.ts";

/** Statements that are kept prepared; long ones (lists of keys) hardly come back. */
const maxKeptStatements = 200;
const maxKeptCharacters = 4_000;

/** Kysely over one connection of node:sqlite. Kysely lets one user at a time have it, so transactions never mix. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #driver: Driver;

  /** `path`: named in errors about the file or its disk. */
  constructor(connection: DatabaseSync, path: string) {
    const database = kyselyDatabase(connection, path);
    super({ database });
    this.#driver = new ImmediateDriver({ database });
  }

  override createDriver(): Driver {
    return this.#driver;
  }
}

/** Milliseconds after which other work gets its turn. */
const longestTurn = 10;

/** Takes the write lock when a transaction begins, so that it does not fail half-way because another came first. */
class ImmediateDriver extends SqliteDriver {
  #turned = performance.now();

  /** SQLite answers synchronously: without a pause, a series of statements would block the event loop. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    if (performance.now() - this.#turned > longestTurn) {
      await turn();
      this.#turned = performance.now();
    }
    return connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /** After a full disk or an I/O error SQLite has rolled back already; a second time would hide the error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(unlessRolledBack);
  }
}

/** Ignores a rollback without a transaction. Node reports an open transaction only from 22.16 on. */
export function unlessRolledBack(error: unknown): void {
  if (!(error instanceof Error && error.message.includes("no transaction is active"))) throw error;
}

function kyselyDatabase(connection: DatabaseSync, path: string): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => connection.close(),
    prepare(text) {
      const known = statements.get(text);
      if (known) return known;
      const statement = explainErrors(path, () => wrap(text, connection.prepare(text), path));
      if (text.length <= maxKeptCharacters) {
        if (statements.size >= maxKeptStatements) statements.clear();
        statements.set(text, statement);
      }
      return statement;
    },
  };
}

/** Statements that return rows. Node reports a statement's columns only from 22.16 on. */
const givesRows = /^\s*(?:select|with|pragma)\b|\breturning\b/i;

function wrap(text: string, statement: StatementSync, path: string): SqliteStatement {
  const values = (parameters: readonly unknown[]) => parameters.map(escapeValue) as SQLInputValue[];
  return {
    reader: givesRows.test(text),
    all: (parameters) => explainErrors(path, () => statement.all(...values(parameters)).map(unescapeRow)),
    run: (parameters) =>
      explainErrors(path, () => {
        const all = (Array.isArray(parameters[0]) ? parameters : [parameters]) as readonly (readonly unknown[])[];
        return all.map((each) => statement.run(...values(each))).at(-1) ?? { changes: 0, lastInsertRowid: 0 };
      }),
    iterate: (parameters) => explainErrors(path, () => statement.iterate(...values(parameters)).map(unescapeRow)),
  };
}
