import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NodeSqliteDialect } from "../../../src/adapters/store/dialect.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { storeArchive } from "../../../src/adapters/store/pack.ts";
import { storeProblemOf } from "../../../src/adapters/store/problem.ts";
import { kept } from "./samples.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-problem-"));
  path = join(folder, "recheck.sqlite");
});

afterEach(() => rmSync(folder, { recursive: true }));

test("a disk that is full is reported, and everything kept before is whole", async () => {
  const connection = new DatabaseSync(path);
  connection.exec("create table t (a); pragma max_page_count = 4");
  const database = new Kysely<{ t: { a: string } }>({ dialect: new NodeSqliteDialect(connection, path) });
  await database.insertInto("t").values({ a: "kept" }).execute();
  const writing = database.transaction().execute((tx) =>
    tx
      .insertInto("t")
      .values({ a: "x".repeat(100_000) })
      .execute(),
  );
  await expect(writing).rejects.toMatchObject({
    kind: "full",
    message: `there is no space left on the disk of ${path}`,
  });
  expect((await sql<{ a: string }>`select a from t`.execute(database)).rows.map(({ a }) => a)).toEqual(["kept"]);
  await database.destroy();
});

test("a file that was damaged is reported, when it is opened or when it is read", async () => {
  const database = await openStore(path);
  for (let n = 0; n < 200; n++) await database.repository("lab").commit((tx) => tx.keep(kept(`s${n}`)));
  await database.close();
  const whole = readFileSync(path);
  writeFileSync(path, whole.fill(0x5a, 4_096));
  const message = `${path} is damaged: put a copy in its place, or move it away to start again`;
  const reading = openStore(path).then((opened) => opened.repository("lab").watches().finally(opened.close));
  await expect(reading).rejects.toMatchObject({ kind: "damaged", message });
  await expect(storeArchive(path).content()).rejects.toMatchObject({ kind: "damaged" });
});

test("a file in place of the folder is reported, also if a branch's copy is to be put there", async () => {
  writeFileSync(join(folder, "data"), "");
  const within = join(folder, "data", "deep", "recheck.sqlite");
  const message = `${within} cannot be opened: a folder that it needs is missing, or is a file`;
  await expect(openStore(within)).rejects.toMatchObject({ kind: "unusable", message });
  const database = await openStore(path);
  await database.close();
  const pack = await storeArchive(path).pack();
  await expect(storeArchive(within).unpack(pack)).rejects.toMatchObject({ kind: "unusable", message });
});

test("a folder in place of the file is reported", async () => {
  mkdirSync(path);
  await expect(openStore(path)).rejects.toMatchObject({ kind: "unusable" });
});

test.each([
  [{ errcode: 8 }, "read-only"],
  [{ errcode: 8 | (3 << 8) }, "read-only"],
  [{ errcode: 13 }, "full"],
  [{ errcode: 10 | (3 << 8) }, "unusable"],
  [{ errcode: 10 | (19 << 8) }, "full"],
  [{ errcode: 14 }, "unusable"],
  [{ errcode: 26 }, "foreign"],
  [{ code: "EROFS" }, "read-only"],
  [{ code: "EACCES" }, "read-only"],
  [{ code: "ENOSPC" }, "full"],
])("%j is a store that is %s", (more, kind) => {
  expect(storeProblemOf(Object.assign(new Error("x"), more), path)).toMatchObject({ kind });
});

test("an error that is no problem of the file stays as it is", () => {
  for (const error of [new Error("x"), Object.assign(new Error("x"), { errcode: 2067 }), "x"]) {
    expect(storeProblemOf(error, path)).toBe(error);
  }
});
