import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tickedBoxes } from "../../src/recheck/issue/marker.ts";
import { endInstance, type Instance, issuesOf, type LocalIssue, startServed } from "../support/instance.ts";

/** The memory of a repository is lost; all that is known is what GitHub still shows of it. */

const day = 86_400_000;
let it: Instance;

beforeEach(async () => {
  it = await startServed("alpha", "beta");
  it.lists.add("alpha", "one", true);
  it.lists.add("beta", "two");
  it.pass(2 * day);
  await it.run();
});
afterEach(() => endInstance(it));

const data = () => join(it.folder, "data");
const find = async (title: string): Promise<LocalIssue> => {
  const found = (await issuesOf(it)).find((one) => one.title.includes(title));
  if (!found) throw new Error(`no issue ${title}`);
  return found;
};
const comments = (issue: number) => it.local.asPerson<{ body: string }[]>("GET", `/issues/${issue}/comments`);
const pulls = () => it.local.asPerson<{ number: number; state: string }[]>("GET", "/pulls?state=all");
const say = async (issue: number, body: string, who: "author" | "reviewer" = "reviewer") => {
  await it.local.asPerson("POST", `/issues/${issue}/comments`, { body }, who);
  await it.settled();
};
const states = () =>
  it.stored(async (store) => (await store.rechecks()).map(({ issue, state }) => `#${issue} ${state}`));

async function lose(): Promise<void> {
  await it.stop();
  for (const name of readdirSync(data())) rmSync(join(data(), name));
  await it.serve();
}

describe("the store's file is gone", () => {
  test("open rechecks, the overview and the answers are taken over; questions of closed ones are not asked again", async () => {
    const [alpha, beta, overview] = [
      await find("“About alpha”"),
      await find("“About beta”"),
      await find("Recheck overview"),
    ];
    await say(alpha.number, "/recheck change speed slow because it lags");
    await it.local.asPerson("PATCH", `/issues/${beta.number}`, { state: "closed" });
    await it.settled();
    const before = { pulls: await pulls(), said: await comments(alpha.number), issues: await issuesOf(it) };
    expect(before.pulls).toHaveLength(1);

    await lose();
    await it.run();
    expect((await issuesOf(it)).map(({ number }) => number)).toEqual(before.issues.map(({ number }) => number));
    expect(await states()).toEqual([`#${alpha.number} open`, `#${beta.number} closed`]);
    expect(await pulls()).toMatchObject(before.pulls.map(({ number, state }) => ({ number, state })));
    expect((await comments(alpha.number)).map(({ body }) => body)).toEqual(before.said.map(({ body }) => body));
    expect(await it.stored(async (store) => store.answers())).toMatchObject([
      { rating: "speed", verdict: "change", level: "slow", by: "reviewer" },
    ]);
    expect(await it.stored(async (_, state) => state?.overview?.number)).toBe(overview.number);

    await say(alpha.number, "/recheck keep speed");
    expect(it.local.reactions.at(-1)?.content).toBe("+1");
    it.lists.add("beta", "three");
    it.pass(2 * day);
    await it.run();
    const opened = (await issuesOf(it)).filter(({ title }) => title.includes("“About beta”"));
    expect(opened).toHaveLength(2);
    expect(opened[1]?.body).toContain(`#${beta.number}`);
    expect(opened[1]?.body).not.toContain("beta two");
  });

  test("a ticked box is heard, an overview that people closed stays closed, and a broken config has one issue", async () => {
    const [alpha, overview] = [await find("“About alpha”"), await find("Recheck overview")];
    const good = it.config()["sources.yaml"] ?? "";
    await it.local.asPerson("PATCH", `/issues/${overview.number}`, { state: "closed" });
    await it.push({ "sources.yaml": good.replace("ratings:", "rating:") });
    const told = await find("Recheck cannot read its config");
    await it.stop();
    const body = alpha.body.replace("- [ ] <!-- recheck:do keep", "- [x] <!-- recheck:do keep");
    expect(body).not.toBe(alpha.body);
    await it.local.asPerson("PATCH", `/issues/${alpha.number}`, { body });
    await lose();
    expect((await issuesOf(it)).filter(({ title }) => title === told.title)).toHaveLength(1);
    await it.commit({ "sources.yaml": `${good}# mended\n` });
    await it.run();
    expect(await find(told.title)).toMatchObject({ number: told.number, state: "closed" });
    const overviews = (await issuesOf(it)).filter(({ title }) => title === overview.title);
    expect(overviews).toMatchObject([{ number: overview.number, state: "closed" }]);
    expect(await it.stored(async (store) => store.answers())).toMatchObject([{ rating: "speed", verdict: "keep" }]);
    expect(tickedBoxes((await find("“About alpha”")).body)).toEqual([]);
  });

  test("comments from before an issue was opened again do not close it", async () => {
    const [alpha, beta] = [await find("“About alpha”"), await find("“About beta”")];
    await say(alpha.number, "/recheck dismiss because it is a typo");
    await say(beta.number, "/recheck keep");
    const [pull] = await pulls();
    await it.local.asPerson("PUT", `/pulls/${pull?.number}/merge`, {});
    await it.settled();
    it.pass(60_000);
    for (const { number } of [alpha, beta]) {
      expect((await issuesOf(it)).find((one) => one.number === number)?.state).toBe("closed");
      await it.local.asPerson("PATCH", `/issues/${number}`, { state: "open" });
      await it.settled();
    }
    expect((await states()).toSorted()).toEqual([`#${alpha.number} open`, `#${beta.number} open`]);
    await lose();
    await it.run();
    expect((await states()).toSorted()).toEqual([`#${alpha.number} open`, `#${beta.number} open`]);
  });

  test("a copy that is older than the issues is gone on from", async () => {
    await it.stop();
    copyFileSync(join(data(), "recheck.sqlite"), join(it.folder, "old.sqlite"));
    await it.start();
    const alpha = await find("“About alpha”");
    await it.local.asPerson("PATCH", `/issues/${alpha.number}`, { state: "closed" });
    await it.settled();
    it.lists.add("alpha", "three");
    it.pass(2 * day);
    await it.run();
    const before = await issuesOf(it);
    await it.stop();
    for (const name of readdirSync(data())) rmSync(join(data(), name));
    copyFileSync(join(it.folder, "old.sqlite"), join(data(), "recheck.sqlite"));
    await it.serve();
    it.pass(2 * day);
    await it.run();
    expect((await issuesOf(it)).map(({ number, state }) => [number, state])).toEqual(
      before.map(({ number, state }) => [number, state]),
    );
  });
});

test("an App that was away for more than a month goes on from there", async () => {
  const { local } = it;
  const repository = { id: await it.stored(async (_, state) => state?.id), full_name: local.repo };
  const before = await issuesOf(it);
  local.reach("example/second");
  await local.send("installation_repositories", { action: "removed", repositories_removed: [repository] });
  await it.settled();
  it.pass(31 * day);
  await it.run();
  expect(await it.stored(async (_, state) => state)).toBeUndefined();
  local.reach(local.repo, "example/second");
  await local.send("installation_repositories", { action: "added", repositories_added: [repository] });
  await it.settled();
  await it.run();
  expect((await issuesOf(it)).map(({ number }) => number)).toEqual(before.map(({ number }) => number));
  expect((await states()).toSorted()).toEqual(
    before.filter(({ title }) => title.includes("About")).map(({ number }) => `#${number} open`),
  );
});
