import { afterAll, beforeAll, expect, test } from "vitest";
import { branch, lock, type Report, startReport } from "./workflow.ts";

/**
 * A repository with the rules that GitHub proposes for all branches: none is deleted, none is moved back.
 * https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/managing-rulesets/available-rules-for-rulesets
 */

let report: Report;
beforeAll(async () => {
  report = await startReport("alpha");
});
afterAll(() => report.close());

const refused = (what: string) =>
  Response.json({ message: `Repository rule violations found\n\nCannot ${what} this branch\n\n` }, { status: 422 });
const ruled: typeof fetch = async (input, init) => {
  if (String(input).includes("/git/refs/heads/")) {
    if (init?.method === "DELETE") return refused("delete");
    if (init?.method === "PATCH" && JSON.parse(String(init.body)).force === true) return refused("force-push to");
  }
  return await fetch(input, init);
};

test("a lock that may not be deleted is over at once, and the next run takes it over", async () => {
  for (const news of ["one", "two"]) {
    report.lists.add("alpha", news, true);
    expect(await report.run({ fetch: ruled })).toMatchObject({ code: 0, out: expect.not.stringContaining("waiting") });
    const { until, journal } = JSON.parse(String(await report.file(lock, "lock.json")));
    expect(Date.parse(until)).toBeLessThan(Date.now());
    expect(journal).toBeUndefined();
  }
  expect(await report.commits(branch)).toHaveLength(2);
  expect(await report.issues()).toHaveLength(1);
});

test("a history that may not be left behind grows on, and checks are kept", async () => {
  const paper = JSON.parse(String(await report.file(branch, "state.json")));
  await report.push(branch, { "state.json": JSON.stringify({ ...paper, commits: 50 }) });
  const before = await report.commits(branch);
  report.lists.add("alpha", "three");
  expect((await report.run({ fetch: ruled })).code).toBe(0);
  const [newest, ...others] = await report.commits(branch);
  expect(others).toEqual(before);
  expect(newest?.message).toMatch(/^Remember what was seen until /);
  expect(JSON.parse(String(await report.file(branch, "state.json")))).toMatchObject({ commits: 51 });
  // Where the rules go, the history begins anew.
  expect((await report.run()).code).toBe(0);
  expect(await report.commits(branch)).toHaveLength(1);
  expect(await report.commits(lock)).toEqual([]);
  expect(await report.issues()).toHaveLength(1);
});
