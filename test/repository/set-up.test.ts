import { expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import type { RepositoryState } from "../../src/ports.ts";
import { readers } from "../../src/read/index.ts";
import { newcomer } from "../../src/repository/lifecycle.ts";
import { writeSetUp } from "../../src/repository/set-up.ts";
import { Hub } from "../life/hub.ts";

const hour = 3_600_000;
const files = [
  { path: "sources.yaml", text: "report: { title: Boards, audited: 2026-05-16 }\nratings: { speed: fast }\n" },
];

test("the set-up pull request waits where no more may be created within the hour", async () => {
  let now = Date.UTC(2026, 5, 1);
  const clock = { now: () => now };
  const hub = new Hub({ "README.md": "# Boards" }, clock.now);
  const database = await openStore(":memory:");
  const store = database.repository("example/report");
  const branch = "recheck/set-up";
  const commit = hub.git.push(branch, files, "recheck[bot]");
  const setUp = { marker: "m", branch, searched: "s", config: { commit, folder: "" as const, files } };
  const state: RepositoryState = {
    ...newcomer({ id: 7, name: "example/report" }, 1, now),
    defaultBranch: "main",
    setUp,
  };
  await database.registry.revise(7, () => state);
  const home = { state, store, github: hub.app, clock, readers, link: () => undefined };
  for (let count = 0; count < 20; count++) await store.countCreation(now);
  now += hour;
  await writeSetUp(home);
  expect(hub.pulls).toEqual([]);
  now += 1;
  await writeSetUp(home);
  expect(hub.pulls).toHaveLength(1);
  expect(await store.creations(now - hour)).toBe(1);
  await database.close();
});
