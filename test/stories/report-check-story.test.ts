import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import { openWeb, page, prose } from "../faces/cli/add/web.ts";
import { endInstance, headOf, type Instance, startInstanceWith } from "../support/instance.ts";

/** Pull requests that change a report, and the pages that its sentences cite. */

const day = 86_400_000;
const answers: Record<string, ReturnType<typeof page> & { status?: number; meanwhile?: () => void }> = {};
let web: Awaited<ReturnType<typeof openWeb>>;
let it: Instance;

/** Thirteen machines, each with a page of its own that tells its memory and its price. */
const machines = "Amber Birch Cedar Delta Ember Fjord Grove Heath Inlet Juniper Kestrel Larch Maple".split(" ");
const host = (name: string) => `${name.toLowerCase()}.example.org/spec`;
const memory = (i: number) => `${(i + 2) * 16} GB`;
const power = (i: number) => `${(i + 3) * 50} W`;
const spec = (name: string, i: number) =>
  page(
    `${name} Engine`,
    "",
    `<h1>${name} Engine</h1>${prose("the engine", 30)}<h2>Memory</h2><p>The ${name} Engine has ${memory(i)} of unified memory in all configurations sold today.</p>
     <h2>Power</h2><p>The ${name} Engine draws ${power(i)} of electric power under full load.</p>`,
  );

const references = `## References\n\n${machines.map((name, i) => `${i + 1}. ${name} Engine specification. https://${host(name)}`).join("\n")}\n`;
const report = (sentences: readonly string[]) =>
  `# State of Engines\n\n## Engines\n\n${sentences.join("\n\n")}\n\n${references}`;
const sentence = (i: number, says = memory(i)) => `The ${machines[i]} Engine has ${says} of unified memory [${i + 1}].`;
const draws = (i: number, says = power(i)) =>
  `The ${machines[i]} Engine draws ${says}\nof electric **power** under load [${i + 1}].`;

interface Run {
  readonly id: number;
  readonly name: string;
  readonly conclusion: string;
  readonly output: { readonly title: string; readonly summary: string; readonly annotations_count: number };
}
interface Note {
  readonly path: string;
  readonly start_line: number;
  readonly annotation_level: string;
  readonly message: string;
}

const runs = async (ref: string): Promise<Run[]> => {
  const { check_runs } = await it.local.asPerson<{ check_runs: Run[] }>("GET", `/commits/${ref}/check-runs?filter=all`);
  return check_runs.filter(({ name }) => name === "Recheck report");
};
const notes = async ({ id }: Run): Promise<string[]> => {
  const { check_annotations: all } = await it.local.asPerson<{ check_annotations: Note[] }>(
    "GET",
    `/check-runs/${id}/annotations`,
  );
  return all.map(({ path, start_line, message }) => `${path}:${start_line} ${message}`);
};
const open = async (name: string, files: Record<string, string | undefined>): Promise<void> => {
  await it.local.asPerson("POST", "/git/refs", { ref: `refs/heads/${name}`, sha: await headOf(it, "main") });
  await it.commit(files, name);
  await it.local.asPerson("POST", "/pulls", { title: name, head: name, base: "main" });
  await it.settled();
};
/** Deliveries that are not worked off yet. */
const waiting = async (): Promise<number> => {
  const database = await openStore(join(it.folder, "data", "recheck.sqlite"), { readonly: true });
  try {
    return (await database.registry.deliveries()).length;
  } finally {
    await database.close();
  }
};
/** Tells of the new head of a pull request's branch. */
const moved = async (branch: string, number: number): Promise<void> => {
  const { id } = await it.local.asPerson<{ id: number }>("GET", "");
  const head = { ref: branch, sha: await headOf(it, branch), repo: { id } };
  const repository = { id, full_name: it.local.repo, private: false };
  const pull_request = { number, merged: false, head, base: { ref: "main" } };
  await it.local.send("pull_request", { action: "synchronize", repository, pull_request });
};
const config = (more = ""): Record<string, string> => ({
  ...it.config(),
  "sources.yaml": (it.config()["sources.yaml"] ?? "").replace("05-16 }", `05-16, text: README.md${more} }`),
});

beforeEach(async () => {
  for (const key of Object.keys(answers)) delete answers[key];
  for (const [i, name] of machines.entries()) answers[host(name)] = spec(name, i);
  web = await openWeb(answers);
  it = await startInstanceWith({ web }, "alpha");
  await it.serve({ ...config(), "README.md": report(["Engines are compared here."]) });
});

