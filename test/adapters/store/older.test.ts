import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { backUp } from "../../../src/adapters/store/backup.ts";
import { currentVersion, oldestVersion } from "../../../src/adapters/store/migrations.ts";
import { openStore, readDatabase } from "../../../src/adapters/store/open.ts";
import { StoreProblem } from "../../../src/model/problem.ts";
import { makeOlder } from "./oldest/database.ts";
import { kept } from "./samples.ts";

/** Stores of every version that is read, with rows in each of their tables, and a power cut while they are changed. */

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-older-"));
  path = join(folder, "recheck.sqlite");
});
afterEach(() => rmSync(folder, { recursive: true }));

type Row = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, readonly Row[]>>;

const rowsInEach = 3;
/** One repository that an App serves; others are known by name alone. */
const number = 77;

/** Makes a store as the first migrations left it, with rows in every table. */
function older(version: number): void {
  const database = new DatabaseSync(path);
  makeOlder(database, version);
  for (const table of tablesIn(database)) {
    const columns = database.prepare(`pragma table_info("${table}")`).all();
    const referring = new Set(
      database
        .prepare(`pragma foreign_key_list("${table}")`)
        .all()
        .map(({ from }) => from),
    );
    for (let n = 1; n <= rowsInEach; n++) {
      const row = columns.map(({ name, type }): [string, SQLInputValue] => [
        String(name),
        referring.has(name ?? null) ? 1 : filling(table, String(name), String(type), n),
      ]);
      const names = row.map(([name]) => `"${name}"`).join(", ");
      const places = row.map(() => "?").join(", ");
      database.prepare(`insert into "${table}" (${names}) values (${places})`).run(...row.map(([, value]) => value));
    }
  }
  expect(database.prepare("pragma foreign_key_check").all()).toEqual([]);
  database.close();
}

/** A value that the program reads back has to be of its kind; anything else is told from all others. */
function filling(table: string, column: string, type: string, n: number): SQLInputValue {
  if (column === "repository" && type === "TEXT") {
    return n > 1 ? `other/report${n}` : String(number);
  }
  if (table === "repository" && column === "id") return number + n - 1;
  if (table === "repository" && column === "name") return n === 1 ? "lab/report" : `served/report${n}`;
  if (column === "state") return "closed";
  if (["done", "forgotten"].includes(column)) return 0;
  if (column === "issue") return n;
  if (type === "BLOB") return new Uint8Array([n, 0, 255]);
  if (type === "INTEGER") return column === "id" ? n : 1_000 * n + column.length;
  const isJson = ["rest", "event", "config", "news", "refused", "verdict", "pull", "headers", "rules"].includes(column);
  return isJson
    ? JSON.stringify({ key: `${table} ${n}`, installation: n, standing: "active" })
    : `${table} ${column} ${n}`;
}

function tablesIn(database: DatabaseSync): string[] {
  const all = database.prepare("select name from sqlite_schema where type = 'table' order by rowid").all();
  return all.map(({ name }) => String(name)).filter((name) => !name.startsWith("sqlite_"));
}

/** The rows as the steps after their version leave them. */
function renamed(table: string, rows: readonly Row[]): readonly Row[] {
  const names: Row = { firing: { told: "reported" }, recheck: { tells: "reported", said: "command" } };
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [Object(names[table])[name] ?? name, value])),
  );
}

/** All rows of all tables. */
function content(): Content {
  return readDatabase(path, (database) =>
    Object.fromEntries(
      tablesIn(database).map((table) => [
        table,
        database
          .prepare(`select * from "${table}" order by rowid`)
          .all()
          .map((row) => ({ ...row })),
      ]),
    ),
  );
}

const versions = Array.from({ length: currentVersion - oldestVersion + 1 }, (_, index) => oldestVersion + index);

/** Runs a child that dies at this step, and returns whether it came to its end. */
function dies(what: string, step: number, other = ""): boolean {
  const script = fileURLToPath(new URL("./older.child.ts", import.meta.url));
  const { signal, status, stderr } = spawnSync(process.execPath, [script, what, path, String(step), other]);
  if (signal === null) expect([status, String(stderr)]).toEqual([0, ""]);
  return signal === null;
}

