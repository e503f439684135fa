import { afterEach, beforeEach, expect, test } from "vitest";
import { standingSays } from "../../../../src/model/states.ts";
import { endInstance, headOf, type Instance, startInstance } from "../../../support/instance.ts";

/** The set-up of a repository with hundreds of pages. */

let it: Instance;

beforeEach(async () => {
  it = await startInstance("alpha", "beta");
});

afterEach(() => endInstance(it));

const report = () => {
  const [alpha, beta] = [...(it.config()["sources.yaml"] ?? "").matchAll(/http:[^"]+/g)].map(String);
  return `# A report\n\n## References\n\n1. Alpha. ${alpha}\n2. Beta. ${beta}\n`;
};
const pull = async () => (await it.local.asPerson<{ body: string }[]>("GET", "/pulls?state=open"))[0]?.body ?? "";
const asked = () => it.local.requests.filter(({ path }) => path.startsWith("/repos/example/report/"));

/** Commits all of them at once. */
async function push(files: Readonly<Record<string, string>>): Promise<void> {
  const head = await headOf(it, "main");
  const tree = Object.entries(files).map(([path, content]) => ({ path, mode: "100644", type: "blob", content }));
  const made = await it.local.asPerson<{ sha: string }>("POST", "/git/trees", { tree });
  const message = "Write many";
  const given = { message, tree: made.sha, parents: [head] };
  const { sha } = await it.local.asPerson<{ sha: string }>("POST", "/git/commits", given);
  await it.local.asPerson("PATCH", "/git/refs/heads/main", { sha, force: true });
}

function pages(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`docs/page${i}.md`, `# Page ${i}\n\nWords.\n`]));
}

test("costs few requests, and its pull request says what was not checked", async () => {
  await push({ ...pages(600), "docs/report.md": report() });
  await it.serve();
  const body = await pull();
  expect(body).toContain("In `docs/report.md`: 2 references");
  expect(body).toContain("- 581 more pages in Markdown or HTML were not checked: the README, ");
  // Facts, head, tree, an earlier set-up, 20 files, a date, what is written, and what is read back of it.
  expect(asked().length).toBeLessThan(50);
  const known = asked().length;
  await it.run();
  expect(asked()).toHaveLength(known);
});

test("and if GitHub does not list all files, that too", async () => {
  await push({ ...pages(30), "README.md": report() });
  it.local.list(25);
  await it.serve();
  expect(await pull()).toContain(
    "GitHub does not list all files of so large a repository: only those at its root and in",
  );
  expect(asked().length).toBeLessThan(60);
});

test("if nothing is found in the checked ones, the status says so", async () => {
  await push(pages(30));
  await it.serve();
  expect(await it.stored(async (_, state) => state && standingSays(state, 0))).toBe(
    "is served, but has no config, and no report that cites or rates anything to draft one from among the searched files",
  );
});

test("a push whose files GitHub does not list has the folders of config listed, and no other", async () => {
  await push({ ...it.config(), ...pages(300) });
  await it.serve();
  const from = it.local.requests.length;
  await push({ ...it.config(), "sources.yaml": `${it.config()["sources.yaml"]}# again\n`, ...pages(300) });
  await it.settled();
  const trees = it.local.requests
    .slice(from)
    .filter(({ method, path }) => method === "GET" && path.includes("/trees/"));
  expect(trees.length).toBeGreaterThan(0);
  expect(trees.filter(({ query }) => query.recursive !== undefined)).toEqual([]);
  expect(await it.stored(async (_, state) => state?.config?.files[0]?.text)).toMatch(/# again\n$/);
});
