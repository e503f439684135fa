import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { backUp, restore } from "../../../src/adapters/store/backup.ts";
import { examine } from "../../../src/adapters/store/examine.ts";
import { currentVersion } from "../../../src/adapters/store/migrations.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { comment, kept, recheck, watch } from "./samples.ts";

let folder: string;
let path: string;
const now = Date.UTC(2026, 10, 20, 8);
const aDay = 86_400_000;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-backup-"));
  path = join(folder, "recheck.sqlite");
});

afterEach(() => rmSync(folder, { recursive: true }));

async function sourcesIn(file: string): Promise<string[]> {
  const database = await openStore(file, { readonly: true });
  const watches = await database.repository("lab/report").watches();
  await database.close();
  return watches.map(({ source }) => source).sort();
}

async function see(...sources: string[]): Promise<void> {
  const database = await openStore(path);
  for (const source of sources)
    await database.repository("lab/report").commit((tx) => tx.keep(kept(source, { memory: "{}" })));
  await database.close();
}

describe("a copy", () => {
  test("is private before the first byte is in it", async () => {
    await see("a");
    const { run } = StatementSync.prototype;
    const modes: number[] = [];
    StatementSync.prototype.run = function (this: StatementSync, ...values: unknown[]) {
      if (this.sourceSQL.startsWith("vacuum into")) modes.push(statSync(String(values[0])).mode & 0o777);
      return run.apply(this, values as never);
    };
    onTestFinished(() => {
      StatementSync.prototype.run = run;
    });
    await backUp(path, join(folder, "copy.sqlite"));
    expect(modes).toEqual([0o600]);
  });

  test("holds what was committed while another writes, for its user alone", async () => {
    const database = await openStore(path);
    const store = database.repository("lab/report");
    await store.commit((tx) => tx.keep(kept("a")));
    const writing = store.commit((tx) => tx.keep(kept("b")));
    const copy = await backUp(path, join(folder, "copy.sqlite"));
    await writing;
    await database.close();
    expect(copy).toMatchObject({ version: currentVersion, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await sourcesIn(join(folder, "copy.sqlite"))).toContain("a");
    expect(statSync(join(folder, "copy.sqlite")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((file) => file.endsWith(".part"))).toEqual([]);
  });

  test("with a trigger or view of somebody else is not taken for a store", async () => {
    await see("a");
    const copy = join(folder, "copy.sqlite");
    await backUp(path, copy);
    const database = new DatabaseSync(copy);
    database.exec("create trigger silent after update on watch begin delete from firing; end");
    database.close();
    await expect(restore(copy, path, now)).rejects.toThrow(/holds the trigger silent, which Recheck did not make$/);
    expect(await examine(copy, { now, mend: false, stoppedAfter: Infinity })).toEqual([
      { of: "integrity", findings: [{ says: expect.stringContaining("it holds the trigger silent") }] },
    ]);
  });

  test("is written over no file, and of no store nothing is written", async () => {
    await expect(backUp(path, join(folder, "copy"))).rejects.toMatchObject({ kind: "missing" });
    await see("a");
    writeFileSync(join(folder, "copy"), "mine");
    await expect(backUp(path, join(folder, "copy"))).rejects.toMatchObject({ kind: "exists" });
  });

  test("of a store that was only begun is not made, and the store is reported as one in which nothing is recorded", async () => {
    const begun = join(folder, "begun.sqlite");
    new DatabaseSync(begun).exec("pragma journal_mode = wal");
    const missing = { kind: "missing", message: `nothing is recorded in ${begun} yet` };
    await expect(backUp(begun, join(folder, "copy.sqlite"))).rejects.toMatchObject(missing);
    await expect(openStore(begun, { readonly: true })).rejects.toMatchObject(missing);
    await expect(examine(begun, { now: 0, mend: false, stoppedAfter: Infinity })).rejects.toThrow(missing.message);
  });

  test("of a newer Recheck is not made, and the store is named, not the unfinished copy", async () => {
    await see("a");
    alter(path, "pragma user_version = 99");
    const message = expect.stringMatching(new RegExp(`^${RegExp.escape(path)} was written by a newer Recheck`));
    await expect(backUp(path, join(folder, "copy"))).rejects.toMatchObject({ kind: "newer", message });
    expect(existsSync(join(folder, "copy.part"))).toBe(false);
  });

  test("of a database of others is not made", async () => {
    const theirs = join(folder, "theirs.sqlite");
    new DatabaseSync(theirs).exec("create table a (b)");
    const foreign = { kind: "foreign", message: `${theirs} is not a database of Recheck` };
    await expect(backUp(theirs, join(folder, "copy.sqlite"))).rejects.toMatchObject(foreign);
    await expect(openStore(theirs, { readonly: true })).rejects.toMatchObject(foreign);
  });

  test("of a store that is damaged is not made, and the store is reported, not the copy", async () => {
    await see("a");
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(12_288, 0xa5), 0, 12_288, 20_480);
    closeSync(file);
    await expect(backUp(path, join(folder, "copy"))).rejects.toMatchObject({
      kind: "damaged",
      message: `${path} is damaged: put a copy in its place, or move it away to start again`,
    });
    expect(readdirSync(folder).filter((file) => file.startsWith("copy"))).toEqual([]);
  });

  test("leaves nothing beside it, nor what one before it left that was ended", async () => {
    await see("a");
    for (const end of ["", "-journal"]) writeFileSync(join(folder, `copy.part${end}`), "begun");
    await backUp(path, join(folder, "copy"));
    expect(await sourcesIn(join(folder, "copy"))).toEqual(["a"]);
    expect(readdirSync(folder).filter((file) => file.startsWith("copy."))).toEqual([]);
  });

  test("is put back, and the store before it is kept", async () => {
    await see("a");
    await backUp(path, join(folder, "copy"));
    await see("b");
    const { kept: old = "" } = await restore(join(folder, "copy"), path, now);
    expect(await sourcesIn(path)).toEqual(["a"]);
    expect(old).toBe(`${path}.2026-11-20T08-00-00`);
    expect(await sourcesIn(old)).toEqual(["a", "b"]);
  });

  test("is put in place of a store that is damaged or missing", async () => {
    await see("a");
    await backUp(path, join(folder, "copy"));
    truncateSync(path, 3_000);
    await restore(join(folder, "copy"), path, now);
    expect(await sourcesIn(path)).toEqual(["a"]);
    const other = join(folder, "other", "recheck.sqlite");
    expect((await restore(join(folder, "copy"), other, now)).kept).toBeUndefined();
    expect(await sourcesIn(other)).toEqual(["a"]);
  });

  test.each<[string, (copy: string) => void, string]>([
    ["is cut", (copy) => truncateSync(copy, 9_000), "damaged"],
    ["is a folder", folderAt, "foreign"],
    ["is no database", (copy) => writeFileSync(copy, "hello ".repeat(900)), "foreign"],
    ["is another program's", (copy) => alter(copy, "drop table watch"), "foreign"],
    ["is of a newer Recheck", (copy) => alter(copy, "pragma user_version = 99"), "newer"],
  ])("that %s is not put in place", async (_, spoil, kind) => {
    await see("a");
    const copy = join(folder, "copy");
    await backUp(path, copy);
    spoil(copy);
    await expect(restore(copy, path, now)).rejects.toMatchObject({ kind });
    expect(await sourcesIn(path)).toEqual(["a"]);
  });

  test("that was made file by file has what its log holds", async () => {
    const database = await openStore(path);
    await database.repository("lab/report").commit((tx) => tx.keep(kept("a")));
    for (const end of ["", "-wal"]) copyFileSync(path + end, join(folder, `copy${end}`));
    await database.close();
    await see("b");
    await restore(join(folder, "copy"), path, now);
    expect(await sourcesIn(path)).toEqual(["a"]);
  });

  test("is not put in place of a store that another writes", async () => {
    await see("a");
    await backUp(path, join(folder, "copy"));
    const database = await openStore(path);
    await expect(restore(join(folder, "copy"), path, now)).rejects.toMatchObject({ kind: "locked" });
    await database.close();
    expect(existsSync(`${path}.restoring`)).toBe(false);
  });
});

function folderAt(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

function alter(file: string, statement: string): void {
  const database = new DatabaseSync(file);
  database.exec(`pragma foreign_keys = off; ${statement}`);
  database.close();
}

describe("an examination", () => {
  const found = async (mend = false) =>
    (await examine(path, { now, mend, stoppedAfter: Infinity })).flatMap(({ of, findings }) =>
      findings.map(({ says, mend }) => `${of}: ${says}${mend ? ` (${mend})` : ""}`),
    );

  test("of a store that is well finds nothing", async () => {
    const database = await openStore(path);
    const store = database.repository("lab/report");
    await store.commit((tx) => tx.keep(kept("a", { watch: watch("a", { lastCheck: now - 1, next: now + 9 }) })));
    await database.close();
    expect(await found()).toEqual([]);
    expect((await examine(path, { now, mend: false, stoppedAfter: Infinity })).map(({ of }) => of)).toEqual([
      ...["integrity", "orphans", "outbox", "scans", "clock", "permissions", "disk"],
    ]);
  });

  test("finds rows of sources that nobody watches, and deletes them if it may", async () => {
    await see("a", "b");
    alter(path, "delete from watch where source = 'b'");
    expect(await found()).toEqual(["orphans: 1 row of memory belongs to sources that are not watched (mendable)"]);
    expect(await found(true)).toHaveLength(1);
    expect(await found()).toEqual([]);
    expect(await sourcesIn(path)).toEqual(["a"]);
  });

  test("finds what has waited for GitHub for more than a day", async () => {
    await see("a");
    const database = await openStore(path);
    await database.repository("lab/report").openRecheck(recheck("t", { opened: now - 3 * aDay }), []);
    await database.close();
    expect(await found()).toEqual(["outbox: 1 issue not written to GitHub since 2026-11-17"]);
  });

  test("finds comments and messages that were tried all day in vain, by when they were planned", async () => {
    await see("a");
    const database = await openStore(path);
    const store = database.repository("lab/report");
    const planned = now - 2 * aDay;
    const id = await store.openRecheck(recheck("t", { state: "open", issue: 1 } as never), []);
    await store.addComment({ ...comment(id, "m"), planned });
    await store.addMessages([
      { channel: "c", key: "k", planned, firings: [], message: { title: "t", lines: [] } } as never,
    ]);
    const [message] = await store.messages();
    await store.updateMessage(message?.id ?? 0, { state: "waiting", attempted: undefined, tries: 5, next: now + aDay });
    expect(await found()).toEqual([
      "outbox: 1 comment not written to GitHub since 2026-11-18",
      "outbox: 1 message not delivered since 2026-11-18",
    ]);
    await store.updateRecheck(id, { state: "open", issue: 1, snoozed: now + aDay });
    await store.updateMessage(message?.id ?? 0, { state: "sent" });
    expect(await found()).toEqual([]);
    await database.close();
  });

  test("finds nothing that waits in a repository that rests, or in which nothing is watched", async () => {
    await see("a");
    const database = await openStore(path);
    const state = { name: "lab/other", installation: 1, standing: "active", since: 1, stale: false } as const;
    const planned = now - 2 * aDay;
    for (const [id, change] of [
      [7, { standing: "suspended" }],
      [8, { unwatched: true }],
    ] as const) {
      await database.registry.revise(id, () => ({ ...state, id, name: `lab/other${id}`, ...change }));
      await database.repository(id).openRecheck(recheck("t", { opened: planned }), []);
    }
    await database.close();
    expect(await found()).toEqual([]);
  });

  test("finds times of a clock that was wrong, and makes due what they held up", async () => {
    await see("a");
    alter(path, `update watch set next = ${now + 900 * aDay}; update look set at = ${now + aDay}`);
    expect(await found()).toEqual([
      "clock: the last check was at 2026-11-21 08:00 UTC, and it is 2026-11-20 08:00 UTC now: is the clock right?",
      "clock: 1 source due in more than a year, or checked in the future: due now (mendable)",
    ]);
    await found(true);
    expect(await found()).toHaveLength(1);
    const database = new DatabaseSync(path);
    expect(database.prepare("select next from watch").get()).toEqual({ next: now });
    database.close();
  });

  test("finds who else may read it", async () => {
    await see("a");
    chmodSync(path, 0o644);
    expect(await found()).toEqual([`permissions: ${path} can be read by others (mendable)`]);
    expect(await found(true)).toEqual([`permissions: ${path} can be read by others (mended)`]);
    expect(await found()).toEqual([]);
  });

  test("finds what is damaged, and writes nothing to it", async () => {
    await see("a");
    alter(
      path,
      "insert into evidence (repository, firing, source, digest, seen, rest) values ('r', 99, 'a', 'd', 1, '{}')",
    );
    expect(await found(true)).toEqual([
      "integrity: 1 row that refer to missing rows; restore a copy, or move the store away to start again",
    ]);
  });

  test("needs the store for itself to mend it", async () => {
    const database = await openStore(path);
    await expect(examine(path, { now, mend: true, stoppedAfter: Infinity })).rejects.toThrow(
      "another Recheck is running",
    );
    expect(await examine(path, { now, mend: false, stoppedAfter: Infinity })).toHaveLength(7);
    await database.close();
  });
});