afterEach(async () => {
  await endInstance(it);
  await web.close();
});

test("six wrong figures among twenty right ones are annotated on their lines, and nothing is blocked", async () => {
  const wrong = [2, 5, 8];
  const said = machines.flatMap((_, i) => [
    sentence(i, wrong.includes(i) ? "999 GB" : memory(i)),
    draws(i, wrong.includes(i + 1) ? "77 W" : power(i)),
  ]);
  const text = report(said);
  await open("figures", { "README.md": text });
  const [run, ...more] = await runs("figures");
  if (!run) throw new Error("no check run");
  expect(more).toEqual([]);
  expect([run.conclusion, run.output.title]).toEqual(["neutral", "6 findings in what this changes"]);
  expect(run.output.summary).toContain("26 changed sentences with citations; 13 cited pages read: 6 findings.");
  const lines = text.split("\n");
  const expected = wrong.flatMap((i) => [
    `README.md:${lines.findIndex((line) => line.startsWith(`The ${machines[i - 1]} Engine draws 77 W`)) + 1} The page says ${power(i - 1)}, under “Power”; the report says 77 W (https://${host(machines[i - 1] ?? "")})`,
    `README.md:${lines.findIndex((line) => line.startsWith(`The ${machines[i]} Engine has 999 GB`)) + 1} The page says ${memory(i)}, under “Memory”; the report says 999 GB (https://${host(machines[i] ?? "")})`,
  ]);
  expect(await notes(run)).toEqual(expected);

  // It is told once, also by the daily sweep.
  const asked = web.asked.length;
  it.pass(day);
  await it.run();
  expect(await runs("figures")).toHaveLength(1);
  expect(web.asked.slice(asked).filter((address) => address.endsWith("/spec"))).toEqual([]);

  // A correction is read on its own head.
  const right = wrong.reduce((all, i) => all.replace("999 GB", memory(i)).replace("77 W", power(i - 1)), text);
  await it.commit({ "README.md": right }, "figures");
  await moved("figures", 1);
  await it.settled();
  expect(await runs("figures")).toMatchObject([
    { conclusion: "success", output: { title: "No contradiction of a cited page", annotations_count: 0 } },
  ]);
});

test("a chapter's keys and numbers are those of the lists that the pull request leaves alone", async () => {
  const lists = {
    "refs.bib": `@misc{amber,\n  title = {Amber Engine specification},\n  url = {https://${host("Amber")}}\n}\n`,
    "report/references.md": `# References\n\n1. Amber. https://${host("Amber")}\n2. Birch Engine specification. https://${host("Birch")}\n`,
  };
  const inUse = { "sources.yaml": config()["sources.yaml"]?.replace("README.md", "report/memory.md") };
  await it.commit({ ...lists, ...inUse, "report/memory.md": "# Memory\n\nEngines are compared here.\n" });
  await it.run();
  const keyed = sentence(0, "999 GB").replace("[1]", "[see @amber, p. 3]");
  await open("chapter", { "report/memory.md": `# Memory\n\n${keyed}\n\n${sentence(1, "888 GB")}\n` });
  const [run] = await runs("chapter");
  if (!run) throw new Error("no check run");
  expect(await notes(run)).toEqual([
    `report/memory.md:3 The page says ${memory(0)}, under “Memory”; the report says 999 GB (https://${host("Amber")})`,
    `report/memory.md:5 The page says ${memory(1)}, under “Memory”; the report says 888 GB (https://${host("Birch")})`,
  ]);
});

test("if the check is required, it fails, and is there for pull requests that do not touch the report", async () => {
  await it.commit(config(", check: required"));
  await it.run();
  await open("wrong", { "README.md": report([sentence(0, "999 GB")]) });
  await open("other", { "other.txt": "More." });
  expect(await runs("wrong")).toMatchObject([{ conclusion: "failure", output: { annotations_count: 1 } }]);
  expect(await runs("other")).toMatchObject([
    { conclusion: "success", output: { title: "No sentence with a citation is changed" } },
  ]);
});

test("a pull request that does not touch the report has no such check, and nothing is fetched for it", async () => {
  const asked = web.asked.length;
  await open("other", { "other.txt": "More." });
  expect([await runs("other"), web.asked.slice(asked)]).toEqual([[], []]);
});

