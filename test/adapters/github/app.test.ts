import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Call } from "../../../src/adapters/github/call.ts";
import { filesOf } from "../../../src/adapters/github/files.ts";
import { createGitHub, type RepositoryGitHub } from "../../../src/adapters/github/index.ts";
import { createInstallations, installationCredentials } from "../../../src/adapters/github/installations.ts";
import { violations } from "../../github/openapi.ts";
import { type LocalGitHub, startGitHub } from "../../github/server.ts";

const clock = { now: () => Date.now() };
let local: LocalGitHub;
let hub: RepositoryGitHub;

beforeEach(async () => {
  local = await startGitHub({ others: ["example/second"] });
  const auth = { appId: local.app.id, privateKey: local.app.privateKey };
  hub = createGitHub({ repo: local.repo, auth, baseUrl: local.url, clock, patience: false });
});

afterEach(async () => {
  const wrong = local.requests.flatMap(violations);
  await local.close();
  expect(wrong).toEqual([]);
});

async function head(branch = "main"): Promise<string> {
  const commit = await hub.commit(branch);
  if (!commit) throw new Error(`no branch ${branch}`);
  return commit.sha;
}

describe("a repository", () => {
  test("has its facts", async () => {
    const { web, ...facts } = await hub.facts();
    expect(facts).toMatchObject({ name: local.repo, defaultBranch: "main", archived: false, fork: false });
    expect(web).toContain(`/${local.repo}`);
    expect(facts.hasIssues).toBe(true);
    expect(facts.public).toBe(true);
  });

  test("is one of its installation's", async () => {
    const auth = { appId: local.app.id, privateKey: local.app.privateKey };
    const options = { auth, baseUrl: local.url, clock, patience: false };
    const app = createInstallations(options, installationCredentials(options));
    expect(await app.installations()).toEqual([{ id: local.app.installation, suspended: false }]);
    const found = await app.repositories(local.app.installation);
    expect(found.map(({ name, archived, fork }) => [name, archived, fork])).toEqual([
      [local.repo, false, false],
      ["example/second", false, false],
    ]);
    expect(found[0]?.id).toBe((await hub.facts()).id);
    local.expireTokens();
    await expect(app.repositories(local.app.installation)).rejects.toMatchObject({ kind: "unauthorized" });
    expect(await app.repositories(local.app.installation)).toEqual(found);
  });
});

test("the commit that two branches share is reported, unless one of them is not there", async () => {
  const began = await head();
  const write = async (branch: string, text: string) =>
    String(await hub.push({ branch, parent: began, message: "Write", files: [{ path: "README.md", text }] }));
  const mine = await write("a/mine", "# Mine\n");
  await write("main", "# Main\n");
  expect([await hub.mergeBase("main", mine), await hub.mergeBase("a/mine", await head())]).toEqual([began, began]);
  expect(await hub.mergeBase("a/mine", mine)).toBe(mine);
  expect([await hub.mergeBase("none", mine), await hub.mergeBase("main", "0".repeat(40))]).toEqual([
    undefined,
    undefined,
  ]);
});

test("files that a head changes are reported, with the commit that it comes from", async () => {
  const write = async (branch: string, parent: string, ...files: { path: string; text: string }[]) =>
    String(await hub.push({ branch, parent, message: "Write", files }));
  const began = await write("b/began", await head(), { path: "old.md", text: "# Old\n" });
  const mine = await write("b/mine", began, { path: "old.md", text: "# Mine\n" }, { path: "new.md", text: "# New\n" });
  const found = await hub.difference("b/began", mine);
  expect(found).toMatchObject({ began, whole: true });
  expect(found?.files.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: "new.md" },
    { path: "old.md", from: "old.md" },
  ]);
  expect(await hub.difference("none", mine)).toBeUndefined();
});

