import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aDay } from "../../../../src/model/time.ts";
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
  issue = (await issuesOf(it)).find(({ title }) => title.includes("“About "))?.number ?? 0;
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

describe.each([
  ["locked", 403, "Issue is locked"],
  ["not taken", 422, "Validation Failed"],
  ["a 502", 502, "Bad Gateway"],
])("an overview whose text is %s", (_, status, message) => {
  test("is tried ever more seldom, and keeps nothing else waiting", async () => {
    // The text of an overview is another one each day: midnight comes half-way through the two hours.
    const inTheEvening = 23 * 60 * minute - (it.now() % aDay);
    it.pass(inTheEvening < 0 ? inTheEvening + aDay : inTheEvening);
    await it.run();
    const overview = (await issuesOf(it)).find(({ title }) => title.startsWith("Recheck overview"))?.number ?? 0;
    const match = new RegExp(`^PATCH .*/issues/${overview}$`);
    it.local.fault({ match, status, message, when: "before", times: 9_999 });
    await say("/recheck keep");
    // It tells of each day.
    it.pass(24 * 60 * minute);
    const from = it.local.requests.length;
    for (let passed = 0; passed < 2 * 60; passed++) {
      it.pass(minute);
      await it.run();
    }
    const asked = it.local.requests.slice(from).filter(({ path }) => path.startsWith("/repos/"));
    const writes = asked.filter(({ method, path }) => match.test(`${method} ${path}`));
    expect(writes.length).toBeGreaterThan(1);
    expect(writes.length).toBeLessThan(10);
    expect(asked.length).toBeLessThan(70);
    it.lists.add("alpha", "two");
    it.pass(25 * 60 * minute);
    await it.run();
    expect((await issuesOf(it)).some(({ body }) => body.includes("two"))).toBe(true);
    it.local.mend();
    it.pass(61 * minute);
    await it.run();
    const text = (await issuesOf(it)).find(({ number }) => number === overview)?.body;
    expect(text).toContain("two");
  });
});

test("a config that is mended is in use, though GitHub does not let us close the issue on it", async () => {
  const good = it.config();
  await it.push({ "sources.yaml": "report: { title: 3 }\n" });
  const broken = (await issuesOf(it)).at(0);
  expect(broken?.body).toContain("sources.yaml");
  it.local.fault({
    match: new RegExp(`^PATCH .*/issues/${broken?.number}$`),
    ...{ status: 403, message: "Issue is locked", when: "before", times: 9_999 },
  });
  await it.push({ "sources.yaml": `${good["sources.yaml"]}\n` });
  it.pass(minute);
  await it.run();
  const state = await it.stored(async (_, state) => state);
  expect(state?.broken).toBeUndefined();
  expect(state?.config?.commit).toBe(await headOf(it, "main"));
});

test("an issue on a broken config is closed once that is mended, though nobody heard that it was opened", async () => {
  const good = it.config();
  it.local.fault({ match: /^POST .*\/issues$/, status: 502, when: "after", times: 1 });
  it.local.fault({ match: /^GET .*\/issues$/, status: 502, when: "before", times: 9_999 });
  await it.push({ "sources.yaml": "report: { title: 3 }\n" });
  it.local.mend();
  const broken = async () => (await issuesOf(it)).find(({ title }) => title === "Recheck cannot read its config");
  expect((await broken())?.state).toBe("open");
  await it.push({ "sources.yaml": `${good["sources.yaml"]}\n` });
  it.pass(minute);
  await it.run();
  expect(await it.stored(async (_, state) => state?.broken)).toBeUndefined();
  expect(await broken()).toMatchObject({
    state: "closed",
    body: expect.stringMatching(/Commit `[0-9a-f]{7}` fixed it on \d{4}-\d\d-\d\d: the config is read again\./),
  });
});

test("that GitHub did not answer for a moment is not said of the repository for the rest of the day", async () => {
  it.local.fault({ match: /^GET .*\/issues$/, status: 502, when: "before", times: 9 });
  it.pass(25 * 60 * minute);
  await it.run();
  it.local.mend();
  it.pass(5 * minute);
  await it.run();
  expect(await it.stored(async (_, state) => state?.says)).toBeUndefined();
  expect(it.log()).toContain("GitHub could not list issues (502)");
});

