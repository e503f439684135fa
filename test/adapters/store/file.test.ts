import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  currentVersion,
  type Migration,
  migrate,
  migrations,
  oldestVersion,
} from "../../../src/adapters/store/migrations.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { digest } from "../../../src/model/digest.ts";
import { runs } from "../../support/runs.ts";
import { makeOlder } from "./oldest/database.ts";
import { evidence, firing, kept, recheck, watch } from "./samples.ts";

let folder: string;
let path: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recheck-store-"));
  path = join(folder, "recheck.db");
});

afterEach(async () => {
  for (const child of children.splice(0)) await killed(child);
  await rm(folder, { recursive: true });
});

function child(what: string): ChildProcess {
  const process = spawn(
    globalThis.process.execPath,
    [fileURLToPath(new URL("./child.ts", import.meta.url)), what, path],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  children.push(process);
  return process;
}

/** Waits for its end; what it printed. */
function output(child: ChildProcess, onLine: (line: string) => void = () => {}): Promise<string[]> {
  const lines: string[] = [];
  if (!child.stdout) throw new Error("the child has no output");
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => {
    lines.push(line);
    onLine(line);
  });
  return once(reader, "close").then(() => lines);
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = once(child, "exit");
  child.kill("SIGKILL");
  await end;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function someRows(): Promise<void> {
  const database = await openStore(path);
  const store = database.repository("lab/report");
  for (let number = 0; number < 50; number++) {
    const fired = [firing("t", `e ${number}`, { evidence: [evidence("a"), evidence("b")] })];
    await store.commit((tx) => tx.keep(kept(`s${number}`, { firings: fired })));
  }
  await store.openRecheck(recheck("t"), [1, 2]);
  await database.close();
}

describe("one writer", () => {
  test("a second one in another process is reported, and may write once the first was killed", async () => {
    const first = child("hold");
    await new Promise<void>((resolve) => output(first, () => resolve()));
    await expect(openStore(path)).rejects.toMatchObject({
      kind: "locked",
      message: `another Recheck is running on ${folder}: wait until it has ended`,
    });
    await killed(first);
    await (await openStore(path)).close();
  });

  test("a second one in this process is reported, until the first is closed", async () => {
    const first = await openStore(path);
    await expect(openStore(path)).rejects.toMatchObject({ kind: "locked" });
    await first.close();
    await (await openStore(path)).close();
  });

  test("a file that cannot be opened does not stay locked", async () => {
    await writeFile(path, "not a database, and long enough to check".repeat(50));
    await expect(openStore(path)).rejects.toMatchObject({ kind: "foreign" });
    await rm(path);
    await (await openStore(path)).close();
  });
});

describe("reading beside a writer", () => {
  test("sees what was committed, changes nothing and does not wait", async () => {
    const writer = await openStore(path);
    const reader = await openStore(path, { readonly: true });
    const theirs = reader.repository("lab/report");
    const mine = writer.repository("lab/report");
    await mine.touch([watch("a")]);
    await mine.commit(async (tx) => {
      await tx.keep(kept("b", { firings: [firing("t", "e", { evidence: [evidence("b")] })] }));
      expect(await Promise.all([theirs.watches(), theirs.firings()])).toEqual([[watch("a")], []]);
    });
    expect(await theirs.watches()).toHaveLength(2);
    expect(await theirs.firings()).toHaveLength(1);
    await expect(theirs.touch([watch("c")])).rejects.toMatchObject({ kind: "read-only" });
    await reader.close();
    await writer.close();
  });

  test("finds all that was committed when no writer runs, and after one was killed", async () => {
    await someRows();
    const closed = await openStore(path, { readonly: true });
    expect(await closed.repository("lab/report").watches()).toHaveLength(50);
    await closed.close();
    const writer = child("commit");
    await output(writer, (line) => Number(line) >= 5 && writer.kill("SIGKILL"));
    const again = await openStore(path, { readonly: true });
    expect(await again.repository("lab/report").watches()).toHaveLength(51);
    await again.close();
  });

  test("leaves no file beside a store that no writer has open, and keeps no writer waiting", async () => {
    await someRows();
    const before = readdirSync(folder).toSorted();
    const reader = await openStore(path, { readonly: true });
    const theirs = reader.repository("lab/report");
    expect(await theirs.watches()).toHaveLength(50);
    expect(readdirSync(folder).toSorted()).toEqual(before);
    const writer = await openStore(path);
    await writer.repository("lab/report").touch([watch("late")]);
    await writer.close();
    expect(await theirs.watches()).toHaveLength(50);
    await reader.close();
    expect(readdirSync(folder).toSorted()).toEqual(before);
  });

  test("a file that is not there yet is not made", async () => {
    await expect(openStore(path, { readonly: true })).rejects.toMatchObject({
      kind: "missing",
      message: `nothing is recorded in ${path} yet`,
    });
    expect(existsSync(path)).toBe(false);
  });
});

describe("the store is readable by its user alone", () => {
  const modeOf = (file: string) => statSync(file).mode & 0o777;
  const files = () => ["", "-wal", "-shm"].map((end) => modeOf(path + end));

  test("the folder that was made, and every file of SQLite's", async () => {
    path = join(folder, "made", "recheck.db");
    const database = await openStore(path);
    expect([modeOf(dirname(path)), ...files()]).toEqual([0o700, 0o600, 0o600, 0o600]);
    await database.close();
  });

  test("git passes over the folder that was made, and one that was there is left to its owner", async () => {
    const made = join(folder, "made", "recheck.db");
    await (await openStore(made)).close();
    await (await openStore(path)).close();
    const git = (...words: string[]) => execFileSync("git", ["-C", folder, ...words], { encoding: "utf8" });
    git("init", "--quiet");
    expect(git("status", "--porcelain").trim().split("\n").sort()).toEqual(["?? recheck.db", "?? recheck.lock"]);
  });

  test("a file that others could read; a folder that was there stays as it is", async () => {
    chmodSync(folder, 0o755);
    await someRows();
    chmodSync(path, 0o644);
    const database = await openStore(path);
    expect([modeOf(folder), ...files()]).toEqual([0o755, 0o600, 0o600, 0o600]);
    await database.close();
  });
});

describe("checks under way", () => {
  test("are known as died once their program is no more, and until one is saved", async () => {
    const first = await openStore(path);
    await first.repository("lab/report").attempt(["a", "b", "c"], 5);
    await first.repository("lab/report").attempt(["b", "c"], 7);
    await first.repository("lab/report").attempt(["d", "e"], 8, ["c"]);
    await first.repository("lab/report").attempt(["c"], 8, ["d", "e"]);
    await first.repository("lab/report").touch([watch("c")]);
    expect(await first.repository("lab/report").died()).toEqual([]);
    await first.close();
    const second = await openStore(path);
    const store = second.repository("lab/report");
    expect(await store.died()).toEqual([{ source: "b", began: 5 }]);
    expect(await second.repository("another").died()).toEqual([]);
    await store.attempt(["a"], 9);
    expect(await store.died()).toEqual([]);
    await second.close();
  });
});

describe("migrations", () => {
  /** What a later version might do: a column renamed, and one added and filled. */
  const second: Migration = (database) =>
    database.exec(`
      alter table firing rename column weight to strength;
      alter table firing add column asked integer not null default 0;
      update firing set asked = 1 where recheck is not null;
    `);

  function rows(): Record<string, unknown> {
    const database = new DatabaseSync(path);
    const count = (table: string) => database.prepare(`select count(*) as n from ${table}`).get()?.n;
    const tables = Object.fromEntries(["watch", "look", "firing", "evidence", "recheck"].map((t) => [t, count(t)]));
    const version = database.prepare("pragma user_version").get()?.user_version;
    database.close();
    return { version, ...tables };
  }

  function upgrade(to: readonly Migration[]): void {
    const database = new DatabaseSync(path);
    try {
      migrate(database, path, to);
    } finally {
      database.close();
    }
  }

  /**
   * Databases of people were made by these steps. A digest that does not fit says that a step was edited, and that
   * theirs are no longer like new ones: undo it, and write another step. One line is added for each new step.
   */
  const steps = [
    "2125cd7fdc0c5592",
    "ac0b27f6fff25d83",
    "70bdc271524f93e5",
    "70bdc271524f93e5",
    "df65ad8740df6ca7",
    "ed760adf1260cbce",
    "95487f2fdec18aee",
  ];

  test("no step that databases have had is ever edited", () => {
    const found = steps.map((_, index) => {
      const database = new DatabaseSync(":memory:");
      makeOlder(database, oldestVersion + index);
      const made = database.prepare("select sql from sqlite_schema where sql is not null order by name").all();
      database.close();
      return digest(made.map(({ sql }) => String(sql).replace(/\s+/g, " ")));
    });
    expect(found).toEqual(steps);
    expect(steps).toHaveLength(migrations.length + 1);
  });

  test("a file of before the first release is refused in one sentence, to write and to read", async () => {
    const before = new DatabaseSync(path);
    before.exec(`create table watch (source text); pragma user_version = ${oldestVersion - 1}`);
    before.close();
    const versions = `its format is version ${oldestVersion - 1}, this program knows ${oldestVersion} and later`;
    const message = `${path} was written before the first release (${versions}): start with an empty store`;
    await expect(openStore(path)).rejects.toMatchObject({ kind: "unusable", message });
    await expect(openStore(path, { readonly: true })).rejects.toMatchObject({ kind: "unusable", message });
  });

  const now = currentVersion;
  const full = { watch: 50, look: 50, firing: 50, evidence: 100, recheck: 1 };

  test("rows of the version before are all there afterwards, and are migrated once", async () => {
    await someRows();
    expect(rows()).toEqual({ version: now, ...full });
    upgrade([...migrations, second]);
    upgrade([...migrations, second]);
    expect(rows()).toEqual({ version: now + 1, ...full });
    const database = new DatabaseSync(path);
    const asked = database.prepare("select key, strength from firing where asked = 1 order by id").all();
    database.close();
    expect(asked.map((row) => ({ ...row }))).toEqual([
      { key: "e 0", strength: "routine" },
      { key: "e 1", strength: "routine" },
    ]);
  });

  test("a new file whose disk is full half-way holds nothing, and is no store of an older program", async () => {
    const failing = [...migrations, () => expect.fail("the disk is full")];
    const begun = new DatabaseSync(path);
    expect(() => migrate(begun, path, failing)).toThrow("the disk is full");
    begun.close();
    await expect(openStore(path, { readonly: true })).rejects.toThrow(`nothing is recorded in ${path} yet`);
    await (await openStore(path)).close();
  });

  test("killed half-way, the file is as it was", async () => {
    await someRows();
    const half = child("migrate");
    expect(await output(half)).toEqual(["half-way"]);
    expect(rows()).toEqual({ version: now, ...full });
    const database = await openStore(path);
    const stored = await database.repository("lab/report").firings();
    expect(stored.map((one) => one.evidence.length)).toEqual(Array(50).fill(2));
    await database.close();
  });

  test("one that fails, or loses what a row refers to, changes nothing", async () => {
    await someRows();
    expect(() => upgrade([...migrations, second, (database) => database.exec("drop table nowhere")])).toThrow(
      "nowhere",
    );
    expect(rows()).toEqual({ version: now + 1, ...full });
    const careless: Migration = (database) => database.exec("delete from firing where id = 7");
    expect(() => upgrade([...migrations, second, careless])).toThrow(`migration ${now + 2} leaves 2 rows`);
    expect(rows()).toEqual({ version: now + 1, ...full });
  });

  test("a file of a newer program is refused, to write and to read", async () => {
    await someRows();
    upgrade([...migrations, second]);
    const message = `${path} was written by a newer Recheck (its format is version ${now + 1}, this program knows up to ${now}): update Recheck`;
    await expect(openStore(path)).rejects.toMatchObject({ kind: "newer", message });
    await expect(openStore(path, { readonly: true })).rejects.toMatchObject({ kind: "newer", message });
    expect(rows()).toEqual({ version: now + 1, ...full });
  });

  test("another program's database is left alone", async () => {
    const database = new DatabaseSync(path);
    database.exec("create table theirs (a)");
    database.close();
    await expect(openStore(path)).rejects.toMatchObject({ kind: "foreign" });
  });
});

/** The newest 500 checks and 20 snapshots are kept; every event, firing and piece of evidence is. */
async function whole(acknowledged: number): Promise<number> {
  const database = await openStore(path);
  const store = database.repository("lab/report");
  const [last] = await store.watches();
  const number = last?.checks ?? 0;
  expect(number).toBeGreaterThanOrEqual(acknowledged);
  expect(number).toBeLessThanOrEqual(acknowledged + 1);
  const expected = Array.from({ length: number }, (_, index) => `e ${index + 1}`);
  const firings = await store.firings();
  expect(firings.map((one) => one.event.key)).toEqual(expected);
  expect(firings.every((one) => one.evidence.length === 2)).toBe(true);
  expect(await store.events("a")).toHaveLength(number);
  expect((await store.checks("a", 1_000)).map((one) => one.at)[0]).toBe(number);
  const [snapshot] = await store.snapshots("a", 1);
  expect(snapshot?.response.body).toHaveLength(5 * (number % 5_000));
  expect(await store.memory("a")).toBe(String(number));
  expect(await store.claims()).toEqual([{ claim: "a/x", status: "altered", since: number }]);
  await database.close();
  return number;
}

test("killed at any moment, acknowledged writes are there and nothing is half there", async () => {
  let before = 0;
  for (let round = 0; round < runs(20); round++) {
    const writer = child("commit");
    let begun = false;
    const lines = await output(writer, () => {
      if (begun) return;
      begun = true;
      void pause(Math.random() * 40).then(() => writer.kill("SIGKILL"));
    });
    const acknowledged = Math.max(before, ...lines.map(Number));
    expect(acknowledged).toBeGreaterThan(before);
    before = await whole(acknowledged);
  }
  const database = new DatabaseSync(path);
  expect(database.prepare("pragma integrity_check").get()?.integrity_check).toBe("ok");
  database.close();
});
