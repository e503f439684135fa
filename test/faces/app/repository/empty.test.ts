import { afterEach, beforeEach, expect, test } from "vitest";
import { createGitHub } from "../../../../src/adapters/github/index.ts";
import { standingSays } from "../../../../src/model/states.ts";
import { endInstance, type Instance, startInstanceWith } from "../../../support/instance.ts";

/** A repository without any commit: GitHub names a default branch of it that is not there. */

const day = 86_400_000;
let it: Instance;

beforeEach(async () => {
  it = await startInstanceWith({ empty: true }, "alpha", "beta");
});

afterEach(() => endInstance(it));

const says = () => it.stored(async (_, state) => state && standingSays(state, 0));
const told = () =>
  it
    .log()
    .split("\n")
    .filter((line) => line.includes("has no commit yet"));

test("it has no commit, branch or tree, and GitHub says so", async () => {
  const auth = { appId: it.local.app.id, privateKey: it.local.app.privateKey };
  const hub = createGitHub({ repo: it.local.repo, auth, baseUrl: it.local.url, clock: it, patience: false });
  expect((await hub.facts()).defaultBranch).toBe("main");
  expect(await hub.commit("main")).toBeUndefined();
  expect(it.local.requests.at(-1)).toMatchObject({ status: 409 });
  const empty = { kind: "not-found", message: "example/report has no commit yet (409)" };
  await expect(hub.tree("main")).rejects.toMatchObject(empty);
  expect(await hub.pullOf("recheck/set-up")).toBeUndefined();
});

test("it waits quietly, says so once, and asks GitHub no more than once a day", async () => {
  await it.serve();
  expect(await says()).toBe("is served, but has no commit yet: the first push sets it up");
  const asked = it.local.requests.length;
  for (let count = 0; count < 20; count++) {
    it.pass(3 * 60_000);
    await it.run();
  }
  expect(it.local.requests.length).toBe(asked);
  it.pass(day);
  await it.run();
  expect(told()).toHaveLength(1);
  expect(it.log()).not.toMatch(/"level":[45]0/);
});

test("the first push of a report sets it up", async () => {
  await it.serve();
  const [alpha, beta] = [...(it.config()["sources.yaml"] ?? "").matchAll(/http:[^"]+/g)].map(String);
  await it.commit({ "README.md": `# A report\n\n## References\n\n1. Alpha. ${alpha}\n2. Beta. ${beta}\n` });
  await it.run();
  expect(await it.local.asPerson("GET", "/pulls?state=open")).toMatchObject([{ title: "Set up Recheck" }]);
  expect(await says()).toBe("is served, but waits for its set-up pull request to be merged");
});

test("the first push of a config, to whichever branch, is in use at once", async () => {
  await it.serve();
  // GitHub makes the branch that is pushed first the default one.
  await it.local.asPerson("PATCH", "", { default_branch: "trunk" });
  await it.commit(it.config(), "trunk");
  await it.run();
  expect(await says()).toBe("is served");
  expect(new Set(it.lists.asked)).toEqual(new Set(["alpha", "beta"]));
});
