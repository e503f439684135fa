import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newsOf } from "../../../../src/faces/app/webhooks/news.ts";
import { endInstance, headOf, type Instance, startServed } from "../../../support/instance.ts";

/** *Re-run*, which people press beside a check run. */

let it: Instance;
let good: string;

beforeEach(async () => {
  it = await startServed("alpha", "beta");
  good = it.config()["triggers/alpha.yaml"] ?? "";
});

afterEach(() => endInstance(it));

interface Run {
  readonly id: number;
  readonly conclusion: string;
  readonly external_id: string;
  readonly output: { readonly annotations_count: number };
}

const head = (branch: string) => headOf(it, branch);
const runs = async (ref: string, filter = "all") =>
  (await it.local.asPerson<{ check_runs: Run[] }>("GET", `/commits/${ref}/check-runs?filter=${filter}`)).check_runs;
const branch = async (name: string, files: Record<string, string | undefined>) => {
  await it.local.asPerson("POST", "/git/refs", { ref: `refs/heads/${name}`, sha: await head("main") });
  await it.push(files, name);
};
const rerun = async (what: "check_run" | "check_suite", of: object, delivery?: string) => {
  const id = await it.stored(async (_, state) => state?.id ?? 0);
  const repository = { id, full_name: it.local.repo };
  await it.local.send(what, { action: "rerequested", repository, [what]: of }, delivery);
  await it.settled();
};

test("of a check run checks its commit again, once for each request", async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `wrong${index}: 1\n`).join("");
  await branch("edit", { "triggers/alpha.yaml": `${good}${lines}` });
  const head_sha = await head("edit");
  const [first] = await runs("edit");
  it.local.fault({ match: /^PATCH .*\/check-runs\//, when: "before" });
  await rerun("check_run", { ...first, head_sha }, "one");
  it.pass(60_000);
  await it.run();
  const again = await runs("edit");
  expect(again).toMatchObject([{ conclusion: "failure", output: { annotations_count: 60 } }, { id: first?.id }]);
  await rerun("check_run", { ...first, head_sha }, "one");
  expect(await runs("edit")).toHaveLength(2);
  await rerun("check_run", { ...again[0], head_sha });
  expect(await runs("edit", "latest")).toMatchObject([{ conclusion: "failure", output: { annotations_count: 60 } }]);
  expect(await runs("edit")).toHaveLength(3);
});

test("of all checks checks a commit again that was, and one that was not but has to be", async () => {
  await branch("edit", { "triggers/alpha.yaml": `${good}levle: 1\n` });
  await it.push({ "triggers/alpha.yaml": good }, "edit");
  await rerun("check_suite", { head_sha: await head("edit") });
  expect(await runs("edit")).toMatchObject([{ conclusion: "neutral" }, { conclusion: "neutral" }]);
  await it.push({ "triggers/alpha.yaml": `${good}# More.\n` });
  await rerun("check_suite", { head_sha: await head("main") });
  expect(await runs("main")).toMatchObject([{ conclusion: "neutral" }, { conclusion: "neutral" }]);
  await branch("other", { "README.md": "# Other" });
  await rerun("check_suite", { head_sha: await head("other") });
  expect(await runs("other")).toEqual([]);
  it.local.loseWebhooks(true);
  await branch("lost", { "triggers/alpha.yaml": `${good}levle: 1\n` });
  it.local.loseWebhooks(false);
  await rerun("check_suite", { head_sha: await head("lost") });
  expect(await runs("lost")).toMatchObject([{ conclusion: "failure" }]);
});

test("is not done without end", async () => {
  await branch("edit", { "triggers/alpha.yaml": `${good}levle: 1\n` });
  const head_sha = await head("edit");
  const many = Array.from({ length: 30 }, (_, index) => `recheck ${index}`);
  const bot = { name: "Recheck config", head_sha, status: "completed", conclusion: "failure" };
  for (const external_id of many) await it.local.asPerson("POST", "/check-runs", { ...bot, external_id });
  const count = (await runs("edit")).length;
  await rerun("check_run", { head_sha, external_id: "recheck" });
  expect(await runs("edit")).toHaveLength(count);
});

test("of a broken default branch has its config read again", async () => {
  await it.push({ "triggers/alpha.yaml": `${good}levle: 1\n` });
  const asked = it.local.requests.length;
  await rerun("check_run", { head_sha: await head("main"), external_id: "recheck" });
  const read = it.local.requests
    .slice(asked)
    .filter(({ method, path }) => `${method} ${path}` === `GET /repos/${it.local.repo}`);
  expect([await runs("main"), read]).toMatchObject([[{ conclusion: "failure" }, { conclusion: "failure" }], [{}]]);
});

describe("a request that is not ours does nothing:", () => {
  const common = { installation: { id: 1 }, repository: { id: 7, full_name: "a/b" }, action: "rerequested" };
  const sha = "0123456789abcdef0123456789abcdef01234567";

  test.each([
    ["another's check run", "check_run", { check_run: { head_sha: sha, external_id: "42" } }],
    ["a check run about Recheck itself", "check_run", { check_run: { head_sha: sha, external_id: "recheck-itself" } }],
    ["one that only begins like ours", "check_run", { check_run: { head_sha: sha, external_id: "rechecks" } }],
    ["no commit", "check_run", { check_run: { head_sha: "../../issues", external_id: "recheck" } }],
    ["a short one", "check_suite", { check_suite: { head_sha: "0123456" } }],
    ["nothing", "check_suite", {}],
    ["nonsense", "check_run", { check_run: [{ head_sha: { length: 9 } }] }],
  ])("%s", (_, event, more) => {
    expect(newsOf(event, { ...common, ...more })).toBeUndefined();
  });

  test("one that is, is reported in few words", () => {
    const told = newsOf("check_run", { ...common, check_run: { head_sha: sha, external_id: "recheck 1", output: {} } });
    expect(told?.news).toEqual({ kind: "rerun", commit: sha, checked: "config" });
    expect(newsOf("check_suite", { ...common, check_suite: { head_sha: sha } })?.news).toEqual({
      kind: "rerun",
      commit: sha,
    });
    expect(newsOf("check_suite", { ...common, action: "requested", check_suite: { head_sha: sha } })).toBeUndefined();
  });
});
