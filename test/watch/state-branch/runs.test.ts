import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { markOf } from "../../../src/recheck/issue/marker.ts";
import { openStored } from "../../../src/wire/stores.ts";
import { recheckHere } from "../../support/command.ts";
import { startProgram } from "../../support/program.ts";
import { branch, lock, type Report, startReport } from "./workflow.ts";

let report: Report;
beforeAll(async () => {
  report = await startReport("alpha", "beta");
});
afterAll(() => report.close());

/** What a machine remembers, without what depends on the moment. */
async function remembered(data: string) {
  const { store, close } = await openStored({ data, repo: report.github.repo });
  const firings = (await store.firings()).map(({ trigger, event, weight, recheck }) => ({
    trigger,
    key: event.key,
    weight,
    recheck,
  }));
  const rechecks = (await store.rechecks()).map(({ trigger, state, issue }) => ({ trigger, state, issue }));
  const watches = (await store.watches()).map(({ source, checks, unknown, hash }) => ({
    source,
    checks,
    unknown,
    hash,
  }));
  await close();
  return { firings, rechecks, watches };
}

const openOf = async (trigger: string) =>
  (await report.issues()).filter(({ state, body }) => state === "open" && markOf(body)?.trigger === trigger);
const isGone = async (name: string): Promise<boolean> => (await report.commits(name)).length === 0;

describe("runs one after the other, each on a clean disk", () => {
  test("ask once, and remember as one machine would", async () => {
    report.lists.add("alpha", "one");
    const first = await report.run();
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining("there was no branch recheck-state yet") });
    const disk = report.environment().RECHECK_DATA ?? "";
    const second = await report.run({ data: disk });
    expect(second.code).toBe(0);
    expect(second.out).not.toContain("opened");
    report.lists.add("beta", "two", true);
    const last = report.environment().RECHECK_DATA ?? "";
    expect((await report.run({ data: last })).out).toContain("opened   #2 beta, new entry");
    const { firings, rechecks, watches } = await remembered(last);
    expect(firings.map(({ key, recheck }) => [key, recheck])).toEqual([
      [expect.stringContaining("one"), 1],
      [expect.stringContaining("two"), 2],
    ]);
    expect(rechecks).toEqual([
      { trigger: "alpha", state: "open", issue: 1 },
      { trigger: "beta", state: "open", issue: 2 },
    ]);
    expect(watches.map(({ source, checks }) => [source, checks]).sort()).toEqual([
      ["alpha", 3],
      ["beta", 3],
    ]);
    expect(await report.issues()).toHaveLength(2);
  });

  test("leave one commit each, the lock gone, and none if nothing was due", async () => {
    const before = await report.commits(branch);
    expect(before).toHaveLength(3);
    expect(await isGone(lock)).toBe(true);
    expect((await report.run({ all: false })).out).toContain("no source was due");
    expect(await report.commits(branch)).toEqual(before);
    const state = JSON.parse(String(await report.file(branch, "state.json")));
    expect(state).toMatchObject({ format: 1, recheck: "0.1.0", repository: 1, commits: 3 });
    expect(String(await report.file(branch, "README.md"))).toContain("You may delete the branch `recheck-state`");
  });

  test("begin a new history after fifty commits, with the whole memory", async () => {
    const paper = JSON.parse(String(await report.file(branch, "state.json")));
    await report.push(branch, { "state.json": JSON.stringify({ ...paper, commits: 50 }) });
    expect((await report.run()).code).toBe(0);
    expect(await report.commits(branch)).toHaveLength(1);
    expect(JSON.parse(String(await report.file(branch, "state.json")))).toMatchObject({ commits: 1 });
    const again = await report.run();
    expect(again.code).toBe(0);
    expect(again.out).not.toContain("opened");
    expect(await report.commits(branch)).toHaveLength(2);
  });

  test("take a copy and give nothing back with --dry-run", async () => {
    const before = await report.commits(branch);
    report.lists.add("alpha", "dry");
    const disk = report.environment().RECHECK_DATA ?? "";
    const written = report.github.requests.length;
    expect((await report.run({ data: disk, dryRun: true })).out).toContain(
      "  Would update 1 recheck (--dry-run).\n    #1\n",
    );
    expect(report.github.requests.slice(written).filter(({ method }) => method !== "GET")).toEqual([]);
    expect(readdirSync(disk)).toEqual([]);
    expect(await report.commits(branch)).toEqual(before);
    expect((await restored(disk)).code).toBe(0);
    expect((await remembered(disk)).rechecks).toHaveLength(2);
    expect((await report.run()).out).toContain("updated  #1");
  });
});