describe.each(versions)("a store of version %i", (version) => {
  test("is brought up to date without losing a row, or anything in one", async () => {
    older(version);
    const before = content();
    for (const rows of Object.values(before)) expect(rows).toHaveLength(rowsInEach);
    const database = await openStore(path);
    const ofServed = database.repository(number);
    expect([(await ofServed.watches()).length, (await ofServed.firings()).length]).toEqual([1, 1]);
    expect((await ofServed.rechecks()).map(({ state }) => state)).toEqual(["closed"]);
    expect(await Array.fromAsync(database.registry.repositories(), ({ id }) => id)).toEqual([77, 78, 79]);
    expect(await database.registry.deliveries()).toHaveLength(rowsInEach);
    await database.close();
    const after = content();
    for (const [table, rows] of Object.entries(before)) {
      // Checks that were under way when the program ended are known to have died.
      const expected = renamed(table, rows).map((row) => (table === "attempt" ? { ...row, died: 1 } : row));
      if (table === "attempt")
        expect(after[table]?.map(({ source }) => source)).toEqual(rows.map(({ source }) => source));
      else expect(after[table], table).toMatchObject(expected);
    }
    readDatabase(path, (now) => {
      expect(now.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
      expect(now.prepare("pragma foreign_key_check").all()).toEqual([]);
    });
  });
});

test("killed within any step, all is as it was before that step, and the next start goes on", async () => {
  older(oldestVersion);
  const before = content();
  for (const step of versions.slice(1)) {
    expect(dies("migrate", step)).toBe(false);
    expect(readDatabase(path, (now) => now.prepare("pragma user_version").get()?.user_version)).toBe(step - 1);
  }
  await (await openStore(path)).close();
  const after = content();
  for (const [table, rows] of Object.entries(before)) {
    expect(after[table], table).toMatchObject(renamed(table, rows));
  }
});

test("the JSON of a check keeps everything under the names of today", async () => {
  const database = new DatabaseSync(path);
  makeOlder(database, oldestVersion + 4);
  const rest = {
    happenings: [{ event: { key: "a" }, changes: [], hearings: [{ trigger: "t", outcome: "unmet", verdicts: [] }] }],
    noise: [
      {
        change: { kind: "fact", name: "hearings", after: '"hearings":' },
        since: 1,
        reason: "told of the site",
        site: { pages: 3 },
      },
    ],
  };
  database
    .prepare("insert into look (repository, source, at, outcome, rest) values ('lab/report', 'a', 1, 'changed', ?)")
    .run(JSON.stringify(rest));
  database.close();
  const { close, repository } = await openStore(path);
  const [check] = await repository("lab/report").checks("a", 9);
  await close();
  const [{ hearings, ...happening } = { hearings: [] }] = rest.happenings;
  expect(check).toMatchObject({
    happenings: [{ ...happening, results: hearings }],
    noise: [{ ...rest.noise[0], reason: "reported for another page" }],
  });
});

describe("killed before any change of a file", () => {
  const sources = async (file: string): Promise<string[]> => {
    const database = await openStore(file, { readonly: true });
    const found = (await database.repository("lab/report").watches()).map(({ source }) => source);
    await database.close();
    return found;
  };
  const keep = async (source: string): Promise<void> => {
    const database = await openStore(path);
    await database.repository("lab/report").commit((tx) => tx.keep(kept(source)));
    await database.close();
  };

  test("a copy is there whole or not at all, and the next try makes it", async () => {
    await keep("a");
    const to = join(folder, "copy.sqlite");
    let step = 1;
    for (; !dies("back-up", step, to); step++) {
      expect(existsSync(to) ? await sources(to) : ["a"]).toEqual(["a"]);
      expect(await sources(path)).toEqual(["a"]);
      rmSync(to, { force: true });
    }
    expect(step).toBeGreaterThan(4);
    expect(await sources(to)).toEqual(["a"]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("the store that is put back, or the one before it, is in its place at every moment", async () => {
    await keep("a");
    const copy = join(folder, "copy.sqlite");
    await backUp(path, copy);
    await keep("b");
    const old = join(folder, "old.sqlite");
    copyFileSync(path, old);
    let step = 1;
    for (; !dies("restore", step, copy); step++) {
      const found = await sources(path).catch((error: unknown) => (error instanceof StoreProblem ? error.kind : error));
      expect([["a"], ["a", "b"]]).toContainEqual(found);
      for (const name of readdirSync(folder))
        if (name.startsWith("recheck.sqlite")) rmSync(join(folder, name), { recursive: true });
      copyFileSync(old, path);
    }
    expect(step).toBeGreaterThan(5);
    expect(await sources(path)).toEqual(["a"]);
    const aside = readdirSync(folder).filter((name) => name.startsWith("recheck.sqlite.2026"));
    expect(await sources(join(folder, aside[0] ?? ""))).toEqual(["a", "b"]);
  });
});
