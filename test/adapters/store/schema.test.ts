import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { currentVersion, migrate } from "../../../src/adapters/store/migrations.ts";
import { ownedTables, tableNames } from "../../../src/adapters/store/schema.ts";
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
