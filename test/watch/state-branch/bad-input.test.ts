import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GitHubProblem, StateProblem } from "../../../src/model/ports/index.ts";
import { recheckHere } from "../../support/command.ts";
import { branch, lock, type Ran, type Report, startReport } from "./workflow.ts";

let report: Report;
let whole: { sha: string; database: Buffer; paper: Record<string, unknown> };
beforeAll(async () => {
  report = await startReport("alpha");
  report.lists.add("alpha", "one");
  expect((await report.run()).code).toBe(0);
  const [head] = await report.commits(branch);
  const database = await report.file(branch, "recheck.sqlite.gz");
  whole = { sha: head?.sha ?? "", database, paper: JSON.parse(String(await report.file(branch, "state.json"))) };
});
beforeEach(() => report.move(branch, whole.sha));
afterAll(() => report.close());

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const remedy = "delete the branch to start again, or move it back to an intact commit";

/** That a run was refused with this sentence, told it to the job, left the branch as it was, and the lock free. */
async function expectRefused(ran: Ran, error: typeof StateProblem | typeof GitHubProblem, says: string | RegExp) {
  expect(ran.error).toBeInstanceOf(error);
  expect(ran.error?.message).toMatch(says);
  expect(ran.summary).toContain("## Recheck: the scan failed, or was not saved completely");
  expect(ran.summary).toContain(ran.error?.message.slice(0, 60));
  expect(await report.commits(lock)).toEqual([]);
}

describe("a state branch is refused, and left as it is, when", () => {
  const other = (change: object) => JSON.stringify({ ...whole.paper, ...change });

  test.each<[string, () => Record<string, string | Buffer>, string]>([
    [
      "a newer version wrote it",
      () => ({ "state.json": other({ format: 2, news: "unknown" }) }),
      "the branch recheck-state was written by a newer Recheck (its format is 2, this program knows up to 1): update Recheck",
    ],
    [
      "state.json is cut off",
      () => ({ "state.json": '{"format": 1, "rec' }),
      `state.json on the branch recheck-state is no JSON: ${remedy}`,
    ],
    [
      "state.json is huge",
      () => ({ "state.json": `{"format": 1, "more": "${"x".repeat(70_000)}"}` }),
      `state.json on the branch recheck-state is larger than 65536 bytes: ${remedy}`,
    ],
    [
      "state.json has unexpected content",
      () => ({ "state.json": other({ sha256: "../../etc/passwd" }) }),
      `state.json on the branch recheck-state has unexpected content (sha256): ${remedy}`,
    ],
    [
      "the database is cut off",
      () => ({ "recheck.sqlite.gz": whole.database.subarray(0, whole.database.length / 2) }),
      `the store on the branch is damaged: it cannot be unpacked: ${remedy}`,
    ],
    [
      "the database is another one",
      () => ({ "recheck.sqlite.gz": gzipSync("another") }),
      "the store on the branch is damaged: its checksum differs",
    ],
    [
      "the database is none, though the fingerprint fits",
      () => ({
        "recheck.sqlite.gz": gzipSync("no database"),
        "state.json": other({ sha256: sha256(Buffer.from("no database")) }),
      }),
      "the store on the branch is damaged: its database is incomplete",
    ],
    [
      "the database has broken pages",
      () => {
        const bytes = gunzipSync(whole.database);
        bytes.fill(255, 4_096, 12_000);
        return { "recheck.sqlite.gz": gzipSync(bytes), "state.json": other({ sha256: sha256(bytes) }) };
      },
      "the store on the branch is damaged: its database is incomplete",
    ],
    [
      "the database would fill the disk",
      () => ({ "recheck.sqlite.gz": bomb() }),
      `what the branch remembers is larger than 256 MiB when unpacked: ${remedy}`,
    ],
    [
      "the database is of a newer version",
      () => {
        const bytes = newer(gunzipSync(whole.database));
        return { "recheck.sqlite.gz": gzipSync(bytes), "state.json": other({ sha256: sha256(bytes) }) };
      },
      "the store on the branch was written by a newer Recheck (its database is of version 999,",
    ],
  ])("%s", async (_, files, says) => {
    const pushed = await report.push(branch, files());
    const disk = report.environment().RECHECK_DATA ?? "";
    const checked = report.lists.asked.length;
    await expectRefused(await report.run({ data: disk }), StateProblem, says);
    expect((await report.commits(branch))[0]?.sha).toBe(pushed);
    expect(report.lists.asked).toHaveLength(checked);
  });

  /** A mebibyte of nothing, 257 times. */
  function bomb(): Buffer {
    const one = gzipSync(Buffer.alloc(2 ** 20));
    return Buffer.concat(Array.from({ length: 257 }, () => one));
  }

  function newer(bytes: Buffer): Buffer {
    const file = join(report.folder, "newer.sqlite");
    writeFileSync(file, bytes);
    const database = new DatabaseSync(file);
    database.exec("pragma user_version = 999");
    database.close();
    const changed = readFileSync(file);
    rmSync(file);
    return changed;
  }

  test("it has lost its database", async () => {
    const pushed = await report.push(branch, { "state.json": JSON.stringify(whole.paper) }, true);
    const says = /^the branch recheck-state has lost its recheck\.sqlite\.gz: delete the branch/;
    await expectRefused(await report.run(), StateProblem, says);
    expect((await report.commits(branch))[0]?.sha).toBe(pushed);
  });

  test("it is a branch of the repository's own", async () => {
    const pushed = await report.push(branch, { "index.html": "A report" }, true);
    const says = /^the branch recheck-state has no state\.json, so it is not Recheck's: name another branch/;
    await expectRefused(await report.run(), StateProblem, says);
    expect((await report.commits(branch))[0]?.sha).toBe(pushed);
  });

  test("GitHub announces more bytes than are taken", async () => {
    const between: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (!String(input).includes("/git/trees/")) return response;
      const told = (await response.json()) as { tree: { path: string; size: number }[] };
      for (const one of told.tree) if (one.path.endsWith(".gz")) one.size = 65 * 2 ** 20;
      return Response.json(told);
    };
    const says = /^recheck\.sqlite\.gz on the branch recheck-state is larger than 64 MiB/;
    await expectRefused(await report.run({ fetch: between }), StateProblem, says);
  });
});