test("a pull request that moves or deletes the report without its name in config is warned once, and else not", async () => {
  const text = report(["Engines are compared here."]);
  await open("moved", { "README.md": undefined, "engines.md": text });
  await open("deleted", { "README.md": undefined });
  const named = { "sources.yaml": config()["sources.yaml"]?.replace("README.md", "engines.md") };
  await open("named", { ...named, "README.md": undefined, "engines.md": text });
  const says = async (branch: string) => (await runs(branch)).map(({ output }) => output.summary.split("- ")[1]);
  const end = "Name the report's file there in the same pull request.";
  expect(await says("moved")).toEqual([
    `\`sources.yaml\` report.text names README.md, which this moves to engines.md. ${end}`,
  ]);
  expect(await says("deleted")).toEqual([`\`sources.yaml\` report.text names README.md, which this deletes. ${end}`]);
  expect(await says("named")).toEqual([]);
});

test("a dead citation is annotated; of pages that cannot be read nothing is said but why", async () => {
  const [dead = "", wall = "", login = "", down = ""] = machines;
  Object.assign(answers, {
    [host(dead)]: { status: 404, body: "<title>Not found</title>" },
    [host(wall)]: { status: 403, headers: { "cf-mitigated": "challenge" }, body: "<title>Just a moment...</title>" },
    [host(login)]: page("Sign in", "", `<form action="/login"><input type="password"></form>`),
    [host(down)]: { status: 503, body: "later" },
  });
  await open("dead", { "README.md": report([0, 1, 2, 3].map((i) => sentence(i, "999 GB"))) });
  const [run] = await runs("dead");
  if (!run) throw new Error("no check run");
  expect(run.output.title).toBe("1 finding in what this changes");
  expect(await notes(run)).toEqual([
    expect.stringMatching(/^README\.md:5 Amber Engine specification .* was not found/),
  ]);
  for (const name of [wall, login, down]) expect(run.output.summary).toContain(`\`https://${host(name)}\``);
});

test("a fork's text is read in the sandbox, and its config changes nothing", async () => {
  const { local } = it;
  type Sha = { readonly sha: string };
  const { object } = await local.asPerson<{ object: Sha }>("GET", "/git/ref/heads/main");
  const { tree } = await local.asPerson<{ tree: Sha }>("GET", `/git/commits/${object.sha}`);
  const files = {
    "README.md": report([sentence(1, "999 GB"), "<script>@everyone</script> “[x](y) @someone #1” [2]"]),
    "sources.yaml": config(", check: required")["sources.yaml"]?.replace("README.md", "other.md"),
  };
  const entries = Object.entries(files).map(([path, content]) => ({ path, mode: "100644", type: "blob", content }));
  const made = await local.asPerson<Sha>("POST", "/git/trees", { base_tree: tree.sha, tree: entries });
  const commit = { message: "Propose", tree: made.sha, parents: [object.sha] };
  const { sha } = await local.asPerson<Sha>("POST", "/git/commits", commit);
  const { id } = await local.asPerson<{ id: number }>("GET", "");
  const pull_request = { number: 78, merged: false, head: { ref: "x", sha, repo: { id: 9 } }, base: { ref: "main" } };
  const repository = { id, full_name: local.repo, private: false };
  await local.send("pull_request", { action: "opened", repository, pull_request });
  await it.settled();
  const [run] = await runs(sha);
  if (!run) throw new Error("no check run");
  expect(run.conclusion).toBe("neutral");
  expect(await notes(run)).toEqual([
    expect.stringContaining("The page says 48 GB, under “Memory”; the report says 999 GB"),
  ]);
});

test("of a report beyond the limit one part is checked, and the rest is reported", async () => {
  const long = "Nothing of this is cited, however long it goes on and on and on.\n\n".repeat(17_000);
  await open("long", { "README.md": `${report([sentence(0, "999 GB")])}\n## More\n\n${long}` });
  const [run] = await runs("long");
  if (!run) throw new Error("no check run");
  expect(run.output.summary).toContain("`README.md` is longer than the limit for reports.");
  expect(await notes(run)).toEqual([
    expect.stringMatching(/^README\.md:5 The page says 32 GB, .*; the report says 999 GB/),
  ]);
});

