import { afterEach, beforeEach, expect, test } from "vitest";
import { endInstance, type Instance, startInstance } from "../../../support/instance.ts";

/** A fork of a report that is served: nobody there asked for anything. */

const day = 86_400_000;
const name = "example/copy";
let it: Instance;
let fork: { readonly id: number };

/** The same of the fork as `it.local.asPerson` does of the report. */
const asPerson = <T>(method: string, path: string, body?: unknown) =>
  it.local.asPerson<T>(method, `/../copy${path}`, body);

beforeEach(async () => {
  it = await startInstance("alpha", "beta");
  await it.commit(it.config());
});

afterEach(() => endInstance(it));

async function makeFork(): Promise<void> {
  fork = await it.local.asPerson("POST", "/forks", { organization: "example", name: "copy" });
  it.local.reach(it.local.repo, name);
}

/** As a person's push would. */
async function commit(path: string, text: string, branch?: string): Promise<void> {
  const content = Buffer.from(text).toString("base64");
  await asPerson("PUT", `/contents/${path}`, { message: `Write ${path}`, content, ...(branch && { branch }) });
}

/** What is written to the fork, and what stands there that anybody could read. */
async function isQuiet(): Promise<void> {
  const written = it.local.requests.filter(
    ({ method, path }) => method !== "GET" && path.toLowerCase().startsWith(`/repos/${name}`),
  );
  expect(written.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  const { object } = await asPerson<{ object: { sha: string } }>("GET", "/git/ref/heads/main");
  expect(await asPerson("GET", "/issues?state=all")).toEqual([]);
  expect(await asPerson("GET", "/pulls?state=all")).toEqual([]);
  expect(await asPerson("GET", `/commits/${object.sha}/check-runs`)).toMatchObject({ total_count: 0 });
}

const isServed = async () => {
  const issues = await it.local.asPerson<{ title: string }[]>("GET", "/issues?state=all");
  expect(issues.map(({ title }) => title)).toContain("Recheck overview");
};

test("that comes with the installation gets no pull request, issue or check run, after any push", async () => {
  await makeFork();
  await asPerson("PUT", "/contents/report.md", {
    message: "Write a report",
    content: Buffer.from("# A report\n\n1. https://docs.example.org/spec\n2. https://example.net/news\n").toString(
      "base64",
    ),
  });
  await it.serve();
  await it.local.send("installation_repositories", {
    action: "added",
    repositories_added: [{ id: fork.id, full_name: name, private: false }],
  });
  await it.run();
  await isQuiet();
  for (const [path, text] of Object.entries(it.config())) await commit(path, text);
  it.lists.add("alpha", "one");
  it.pass(2 * day);
  await it.run();
  await isQuiet();
  await isServed();
  expect(it.log()).toContain("example/copy is a fork, and is not served");
});

test("that was made after the installation gets none either, though a push to it is the first that is reported", async () => {
  await it.serve();
  await makeFork();
  await commit("sources.yaml", "report: { titel: A copy }\n");
  await it.settled();
  await commit("triggers/broken.yaml", "name: [\n");
  await it.run();
  await isQuiet();
  await isServed();
});

test("gets no answer to commands, and no check of a pull request within it", async () => {
  await it.serve();
  await makeFork();
  const { object } = await asPerson<{ object: { sha: string } }>("GET", "/git/ref/heads/main");
  await asPerson("POST", "/git/refs", { ref: "refs/heads/mine", sha: object.sha });
  await commit("sources.yaml", "report: { titel: A copy }\n", "mine");
  const pull = await asPerson<{ number: number }>("POST", "/pulls", { title: "Mine", head: "mine", base: "main" });
  await asPerson("POST", `/issues/${pull.number}/comments`, { body: "/recheck help" });
  await it.run();
  it.pass(2 * day);
  await it.run();
  expect(it.local.requests.filter(({ method, path }) => method !== "GET" && path.includes("/copy/"))).toEqual([]);
  expect(await asPerson("GET", `/issues/${pull.number}/comments`)).toHaveLength(1);
});
