import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { servedCommand, statusCommand } from "../../../../src/faces/cli/status.ts";
import type { Terminal } from "../../../../src/faces/cli/terminal.ts";
import { settingsFrom } from "../../../../src/faces/environment.ts";
import type { Settings } from "../../../../src/wire/settings.ts";
import {
  endInstance,
  headOf,
  type Instance,
  issuesOf,
  type LocalIssue,
  startInstance,
} from "../../../support/instance.ts";
import { linesOut } from "../../../support/lines-out.ts";

/** The states of the world that no config can help: what becomes of a repository in each, and where its people read of it. */

const minute = 60_000;
const day = 86_400_000;
let it: Instance;

beforeEach(async () => {
  it = await startInstance("alpha", "beta");
});

afterEach(() => endInstance(it));

interface LocalPull {
  readonly number: number;
  readonly body: string;
  readonly base: { readonly ref: string };
}
interface LocalRun {
  readonly conclusion: string;
  readonly output: { readonly title: string; readonly summary: string };
}

const issues = () => issuesOf(it);
const issueOf = async (title: string) => (await issues()).find((one) => one.title.startsWith(title));
const rechecks = async () => (await issues()).filter(({ title }) => title.includes("“About "));
const overview = async () => (await issueOf("Recheck overview"))?.body ?? "";
const pulls = () => it.local.asPerson<LocalPull[]>("GET", "/pulls?state=open");
const announced = async () => {
  const at = "/commits/main/check-runs?check_name=Recheck";
  return (await it.local.asPerson<{ check_runs: LocalRun[] }>("GET", at)).check_runs;
};
const change = (repository: object) => it.local.asPerson("PATCH", "", repository);
const standing = () => it.stored(async (_, state) => state?.standing);
const id = () => it.stored(async (_, state) => state?.id ?? 0);
const today = () => new Date(it.now()).toISOString().slice(0, 10);
const say = async (issue: number, body: string) => {
  await it.local.asPerson("POST", `/issues/${issue}/comments`, { body });
  await it.settled();
};

async function printed(command: (settings: Settings, options: object, out: Terminal) => Promise<number>, more = {}) {
  const { out, lines } = linesOut();
  await command({ ...settingsFrom(it.environment), ...more }, {}, out);
  return lines.map((line) => `${line}\n`).join("");
}

/** What an operator is told of it. */
const told = () => printed(servedCommand);

/** A repository that is served, with one recheck that asks about one rating. */
async function served(): Promise<number> {
  it.lists.add("alpha", "one");
  await it.serve(it.config());
  const [recheck] = await rechecks();
  if (!recheck) throw new Error("nothing is asked");
  return recheck.number;
}
/** Something moves, and time passes until it is seen. */
async function moves(source: string, entry: string, awaited = false): Promise<void> {
  it.lists.add(source, entry, awaited);
  it.pass(2 * day);
  await it.run();
}

test("its status needs no config on the operator's machine", async () => {
  await served();
  const empty = mkdtempSync(join(tmpdir(), "recheck-operator-"));
  const status = await printed(statusCommand, { config: empty, repo: "example/report" });
  expect(status).toMatch(/^Recheck · .*\n {2}last check /);
  expect(status).toContain("Open rechecks");
  await expect(printed(statusCommand, { config: empty, repo: "example/other" })).rejects.toThrow(
    "the server does not serve example/other: see recheck status --served",
  );
  rmSync(empty, { recursive: true });
});

