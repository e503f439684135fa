import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import type { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { steps } from "../../../src/adapters/store/migrations.ts";
import { openPostgres } from "../../../src/adapters/store/postgres/open.ts";
import { creation, postgres } from "../../../src/adapters/store/schema.ts";
import { asking, noServer, type PostgresServer, startPostgres } from "../../support/postgres.ts";
import { type Place, storeContract } from "./contract.ts";

let schemas = 0;

/** Each place is a schema of its own in one database. */
function placeIn(address: string, most?: number): Place {
  const schema = `place ${++schemas}`;
  return {
    open: () => openPostgres(address, { schema, most }),
    remove: () => asking(address, (client) => client.query(`drop schema if exists "${schema}" cascade`)).then(() => {}),
  };
}

/** Takes three times as long as a server. */
function inWebAssembly(): void {
  let database: PGlite;
  let server: PGLiteSocketServer;
  let address: string;
  beforeAll(async () => {
    database = await PGlite.create();
    server = new PGLiteSocketServer({ db: database, port: 0, host: "127.0.0.1", maxConnections: 9 });
    await server.start();
    address = `postgres://postgres@${server.getServerConn()}/postgres`;
  });
  afterAll(async () => {
    await server.stop();
    await database.close();
  });
  storeContract("PGlite", true, async () => placeIn(address, 1), 5);
}

if (noServer) describe("PostgreSQL in WebAssembly", inWebAssembly);

describe.skipIf(noServer)(`PostgreSQL${noServer}`, () => {
  let server: PostgresServer;
  let address: string;
  beforeAll(async () => {
    server = await startPostgres();
    address = await server.database();
  });
  afterAll(() => server.stop());
  storeContract("PostgreSQL", true, async () => placeIn(address), 10);

  test("a new database has every column, index and reference of one that all steps led to", async () => {
    const oldest = readFileSync(new URL("./oldest/postgres.sql", import.meta.url), "utf8");
    const later = steps.map(({ statements }) => statements(postgres("public"))).join("\n");
    const after = async (statements: string) =>
      asking(await server.database(), async (client) => {
        await client.query(statements);
        return await schemaOf(client);
      });
    const made = await after(creation(postgres("public")));
    expect(made).toEqual(await after(oldest + later));
    expect(made.columns?.length).toBeGreaterThan(100);
  });
});

type Row = Readonly<Record<string, unknown>>;

/** Everything but the order of columns, which a step cannot choose. */
async function schemaOf(client: Client): Promise<Record<string, Row[]>> {
  const all = async (query: string) => (await client.query<Row>(query)).rows;
  return {
    columns: await all(`select table_name, column_name, data_type, is_nullable, column_default, collation_name,
      is_identity, identity_generation, attstorage from information_schema.columns
      join pg_attribute on attrelid = table_name::regclass and attname = column_name
      where table_schema = 'public' order by 1, 2`),
    tables: await all(`select relname, relkind, relpersistence, reloptions from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'S') order by 1`),
    indexes: await all(
      "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' order by 1, 2",
    ),
    constraints: await all(`select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as is
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`),
  };
}