/** Puts the store of the branch onto a disk. */
function restored(disk: string) {
  const env = { ...report.environment(), RECHECK_DATA: disk };
  return recheckHere(["restore", "--state-branch", branch, "--config", report.folder], env);
}

describe("real processes", () => {
  const scanning = (run: { id: number; attempt?: number }) =>
    startProgram(["scan", "--all", "--config", report.folder, "--state-branch", branch], report.environment(run));
  const asked = (pattern: RegExp, from: number) =>
    report.github.requests.slice(from).some(({ method, path }) => pattern.test(`${method} ${path}`));
  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await sleep(10);
  }

  test("that overlap: the second waits, takes the first one's results, and asks nothing again", async () => {
    for (const number of [1, 2]) await report.github.asPerson("PATCH", `/issues/${number}`, { state: "closed" });
    expect((await report.run()).code).toBe(0);
    const before = await report.commits(branch);
    report.lists.add("alpha", "both");
    report.lists.add("beta", "both", true);
    const release = report.lists.hold();
    const from = report.github.requests.length;
    const first = scanning({ id: 901 });
    await until(() => asked(/^POST .*\/git\/refs$/, from));
    const second = scanning({ id: 902 });
    await new Promise((resolve) => second.process.stderr?.once("data", resolve));
    release();
    const [one, two] = await Promise.all([first.ended, second.ended]);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(two.err).toMatch(/^run 901 has locked the store on recheck-state, until .* at the latest; waiting for it\n/);
    expect(one.out).toMatch(/opened {3}#3 [\s\S]*opened {3}#4 /);
    expect(two.out).not.toContain("opened");
    expect(await report.commits(branch)).toHaveLength(before.length + 2);
    expect(await openOf("alpha")).toHaveLength(1);
    expect(await openOf("beta")).toHaveLength(1);
  });

  test("that are killed between the journal and giving back: the next one goes on from the plan", async () => {
    for (const number of [3, 4]) await report.github.asPerson("PATCH", `/issues/${number}`, { state: "closed" });
    expect((await report.run()).code).toBe(0);
    const before = await report.commits(branch);
    report.lists.add("alpha", "killed");
    report.lists.add("beta", "killed", true);
    report.github.fault({ match: /^POST .*\/issues$/, when: "after", hold: "until-mended" });
    const from = report.github.requests.length;
    const torn = scanning({ id: 903 });
    await until(() => asked(/^POST .*\/issues$/, from));
    torn.process.kill("SIGKILL");
    await torn.ended;
    report.github.mend();
    expect(await report.commits(branch)).toEqual(before);
    expect((await report.commits(lock)).map(({ message }) => message)).toEqual([
      "Journal of run 903",
      "Lock for run 903",
    ]);

    // Another try of the same run may come before GitHub has carried out what was sent last, and then waits with it.
    const soon = await report.run({ id: 903, attempt: 2 });
    expect(soon.out).toContain("an earlier run was interrupted: this run continued its plan");
    expect(soon.out).toMatch(/opened {3}#5 [^\n]*[\s\S]*waits {4}issue of/);
    // An hour later the rest is asked, from what that try gave back.
    const hour = () => Date.now() + 3_600_000;
    expect((await report.run({ at: hour })).out).toContain("opened   #6 ");
    expect(await openOf("alpha")).toHaveLength(1);
    expect(await openOf("beta")).toHaveLength(1);
    expect(await isGone(lock)).toBe(true);
    expect((await report.run({ at: hour })).out).not.toMatch(/opened|updated|comment /);
  });
});
