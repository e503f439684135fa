import { afterAll, beforeAll, expect, test } from "vitest";
import { branch, lock, type Report, startReport } from "./workflow.ts";

let report: Report;
beforeAll(async () => {
  report = await startReport("alpha");
  expect((await report.run()).code).toBe(0);
});
afterAll(() => report.close());

let entries = 0;
const git = (method: string, what: string): RegExp => new RegExp(`^${method} .*/git/${what}$`);

test.each<[string, RegExp]>([
  ["making the lock", git("POST", "refs")],
  ["moving the lock on", git("PATCH", `refs/heads/${lock}`)],
  ["moving the branch on", git("PATCH", `refs/heads/${branch}`)],
  ["giving the lock back", git("DELETE", `refs/heads/${lock}`)],
  ["writing a blob", git("POST", "blobs")],
  ["writing a tree", git("POST", "trees")],
  ["writing a commit", git("POST", "commits")],
])("an answer that gets lost while %s changes nothing", async (_, match) => {
  for (const fault of [{ status: 502, when: "before" }, { when: "after" }] as const) {
    for (const { number } of await report.issues())
      await report.github.asPerson("PATCH", `/issues/${number}`, { state: "closed" });
    report.lists.add("alpha", `entry ${++entries}`);
    const before = await report.commits(branch);
    report.github.fault({ match, ...fault });
    const ran = await report.run();
    expect(ran).toMatchObject({ code: 0, error: undefined, out: expect.stringContaining(`opened   #${entries} `) });
    expect(await report.commits(branch)).toHaveLength(before.length + 1);
    expect(await report.commits(lock)).toEqual([]);
  }
});

test("a GitHub that does not answer any more keeps no run from ending with a sentence", async () => {
  report.lists.add("alpha", "last");
  report.github.fault({ match: git("PATCH", `refs/heads/${branch}`), status: 503, when: "before", times: 9 });
  const ran = await report.run();
  expect(ran.error?.message).toBe("GitHub could not write to a branch (503)");
  expect(ran.summary).toContain("GitHub could not write to a branch (503)");
});
