import {
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type QueryId,
  sql,
  TableNode,
  type Transaction,
  WithSchemaPlugin,
} from "kysely";
import { StoreProblem } from "../../../model/problem.ts";
import { refuseUnknown, steps } from "../migrations.ts";
import { emptyStore, olderStore } from "../problem.ts";
import { creation, postgres, type Tables } from "../schema.ts";

/** The version that the first step starts from. Earlier ones were never released. */
const oldest = 4;
const newest = oldest + steps.length;

/** The version of a database. `least`: the steps that a program must know to work on it. */
export interface Version {
  readonly version: number;
  readonly least: number;
}

/** All zero if Recheck has made nothing yet. Reads the catalogue's tables, because cached names may be older than the lock. */
export async function versionOf(database: Kysely<Tables>, schema: string): Promise<Version> {
  const found = await sql`select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${schema} and relname = 'version'`.execute(database);
  if (found.rows.length === 0) return { version: 0, least: 0 };
  const { rows } = await sql<Version>`select version, least from ${sql.id(schema, "version")}`.execute(database);
  return rows[0] ?? { version: 0, least: 0 };
}

/** @throws StoreProblem if this program may not work on it; for reading, also if nothing was recorded yet */
export function mustBeKnown({ version, least }: Version, place: string, to: "read" | "write"): void {
  // A newer program may have added only things that this one can ignore.
  if (version > 0) refuseUnknown(least > newest ? version : Math.min(version, newest), { oldest, newest }, place);
  if (to === "write") return;
  if (version === 0) throw emptyStore(place);
  if (version < newest) throw olderStore(place);
}

/** Brings a database up to date in one transaction, for which all others wait. @throws StoreProblem */
export async function migrate(database: Kysely<Tables>, schema: string, place: string): Promise<void> {
  if ((await versionOf(database, schema)).version === newest) return;
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${schema} migrations`}, 0))`.execute(transaction);
    const stored = await versionOf(transaction, schema);
    mustBeKnown(stored, place, "write");
    if (stored.version >= newest) return;
    if (stored.version === 0) await begin(transaction, schema, place);
    const dialect = postgres(quoteName(schema));
    let { least } = stored;
    for (const [index, { statements, breaks }] of steps.entries()) {
      const version = oldest + index + 1;
      if (version <= stored.version) continue;
      // A new database needs no steps.
      if (stored.version > 0) await sql.raw(statements(dialect)).execute(transaction);
      if (breaks) least = version;
    }
    await sql`delete from ${sql.id(schema, "version")}`.execute(transaction);
    await sql`insert into ${sql.id(schema, "version")} values (${newest}, ${least})`.execute(transaction);
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
  }>`select 1 as one from pg_class where relnamespace = ${quoteName(schema)}::regnamespace`;
  if ((await holds.execute(transaction)).rows.length > 0) {
    throw new StoreProblem("foreign", `the schema ${schema} in ${place} is not one of Recheck's`);
  }
  await sql`create table ${sql.id(schema, "version")} (version bigint not null, least bigint not null)`.execute(
    transaction,
  );
  await sql.raw(creation(postgres(quoteName(schema)))).execute(transaction);
}

export function quoteName(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`;
}

/** Puts the schema before every table name. kysely's own plugin does not for hand-written statements (`sql.table`). */
export function inSchema(schema: string): KyselyPlugin[] {
  const written = new WrittenTables(schema);
  return [
    new WithSchemaPlugin(schema),
    {
      transformQuery: ({ node, queryId }) => (node.kind === "RawNode" ? written.transformNode(node, queryId) : node),
      transformResult: async ({ result }) => result,
    },
  ];
}

class WrittenTables extends OperationNodeTransformer {
  readonly #schema: string;

  constructor(schema: string) {
    super();
    this.#schema = schema;
  }

  override transformNode<T extends OperationNode | undefined>(node: T, queryId?: QueryId): T {
    const transformed = super.transformNode(node, queryId);
    if (!transformed || !TableNode.is(transformed) || transformed.table.schema) return transformed;
    return TableNode.createWithSchema(this.#schema, transformed.table.identifier.name) as unknown as T;
  }
}
