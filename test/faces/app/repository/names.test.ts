import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../../../src/adapters/store/open.ts";
import { endInstance, type Instance, issuesOf, startInstance } from "../../../support/instance.ts";

/** Names of repositories change, and pass to others. */

const hour = 3_600_000;
let it: Instance;

beforeEach(async () => {
  it = await startInstance("alpha");
  const often = Object.entries(it.config()).map(([path, text]) => [
    path,
    text.replace(", items:", ", every: 2h, items:"),
  ]);
  await it.serve(Object.fromEntries(often));
});

afterEach(() => endInstance(it));

const state = () => it.stored(async (_, known) => known);
const rechecks = async () => (await issuesOf(it)).filter(({ title }) => title.includes("“About "));

test("a rename whose webhook got lost is found out as soon as the old name no longer exists", async () => {
  it.local.loseWebhooks(true);
  await it.local.rename("example/renamed");
  it.local.loseWebhooks(false);
  it.lists.add("alpha", "one", true);
  it.pass(3 * hour);
  await it.run();
  expect(await rechecks()).toEqual([]);
  it.pass(60_000);
  await it.run();
  expect((await state())?.name).toBe("example/renamed");
  it.pass(60_000);
  await it.run();
  expect(await rechecks()).toMatchObject([{ body: expect.stringContaining("one awaited") }]);
});

test("cross-repository access: a name that another repository has by now takes nothing along: the first one goes on by its number", async () => {
  it.lists.add("alpha", "one", true);
  it.pass(3 * hour);
  await it.run();
  expect(await rechecks()).toHaveLength(1);
  const first = (await state())?.id ?? 0;
  it.local.reach();
  const repository = { id: 999_999, full_name: it.local.repo, private: false };
  await it.local.send("issues", { action: "closed", repository });
  await it.settled();
  const database = await openStore(join(it.folder, "data", "recheck.sqlite"), { readonly: true });
  const kept = async () => (await database.repository(first).rechecks()).length;
  expect([(await database.registry.repository(first))?.standing, await kept()]).toEqual(["removed", 1]);
  it.pass(25 * hour);
  await it.run();
  expect(await kept()).toBe(1);
  await database.close();
  const writes = it.local.requests.length;
  await it.local.rename("example/first");
  it.local.reach("example/first");
  it.pass(25 * hour);
  await it.run();
  expect(await state()).toMatchObject({ id: first, standing: "active", name: "example/first" });
  expect(await rechecks()).toHaveLength(1);
  const opened = it.local.requests
    .slice(writes)
    .filter(({ method, path }) => method === "POST" && path.endsWith("/issues"));
  expect(opened).toEqual([]);
});