describe("files", () => {
  test("are read as they were at a commit", async () => {
    const first = await head();
    const text = "# Ünïcode\n\nline\r\n";
    await hub.push({
      branch: "main",
      parent: first,
      message: "Write",
      files: [
        { path: "docs/a report.md", text },
        { path: "triggers/gpu.yaml", text: "name: GPU\n" },
      ],
    });
    const second = await head();
    expect(await hub.text("docs/a report.md", second)).toBe(text);
    expect(await hub.text("docs/a report.md", first)).toBeUndefined();
    expect((await hub.tree(second)).files.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["README.md", "docs/a report.md", "triggers/gpu.yaml"]),
    );
    expect(await hub.changed("docs/a report.md", second)).toBeGreaterThan(Date.now() - 60_000);
    expect(await hub.commit("elsewhere")).toBeUndefined();
    expect(await hub.commit("0".repeat(40))).toBeUndefined();
  });

  test("are committed to a branch, and again in place of the ones there", async () => {
    const parent = await head();
    const write = async (text: string, ...over: string[]) =>
      String(await hub.push({ branch: "recheck/x", parent, over, message: "Edit", files: [{ path: "a.txt", text }] }));
    const sha = await write("two", await write("one"));
    expect(await head("recheck/x")).toBe(sha);
    expect(await hub.text("a.txt", "recheck/x")).toBe("two");
    expect(await hub.text("README.md", sha)).toBe(await hub.text("README.md", parent));
    // The work of somebody else stays there.
    expect(await write("three")).toBe("undefined");
    expect(await head("recheck/x")).toBe(sha);
    await hub.deleteBranch("recheck/x");
    await hub.deleteBranch("recheck/x");
    expect(await hub.commit("recheck/x")).toBeUndefined();
  });
});

