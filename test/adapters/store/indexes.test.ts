import { DatabaseSync } from "node:sqlite";
import { type CompiledQuery, Kysely, sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { backlogOf } from "../../../src/adapters/store/backlog.ts";
import { pruneCheckRecords, pruneSnapshots } from "../../../src/adapters/store/checks.ts";
import { NodeSqliteDialect } from "../../../src/adapters/store/dialect.ts";
import { migrate } from "../../../src/adapters/store/migrations.ts";
import type { Tables } from "../../../src/adapters/store/schema.ts";
import type { Engine } from "../../../src/adapters/store/tables.ts";

/** One file serves many repositories: what is asked of one of them does not walk over the rows of all. */

const database = new DatabaseSync(":memory:");
migrate(database, "a test");
afterAll(() => database.close());

const names = (query: string, column: string, ...given: string[]) =>
  database
    .prepare(query)
    .all(...given)
    .map((row) => String(row[column]));
const tables = names("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'", "name");
const plan = (statement: string) => names(`explain query plan ${statement}`, "detail")[0];

/** SQLite asks so, for each row that is deleted, whether another one refers to it. */
const referring = tables.flatMap((table) =>
  names("select * from pragma_foreign_key_list(?)", "from", table).map((column): [string, string] => [table, column]),
);

test.each(referring)("of %s, the rows whose %s is deleted are found by index", (table, column) => {
  expect(plan(`select 1 from "${table}" where "${column}" = ?`)).toMatch(/^SEARCH .* USING .*INDEX/);
});

const owned = tables.filter((table) =>
  names("select * from pragma_table_info(?) where type = 'TEXT'", "name", table).includes("repository"),
);

test.each(owned)("the rows that a repository has in %s are found by index", (table) => {
  expect(plan(`delete from "${table}" where repository = ?`)).toMatch(/^SEARCH .* USING .*INDEX/);
});

test.each(["is", "is not"])("the answers of a repository whose pull request %s null are found by index", (is) => {
  expect(plan(`select * from answer where repository = ? and pull ${is} null order by at, id`)).toMatch(
    /^SEARCH answer USING INDEX/,
  );
});

/** The plans of the statements that some work sends. */
async function plansOf(work: (db: Kysely<Tables>) => Promise<unknown>): Promise<string[]> {
  const asked: CompiledQuery[] = [];
  const log = ({ query }: { readonly query: CompiledQuery }) => void asked.push(query);
  await work(new Kysely({ dialect: new NodeSqliteDialect(database, "a test"), log }));
  return asked.flatMap(({ sql, parameters }) =>
    names(`explain query plan ${sql}`, "detail", ...(parameters as string[])),
  );
}

test("the waiting work is counted without reading the watches that are not due", async () => {
  const engine: Pick<Engine, "field"> = {
    field: (column, name) => sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${name}`)})`,
  };
  const plans = await plansOf((db) => backlogOf(db, engine, 1));
  const ofWatches = plans.filter((step) => / watch /.test(step) && !step.includes("repository>?"));
  const byTime = expect.stringMatching(/\(repository=\? AND forgotten=\? AND (?:next<\?|looked>\? AND looked<\?)\)/);
  expect(ofWatches).toEqual([expect.stringMatching("SEARCH watch"), byTime, byTime, byTime]);
});

test.each(Object.entries({ pruneCheckRecords, pruneSnapshots }))(
  "%s does not read the rows of other sources",
  async (_, prune) => {
    const plans = await plansOf((db) => prune({ db, repository: "one" }, { source: "s" }));
    const ofRows = plans.filter((step) => /^(?:SEARCH|SCAN) (?:look|snapshot)\b/.test(step));
    const narrow = expect.stringMatching(/\((?:rowid=\?|repository=\? AND source=\?)\)$/);
    expect(ofRows).toEqual([narrow, narrow]);
  },
);

test("rows of many repositories are there to be found, and some refer to others", () => {
  expect(owned).toEqual(expect.arrayContaining(["watch", "recheck", "firing", "answer", "comment", "message"]));
  expect(referring).toEqual(
    expect.arrayContaining([
      ["recheck", "previous"],
      ["firing", "recheck"],
      ["answer", "recheck"],
      ["comment", "recheck"],
    ]),
  );
});
