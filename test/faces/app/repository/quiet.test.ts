import { afterEach, beforeEach, expect, test } from "vitest";
import { endInstance, type Instance, issuesOf, startServed } from "../../../support/instance.ts";

/** A repository in which nothing happens. */

const hour = 3_600_000;
const day = 24 * hour;
let it: Instance;

/** From now until that hour of the day (UTC), after an hour at least. */
function until(hours: number): number {
  return hour + ((((hours * hour - (Date.now() + hour)) % day) + day) % day);
}

beforeEach(async () => {
  it = await startServed("alpha");
  it.lists.add("alpha", "one");
  // It is three in the morning then: the overview tells its day once, and no midnight comes within the hours that are asked about.
  for (const passed of [day + until(0), day + 2 * hour, hour]) {
    it.pass(passed);
    await it.run();
  }
});

afterEach(() => endInstance(it));

test("asks nothing of GitHub for hours, and missed events are found within a day", async () => {
  const [recheck] = (await issuesOf(it)).filter(({ title }) => title.includes("“About "));
  expect(recheck?.state).toBe("open");
  it.local.loseWebhooks(true);
  await it.local.asPerson("PATCH", `/issues/${recheck?.number}`, { state: "closed" });
  await it.settled();
  it.local.loseWebhooks(false);
  const from = it.local.requests.length;
  for (let passed = 0; passed < 6; passed++) {
    it.pass(hour);
    await it.run();
  }
  expect(it.local.requests.slice(from)).toEqual([]);
  it.pass(18 * hour);
  await it.run();
  expect(await it.stored(async (store) => (await store.rechecks()).map(({ state }) => state))).toEqual(["closed"]);
});

test("is asked about at once if news come, and once something is seen", async () => {
  const lists = () =>
    it.local.requests.filter(({ method, path }) => method === "GET" && path.endsWith("/issues")).length;
  const before = lists();
  const repository = { id: await it.stored(async (_, state) => state?.id), full_name: it.local.repo };
  await it.local.send("issues", { action: "closed", repository });
  await it.settled();
  expect(lists()).toBe(before + 1);
});
