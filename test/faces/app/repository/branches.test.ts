import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { endInstance, type Instance, startInstance } from "../../../support/instance.ts";

/** What becomes of our branches once their pull requests have ended. */

let it: Instance;

beforeEach(async () => {
  it = await startInstance("alpha", "beta");
});

afterEach(() => endInstance(it));

const branches = async () =>
  (await it.local.asPerson<{ name: string }[]>("GET", "/branches")).map(({ name }) => name).toSorted();
const deletions = () => it.local.requests.filter(({ method }) => method === "DELETE");
const pull = async () => (await it.local.asPerson<{ number: number }[]>("GET", "/pulls?state=open"))[0]?.number ?? 0;
const merge = async () => it.local.asPerson("PUT", `/pulls/${await pull()}/merge`, {});
const close = async () => it.local.asPerson("PATCH", `/pulls/${await pull()}`, { state: "closed" });
const remove = (branch: string) => it.local.asPerson("DELETE", `/git/refs/heads/${branch}`);
const theirs = { "notes.md": "Mine.\n" };

describe("the set-up's branch", () => {
  const branch = "recheck/set-up";

  beforeEach(async () => {
    const [alpha, beta] = [...(it.config()["sources.yaml"] ?? "").matchAll(/http:[^"]+/g)].map(String);
    await it.serve({ "README.md": `# A report\n\n## References\n\n1. Alpha. ${alpha}\n2. Beta. ${beta}\n` });
  });

  test("stays as long as its pull request is open, and is deleted once it is merged", async () => {
    await it.commit({ "sources.yaml": it.config()["sources.yaml"] }, branch);
    await it.run();
    expect(await branches()).toEqual(["main", branch]);
    await merge();
    await it.run();
    expect(await branches()).toEqual(["main"]);
    await it.run();
    expect(deletions()).toHaveLength(1);
  });

  test("stays if somebody went on with it after the merge", async () => {
    it.local.loseWebhooks(true);
    await merge();
    await it.commit(theirs, branch);
    it.local.loseWebhooks(false);
    it.pass(86_400_000);
    await it.run();
    expect(await it.stored(async (_, state) => state?.config?.files[0]?.path)).toBe("sources.yaml");
    expect([await branches(), deletions()]).toEqual([["main", branch], []]);
  });

  test("that GitHub has deleted with the merge is not asked for again", async () => {
    it.local.loseWebhooks(true);
    await merge();
    await remove(branch);
    it.local.loseWebhooks(false);
    it.pass(86_400_000);
    await it.run();
    expect(deletions()).toEqual([]);
    expect(it.log()).not.toMatch(/"level":[45]0/);
  });

  test("stays when it is closed: it can be reopened", async () => {
    await close();
    await it.run();
    expect(await branches()).toEqual(["main", branch]);
  });

  test.each([
    ["ours alone, is deleted", {}, ["main"]],
    ["with a commit of somebody else's, stays", theirs, ["main", branch]],
  ])("where another config overtook it, %s", async (_, files, left) => {
    await it.commit(files, branch);
    await it.run();
    await it.commit(it.config());
    await it.run();
    expect(await it.local.asPerson("GET", "/pulls?state=open")).toEqual([]);
    expect(await branches()).toEqual(left);
  });
});

describe("the branch of a pull request that holds answers", () => {
  let branch: string;
  let issue: number;

  beforeEach(async () => {
    it.lists.add("alpha", "one");
    await it.serve(it.config());
    const issues = await it.local.asPerson<{ number: number; title: string }[]>("GET", "/issues");
    issue = issues.find(({ title }) => title.includes("“About "))?.number ?? 0;
    await say("/recheck change speed slow because it lags");
    branch = `recheck/alpha-${issue}`;
    expect(await branches()).toEqual(["main", branch]);
  });
  const say = async (body: string) => {
    await it.local.asPerson("POST", `/issues/${issue}/comments`, { body });
    await it.settled();
  };

  test("is deleted once it is merged, with all that was committed to it", async () => {
    await it.push(theirs, branch);
    await merge();
    await it.run();
    expect(await branches()).toEqual(["main"]);
  });

  test("stays if somebody went on with it after the merge", async () => {
    it.local.loseWebhooks(true);
    await merge();
    await it.commit(theirs, branch);
    it.local.loseWebhooks(false);
    it.pass(86_400_000);
    await it.run();
    expect([await branches(), deletions()]).toEqual([["main", branch], []]);
  });

  const ends: [string, Record<string, string>, string[]][] = [
    ["ours alone, is deleted", {}, ["main"]],
    ["with a commit of somebody else's, stays", theirs, ["main", "theirs"]],
  ];

  test.each(ends)("closed unmerged, %s", async (_, files, left) => {
    await it.push(files, branch);
    await close();
    await it.run();
    expect((await branches()).map((name) => (name === branch ? "theirs" : name))).toEqual(left);
  });

  test("closed unmerged, with a commit of somebody else's below ours, stays", async () => {
    await it.push(theirs, branch);
    await say("/recheck keep speed");
    const made = it.local.requests.filter(({ path, status }) => path.endsWith("/git/commits") && status === 201);
    expect(made).toHaveLength(2);
    await close();
    await it.run();
    expect([await branches(), deletions()]).toEqual([["main", branch], []]);
  });

  test.each(ends)("not needed any more, %s", async (_, files, left) => {
    await it.push(files, branch);
    await say("/recheck dismiss because it is nothing");
    await it.run();
    expect(await it.local.asPerson("GET", "/pulls?state=open")).toEqual([]);
    expect((await branches()).map((name) => (name === branch ? "theirs" : name))).toEqual(left);
  });
});