test("several files are read and written with one listing of each folder, and one of the commit", async () => {
  const paths = ["docs/a.md", "docs/b.md", "c.md"];
  const files = paths.map((path) => ({ path, text: `# ${path}\n` }));
  await hub.push({ branch: "main", parent: await head(), message: "Write", files });
  const parent = await head();
  const since = (from: number, what: RegExp) => local.requests.slice(from).filter(({ path }) => what.test(path)).length;
  let from = local.requests.length;
  const found = await hub.editable([...paths, "docs/none.md"], parent);
  expect([...found]).toEqual(files.map(({ path, text }) => [path, { text }]));
  expect([since(from, /\/commits\//), since(from, /\/git\/trees\//)]).toEqual([1, 2]);
  from = local.requests.length;
  await hub.push({ branch: "recheck/x", parent, message: "Edit", files });
  expect(since(from, /\/git\/trees\/./)).toBe(2);
});

test("a branch that somebody made meanwhile is theirs, and one that was moved unheard is ours", async () => {
  const [branch, parent] = ["recheck/x", await head()];
  const edit = { branch, parent, message: "Edit", files: [{ path: "a.txt", text: "ours" }] };
  const theirs = async () => {
    await local.asPerson("POST", "/git/refs", { ref: `refs/heads/${branch}`, sha: parent });
    const text = { message: "Mine", content: Buffer.from("mine").toString("base64"), branch };
    await local.asPerson("PUT", "/contents/b.txt", text);
  };
  local.fault({ match: /^GET .*\/commits\/recheck/, status: 404, when: "after" });
  expect(await hub.push({ ...edit, note: theirs })).toBeUndefined();
  expect(await hub.text("b.txt", branch)).toBe("mine");
  await hub.deleteBranch(branch);
  local.fault({ match: /^POST .*\/git\/refs$/, when: "after" });
  let made = "";
  const note = async (commit: string) => {
    made = commit;
  };
  await expect(hub.push({ ...edit, note })).rejects.toMatchObject({ kind: "lost" });
  expect(await head(branch)).toBe(made);
});

test("a pull request is opened, edited, found by its branch, and seen merged", async () => {
  const branch = "recheck/x";
  await hub.push({ branch, parent: await head(), message: "Edit", files: [{ path: "a.txt", text: "a" }] });
  expect(await hub.pullOf(branch)).toBeUndefined();
  const pull = await hub.createPull({ title: "Edit", body: "why", branch, base: "main" });
  expect(pull).toMatchObject({ state: "open", merged: false, branch, body: "why", head: await head(branch) });
  await hub.updatePull(pull.number, { body: "because" });
  expect(await hub.pullOf(branch)).toMatchObject({ number: pull.number, body: "because" });
  await local.asPerson("PUT", `/pulls/${pull.number}/merge`, {});
  expect(await hub.pull(pull.number)).toMatchObject({ state: "closed", merged: true });
  expect(await hub.text("a.txt", "main")).toBe("a");
});

test("a check run gets all its annotations, and a commit one check run", async () => {
  const commit = await head();
  const annotation = (line: number) => ({
    path: "sources.yaml",
    start_line: line,
    end_line: line,
    annotation_level: "failure",
    message: "wrong",
  });
  const annotations = [[1, 2].map(annotation), [3].map(annotation)];
  const run = { commit, conclusion: "failure", title: "3 problems", summary: "all", annotations } as const;
  await hub.check(run);
  await hub.check(run);
  expect([await hub.isChecked(commit), await hub.isChecked(commit, "report")]).toEqual([true, false]);
  const { check_runs } = await local.asPerson<{ check_runs: { id: number; conclusion: string }[] }>(
    "GET",
    `/commits/${commit}/check-runs`,
  );
  expect(check_runs).toMatchObject([{ conclusion: "failure", name: "Recheck config" }]);
  const sent = local.requests.filter(({ path, method }) => path.includes("/check-runs") && method !== "GET");
  expect(sent.map(({ method }) => method)).toEqual(["POST", "PATCH"]);
});

describe.each([
  ["before the second part arrived", "before"],
  ["before it was heard that it did", "after"],
] as const)("a check run that was begun and left, %s,", (_, when) => {
  test("is found, and completed with what it lacks", async () => {
    const commit = await head();
    const annotation = (line: number) => ({
      path: "sources.yaml",
      start_line: line,
      end_line: line,
      annotation_level: "failure",
      message: `wrong ${line}`,
    });
    const annotations = [[1, 2], [3, 4], [5]].map((lines) => lines.map(annotation));
    const run = { commit, conclusion: "failure", title: "5 problems", summary: "all", annotations } as const;
    local.fault({ match: /^PATCH .*check-runs/, when });
    await expect(hub.check(run)).rejects.toMatchObject({ kind: "lost" });
    expect(await hub.isChecked(commit)).toBe(true);
    await hub.check(run);
    const { check_runs } = await local.asPerson<{ check_runs: { id: number; status: string; conclusion: string }[] }>(
      "GET",
      `/commits/${commit}/check-runs`,
    );
    expect(check_runs).toMatchObject([{ status: "completed", conclusion: "failure", name: "Recheck config" }]);
    const told = await local.asPerson<{ check_annotations: { message: string }[] }>(
      "GET",
      `/check-runs/${check_runs[0]?.id}/annotations`,
    );
    expect(told.check_annotations.map(({ message }) => message)).toEqual([
      "wrong 1",
      "wrong 2",
      "wrong 3",
      "wrong 4",
      "wrong 5",
    ]);
    const sent = local.requests.length;
    await hub.check(run);
    expect(local.requests.slice(sent).map(({ method }) => method)).toEqual(["GET"]);
  });
});

test("a check run of somebody else's that has its name is not taken for it", async () => {
  const commit = await head();
  await local.asPerson("POST", "/check-runs", { name: "Recheck config", head_sha: commit, status: "in_progress" });
  const run = { commit, conclusion: "success", title: "Valid", summary: "all", annotations: [[]] } as const;
  expect(await hub.isChecked(commit)).toBe(false);
  await hub.check(run);
  const { check_runs } = await local.asPerson<{ check_runs: { status: string }[] }>(
    "GET",
    `/commits/${commit}/check-runs?filter=all`,
  );
  expect(check_runs.map(({ status }) => status).toSorted()).toEqual(["completed", "in_progress"]);
});

test("people's permissions are distinguished, triage from read too", async () => {
  const may = await Promise.all(["author", "reviewer", "reader", "nobody"].map((login) => hub.permission(login)));
  expect(may).toEqual(["admin", "triage", "none", "none"]);
});

test("comments are listed, and reacted to once", async () => {
  const issue = await hub.createIssue({ title: "Recheck", body: "", labels: [] });
  await local.asPerson("POST", `/issues/${issue.number}/comments`, { body: "/recheck keep" }, "reader");
  await hub.createComment(issue.number, "ours");
  const comments = await hub.commentsSince(Date.now() - 60_000);
  expect(comments).toMatchObject([
    { issue: issue.number, body: "/recheck keep", by: "reader", bot: false },
    { issue: issue.number, body: "ours", bot: true },
  ]);
  const id = comments[0]?.id ?? 0;
  await hub.react(id, "+1");
  await hub.react(id, "+1");
  expect(local.reactions).toHaveLength(1);
});

test("a closed issue says why", async () => {
  const { number } = await hub.createIssue({ title: "Recheck", body: "", labels: [] });
  await hub.updateIssue(number, { state: "closed", reason: "not_planned" });
  expect(await local.asPerson("GET", `/issues/${number}`)).toMatchObject({ state_reason: "not_planned" });
});

test("a missing permission is named", async () => {
  local.fault({ match: /git\/trees$/, status: 403, message: "Resource not accessible", when: "before" });
  const pushing = hub.push({ branch: "x", parent: await head(), message: "m", files: [{ path: "a", text: "" }] });
  await expect(pushing).rejects.toMatchObject({
    kind: "forbidden",
    message: 'the token or App may not write to the branch x in example/report (403): it needs "contents: write"',
  });
});

test("if GitHub lists only some files of a huge repository, none that matters is missed", async () => {
  const blob = (path: string) => ({ path, mode: "100644", type: "blob", sha: path, size: 1 });
  const folder = (path: string, sha: string) => ({ path, mode: "040000", type: "tree", sha });
  const trees: Record<string, object[]> = {
    root: [folder(".github", "g"), folder("lib", "l"), blob("sources.yaml"), folder("triggers", "t")],
    g: [folder("recheck", "r"), folder("workflows", "w")],
    r: [blob("sources.yaml"), folder("triggers", "t")],
    t: [blob("a.yaml")],
  };
  const call: Call = async (_, __, { tree_sha, recursive }, schema) =>
    schema.parse(recursive ? { tree: [], truncated: true } : { tree: trees[String(tree_sha)] });
  const listed = await filesOf(call).tree("root");
  expect(listed.whole).toBe(false);
  expect(listed.files.map(({ path }) => path).toSorted()).toEqual([
    ".github/recheck/sources.yaml",
    ".github/recheck/triggers/a.yaml",
    "sources.yaml",
    "triggers/a.yaml",
  ]);
});

describe("a list of many pages", () => {
  /** `gone`: one that is taken out once the first page was read. */
  const reached = (count: number, gone?: number) => {
    let pages = 0;
    const json = (body: object, status = 200) =>
      new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
    const fetch: typeof globalThis.fetch = async (input) => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      if (url.pathname.endsWith("/access_tokens")) {
        return json({ token: "t", expires_at: new Date(Date.now() + 3_600_000).toISOString(), permissions: {} }, 201);
      }
      const first = 100 * (Number(url.searchParams.get("page")) - 1);
      const isGone = gone !== undefined && pages > 0;
      const total = isGone ? count - 1 : count;
      pages += 1;
      const repositories = Array.from({ length: Math.min(100, total - first) }, (_, i) => {
        const id = first + i + (isGone && first + i >= gone ? 1 : 0);
        return { id, full_name: `example/report-${id}`, archived: false, fork: false, private: false };
      });
      return json({ total_count: total, repositories });
    };
    const auth = { appId: local.app.id, privateKey: local.app.privateKey };
    const options = { auth, baseUrl: "http://127.0.0.1", clock, patience: false, fetch } as const;
    return createInstallations(options, installationCredentials(options)).repositories(1);
  };

  test("is read to its end: an item that it does not hold counts as gone", async () => {
    expect(await reached(5_300)).toHaveLength(5_300);
  });

  test("holds what moves to an earlier page as another one is taken out meanwhile", async () => {
    const found = await reached(250, 50);
    expect(found.map(({ id }) => id)).toContain(100);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  test("that does not end is a problem, and gives nothing", async () => {
    await expect(reached(100_100)).rejects.toThrow("GitHub lists more than 100000 of what the App may reach");
  });
});
