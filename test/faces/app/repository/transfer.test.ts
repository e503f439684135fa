import { afterEach, beforeEach, expect, test } from "vitest";
import { endInstance, type Instance, issuesOf, type LocalIssue, startInstanceWith } from "../../../support/instance.ts";

/** A repository goes to another owner, who has the App as well. */

const day = 86_400_000;
let it: Instance;

beforeEach(async () => {
  it = await startInstanceWith({ owners: ["lab"] }, "alpha", "beta");
});

afterEach(() => endInstance(it));

const issues = () => issuesOf(it);
const overview = async () => (await issues()).find(({ title }) => title === "Recheck overview")?.body ?? "";
const state = () => it.stored(async (_, known) => known);
const byId = () =>
  it.stored(async (store) => (await store.rechecks()).map(({ trigger, issue, state }) => ({ trigger, issue, state })));

/** A repository that is served, with one recheck. */
async function served(): Promise<LocalIssue> {
  it.lists.add("alpha", "one");
  await it.serve(it.config());
  const recheck = (await issues()).find(({ title }) => title.includes("“About "));
  if (!recheck) throw new Error("nothing is asked");
  return recheck;
}

/** What the App asked since then of either owner's repository, and what came of it. */
const asked = (from: number, owner: string) =>
  it.local.requests.slice(from).filter(({ path }) => path.startsWith(`/repos/${owner}/report/`));

/** It is served where it is now, with the token of its new owner's installation, as if nothing had happened. */
async function goesOn({ number }: LocalIssue): Promise<void> {
  const from = it.local.requests.length;
  it.lists.add("alpha", "two", true);
  it.pass(2 * day);
  await it.run();
  await it.local.asPerson("POST", `/issues/${number}/comments`, { body: "/recheck change speed slow because it lags" });
  await it.settled();
  expect(await state()).toMatchObject({ name: "lab/report", installation: 101, standing: "active" });
  expect(await byId()).toEqual([{ trigger: "alpha", issue: number, state: "open" }]);
  expect((await issues()).find((one) => one.number === number)?.body).toContain("two awaited");
  expect(await it.local.asPerson("GET", "/pulls?state=open")).toHaveLength(1);
  expect(await overview()).toContain("This repository was `example/report` until ");
  expect(asked(from, "lab").filter(({ status }) => status === 401 || status === 403 || status === 422)).toEqual([]);
  expect(asked(from, "lab").some(({ method }) => method === "POST")).toBe(true);
  expect(it.log()).not.toContain('"level":50');
}

test("transferred: its new owner's installation goes on with all that is remembered, and the overview says so", async () => {
  const recheck = await served();
  const { id } = (await state()) ?? {};
  const from = it.local.requests.length;
  await it.local.transfer("lab");
  const repository = { id, full_name: "lab/report", private: false };
  await it.local.send("repository", { action: "transferred", installation: { id: 101 }, repository });
  const left = { id, full_name: "example/report", private: false };
  await it.local.send("installation_repositories", { action: "removed", repositories_removed: [left] });
  await it.run();
  expect(asked(from, "example")).toEqual([]);
  await goesOn(recheck);
});

test("transferred, and no webhook came: the next day's sweep finds the new place", async () => {
  const recheck = await served();
  await it.local.transfer("lab");
  await goesOn(recheck);
});

test("transferred to an account that the App may not see: it is left alone, and goes on once it may", async () => {
  const recheck = await served();
  const from = it.local.requests.length;
  await it.local.transfer("lab");
  it.local.reach("example/second");
  it.pass(2 * day);
  await it.run();
  expect(it.log()).toContain("example/report was uninstalled on ");
  expect(asked(from, "lab")).toEqual([]);
  it.local.reach("lab/report", "example/second");
  it.pass(2 * day);
  await it.run();
  await goesOn(recheck);
});
