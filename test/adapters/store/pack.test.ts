import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { storeArchive } from "../../../src/adapters/store/pack.ts";
import type { Store } from "../../../src/model/ports/index.ts";
import { watch } from "./samples.ts";

const folder = mkdtempSync(join(tmpdir(), "recheck-pack-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const fresh = (): string => join(folder, String(files++), "recheck.sqlite");

async function within<T>(file: string, work: (store: Store) => Promise<T>): Promise<T> {
  const database = await openStore(file);
  try {
    return await work(database.repository("example/report"));
  } finally {
    await database.close();
  }
}

/** Keeps an answer of so many bytes that nothing makes smaller. */
async function keep(store: Store, source: string, at: number, bytes: number): Promise<void> {
  const body = new Uint8Array(randomBytes(bytes));
  const response = { url: "https://example.org", status: 200, headers: {}, body };
  const snapshot = { source, at, hash: String(at), readerVersion: 1, response };
  const check = { source, at, outcome: "changed", sightings: [], noise: [] } as const;
  await store.commit((tx) => tx.keep({ watch: watch(source), check, snapshot, claims: [], events: [], firings: [] }));
}

/** A wish that an archive was sent must be known wherever the store is carried: it is not sent again. */
const archived = {
  source: "docs",
  seen: 1,
  tries: 1,
  requested: 2,
  before: { url: "https://archive.example/1", at: 0 },
};

test("a store goes through it whole, beside the one who writes it", async () => {
  const [here, there] = [fresh(), fresh()];
  const first = storeArchive(here);
  expect(await first.content()).toBeUndefined();
  const pack = await within(here, async (store) => {
    await keep(store, "docs", 1, 1_000);
    await store.commit((tx) => tx.keepArchived(archived));
    return await first.pack();
  });
  const second = storeArchive(there);
  await second.unpack(pack);
  expect(await second.content()).toBe(await first.content());
  expect(await within(there, (store) => store.snapshots("docs", 9))).toEqual(
    await within(here, (store) => store.snapshots("docs", 9)),
  );
  expect(await within(there, (store) => store.archivedChanges())).toEqual([archived]);
  expect(readdirSync(join(there, ".."))).toEqual(expect.not.arrayContaining([expect.stringMatching(/packing/)]));
});

test("its content changes with any row, and with nothing else", async () => {
  const file = fresh();
  const archive = storeArchive(file);
  await within(file, (store) => keep(store, "docs", 1, 1_000));
  const before = await archive.content();
  await within(file, (store) => store.watches());
  expect(await archive.content()).toBe(before);
  await within(file, (store) => store.touch([{ ...watch("docs"), next: 77 }]));
  const touched = await archive.content();
  expect(touched).not.toBe(before);
  await within(file, (store) => store.countCreation(5));
  expect(await archive.content()).not.toBe(touched);
});

test("if all answers are too much, fewer of each source are carried, but of every source the newest", async () => {
  const [here, there] = [fresh(), fresh()];
  await within(here, async (store) => {
    for (let at = 1; at <= 8; at++) await keep(store, "big", at, 900_000);
    for (let at = 1; at <= 8; at++) await keep(store, "small", at, 100);
    await keep(store, "once", 1, 100);
  });
  const pack = await storeArchive(here).pack();
  expect(pack.bytes.length).toBeLessThan(4 * 2 ** 20);
  await storeArchive(there).unpack(pack);
  const kept = (source: string) =>
    within(there, async (store) => (await store.snapshots(source, 99)).map(({ at }) => at));
  expect(await kept("big")).toEqual([8, 7]);
  expect(await kept("small")).toEqual([8, 7]);
  expect(await kept("once")).toEqual([1]);
  expect(await within(there, (store) => store.checks("big", 99))).toHaveLength(8);
  expect(await within(here, (store) => store.snapshots("big", 99))).toHaveLength(8);
});

test("rules of robots.txt, which can be asked for again, are left behind before answers: those that were read last are carried", async () => {
  const [here, there] = [fresh(), fresh()];
  const of = (at: number) => `https://h${at}.example`;
  const robots = (at: number, rules: string) => ({
    product: "Recheck",
    origin: of(at),
    rules,
    read: at,
    validators: {},
  });
  const database = await openStore(here);
  await database.hosts.saveRobots(robots(9, "r".repeat(3_000_000)));
  for (let at = 10; at <= 30; at++) await database.hosts.saveRobots(robots(at, "r".repeat(64 * 1024)));
  const store = database.repository("example/report");
  for (let at = 1; at <= 20; at++) await keep(store, "docs", at, 100_000);
  await database.close();
  await storeArchive(there).unpack(await storeArchive(here).pack());
  const carried = await openStore(there);
  const kept = [];
  for (let at = 9; at <= 30; at++) if (await carried.hosts.robots("Recheck", of(at))) kept.push(at);
  expect(kept).toEqual([16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
  expect(await carried.repository("example/report").snapshots("docs", 99)).toHaveLength(20);
  await carried.close();
});

test("a carried store replaces the one before, unless another process writes it", async () => {
  const [here, there] = [fresh(), fresh()];
  await within(here, (store) => keep(store, "new", 1, 100));
  await within(there, (store) => keep(store, "old", 1, 100));
  const pack = await storeArchive(here).pack();
  await within(there, () => expect(storeArchive(there).unpack(pack)).rejects.toMatchObject({ kind: "locked" }));
  expect(await within(there, async (store) => (await store.watches()).map(({ source }) => source))).toEqual(["old"]);
  await storeArchive(there).unpack(pack);
  expect(await within(there, async (store) => (await store.watches()).map(({ source }) => source))).toEqual(["new"]);
});
