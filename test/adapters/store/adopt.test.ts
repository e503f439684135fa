import { expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { watchOf } from "../../support/watch-of.ts";

const at = Date.UTC(2026, 6, 8);

async function withOneOfEverything(name: string) {
  const database = await openStore(":memory:");
  const store = database.repository(name);
  const event = { key: "torch 2.13.0", product: "torch", version: "2.13.0" };
  const evidence = [{ source: "a", seen: at, change: { kind: "link", to: "moved" } as const, part: "on" as const }];
  const firing = { trigger: "gpu", event, weight: "contrary" as const, seen: at, fired: at, evidence };
  await store.commit((tx) =>
    tx.keep({
      watch: watchOf("a", { next: at }),
      check: { source: "a", at, outcome: "first", sightings: [], noise: [] },
      memory: "{}",
      snapshot: {
        source: "a",
        at,
        hash: "h",
        readerVersion: 1,
        response: { url: "u", status: 200, headers: {}, body: Buffer.from("x") },
      },
      claims: [{ claim: "a/c", status: "supported", since: at }],
      events: [{ key: event.key, source: "a", seen: at, baseline: false, event }],
      firings: [firing],
    }),
  );
  const [stored] = await store.firings();
  const id = await store.openRecheck({ trigger: "gpu", state: "planned", marker: "m", opened: at }, [stored?.id ?? 0]);
  await store.addComment({ recheck: id, marker: "c", body: "b", done: false });
  await store.countCreation(at);
  return database;
}

async function everything(database: Awaited<ReturnType<typeof openStore>>, name: string) {
  const store = database.repository(name);
  return {
    watches: (await store.watches()).length,
    memory: await store.memory("a"),
    snapshots: (await store.snapshots("a", 9)).length,
    checks: (await store.checks("a", 9)).length,
    claims: (await store.claims()).length,
    events: (await store.events("a")).length,
    firings: (await store.firings()).map(({ evidence, recheck }) => [evidence.length, recheck !== undefined]),
    rechecks: (await store.rechecks()).length,
    comments: (await store.comments(false)).length,
    creations: await store.creations(0),
  };
}

const all = {
  watches: 1,
  memory: "{}",
  snapshots: 1,
  checks: 1,
  claims: 1,
  events: 1,
  firings: [[1, true]],
  rechecks: 1,
  comments: 1,
  creations: 1,
};
const none = {
  watches: 0,
  memory: undefined,
  snapshots: 0,
  checks: 0,
  claims: 0,
  events: 0,
  firings: [],
  rechecks: 0,
  comments: 0,
  creations: 0,
};

test("a repository takes over all that was remembered before it had a name", async () => {
  const database = await withOneOfEverything("local");
  await database.adopt("local", "acme/report");
  expect(await everything(database, "acme/report")).toEqual(all);
  expect(await everything(database, "local")).toEqual(none);
  expect(await database.repositories()).toEqual(["acme/report"]);
  await database.close();
});

test("a repository that has rows of its own keeps them, and takes over nothing", async () => {
  const database = await withOneOfEverything("local");
  await database.repository("acme/report").touch([watchOf("b", { next: at })]);
  await database.adopt("local", "acme/report");
  expect(await everything(database, "local")).toEqual(all);
  expect((await database.repository("acme/report").watches()).map(({ source }) => source)).toEqual(["b"]);
  await database.close();
});
