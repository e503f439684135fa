import { type Kysely, sql, type Transaction } from "kysely";
import { StoreProblem } from "../../../model/store-problem.ts";
import { checksInJson, refuseNewer } from "../migrations.ts";
import { creation, postgres, type Tables } from "../schema.ts";

/**
 * The steps for existing databases, from version 1 on. A step that a database may have had is never edited; corrections are
 * another step. A new database is made only from `../schema.ts`, which describes the result of the last step, and the columns.
 */
export const migrations: readonly Migration[] = [
  { statements: repositoryDue },
  // The previous version of the program writes no `past`; it is known again after the next check.
  { statements: foundByIndex },
  { statements: commentPlanned },
  { statements: registryAnswers },
  // The previous version of the program cannot read what is remembered of a page, which is compressed from now on.
  { statements: repositoryAttend, least: 6 },
  { statements: (schema) => checksInJson(`${schema}.`), least: 7 },
  { statements: firstAudit },
];

const currentVersion = migrations.length + 1;

/** Brings a database from the version before it to its own. */
export interface Migration {
  /** The statements by the name of the schema, in quotes. */
  readonly statements: (schema: string) => string;
  /**
   * Programs that know fewer steps than this must stop. Without it the previous version may continue, as the step only adds
   * something that it need not know.
   */
  readonly least?: number;
}

function repositoryDue(schema: string): string {
  return `
alter table ${schema}.repository add column next bigint not null default 0;
create index repository_due on ${schema}.repository (next);
-- Written twice for each request; turns need not outlive the server.
alter table ${schema}.host_turn set unlogged;
`;
}

function foundByIndex(schema: string): string {
  return `
alter table ${schema}.watch add column past bigint;
update ${schema}.watch set past = least(
  (rest::json #>> '{past,next}')::numeric::bigint,
  (rest::json #>> '{claimsPast,next}')::numeric::bigint
) where rest like '%ast":{%';
drop index ${schema}.watch_due;
create index watch_due on ${schema}.watch (repository, forgotten, next);
create index watch_looked on ${schema}.watch (repository, forgotten, looked);
create index watch_past on ${schema}.watch (repository, past) where past is not null;
create index claim_status on ${schema}.claim (repository, status);
create table ${schema}.roster (
  repository text primary key,
  digest text not null
);
`;
}

function commentPlanned(schema: string): string {
  return `
alter table ${schema}.comment add column planned bigint;
`;
}

function registryAnswers(schema: string): string {
  return `
create table ${schema}.registry_answer (
  question text primary key,
  read bigint not null,
  answer text not null
);
`;
}

function repositoryAttend(schema: string): string {
  return `
alter table ${schema}.repository add column attend bigint not null default 0;
`;
}

function firstAudit(schema: string): string {
  return `
alter table ${schema}.watch add column audit bigint;
create index watch_audit on ${schema}.watch (repository, audit) where audit is not null;
`;
}

/** The version of a database. `least`: the fewest steps that a program must know to work on it. */
export interface Version {
  readonly version: number;
  readonly least: number;
}

/**
 * All zero if Recheck has made nothing yet. Reads the catalogue's tables, as cached names may be older than the lock that was
 * waited for.
 */
export async function versionOf(database: Kysely<Tables>, schema: string): Promise<Version> {
  const found = await sql`select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${schema} and relname = 'version'`.execute(database);
  if (found.rows.length === 0) return { version: 0, least: 0 };
  const { rows } = await sql<Version>`select version, least from ${sql.id(schema, "version")}`.execute(database);
  return rows[0] ?? { version: 0, least: 0 };
}

/** @throws StoreProblem if this program may not work on it; for reading, also if nothing was recorded yet */
export function mustBeKnown(
  { version, least }: Version,
  place: string,
  to: "read" | "write",
  known = currentVersion,
): void {
  if (least > known) refuseNewer(version, known, place);
  if (to === "write") return;
  if (version === 0) throw new StoreProblem("missing", `nothing is recorded in ${place} yet`);
  if (version < known) {
    throw new StoreProblem("older", `${place} was written by an older Recheck: the next scan brings it up to date`);
  }
}

/**
 * Brings a database up to date in one transaction, which all who open it meanwhile wait for: it has all the steps, or
 * is as it was.
 * @throws StoreProblem
 */
export async function migrate(
  database: Kysely<Tables>,
  schema: string,
  place: string,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const last = steps.length + 1;
  if ((await versionOf(database, schema)).version === last) return;
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${schema} migrations`}, 0))`.execute(transaction);
    const stored = await versionOf(transaction, schema);
    mustBeKnown(stored, place, "write", last);
    if (stored.version >= last) return;
    if (stored.version === 0) await begin(transaction, schema, place);
    // A new database has had all steps that `../schema.ts` knows.
    const missing = steps.slice(stored.version === 0 ? migrations.length : stored.version - 1);
    for (const { statements } of missing) await sql.raw(statements(quoted(schema))).execute(transaction);
    const least = Math.max(
      stored.least,
      ...steps.slice(Math.max(0, stored.version - 1)).map((step) => step.least ?? 1),
    );
    await sql`delete from ${sql.id(schema, "version")}`.execute(transaction);
    await sql`insert into ${sql.id(schema, "version")} values (${last}, ${least})`.execute(transaction);
  });
}

/** An empty schema that an administrator made for us is used. */
async function begin(transaction: Transaction<Tables>, schema: string, place: string): Promise<void> {
  const is = sql<{ one: number }>`select 1 as one from pg_namespace where nspname = ${schema}`;
  if ((await is.execute(transaction)).rows.length === 0) {
    await sql`create schema ${sql.id(schema)}`.execute(transaction);
  }
  const holds = sql<{
    one: number;
  }>`select 1 as one from pg_class where relnamespace = ${quoted(schema)}::regnamespace`;
  if ((await holds.execute(transaction)).rows.length > 0) {
    throw new StoreProblem("foreign", `the schema ${schema} in ${place} is not one of Recheck's`);
  }
  await sql`create table ${sql.id(schema, "version")} (version bigint not null, least bigint not null)`.execute(
    transaction,
  );
  await sql.raw(creation(postgres(quoted(schema)))).execute(transaction);
}

function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`;
}
