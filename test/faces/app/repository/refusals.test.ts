import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { endInstance, headOf, type Instance, issuesOf, startServed } from "../../../support/instance.ts";

/** GitHub refuses, or cannot, while what webhooks told is worked off. */

const minute = 60_000;
let it: Instance;
let issue: number;

beforeEach(async () => {
  it = await startServed("alpha", "beta");
  it.lists.add("alpha", "one");
  it.pass(25 * 60 * minute);
  await it.run();
  issue = (await issuesOf(it)).find(({ title }) => title.startsWith("Recheck About"))?.number ?? 0;
});

afterEach(() => endInstance(it));

const say = async (body: string) => {
  await it.local.asPerson("POST", `/issues/${issue}/comments`, { body });
  await it.settled();
};
const answers = () => it.stored(async (store) => (await store.answers()).map(({ verdict }) => verdict));
const repository = async () => ({ id: await it.stored(async (_, state) => state?.id), full_name: it.local.repo });

/** The head of a pull request from a fork, which says nothing. */
async function stranger(): Promise<void> {
  const head = { ref: "patch", sha: await headOf(it, "main"), repo: { id: 999_999 } };
  const pull_request = { number: 77, merged: false, head, base: { ref: "main" } };
  await it.local.send("pull_request", { action: "synchronize", repository: await repository(), pull_request });
  await it.settled();
}

describe("a stranger's pull request that GitHub cannot compare", () => {
  test.each([
    [500, "Server Error"],
    [403, "Resource not accessible by integration"],
    [404, "Not Found"],
    [422, "Validation Failed"],
  ])("(%i) keeps no command waiting, and is asked about ever more seldom", async (status, message) => {
    it.local.fault({ match: /^GET .*\/compare\//, status, message, when: "before", times: 9_999 });
    it.local.fault({ match: /^GET .*\/commits\/[0-9a-f]{40}$/, status, message, when: "before", times: 9_999 });
    await stranger();
    await say("/recheck keep");
    expect(await answers()).toEqual(["keep"]);
    const from = it.local.requests.length;
    for (let passed = 0; passed < 30; passed++) {
      it.pass(minute);
      await it.run();
    }
    const asked = it.local.requests.slice(from).filter(({ path }) => /\/(?:compare|commits)\//.test(path));
    expect(asked.length).toBeLessThan(12);
  });
});

test("a limit that is met while news are worked off is a rest for all of the installation", async () => {
  const headers = { "retry-after": "1800" };
  const message = "You have exceeded a secondary rate limit.";
  it.local.fault({ match: /^GET .*\/permission$/, status: 403, message, headers, when: "before", times: 9_999 });
  const from = it.local.requests.length;
  await say("/recheck keep");
  for (let passed = 0; passed < 25; passed++) {
    it.pass(minute);
    await it.run();
  }
  const asked = it.local.requests.slice(from).filter(({ path }) => path.startsWith("/repos/"));
  expect(asked.map(({ path }) => path)).toEqual([expect.stringMatching(/\/permission$/)]);
  it.local.mend();
  it.pass(6 * minute);
  await it.run();
  expect(await answers()).toEqual(["keep"]);
});

test("news that waited while the repository was renamed do not set its name back", async () => {
  it.local.fault({ match: /^GET .*\/permission$/, status: 502, when: "before" });
  await say("/recheck keep");
  expect(await answers()).toEqual([]);
  it.pass(1);
  const renamed = { ...(await repository()), full_name: "example/renamed" };
  await it.local.rename("example/renamed");
  await it.local.send("repository", { action: "renamed", repository: renamed });
  await it.settled();
  it.pass(5 * minute);
  await it.run();
  expect(await answers()).toEqual(["keep"]);
  expect(await it.stored(async (_, state) => state?.name)).toBe("example/renamed");
});
