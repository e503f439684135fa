import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { violations } from "../github/openapi.ts";
import { type Instance, startInstance } from "../instance.ts";

const day = 86_400_000;
let it: Instance;

beforeEach(async () => {
  it = await startInstance("alpha", "beta");
});

afterEach(async () => {
  const wrong = it.local.requests.flatMap(violations);
  await it.close();
  expect(wrong).toEqual([]);
});

interface LocalIssue {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly body: string;
}

const issues = () => it.local.asPerson<LocalIssue[]>("GET", "/issues?state=all&direction=asc");
const titles = async () => (await issues()).filter(({ title }) => title.startsWith("Recheck ")).map((one) => one.title);
const standing = () => it.stored(async (_, state) => state?.standing);

describe("a repository with config", () => {
  test("is found at the start, looked at, and asked about", async () => {
    await it.commit(it.config());
    await it.start();
    await it.run();
    expect(it.lists.asked.toSorted()).toEqual(["alpha", "beta"]);
    it.lists.add("alpha", "one");
    it.pass(2 * day);
    await it.run();
    expect(await titles()).toEqual([expect.stringContaining("new entry one")]);
    expect(it.log()).not.toContain('"level":50');
  });

  test("is looked at once it is installed, wherever its config is", async () => {
    await it.start();
    await it.run();
    expect(it.lists.asked).toEqual([]);
    const files = Object.entries(it.config()).map(([path, text]) => [`.github/recheck/${path}`, text]);
    await it.commit(Object.fromEntries(files));
    await it.settled();
    expect(new Set(it.lists.asked)).toEqual(new Set(["alpha", "beta"]));
    expect(await it.stored(async (_, state) => state?.config?.folder)).toBe(".github/recheck");
  });

  test("keeps its last good config while a push breaks it, and an issue says so until it is mended", async () => {
    await it.commit(it.config());
    await it.start();
    await it.run();
    const good = it.config()["sources.yaml"] ?? "";
    await it.commit({ "sources.yaml": good.replace("ratings:", "rating:") });
    await it.settled();
    const [told] = (await issues()).filter(({ title }) => title === "Recheck cannot read its config");
    expect(told).toMatchObject({ state: "open", body: expect.stringContaining("did you mean") });
    it.lists.add("alpha", "one");
    it.pass(2 * day);
    await it.run();
    expect(await titles()).toContainEqual(expect.stringContaining("new entry one"));
    await it.commit({ "sources.yaml": `${good}# mended\n` });
    await it.settled();
    expect((await issues()).find(({ number }) => number === told?.number)?.state).toBe("closed");
    expect(await it.stored(async (_, state) => [state?.broken, state?.problem])).toEqual([undefined, undefined]);
  });
});

describe("webhooks", () => {
  test("are answered within a second while a scan runs, and worked off once", async () => {
    it.lists.add("alpha", "one");
    await it.commit(it.config());
    await it.start();
    await it.run();
    const [issue] = await issues();
    it.lists.slow(1_500);
    it.pass(2 * day);
    const scanning = it.run();
    await expect.poll(() => it.lists.asked.length).toBe(4);
    const started = performance.now();
    await it.local.asPerson("PATCH", `/issues/${issue?.number}`, { state: "closed" });
    await expect.poll(() => it.local.sent.at(-1)?.payload.action).toBe("closed");
    await it.local.settled();
    expect(performance.now() - started).toBeLessThan(1_000);
    await scanning;
    const closed = it.local.sent.at(-1);
    await it.local.send("issues", closed?.payload ?? {}, closed?.id);
    await it.settled();
    const states = await it.stored(async (store) => (await store.rechecks()).map(({ state }) => state));
    expect(states).toEqual(["closed"]);
  });

  test("tell what becomes of a repository, and nothing is done where nothing may be", async () => {
    await it.commit(it.config());
    await it.start();
    await it.run();
    const repository = { id: await it.stored(async (_, state) => state?.id ?? 0), full_name: it.local.repo };
    const asked = it.lists.asked.length;
    const quiet = async (event: string, payload: object, then: string) => {
      await it.local.send(event, payload);
      await it.settled();
      expect(await standing()).toBe(then);
      it.pass(2 * day);
    };
    await quiet("installation", { action: "suspend" }, "suspended");
    await quiet("installation", { action: "unsuspend" }, "active");
    await it.run();
    expect(it.lists.asked.length).toBe(asked + 2);
    await quiet("repository", { action: "archived", repository: { ...repository, archived: true } }, "archived");
    await quiet("installation_repositories", { action: "removed", repositories_removed: [repository] }, "removed");
    await quiet("installation_repositories", { action: "added", repositories_added: [repository] }, "active");
    await quiet("installation", { action: "deleted" }, "removed");
  });
});
