import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { violations } from "../github/openapi.ts";
import { program } from "../support/program.ts";
import { branch, lock, type Report, startReport } from "../watch/state-branch/workflow.ts";

/** https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax */
interface Action {
  readonly name: string;
  readonly inputs: Record<string, { description: string; default: string }>;
  readonly runs: { readonly using: string; readonly main: string };
}

const root = join(import.meta.dirname, "..", "..");
const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;
/** The action as a release has it: action.yml, bin/ and what is built. Nothing is installed beside them. */
const released = mkdtempSync(join(tmpdir(), "recheck-action-"));

let report: Report;
beforeAll(async () => {
  cpSync(join(root, "bin"), join(released, "bin"), { recursive: true });
  cpSync(dirname(program().main), join(released, "dist"), { recursive: true });
  report = await startReport("alpha", "beta");
});
afterAll(async () => {
  expect(report.github.requests.flatMap(violations)).toEqual([]);
  await report.close();
  rmSync(released, { recursive: true });
});

/** An expression as a runner works it out, as far as there are such in the action. */
function worked(text: string, contexts: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
    const value = contexts[name];
    if (value === undefined) throw new Error(`no ${name} is known to a runner`);
    return value;
  });
}

interface Job {
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  readonly workspace: string;
}

/** One job on a new machine: a workspace with the config, an empty temporary folder, and nothing else of before. */
async function job(
  id: number,
  given: Readonly<Record<string, string>> = {},
  event = "schedule",
  checkout: (workspace: string) => void = () => {},
): Promise<Job> {
  const machine = mkdtempSync(join(report.folder, "machine-"));
  const workspace = join(machine, "workspace");
  const temp = join(machine, "temp");
  const summary = join(machine, "summary.md");
  mkdirSync(join(workspace, "watch"), { recursive: true });
  mkdirSync(temp);
  writeFileSync(summary, "");
  report.lists.configure(join(workspace, "watch"));
  checkout(workspace);
  const { GITHUB_API_URL = "", RECHECK_ALLOW_ADDRESSES = "" } = report.environment();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
    RECHECK_ALLOW_ADDRESSES,
    GITHUB_API_URL,
    GITHUB_WORKSPACE: workspace,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_EVENT_NAME: event,
    GITHUB_RUN_ID: String(id),
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_REPOSITORY: report.github.repo,
    RUNNER_TEMP: temp,
  };
  const inputs = Object.entries(action.inputs).map(([name, { default: usual }]) => [
    `INPUT_${name.toUpperCase()}`,
    given[name] ?? worked(usual, { "github.token": report.github.token }),
  ]);
  const main = join(released, action.runs.main);
  const { code, log } = await run(main, { ...env, ...Object.fromEntries(inputs) }, workspace);
  return { code, log, summary: readFileSync(summary, "utf8"), workspace };
}

/** As a runner runs an action of JavaScript, with its own Node. */
async function run(main: string, env: Record<string, string>, cwd: string): Promise<{ code: number; log: string }> {
  const child = spawn(process.execPath, [main], { cwd, env });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (log += chunk));
  return await new Promise((resolve) => child.on("close", (code) => resolve({ code: code ?? -1, log })));
}

describe("the action", () => {
  test("runs on the runner's own Node, with few inputs, each described", () => {
    expect(action).toMatchObject({ name: "Recheck", runs: { using: "node24" } });
    expect(Object.keys(action.inputs)).toEqual(["config", "token", "publish"]);
    for (const { description } of Object.values(action.inputs)) expect(description).toMatch(/\w.*\.$/);
  });

  test("run twice on new machines opens one issue per trigger, informs the job, and publishes", async () => {
    report.lists.add("alpha", "one");
    const first = await job(1, { config: "watch" });
    expect(first).toMatchObject({ code: 0, log: expect.stringContaining("opened   #1 alpha, new entry") });
    expect(first.summary).toMatch(/^## Recheck: A report\n\nAs of \*\*\d{4}-\d\d-\d\d \d\d:\d\d UTC\*\*: 2 sources/);
    expect(first.summary).toMatch(/- opened \[#1\]\([^)]+\/issues\/1\) alpha, new entry/);

    // What the first one saw is remembered: nothing is due yet, and so another run has to be told to check.
    report.lists.add("beta", "two", true);
    expect((await report.run()).out).toContain("opened   #2 beta, new entry");
    const before = await report.commits(branch);
    const second = await job(2, { config: "watch", publish: "site" });
    expect(second).toMatchObject({ code: 0, log: expect.stringContaining("no source was due") });
    expect(second.summary).not.toContain("opened [#");
    const status = JSON.parse(readFileSync(join(second.workspace, "site", "status.json"), "utf8"));
    expect(JSON.stringify(status)).toContain("speed");
    expect(await report.issues()).toHaveLength(2);
    expect(before).toHaveLength(2);
    expect(await report.commits(branch)).toEqual(before);
    expect(await report.commits(lock)).toEqual([]);
  });

  test("of a pull request checks what is new in the report, and remembers nothing", async () => {
    const from = report.github.requests.length;
    const { code, summary, log } = await job(4, { config: "watch" }, "pull_request", (workspace) => {
      const sources = join(workspace, "watch", "sources.yaml");
      const git = (...words: string[]) =>
        execFileSync("git", ["-C", workspace, "-c", "user.name=a", "-c", "user.email=a@example.org", ...words]);
      const named = readFileSync(sources, "utf8").replace("05-16 }", "05-16, text: README.md }");
      writeFileSync(sources, named.replace("item: {", "cites: [1], item: {"));
      writeFileSync(join(workspace, "README.md"), "# A report\n");
      git("init", "--quiet");
      git("add", "-A");
      git("commit", "--quiet", "-m", "Begin");
      writeFileSync(join(workspace, "README.md"), "# A report\n\nAlpha has 512 GB of memory [1].\n");
      git("commit", "--quiet", "-am", "Edit");
    });
    expect({ code, log }).toEqual({ code: 0, log: "" });
    expect(summary).toContain("1 changed sentence with citations; 1 cited page read: 0 findings.");
    expect(report.github.requests).toHaveLength(from);
  });

  test("of a pull request without the commit before, says how to get it", async () => {
    const { code, log } = await job(5, { config: "watch" }, "pull_request", (workspace) => {
      const sources = join(workspace, "watch", "sources.yaml");
      writeFileSync(sources, readFileSync(sources, "utf8").replace("05-16 }", "05-16, text: README.md }"));
      writeFileSync(join(workspace, "README.md"), "# A report\n");
      execFileSync("git", ["-C", workspace, "init", "--quiet"]);
    });
    expect(code).toBe(1);
    expect(log).toContain("`fetch-depth: 2` of actions/checkout fetches the previous commit");
  });

  test("refuses a run with more rights than a pull request, and says so in the job's summary", async () => {
    const from = report.github.requests.length;
    const { code, summary, log } = await job(3, { config: "watch" }, "pull_request_target");
    expect(code).toBe(1);
    expect(log).toContain("--state-branch: this is a run of pull_request_target");
    expect(summary).toContain("the store is never given to a pull request");
    expect(report.github.requests).toHaveLength(from);
  });
});
