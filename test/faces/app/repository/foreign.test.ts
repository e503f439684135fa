import { afterEach, beforeEach, expect, test } from "vitest";
import type { LocalGitHub } from "../../../github/server.ts";
import { expectTime } from "../../../support/expect-time.ts";
import { type Instance, startInstance } from "../../../support/instance.ts";
import { processorTime } from "../../../support/processor-time.ts";

let it: Instance;
beforeEach(async () => {
  it = await startInstance("alpha", "beta");
  await it.serve(it.config());
});
afterEach(async () => {
  await it.close();
});

interface Check {
  readonly conclusion: string;
  readonly output: { readonly title: string; readonly summary: string };
}

/** A commit of another repository, which GitHub keeps with ours once a pull request proposes it. */
async function fork(files: Readonly<Record<string, string>>, mode = "100644"): Promise<string> {
  const { local } = it;
  type Sha = { readonly sha: string };
  const { object } = await local.asPerson<{ object: Sha }>("GET", "/git/ref/heads/main");
  const { tree: base } = await local.asPerson<{ tree: Sha }>("GET", `/git/commits/${object.sha}`);
  const blob = { mode, type: "blob" };
  const tree = Object.entries(files).map(([path, content]) => ({ path, ...blob, content }));
  const made = await local.asPerson<Sha>("POST", "/git/trees", { base_tree: base.sha, tree });
  const commit = { message: "Propose", tree: made.sha, parents: [object.sha] };
  return (await local.asPerson<Sha>("POST", "/git/commits", commit)).sha;
}

/** Its pull request is opened, and what came of that is done. */
async function propose(sha: string, action = "opened"): Promise<void> {
  const { id } = await it.local.asPerson<{ id: number }>("GET", "");
  const head = { ref: "proposal", sha, repo: { id: 999_999 } };
  await it.local.send("pull_request", {
    action,
    repository: { id, full_name: it.local.repo, private: false },
    pull_request: { number: 78, merged: false, head },
  });
  await it.settled();
}

async function checksOf(sha: string): Promise<Check[]> {
  return (await it.local.asPerson<{ check_runs: Check[] }>("GET", `/commits/${sha}/check-runs`)).check_runs;
}

const since = (from: number): LocalGitHub["requests"] => it.local.requests.slice(from);
const reads = (from: number) => since(from).filter(({ path }) => path.includes("/contents/"));

test("the config of a fork's pull request is checked on its head, fetches nothing and is never in use", async () => {
  const { "sources.yaml": own = "" } = it.config();
  const sha = await fork({
    "sources.yaml": own.replace(/\nsources:/, "\nsources:\n  gamma: { page: http://127.0.0.1:2/gamma }"),
  });
  const before = { github: it.local.requests.length, lists: it.lists.asked.length };
  const inUse = await it.stored(async (_, state) => state?.config?.commit);
  await propose(sha);
  expect(await checksOf(sha)).toMatchObject([
    { conclusion: "success", output: { title: expect.stringContaining("1 source added") } },
  ]);
  expect(it.lists.asked.length).toBe(before.lists);
  // One file is another one than is in use: no other is read.
  expect(reads(before.github)).toHaveLength(1);
  it.pass(2 * 86_400_000);
  await it.run();
  const after = await it.stored(async (store, state) => ({
    commit: state?.config?.commit,
    watches: (await store.watches()).map(({ source }) => source),
  }));
  expect(after.commit).toBe(inUse);
  expect(after.watches).not.toContain("gamma");
  expect(await checksOf(sha)).toHaveLength(1);
});

test("a mistake in it is reported, and nothing of it if it is closed", async () => {
  const sha = await fork({ "triggers/wrong.yaml": "name: Wrong\nratings: [speed]\nonn: []\n" });
  await propose(sha, "closed");
  expect(await checksOf(sha)).toEqual([]);
  await propose(sha, "reopened");
  expect(await checksOf(sha)).toMatchObject([
    { conclusion: "failure", output: { summary: expect.stringContaining('unknown key "onn"') } },
  ]);
});

test("too many files are not read, and the check run says so", async () => {
  const trigger = "name: More\nratings: [speed]\non: [{ item: alpha }]\n";
  const names = Array.from({ length: 120 }, (_, i) => `triggers/x${String(i).padStart(3, "0")}.yaml`);
  const sha = await fork(Object.fromEntries(names.map((name) => [name, trigger])));
  const before = it.local.requests.length;
  await propose(sha);
  expect(await checksOf(sha)).toMatchObject([
    { conclusion: "failure", output: { summary: expect.stringContaining("the limit is 100") } },
  ]);
  expect(reads(before)).toEqual([]);
  expect(since(before).length).toBeLessThan(10);
});

test("file read through a parser: a link is not followed: its target may have any size", async () => {
  const sha = await fork({ "triggers/link.yaml": "../huge.yaml" }, "120000");
  const before = it.local.requests.length;
  await propose(sha);
  expect(await checksOf(sha)).toMatchObject([
    {
      conclusion: "failure",
      output: { summary: expect.stringContaining("`triggers/link.yaml:1:1` a symbolic link") },
    },
  ]);
  expect(reads(before)).toEqual([]);
});

test("a megabyte of patterns is not compiled: the check run says what is too much", async () => {
  let text = "name: x\nratings: [speed]\non:\n";
  for (let i = 0; text.length < 990_000; i++) text += `  - { item: alpha, matches: '(a|b){1,9}[^x]*${i}' }\n`;
  const sha = await fork({ "triggers/many.yaml": text });
  await propose(sha);
  expect(await checksOf(sha)).toMatchObject([
    { conclusion: "failure", output: { summary: expect.stringContaining("is one pattern too many") } },
  ]);
});

test("the largest config that may be takes none of the server's own time", async () => {
  let { "sources.yaml": text = "" } = it.config();
  for (let i = 0; text.length < 990_000; i++) text += `  s${i}: { page: "http://127.0.0.1:1/${i}" }\n`;
  const sha = await fork({ "sources.yaml": text });
  const before = processorTime();
  await propose(sha);
  // In this thread reading it alone takes more than a second.
  expectTime(processorTime() - before, 500);
  expect(await checksOf(sha)).toMatchObject([
    { conclusion: "success", output: { title: expect.stringContaining("sources added") } },
  ]);
});