describe("issues are switched off", () => {
  test("the set-up pull request warns of it, as long as it is so", async () => {
    await change({ has_issues: false });
    const [alpha, beta] = [...(it.config()["sources.yaml"] ?? "").matchAll(/http:[^"]+/g)].map(String);
    await it.serve({ "README.md": `# A report\n\n## References\n\n1. Alpha. ${alpha}\n2. Beta. ${beta}\n` });
    expect((await pulls())[0]?.body).toContain(
      "> Issues are switched off here, and Recheck asks its questions in issues",
    );
    await change({ has_issues: true });
    it.pass(day);
    await it.run();
    expect((await pulls())[0]?.body).not.toContain("Issues are switched off");
  });

  test("a check run of the default branch says that nobody can be asked, and once that they can again", async () => {
    await change({ has_issues: false });
    it.lists.add("alpha", "one");
    await it.serve(it.config());
    const title = "Issues are switched off: no issues can be opened";
    expect(await announced()).toMatchObject([{ conclusion: "action_required", output: { title } }]);
    expect(await told()).toContain("  example/report is served, but issues are switched off\n");
    expect((await announced())[0]?.output.summary).toContain("/settings), under *Features*");
    const [notice] = await announced();
    const repository = { id: await id(), full_name: it.local.repo };
    const all = () => it.local.asPerson<object>("GET", "/commits/main/check-runs?filter=all");
    const there = await all();
    await it.local.send("check_run", { action: "rerequested", repository, check_run: notice });
    await it.settled();
    expect(await all()).toEqual(there);
    const tries = () => it.local.requests.filter(({ status }) => status === 410).length;
    const before = tries();
    for (let count = 0; count < 20; count++) {
      it.pass(3 * minute);
      await it.run();
    }
    expect(tries() - before).toBeLessThan(10);
    await change({ has_issues: true });
    it.pass(60 * minute);
    await it.run();
    expect(await rechecks()).toHaveLength(1);
    expect(await announced()).toMatchObject([{ conclusion: "success", output: { title: "Recheck can ask again" } }]);
  });
});

test("archived: it rests, the log says so, and its overview does when it goes on", async () => {
  const issue = await served();
  await change({ archived: true });
  await moves("beta", "two");
  expect(await standing()).toBe("archived");
  const says = "it is archived, and continues once it is unarchived";
  expect([it.log(), await told()]).toEqual([expect.stringContaining(says), expect.stringContaining(says)]);
  const asked = it.lists.asked.length;
  await moves("beta", "three");
  expect(it.lists.asked).toHaveLength(asked);
  await change({ archived: false });
  await it.local.send("repository", { action: "unarchived", repository: { id: await id(), full_name: it.local.repo } });
  await it.run();
  expect((await rechecks()).map(({ number, state }) => [number, state])).toMatchObject([
    [issue, "open"],
    [{}, "open"],
  ]);
  expect(await overview()).toContain(`to ${today()}: the repository was archived. Changes since then are reported`);
});

test("renamed: all that is remembered comes along, and the overview says so", async () => {
  const issue = await served();
  const repository = { id: await id(), full_name: "example/renamed" };
  await it.local.rename("example/renamed");
  await it.local.send("repository", { action: "renamed", repository });
  await moves("alpha", "two", true);
  expect(await it.stored(async (store) => (await store.rechecks()).map((one) => one.issue))).toEqual([issue]);
  expect(await rechecks()).toMatchObject([{ number: issue, body: expect.stringContaining("two awaited") }]);
  expect(await overview()).toContain("This repository was `example/report` until ");
  it.pass(8 * day);
  await it.run();
  expect(await overview()).not.toContain("example/report");
});

test("the default branch has another name: config is read there, its pull requests go there, and the overview says so", async () => {
  const issue = await served();
  await say(issue, "/recheck change speed slow because it lags");
  expect(await pulls()).toMatchObject([{ base: { ref: "main" } }]);
  const sha = await headOf(it, "main");
  await it.local.asPerson("POST", "/git/refs", { ref: "refs/heads/trunk", sha });
  await change({ default_branch: "trunk" });
  await it.local.send("repository", { action: "edited", repository: { id: await id(), full_name: it.local.repo } });
  await it.settled();
  expect(await pulls()).toMatchObject([{ base: { ref: "trunk" } }]);
  expect(await overview()).toContain("The default branch is `trunk`, and was `main` until ");
  await it.push({ "triggers/beta.yaml": undefined }, "trunk");
  expect(await it.stored(async (_, state) => state?.config?.files.length)).toBe(2);
});

describe("the App is suspended", () => {
  test("nothing is done, comments from that time are read afterwards, and the overview says why", async () => {
    const issue = await served();
    await it.local.send("installation", { action: "suspend" });
    await it.settled();
    expect(it.log()).toContain("the App is suspended in the installation's settings");
    it.local.loseWebhooks(true);
    await say(issue, "/recheck keep");
    it.local.loseWebhooks(false);
    const asked = it.local.requests.length;
    it.pass(60 * minute);
    await it.run();
    expect(it.local.requests.slice(asked).filter(({ path }) => path.startsWith("/repos"))).toEqual([]);
    await it.local.send("installation", { action: "unsuspend" });
    await it.settled();
    expect(await it.stored((store) => store.answers())).toMatchObject([{ rating: "speed", verdict: "keep" }]);
    expect(await overview()).toContain(": the App was suspended. Changes since then");
  });

  test("which is seen though no webhook came", async () => {
    await served();
    it.local.expireTokens();
    const message = "This installation has been suspended";
    it.local.fault({ match: /access_tokens$/, status: 403, message, when: "before", times: 99 });
    // A quiet repository asks GitHub once a day.
    it.pass(25 * 60 * minute);
    await it.run();
    expect(await standing()).toBe("suspended");
    expect(await told()).toContain("the App is suspended in the installation's settings");
  });
});

test("uninstalled: its memory outlives it by 30 days, which the log says, and then is erased", async () => {
  const issue = await served();
  const left = async () => {
    await it.local.send("installation", { action: "deleted" });
    await it.settled();
    it.local.reach();
  };
  await left();
  const end = new Date(it.now() + 30 * day).toISOString().slice(0, 10);
  const says = `its data is erased on ${end}`;
  expect([it.log(), await told()]).toEqual([expect.stringContaining(says), expect.stringContaining(says)]);
  it.pass(29 * day);
  await it.run();
  it.local.reach(it.local.repo);
  const repositories = [{ id: await id(), full_name: it.local.repo }];
  await it.local.send("installation", { action: "created", repositories });
  await it.run();
  expect((await rechecks()).map(({ number }) => number)).toEqual([issue]);
  expect(await overview()).toContain(": the App was not installed here. Changes since then");
  await left();
  it.pass(30 * day);
  await it.run();
  expect(await it.stored(async (store, state) => [state, await store.rechecks()])).toEqual([undefined, []]);
});

test("permissions are not accepted yet: the overview names them, their purpose and place; a patch becomes a pull request at once", async () => {
  const issue = await served();
  const message = "Resource not accessible by integration";
  it.local.fault({ match: /^POST .*\/pulls$/, status: 403, message, when: "before", times: 99 });
  await say(issue, "/recheck change speed slow because it lags");
  expect(await pulls()).toEqual([]);
  const body = async () => (await rechecks())[0]?.body;
  expect(await body()).toContain(
    "GitHub has not granted `pull_requests: write`. Accept it in [the installation's settings](",
  );
  expect(await body()).toContain("+ratings: { speed: { level: slow");
  const where = `/organizations/example/settings/installations/${it.local.app.installation})`;
  expect(await overview()).toContain("**GitHub has not granted `pull_requests: write` since ");
  expect(await overview()).toContain(where);
  it.local.mend();
  await it.local.send("installation", { action: "new_permissions_accepted" });
  await it.settled();
  expect(await pulls()).toHaveLength(1);
  expect(await body()).not.toContain("GitHub has not granted");
  expect(await overview()).not.toContain("GitHub has not granted");
});

test("permissions are accepted, and no webhook came: the next day's try finds out, and the overview is as it was", async () => {
  const issue = await served();
  const message = "Resource not accessible by integration";
  it.local.fault({ match: /^POST .*\/git\/trees$/, status: 403, message, when: "before" });
  await say(issue, "/recheck change speed slow because it lags");
  expect(await overview()).toContain("**GitHub has not granted `contents: write` since ");
  it.pass(day);
  await it.run();
  expect(await pulls()).toHaveLength(1);
  expect(await overview()).not.toContain("GitHub has not granted");
});

test("a branch is protected: the issue has the edit as a patch, and GitHub's reason", async () => {
  const issue = await served();
  const message = "Repository rule violations found: Cannot create ref due to creations being restricted.";
  it.local.fault({ match: /^POST .*\/git\/refs$/, status: 422, message, when: "before", times: 99 });
  await say(issue, "/recheck change speed slow because it lags");
  expect(await pulls()).toEqual([]);
  const [recheck] = await rechecks();
  expect(recheck?.body).toContain(`A rule of this repository blocks writing to the branch \`recheck/alpha-${issue}\`.`);
  expect(recheck?.body).toContain("GitHub says: `Repository rule violations found");
  expect(recheck?.body).toContain("+ratings: { speed: { level: slow");
  it.local.mend();
  it.pass(day);
  await it.run();
  expect(await pulls()).toHaveLength(1);
});

test("config is deleted: nothing is watched, which the overview says as it is closed; it goes on once there is one again", async () => {
  const issue = await served();
  await it.push({ "sources.yaml": undefined });
  const asked = it.lists.asked.length;
  await moves("beta", "two");
  expect(it.lists.asked).toHaveLength(asked);
  expect(await issueOf("Recheck overview")).toMatchObject({
    state: "closed",
    body: expect.stringContaining("Nothing is watched any more: `main` has had no `sources.yaml` since "),
  });
  await it.commit(it.config());
  await it.run();
  const open = (await issues()).filter(({ state }) => state === "open");
  expect(open.map(({ title }) => /About \w+|Recheck overview/.exec(title)?.[0]).toSorted()).toEqual([
    "About alpha",
    "About beta",
    "Recheck overview",
  ]);
  expect((await rechecks())[0]?.number).toBe(issue);
});

test("a person deletes the overview: it is let be, and all else goes on", async () => {
  await served();
  const number = (await issueOf("Recheck overview"))?.number;
  const message = "This issue was deleted";
  it.local.fault({ match: new RegExp(`/issues/${number}$`), status: 410, message, when: "before", times: 99 });
  await moves("beta", "two");
  await moves("beta", "three");
  expect((await issues()).map(({ title }) => /About \w+|Recheck overview/.exec(title)?.[0]).toSorted()).toEqual([
    "About alpha",
    "About beta",
    "Recheck overview",
  ]);
  const wrote = it.local.requests.filter(
    ({ method, path }) => method === "PATCH" && path.endsWith(`/issues/${number}`),
  );
  expect(wrote).toEqual([]);
  expect(await announced()).toEqual([]);
});

test("a person edits within the bot's part: it is written again, the text around it stays, and the part says so", async () => {
  const issue = await served();
  const { body } = await it.local.asPerson<LocalIssue>("GET", `/issues/${issue}`);
  const says = "Recheck rewrites this section. Write above or below it.";
  expect(body).toContain(says);
  const edited = `Mine, above.\n\n${body.replace("### Evidence", "Mine, within.\n\n### Evidence")}\n\nMine, below.`;
  await it.local.asPerson("PATCH", `/issues/${issue}`, { body: edited });
  await it.settled();
  const after = (await it.local.asPerson<LocalIssue>("GET", `/issues/${issue}`)).body;
  expect(after).toBe(`Mine, above.\n\n${body}\n\nMine, below.`);
  expect(await overview()).toContain(says);
});

describe.each([
  ["much", 62_800],
  ["nearly all", 64_700],
])("people fill %s of a description", (_, count) => {
  test("theirs stays, GitHub takes it, ours says which parts it leaves out, and shows them again when there is room", async () => {
    const issue = await served();
    const body = async () => (await it.local.asPerson<LocalIssue>("GET", `/issues/${issue}`)).body;
    const edit = async (to: string) => {
      await it.local.asPerson("PATCH", `/issues/${issue}`, { body: to });
      await it.settled();
    };
    const theirs = `\n\n${"x".repeat(count)}`;
    const [mark = ""] = (await body()).split("\n", 1);
    await edit(`${mark}\n\n<!-- recheck:end -->${theirs}`);
    for (let more = 0; more < 12; more++) it.lists.add("alpha", `e${more}`);
    await moves("alpha", "last", true);
    const after = await body();
    expect(after.endsWith(theirs)).toBe(true);
    expect(after.length).toBeLessThanOrEqual(65_536);
    expect(after).toContain("Left out, because GitHub allows 65,536 characters");
    expect(it.log()).not.toContain("too long");
    await edit(after.slice(0, -theirs.length));
    expect(await body()).not.toContain("Left out");
    expect(await body()).toContain("last awaited");
  });
});