test("more than fifty findings take more than one request, and keep the order of their lines", async () => {
  const said = machines.flatMap((_, i) => [901, 902, 903, 904, 905].map((much) => sentence(i, `${much} GB`)));
  await open("many", { "README.md": report(said) });
  const [run] = await runs("many");
  if (!run) throw new Error("no check run");
  const sent = it.local.requests
    .filter(({ method, path }) => method !== "GET" && path.includes("/check-runs"))
    .map(({ body }) => (body as { output: { annotations: Note[] } }).output.annotations);
  expect(sent.map((notes) => notes.length)).toEqual([50, 15]);
  const lines = sent.flat().map(({ start_line }) => start_line);
  expect(lines).toEqual(lines.toSorted((a, b) => a - b));
  expect(run.output.title).toBe("65 findings in what this changes");
});

test("of a branch that is pushed to while it is checked, the last head is checked next", async () => {
  const cites = (much: string) => ({ "README.md": report([`The Nimbus Engine has ${much} of memory [99].`]) });
  const sources = config()["sources.yaml"] ?? "";
  await it.commit({ "sources.yaml": sources.replace("item: {", "cites: [99], item: {") });
  await it.run();
  const asked = it.lists.asked.length;
  const release = it.lists.hold();
  const heads: string[] = [];
  await it.local.asPerson("POST", "/git/refs", { ref: "refs/heads/often", sha: await headOf(it, "main") });
  await it.commit(cites("1 GB"), "often");
  const { number } = await it.local.asPerson<{ number: number }>("POST", "/pulls", {
    title: "often",
    head: "often",
    base: "main",
  });
  heads.push(await headOf(it, "often"));
  await expect.poll(() => it.lists.asked.length).toBeGreaterThan(asked);
  for (const much of ["2 GB", "3 GB"]) {
    await it.commit(cites(much), "often");
    heads.push(await headOf(it, "often"));
    await moved("often", number);
  }
  await it.local.settled();
  await expect.poll(waiting).toBe(0);
  release();
  await it.settled();
  const counts = await Promise.all(heads.map(async (head) => (await runs(head)).length));
  expect(counts).toEqual([1, 0, 1]);
});

test("text of a page is plain text in all output", async () => {
  const [name = ""] = machines;
  const hostile = `Memory \u202e\u200b&lt;img src=x&gt; @everyone [x](https://evil.example)`;
  answers[host(name)] = page(
    `${name} Engine`,
    "",
    `<h1>${name} Engine</h1>${prose("the engine", 30)}<h2>${hostile}</h2><p>The ${name} Engine has ${memory(0)} of unified memory.</p>`,
  );
  await open("hostile", { "README.md": report([sentence(0, "999 GB")]) });
  const [run] = await runs("hostile");
  if (!run) throw new Error("no check run");
  const [note = ""] = await notes(run);
  expect(note).toContain("The page says 32 GB, under “Memory");
  expect(note).not.toMatch(/[\u202e\u200b]/);
  expect(JSON.stringify(run.output.summary)).not.toContain("@everyone");
});

test("a check that is asked for again is made again, once", async () => {
  await open("again", { "README.md": report([sentence(0, "999 GB")]) });
  const { id } = await it.local.asPerson<{ id: number }>("GET", "");
  const repository = { id, full_name: it.local.repo, private: false };
  const head_sha = await headOf(it, "again");
  answers[host(machines[0] ?? "")] = spec(machines[0] ?? "", 0);
  const check_run = { head_sha, name: "Recheck report", external_id: "recheck" };
  await it.local.send("check_run", { action: "rerequested", repository, check_run });
  await it.settled();
  expect(await runs("again")).toMatchObject([{ conclusion: "neutral" }, { conclusion: "neutral" }]);
  const { check_runs } = await it.local.asPerson<{ check_runs: Run[] }>("GET", "/commits/again/check-runs?filter=all");
  expect(check_runs.every(({ name }) => name === "Recheck report")).toBe(true);
});

test("a chapter of the report's book is checked, and a page beside the book is not", async () => {
  await it.commit({ "mkdocs.yml": "site_name: Engines\ndocs_dir: .\nnav: [README.md, more.md]\n" });
  const text = `# More\n\nThe Amber Engine has 999 GB of unified memory, says [its maker](https://${host("Amber")}).\n`;
  await open("chapter", { "more.md": text, "notes.md": text });
  const [run] = await runs("chapter");
  if (!run) throw new Error("no check run");
  expect(await notes(run)).toEqual([
    expect.stringMatching(/^more\.md:3 The page says 32 GB, under “Memory”; the report says 999 GB/),
  ]);
});
