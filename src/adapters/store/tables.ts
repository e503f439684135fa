import {
  type CompiledQuery,
  type DeleteQueryBuilder,
  type DeleteResult,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from "kysely";
import { makeOnce } from "../../model/cache.ts";
import type { BegunCheck, JobLane } from "../../model/ports/index.ts";
import type { AttemptNote } from "./attempts.ts";
import type { Rest } from "./registry.ts";
import { keyOf, type OwnedTable, type Tables } from "./schema.ts";
import type { WatchColumns } from "./watches.ts";

export function put<T extends keyof Tables>(db: Kysely<Tables>, table: T, rows: Row<T> | readonly Row<T>[]) {
  const all = [rows].flat() as readonly Row<"robots">[];
  const [keys, columns] = [keyOf(table), Object.keys(all[0] ?? {})];
  const written = columns.filter((column) => !keys.includes(column));
  return db
    .insertInto(table as "robots")
    .values(all)
    .onConflict((conflict) =>
      conflict
        .columns(keys as ["product"])
        .doUpdateSet(Object.fromEntries(written.map((column) => [column, sql.ref(`excluded.${column}`)]))),
    );
}

type Row<T extends keyof Tables> = Insertable<Tables[T]>;

/** The operations that differ between kinds of databases. */
export interface Engine {
  /** Makes a transaction wait for all others with one of these names: keys of repositories, or of something shared. */
  hold(transaction: Kysely<Tables>, ...names: readonly string[]): Promise<void>;
  /** Requests a job in the transaction that causes it, if processes share a queue. */
  ask?(transaction: Kysely<Tables>, ...lanes: readonly JobLane[]): Promise<void>;
  /** Notes the running checks of a repository together with other notes; by default separately. */
  note?(repository: string, begun: AttemptNote): Promise<void>;
  /** Lists the checks that were running when a process died, if any process may work for the repository. */
  died?(repository: string): Promise<BegunCheck[]>;
  /** Stores unchanged checks in one statement; by default in a transaction. */
  touch?(repository: string, rows: readonly WatchColumns[]): Promise<void>;
  /** Lets a repository rest together with others; by default in a transaction. */
  rest?(repository: string, rest: Rest): Promise<void>;
  /** A field of a column that holds JSON. */
  field<T>(column: string, name: string): RawBuilder<T>;
  /** Runs a transaction. Its work may be repeated if another transaction was in the way. */
  together<T>(database: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Runs a transaction that survives the end of the program, but perhaps not of the machine. */
  unsynced(database: Kysely<Tables>, work: (transaction: Kysely<Tables>) => Promise<void>): Promise<void>;
}

/** The database or transaction of a query, and the repository whose rows it may see. */
export interface Scope {
  readonly db: Kysely<Tables>;
  /** The number of a repository that an App serves, as text, or the name of any other. */
  readonly repository: string;
}

/** A query of a repository's rows in a table. kysely's types know tables by name alone, so one of them serves for all. */
export function rowsIn<T extends OwnedTable>({ db, repository }: Scope, table: T) {
  const rows = db.selectFrom(table as "watch").where("repository", "=", repository);
  return rows as unknown as SelectQueryBuilder<Tables, T, object>;
}

export function changeIn<T extends OwnedTable>({ db, repository }: Scope, table: T) {
  const change = db.updateTable(table as "watch").where("repository", "=", repository);
  return change as unknown as UpdateQueryBuilder<Tables, T, T, UpdateResult>;
}

export function deleteIn<T extends OwnedTable>({ db, repository }: Scope, table: T) {
  const deletion = db.deleteFrom(table as "watch").where("repository", "=", repository);
  return deletion as unknown as DeleteQueryBuilder<Tables, T, DeleteResult>;
}

/** Limit of values for one statement; SQLite allows 32,766 parameters. */
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

/** The columns of a row that are not empty. */
export function withoutNulls<Row extends object>(row: Row): { [C in keyof Row]?: Exclude<Row[C], null> } {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as ReturnType<
    typeof withoutNulls<Row>
  >;
}

type Functions = Readonly<Record<string, (scope: Scope, ...args: never[]) => Promise<unknown>>>;

/** The functions without their first parameter. */
type Methods<F extends Functions> = {
  readonly [N in keyof F]: F[N] extends (scope: Scope, ...args: infer A) => infer R ? (...args: A) => R : never;
};

/** Functions on rows as methods. `run` gives them the scope: outside of transactions, or in one. */
export function methods<F extends Functions>(
  run: <T>(work: (scope: Scope) => Promise<T>) => Promise<T>,
  functions: F,
): Methods<F> {
  const bound = Object.entries(functions).map(([name, work]) => [
    name,
    (...args: never[]) => run((scope) => work(scope, ...args)),
  ]);
  return Object.fromEntries(bound);
}

/**
 * The text of PostgreSQL cannot hold U+0000, and Node 22 reads the text of SQLite only up to it. So U+0000 is stored as
 * this escape and `0`, the escape itself as the escape and `1`.
 */
const escapeSign = "\u0010";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape
const toEscape = /[\u0000\u0010]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is the escape
const escaped = /\u0010([01])/g;

/** A value as a parameter of a statement. Few texts have a sign to escape: `includes` finds that out faster. */
export function escapeValue<T>(value: T): T | string {
  if (typeof value !== "string" || !(value.includes("\0") || value.includes(escapeSign))) return value;
  return value.replace(toEscape, (character) => (character === escapeSign ? `${escapeSign}1` : `${escapeSign}0`));
}

/** Restores the values of a row in place. */
export function unescapeRow<T>(row: T): T {
  const values = row as Record<string, unknown>;
  for (const name in values) {
    const value = values[name];
    if (typeof value === "string" && value.includes(escapeSign)) {
      values[name] = value.replace(escaped, (_, sign) => (sign === "1" ? escapeSign : "\0"));
    }
  }
  return row;
}

/** A value that is only known when the statement runs. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const places = new Proxy({} as { repository: string }, { get: (_, name) => new Place(String(name)) });

/**
 * Builds a statement once for each database, which takes longer than to run it. `build` only passes values on. SQLite
 * also runs it for each of several values, which takes less time than to parse one statement with all of them.
 */
export function prepareOnce<Values extends object, Row>(
  build: (scope: Scope, values: Values) => { compile(database: Kysely<Tables>): CompiledQuery<Row> },
): (scope: Scope, ...all: readonly Values[]) => Promise<Row[]> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async ({ db, repository }, ...all) => {
    const { adapter } = db.getExecutor();
    const query = makeOnce(compiled, adapter, () =>
      build({ db, repository: places.repository }, places as Values).compile(db),
    );
    const [first, ...others] = all.map((values) => {
      const given = { ...values, repository } as Readonly<Record<string, unknown>>;
      return query.parameters.map((value) => (value instanceof Place ? given[value.name] : value));
    });
    if (!first) return [];
    const parameters = others.length === 0 ? first : [first, ...others];
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