describe("a lock", () => {
  const hour = () => Date.now() + 3_600_000;
  const paper = (change: object) => {
    const [since, until] = [new Date().toISOString(), new Date(Date.now() + 1_800_000).toISOString()];
    return { "lock.json": JSON.stringify({ format: 1, run: "77", attempt: 1, word: "w", since, until, ...change }) };
  };
  const free = () => report.move(lock);

  test("of a run that died before it planned anything is taken over once its time is over", async () => {
    await report.push(lock, paper({}), true);
    const ran = await report.run({ at: hour });
    expect(ran.code).toBe(0);
    expect(ran.out).not.toContain("Store");
    expect(await report.commits(lock)).toEqual([]);
  });

  test("whose journal belongs to a state that is no longer the newest is ignored", async () => {
    const files = {
      "state.json": "nonsense",
      "recheck.sqlite.gz": "nonsense",
      ...paper({ journal: { base: "0".repeat(40) } }),
    };
    await report.push(lock, files, true);
    const ran = await report.run({ at: hour });
    expect(ran.code).toBe(0);
    expect(ran.out).not.toContain("Store");
  });

  test("whose journal is damaged is refused, and stays", async () => {
    const files = {
      "state.json": "nonsense",
      "recheck.sqlite.gz": "nonsense",
      ...paper({ journal: { base: whole.sha } }),
    };
    await report.push(lock, files, true);
    const { error } = await report.run({ at: hour });
    expect(error?.message).toBe(`state.json on the branch recheck-state-lock is no JSON: ${remedy}`);
    expect(String(await report.file(lock, "state.json"))).toBe("nonsense");
    await free();
  });

  test.each([
    ["by a newer version", { "lock.json": '{"format": 2}' }, "was written by a newer Recheck (its format is 2"],
    [
      "by somebody else",
      { "index.html": "mine" },
      "the branch recheck-state-lock has no lock.json, so it is not Recheck's",
    ],
    ["in no JSON", { "lock.json": "{" }, "lock.json on the branch recheck-state-lock is no JSON"],
  ])("that was written %s is refused, and stays", async (_, files, says) => {
    const pushed = await report.push(lock, files, true);
    const { error } = await report.run({ at: hour });
    expect(error).toBeInstanceOf(StateProblem);
    expect(error?.message).toContain(says);
    expect((await report.commits(lock))[0]?.sha).toBe(pushed);
    await free();
  });
});

