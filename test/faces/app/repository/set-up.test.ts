import { expect, test } from "vitest";
import { openStore } from "../../../../src/adapters/store/open.ts";
import { writeSetUp } from "../../../../src/faces/app/set-up/set-up.ts";
import { newRepository } from "../../../../src/faces/app/webhooks/lifecycle.ts";
import type { RepositoryState } from "../../../../src/model/ports/index.ts";
import { readers } from "../../../../src/read/index.ts";
import { Hub } from "../../../stories/life/hub.ts";
import { sandboxHere } from "../config/sandbox-here.ts";

const hour = 3_600_000;
const files = [
  { path: "sources.yaml", text: "report: { title: Boards, audited: 2026-05-16 }\nratings: { speed: fast }\n" },
];

/** A repository whose set-up is on its branch already, and what is asked of it. */
async function prepared() {
  const time = { now: Date.UTC(2026, 5, 1) };
  const clock = { now: () => time.now };
  const hub = new Hub({ "README.md": "# Boards" }, clock.now);
  const database = await openStore(":memory:");
  const store = database.repository(7);
  const branch = "recheck/set-up";
  const commit = hub.git.push(branch, files, "recheck[bot]");
  const setUp = { marker: "m", branch, searched: "s", config: { commit, folder: "" as const, files } };
  const begun = newRepository({ id: 7, name: "example/report" }, 1, time.now);
  await database.registry.revise(7, () => ({ ...begun, defaultBranch: "main", setUp }));
  const write = async (change: Partial<RepositoryState> = {}) => {
    const state = { ...((await database.registry.repository(7)) ?? begun), ...change };
    await writeSetUp({ state, store, github: hub.app, clock, readers, link: () => undefined, sandbox: sandboxHere() });
  };
  return { time, hub, store, write, close: () => database.close() };
}

test("the set-up pull request waits if no more may be created within the hour", async () => {
  const { time, hub, store, write, close } = await prepared();
  for (let count = 0; count < 20; count++) await store.countCreation(time.now);
  time.now += hour;
  await write();
  expect(hub.pulls).toEqual([]);
  time.now += 1;
  await write();
  expect(hub.pulls).toHaveLength(1);
  expect(await store.creations(time.now - hour)).toBe(1);
  await close();
});

test("the set-up pull request goes where the default branch is", async () => {
  const { hub, write, close } = await prepared();
  await write();
  expect(hub.pulls).toMatchObject([{ base: "main" }]);
  const before = hub.writes.length;
  await write();
  expect(hub.writes).toHaveLength(before);
  await write({ defaultBranch: "trunk" });
  expect(hub.pulls).toMatchObject([{ base: "trunk" }]);
  await close();
});
