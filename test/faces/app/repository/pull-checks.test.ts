import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { endInstance, headOf, type Instance, startServed } from "../../../support/instance.ts";

/** Check runs of the heads of pull requests, whatever became of the webhooks that told of them. */

const day = 86_400_000;
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
  readonly output: { readonly title: string; readonly annotations_count: number };
}

const head = (branch: string) => headOf(it, branch);
const runs = async (ref: string) =>
  (await it.local.asPerson<{ check_runs: Run[] }>("GET", `/commits/${ref}/check-runs?filter=all`)).check_runs;
const broken = (key = "levle") => ({ "triggers/alpha.yaml": `${good}${key}: 1\n` });
const lost = async (work: () => Promise<unknown>) => {
  it.local.loseWebhooks(true);
  await work();
  await it.local.settled();
  it.local.loseWebhooks(false);
};
const branch = async (name: string, files: Record<string, string | undefined>) => {
  await it.local.asPerson("POST", "/git/refs", { ref: `refs/heads/${name}`, sha: await head("main") });
  await it.commit(files, name);
};
const open = (name: string) => it.local.asPerson("POST", "/pulls", { title: name, head: name, base: "main" });
const repository = async () => ({ id: await it.stored(async (_, state) => state?.id ?? 0), full_name: it.local.repo });