describe("when somebody does something to the branch", () => {
  test("while a run has it, their work stays, and the run says so", async () => {
    report.lists.add("alpha", "meanwhile");
    let pushed = "";
    const between: typeof fetch = async (input, init) => {
      if (init?.method === "PATCH" && String(input).endsWith(`/refs/heads/${branch}`) && pushed === "") {
        pushed = await report.push(branch, { note: "mine" });
      }
      return await fetch(input, init);
    };
    const ran = await report.run({ fetch: between });
    await expectRefused(
      ran,
      StateProblem,
      /^the branch recheck-state was changed by someone else while this run had it/,
    );
    expect((await report.commits(branch))[0]?.sha).toBe(pushed);
    expect((await report.run()).code).toBe(0);
  });

  test("deleted while a run has it, it is not brought back by stealth", async () => {
    report.lists.add("alpha", "deleted meanwhile");
    const between: typeof fetch = async (input, init) => {
      if (init?.method === "PATCH" && String(input).endsWith(`/refs/heads/${branch}`)) await report.move(branch);
      return await fetch(input, init);
    };
    const ran = await report.run({ fetch: between });
    await expectRefused(ran, StateProblem, /^the branch recheck-state was changed by someone else/);
    expect(await report.commits(branch)).toEqual([]);
  });
});

describe("a run is refused before it checks anything, when", () => {
  test.each(["pull_request", "pull_request_target", "pull_request_review"])("it is one of %s", async (event) => {
    const from = report.github.requests.length;
    const { error, summary } = await report.run({ event });
    expect(error).toMatchObject({ name: "WrongUsage" });
    expect(error?.message).toBe(
      `--state-branch: this is a run of ${event}; the store is never given to a pull request, because anybody can open one. Run it on a schedule`,
    );
    expect(summary).toContain("never given to a pull request");
    expect(report.github.requests).toHaveLength(from);
  });

  test.each(["refs/heads/feature", "refs/tags/v1"])("it runs on %s and not on the default branch", async (ref) => {
    const { error } = await report.run({ event: "workflow_dispatch", ref });
    const name = ref.replace(/^refs\/\w+\//, "");
    expect(error?.message).toBe(
      `--state-branch: this is a run on ${name}; issues and the store belong to the config of main. Run it there, or try this config with --dry-run on your machine`,
    );
  });

  test("the token may not write, naming the permission", async () => {
    const says = "Resource not accessible by integration";
    report.github.fault({ match: /^POST .*\/git\/trees$/, status: 403, message: says, when: "before" });
    const expected = 'the token or App may not write to a branch in example/report (403): it needs "contents: write"';
    const ran = await report.run();
    await expectRefused(ran, GitHubProblem, expected);
    expect(report.lists.asked.length).toBeGreaterThan(0);
  });

  test("the token is not accepted", async () => {
    report.github.fault({ match: /^GET /, status: 401, message: "Bad credentials", when: "before" });
    await expectRefused(await report.run(), GitHubProblem, /does not accept the token/);
  });

  test("the repository is archived", async () => {
    await report.github.asPerson("PATCH", "", { archived: true });
    await expectRefused(await report.run(), GitHubProblem, /^the repository is archived: nothing can be remembered/);
    await report.github.asPerson("PATCH", "", { archived: false });
  });

  test("the branch has a name that no branch has", async () => {
    const { error } = await report.run({ branch: "../../main" });
    expect(error?.message).toBe("--state-branch needs the name of a branch, such as recheck-state");
  });
});

describe("as a command it ends with", () => {
  const scanning = (event: string) => {
    const env = { ...report.environment(), GITHUB_EVENT_NAME: event };
    return recheckHere(["scan", "--config", report.folder, "--state-branch", branch], env);
  };

  test("1 for a pull request", async () => {
    const { code, err } = await scanning("pull_request_target");
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^--state-branch: this is a run of [^\n]+\n$/),
    });
  });

  test("5 for unreadable files", async () => {
    await report.push(branch, { "state.json": JSON.stringify({ ...whole.paper, format: 2 }) });
    const { code, err } = await scanning("schedule");
    expect({ code, err }).toEqual({
      code: 5,
      err: expect.stringMatching(/^the branch recheck-state was written by a newer [^\n]+\n$/),
    });
  });

  test("4 for writes that GitHub does not allow", async () => {
    report.github.fault({
      match: /^POST .*\/git\/trees$/,
      status: 403,
      message: "Resource not accessible",
      when: "before",
    });
    const { code, err } = await scanning("schedule");
    expect({ code, err }).toEqual({ code: 4, err: expect.stringMatching(/needs "contents: write"\n$/) });
  });
});