test("a refusal of GitHub is still reported for the repository after its config was read again", async () => {
  const good = it.config();
  const message = "Resource not accessible by integration";
  it.local.fault({ match: /^GET .*\/issues$/, status: 403, message, when: "before", times: 9_999 });
  const says = () => it.stored(async (_, state) => state?.says);
  it.pass(25 * 60 * minute);
  await it.run();
  expect(await says()).toContain("may not list issues");
  await it.push({ "sources.yaml": `${good["sources.yaml"]}\n` });
  for (let passed = 0; passed < 61; passed++) {
    it.pass(minute);
    await it.run();
  }
  expect(await says()).toContain("may not list issues");
  expect(it.log().match(/"kind":"forbidden"/g)).toHaveLength(1);
});

describe("work that the end of the server cut off", () => {
  /** Ends the server while GitHub has not answered such a request, which some news led to, and starts it anew. */
  async function cutOff(match: RegExp, tell: () => Promise<unknown>): Promise<string> {
    const [asked, said] = [it.local.requests.length, it.log().length];
    it.local.fault({ match, hold: 500, when: "after", times: 9 });
    await tell();
    const last = () => it.local.requests.slice(asked).map(({ method, path }) => `${method} ${path}`);
    await expect.poll(() => last().at(-1)).toMatch(match);
    await it.stop();
    it.local.mend();
    const told = it.log().slice(said);
    await it.start();
    it.pass(2 * minute);
    await it.run();
    return told;
  }

  test("is no trouble, and done once it runs again: a config is read", async () => {
    const files = { "sources.yaml": `${it.config()["sources.yaml"]}\n` };
    const told = await cutOff(/^GET \/repos\/example\/report$/, () => it.commit(files));
    expect(told).not.toContain("no answer from GitHub");
    expect(await it.stored(async (_, state) => state?.config?.commit)).toBe(await headOf(it, "main"));
  });

  test.each([
    ["while it is read", /^GET .*\/pulls\/\d+$/],
    ["before anything of it was begun", /^POST .*\/reactions$/],
  ])("is no trouble, and done once it runs again: a pull request is brought up to date, %s", async (_, match) => {
    await say("/recheck change speed slow because it lags");
    const body = "/recheck change speed slow because it lags more";
    const told = await cutOff(match, () => it.local.asPerson("POST", `/issues/${issue}/comments`, { body }));
    expect(told).not.toContain("no answer from GitHub");
    const [pull] = await it.local.asPerson<{ body: string }[]>("GET", "/pulls?state=all");
    expect(pull?.body).toContain("it lags more");
  });
});

test("a pull request that GitHub cannot show keeps nobody from being asked about new events", async () => {
  await say("/recheck change speed slow because it lags");
  const pulls = await it.local.asPerson<{ number: number }[]>("GET", "/pulls?state=all");
  expect(pulls).toHaveLength(1);
  it.local.fault({ match: /^(?:GET|PATCH) .*\/pulls\b/, status: 502, when: "before", times: 99_999 });
  it.lists.add("beta", "two");
  await say("/recheck change speed slow because it lags a lot");
  it.pass(25 * 60 * minute);
  await it.run();
  for (let passed = 0; passed < 20; passed++) {
    it.pass(minute);
    await it.run();
  }
  expect((await issuesOf(it)).map(({ title }) => title)).toContainEqual(expect.stringContaining("About beta"));
  const from = it.local.requests.length;
  for (let passed = 0; passed < 2 * 60; passed++) {
    it.pass(minute);
    await it.run();
  }
  const asked = it.local.requests.slice(from).filter(({ path }) => path.includes("/pulls"));
  expect(asked.length).toBeLessThan(12);
  it.local.mend();
  it.pass(61 * minute);
  await it.run();
  const [mended] = await it.local.asPerson<{ body: string }[]>("GET", "/pulls?state=all");
  expect(mended?.body).toContain("it lags a lot");
});