describe("the head of a pull request of the same repository is checked", () => {
  test("when it is opened and its push was lost, once", async () => {
    await lost(() => branch("edit", broken()));
    await open("edit");
    await it.settled();
    expect(await runs("edit")).toMatchObject([{ conclusion: "failure", output: { annotations_count: 1 } }]);
    it.pass(day);
    await it.run();
    expect(await runs("edit")).toHaveLength(1);
  });

  test("when it moves and its push was lost, also back to the config in use", async () => {
    await branch("edit", broken());
    await open("edit");
    await it.settled();
    const before = await head("edit");
    await lost(() => it.commit({ "triggers/alpha.yaml": good }, "edit"));
    const sha = await head("edit");
    const repo = await repository();
    const pull_request = { number: 1, head: { ref: "edit", sha, repo: { id: repo.id } } };
    await it.local.send("pull_request", { action: "synchronize", repository: repo, before, after: sha, pull_request });
    await it.settled();
    expect(await runs("edit")).toMatchObject([{ conclusion: "neutral" }]);
  });

  test("but not if it touches no config, nor when it is closed", async () => {
    await branch("other", { "README.md": "# Other" });
    await it.commit({ "triggers/alpha.yaml": `${good}# More.\n` });
    const { number } = (await open("other")) as { number: number };
    await lost(() => branch("edit", broken()));
    const sha = await head("edit");
    const repo = await repository();
    const pull_request = { number, head: { ref: "edit", sha, repo: { id: repo.id } } };
    await it.local.send("pull_request", { action: "closed", repository: repo, pull_request });
    await it.settled();
    expect([await runs("other"), await runs("edit")]).toEqual([[], []]);
  });

  test("and if its push was heard, nothing of it is read again", async () => {
    await branch("edit", broken());
    await it.settled();
    const asked = it.local.requests.length;
    await open("edit");
    await it.settled();
    const read = it.local.requests.slice(asked).filter(({ path }) => /\/contents\/|\/git\/trees\//.test(path));
    expect([await runs("edit"), read]).toEqual([[expect.anything()], []]);
  });
});

describe("other changes of config are not blamed on a pull request", () => {
  const readme = (text: string, name = "other") => it.commit({ "README.md": `# ${text}` }, name);
  const sweep = async () => {
    it.pass(day);
    await it.run();
  };

  test("whose branch began while it was broken", async () => {
    await it.push(broken());
    await branch("other", { "README.md": "# Other" });
    await it.push({ "triggers/alpha.yaml": good });
    await readme("More");
    await open("other");
    await it.settled();
    await sweep();
    expect(await runs("other")).toEqual([]);
  });

  test("that is older than a change of it", async () => {
    await branch("other", { "README.md": "# Other" });
    await open("other");
    await it.settled();
    await it.commit({ "triggers/alpha.yaml": undefined, "triggers/new.yaml": good });
    await it.run();
    await sweep();
    expect(await runs("other")).toEqual([]);
    await readme("More");
    await it.settled();
    await sweep();
    expect(await runs("other")).toEqual([]);
    await it.push({ "triggers/beta.yaml": undefined }, "other");
    expect(await runs("other")).toMatchObject([{ output: { title: expect.stringMatching(/1 trigger dropped$/) } }]);
  });

  test("that the base branch is merged into", async () => {
    await branch("other", { "README.md": "# Other" });
    await open("other");
    await it.push(broken());
    const [before, main] = [await head("other"), await head("main")];
    const { tree } = await it.local.asPerson<{ tree: object }>("GET", `/git/commits/${main}`);
    const file = { path: "README.md", mode: "100644", type: "blob", content: "# Other" };
    const made = { base_tree: (tree as { sha: string }).sha, tree: [file] };
    const { sha } = await it.local.asPerson<{ sha: string }>("POST", "/git/trees", made);
    const merge = { message: "Merge main", tree: sha, parents: [before, main] };
    const { sha: after } = await it.local.asPerson<{ sha: string }>("POST", "/git/commits", merge);
    await it.local.asPerson("PATCH", "/git/refs/heads/other", { sha: after });
    const commits = [{ added: [], modified: ["triggers/alpha.yaml"], removed: [] }];
    await it.local.send("push", { repository: await repository(), ref: "refs/heads/other", before, after, commits });
    await it.settled();
    await sweep();
    expect([await head("other"), await runs("other")]).toEqual([after, []]);
    await readme("More");
    await it.settled();
    expect(await runs("other")).toEqual([]);
  });

  test("into another branch, which has a config of its own", async () => {
    await lost(async () => {
      await branch("release", broken());
      await it.local.asPerson("POST", "/git/refs", { ref: "refs/heads/other", sha: await head("release") });
      await readme("Other");
      await it.local.asPerson("POST", "/pulls", { title: "other", head: "other", base: "release" });
    });
    await sweep();
    expect(await runs("other")).toEqual([]);
  });

  test("but that it takes config away is", async () => {
    await lost(async () => {
      await branch("without", { "sources.yaml": undefined });
      await open("without");
    });
    await sweep();
    expect(await runs("without")).toMatchObject([{ output: { title: expect.stringMatching(/^No config/) } }]);
  });

  test("and if it mends config, it is compared with the one in use, and says so", async () => {
    await it.push(broken());
    await branch("mend", { "triggers/alpha.yaml": undefined });
    await open("mend");
    await it.settled();
    const says = {
      title: expect.stringContaining("1 trigger dropped"),
      summary: expect.stringMatching(/^Compared with .* in use,/m),
    };
    expect(await runs("mend")).toMatchObject([{ conclusion: "success", output: says }]);
  });
});

describe("if both webhooks were lost, the daily sweep", () => {
  test("checks it, once; of very many the newest", async () => {
    await lost(async () => {
      await branch("first", broken("frist"));
      await open("first");
      for (let n = 0; n < 20; n++) {
        await branch(`later-${n}`, { "README.md": `# ${n}` });
        await open(`later-${n}`);
      }
      await branch("last", broken("lsat"));
      await open("last");
    });
    it.pass(day);
    await it.run();
    expect([await runs("first"), await runs("last")]).toMatchObject([[], [{ conclusion: "failure" }]]);
    expect(await runs("later-7")).toEqual([]);
    it.pass(day);
    await it.run();
    expect(await runs("last")).toHaveLength(1);
  });

  test("goes on with the others if GitHub refuses one", async () => {
    await lost(async () => {
      await branch("one", broken("noe"));
      await open("one");
      await branch("two", broken("tow"));
      await open("two");
    });
    it.pass(day);
    it.local.fault({ match: /^POST .*\/check-runs$/, status: 422, message: "No commit found for SHA", when: "before" });
    await it.run();
    expect([await runs("one"), await runs("two")]).toMatchObject([[{ conclusion: "failure" }], []]);
    expect(await it.stored(async (_, state) => state?.swept)).toBe(it.now());
  });

  test("asks for none if check runs are not granted", async () => {
    await lost(async () => {
      await branch("edit", broken());
      await open("edit");
    });
    it.pass(day);
    const refusal = { status: 403, message: "Resource not accessible by integration", when: "before" } as const;
    it.local.fault({ match: /^(?:GET|POST) .*\/check-runs$/, ...refusal, times: 9 });
    await it.run();
    const asked = it.local.requests.length;
    it.pass(day);
    await it.run();
    expect(it.local.requests.slice(asked).filter(({ path }) => /report\/pulls$|check-runs/.test(path))).toEqual([]);
  });
});
