import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deliveryIds, followedChecks, runWithIds } from "../../../src/faces/app/log.ts";
import { createLog } from "../../../src/faces/app/server.ts";
import type { World } from "../../../src/watch/check.ts";
import { endInstance, type Instance, issuesOf, startServed } from "../../support/instance.ts";

interface Line {
  readonly msg: string;
  readonly delivery?: string;
  readonly check?: string;
  readonly source?: string;
  readonly [name: string]: unknown;
}
const linesOf = (log: string): Line[] =>
  log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
const aDay = 86_400_000;

describe("in the log of a server", () => {
  let it: Instance;
  beforeEach(async () => {
    it = await startServed("alpha", "beta");
  });
  afterEach(() => endInstance(it));

  test("one delivery is followed by its id from the webhook to the issue that was written for it", async () => {
    it.lists.add("alpha", "one");
    it.pass(2 * aDay);
    await it.run();
    const [issue] = (await issuesOf(it)).filter(({ title }) => title.includes("entry one"));
    const from = it.log().length;
    await it.local.asPerson("POST", `/issues/${issue?.number}/comments`, { body: "/recheck keep" });
    await it.settled();
    const { id } = it.local.sent.filter(({ event }) => event === "issue_comment")[0] ?? {};
    const lines = linesOf(it.log().slice(from));
    const its = lines.filter(({ delivery }) => delivery?.split(" ").includes(String(id))).map(({ msg }) => msg);
    const asked = its
      .filter((msg) => msg.startsWith("GitHub: "))
      .map((msg) => msg.replace(/, .*: /, ": ").replace(/, \d+ ms$/, ""));
    expect(its[0]).toBe("a webhook came");
    expect(its).toContain("a delivery was processed");
    expect(asked).toEqual(
      expect.arrayContaining([
        "GitHub: GET /repos/{owner}/{repo}/collaborators/{username}/permission: 200",
        "GitHub: POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions: 201",
        "GitHub: PATCH /repos/{owner}/{repo}/issues/{issue_number}: 200",
      ]),
    );
    // Nothing that was asked of GitHub meanwhile is of no delivery.
    expect(lines.filter(({ msg, delivery }) => msg.startsWith("GitHub: ") && delivery === undefined)).toEqual([]);
  });

  test("one check is followed by its id, with any checks beside it", async () => {
    const from = it.log().length;
    it.pass(2 * aDay);
    await it.run();
    const lines = linesOf(it.log().slice(from)).filter(({ check }) => check !== undefined);
    const checks = [...Map.groupBy(lines, ({ check }) => check).values()];
    expect(checks.map((its) => its.map(({ msg }) => msg))).toEqual([
      ["asked for a source", "checked a source"],
      ["asked for a source", "checked a source"],
    ]);
    expect(checks.map((its) => its[1]?.source).toSorted()).toEqual(["alpha", "beta"]);
    for (const [asked, checked] of checks) {
      expect(checked).toMatchObject({ outcome: "unchanged", repository: it.local.repo });
      expect(asked).toMatchObject({
        status: 200,
        url: expect.stringContaining("http://127.0.0.1:"),
        ms: expect.any(Number),
      });
    }
  });
});

test("deliveries that are answered together are each found, and many are cut", () => {
  let line = "";
  const log = createLog("info", (text) => {
    line = text;
  });
  const ids = Array.from({ length: 25 }, (_, n) => `id-${n}`);
  runWithIds(deliveryIds(ids.slice(0, 2)), () => runWithIds({ check: "l" }, () => log.info("written")));
  expect(JSON.parse(line)).toMatchObject({ delivery: "id-0 id-1", check: "l", msg: "written" });
  expect(deliveryIds(ids).delivery).toMatch(/^id-0 id-1 .* id-19 and 5 more$/);
  expect(deliveryIds([])).toEqual({});
});

test("an error of a check that failed by a defect is in the log, as the failure says", () => {
  let line = "";
  const log = createLog("info", (text) => {
    line = text;
  });
  const { options } = followedChecks({} as World, log);
  options.onDefect("alpha", new Error("it is odd"));
  expect(JSON.parse(line)).toMatchObject({
    msg: "a check failed with an internal error",
    source: "alpha",
    err: { message: "it is odd", stack: expect.stringContaining("followed.test") },
  });
});
