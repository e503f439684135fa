import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { PGlite } from "@electric-sql/pglite";
import { expect, test } from "vitest";
import { currentVersion, migrate, steps } from "../../../src/adapters/store/migrations.ts";
import { creation, ownedTables, postgres, tableNames } from "../../../src/adapters/store/schema.ts";
import { makeOlder } from "./oldest/database.ts";

/** A new store is made by one schema; one that was made before has come to the same, step by step. */

type Row = Readonly<Record<string, unknown>>;

test("a new SQLite database has every column, index and reference of one that all steps led to", () => {
  const [fresh, stepped] = [new DatabaseSync(":memory:"), new DatabaseSync(":memory:")];
  migrate(fresh, "a test");
  makeOlder(stepped, currentVersion);
  expect(inSqlite(fresh)).toEqual(inSqlite(stepped));
  expect(inSqlite(fresh).map(({ name }) => name)).toEqual(expect.arrayContaining([...tableNames, "watch_past"]));
  for (const database of [fresh, stepped]) database.close();
});

test("every table with a repository's key is moved and erased with it", () => {
  const database = new DatabaseSync(":memory:");
  migrate(database, "a test");
  const column = "select 1 from pragma_table_info(?) where name = 'repository' and type = 'TEXT'";
  const keyed = tableNames.filter((name) => database.prepare(column).get(name) !== undefined);
  database.close();
  expect(keyed).toContain("roster");
  expect(ownedTables).toEqual(keyed);
});

function inSqlite(database: DatabaseSync): Row[] {
  const all = (query: string, ...given: string[]) => database.prepare(query).all(...given);
  const things = all("select type, name, tbl_name, sql from sqlite_schema order by type, name");
  return things.map((thing) => {
    const name = String(thing.name);
    const sql = String(thing.sql);
    return {
      ...{ type: thing.type, name, table: thing.tbl_name },
      // What no pragma tells: strictness, numbers that are never given again, and which rows an index is for.
      words: thing.type === "index" ? sql.replaceAll('"', "") : [/\bstrict\b/.test(sql), /\bautoincrement\b/.test(sql)],
      columns: all("select * from pragma_table_xinfo(?)", name),
      indexes: all(`select name, "unique", origin, partial from pragma_index_list(?) order by name`, name),
      indexed: all("select * from pragma_index_xinfo(?)", name),
      references: all("select * from pragma_foreign_key_list(?)", name),
    };
  });
}

test("a new PostgreSQL database has every column, index and reference of one that all steps led to", async () => {
  const oldest = readFileSync(new URL("./oldest/postgres.sql", import.meta.url), "utf8");
  const later = steps.map(({ statements }) => statements(postgres("public"))).join("\n");
  const [fresh, stepped] = [await PGlite.create(), await PGlite.create()];
  await fresh.exec(creation(postgres("public")));
  await stepped.exec(oldest + later);
  const [made, led] = [await inPostgres(fresh), await inPostgres(stepped)];
  expect(made).toEqual(led);
  expect(made.columns?.length).toBeGreaterThan(100);
  for (const database of [fresh, stepped]) await database.close();
});

/** Everything but the order of columns, which a step cannot choose. */
async function inPostgres(database: PGlite): Promise<Record<string, unknown[]>> {
  const all = async (query: string) => (await database.query(query)).rows;
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
