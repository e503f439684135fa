import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../../../src/adapters/store/open.ts";
import type { Database } from "../../../../src/adapters/store/store.ts";
import { prepareSetUp, writeSetUp } from "../../../../src/faces/app/set-up/set-up.ts";
import { newRepository } from "../../../../src/faces/app/webhooks/lifecycle.ts";
import type { RepositoryState } from "../../../../src/model/ports/index.ts";
import { readers } from "../../../../src/read/index.ts";
import { Hub } from "../../../stories/life/hub.ts";
import { sandboxHere } from "../config/sandbox-here.ts";

/** A set-up that is not remembered any more: what people made of it stays. */

const branch = "recheck/set-up";
const report = `# State of Boards

Last audited: 2026-05-16.

The big board is fast [1].

## References

1. Board releases. https://github.com/example/boards/releases
2. Board blog. https://blog.boards.example.org/feed/
`;
const clock = { now: () => Date.UTC(2026, 5, 1) };
let database: Database;
let hub: Hub;

beforeEach(async () => {
  database = await openStore(":memory:");
  hub = new Hub({ "README.md": report }, clock.now);
  await forget();
});
afterEach(() => database.close());

/** As a repository is known whose rows were erased. */
async function forget(): Promise<void> {
  await database.registry.erase(7, () => true);
  await database.registry.revise(7, () => ({
    ...newRepository({ id: 7, name: "example/report" }, 1, clock.now()),
    defaultBranch: "main",
  }));
}
const known = async () => (await database.registry.repository(7)) as RepositoryState;
async function run(github = hub.app): Promise<void> {
  const given = async () => ({
    ...{ state: await known(), store: database.repository(7), github, clock, readers },
    ...{ link: () => undefined, sandbox: sandboxHere() },
  });
  await prepareSetUp(await given());
  await writeSetUp(await given());
}
const mine = [
  { path: "sources.yaml", text: "report: { title: Mine, audited: 2026-05-16 }\nratings: { speed: fast }\n" },
];

test("people's commits on its branch stay, and its pull request is the same one", async () => {
  await run();
  const theirs = hub.git.push(branch, mine, "ada");
  await forget();
  await run();
  expect(hub.git.branches.get(branch)).toBe(theirs);
  expect(hub.pulls).toMatchObject([{ number: 1, state: "open" }]);
  expect((await known()).setUp).toMatchObject({ pull: 1, branch, config: { commit: theirs } });
  expect((await known()).setUp?.head).toBeUndefined();
  await run();
  expect(hub.git.branches.get(branch)).toBe(theirs);
});

test("a branch as it would be drafted is ours to go on with", async () => {
  await run();
  const ours = hub.git.branches.get(branch);
  await forget();
  await run();
  expect(hub.git.branches.get(branch)).toBe(ours);
  expect((await known()).setUp).toMatchObject({ head: ours, pull: 1 });
});

test("a pull request that was closed is an answer", async () => {
  await run();
  const [pull] = hub.pulls;
  if (pull) hub.end(pull, false, "ada");
  await forget();
  const before = hub.writes.length;
  await run();
  await run();
  expect((await known()).setUp?.optedOut).toBe(clock.now());
  expect(hub.writes).toHaveLength(before);
});

test("a branch of that name that is somebody's own is left to them", async () => {
  const theirs = hub.git.push(branch, [{ path: "notes.md", text: "Mine" }], "ada");
  hub.git.branches.set(branch, theirs);
  await run();
  expect(hub.git.branches.get(branch)).toBe(theirs);
  expect(hub.pulls).toMatchObject([{ branch: `${branch}-2` }]);
  expect((await known()).setUp).toMatchObject({ branch: `${branch}-2`, head: hub.git.branches.get(`${branch}-2`) });
});

test("a process that died before it knew that the branch was made goes on with it", async () => {
  const dying = {
    ...hub.app,
    push: async (edit: Parameters<typeof hub.app.push>[0]) => {
      await hub.app.push(edit);
      throw new Error("killed");
    },
  };
  await expect(run(dying)).rejects.toThrow("killed");
  const ours = hub.git.branches.get(branch);
  expect((await known()).setUp?.head).toBe(ours);
  await run();
  expect(hub.git.branches.get(branch)).toBe(ours);
  expect(hub.pulls).toHaveLength(1);
});

test("one that GitHub has already, and does not list yet, is waited for: no rule is named", async () => {
  await run();
  await forget();
  const blind = { ...hub.app, pullOf: async () => undefined };
  await run(blind);
  const { setUp, says } = await known();
  expect([setUp?.written, says]).toEqual([undefined, undefined]);
  await run();
  expect((await known()).setUp?.pull).toBe(1);
  expect(hub.pulls).toHaveLength(1);
});
