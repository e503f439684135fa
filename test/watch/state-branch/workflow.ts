import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { scanCommand } from "../../../src/faces/cli/scan.ts";
import { settingsFrom } from "../../../src/faces/environment.ts";
import type { Settings } from "../../../src/wire/settings.ts";
import { violations } from "../../github/openapi.ts";
import { type LocalGitHub, startGitHub } from "../../github/server.ts";
import { linesOut } from "../../support/lines-out.ts";
import { type Lists, startLists } from "../../support/lists.ts";

/** A repository with a report, as its workflow finds it at every run: the config is there, the disk is clean. */
export interface Report {
  readonly github: LocalGitHub;
  readonly lists: Lists;
  /** The folder of the config. */
  readonly folder: string;
  /** One run with a clean disk, in this process. */
  run(given?: Given): Promise<Ran>;
  /** The environment of a run on a clean disk, which stays until the report is closed. */
  environment(run?: { id: number; attempt?: number }): Record<string, string>;
  issues(): Promise<{ number: number; state: string; title: string; body: string }[]>;
  /** The commits of a branch, newest first; none where it is not there. */
  commits(branch: string): Promise<{ sha: string; message: string }[]>;
  /** A file of a branch. */
  file(branch: string, path: string): Promise<Buffer>;
  /** Puts files on a branch as a person could, by force: among those that are there, or without history and others. */
  push(branch: string, files: Readonly<Record<string, string | Buffer>>, alone?: boolean): Promise<string>;
  /** Moves a branch by force; without a commit deletes it. */
  move(branch: string, commit?: string): Promise<void>;
  /** Expects that all that was asked of GitHub is described there. */
  close(): Promise<void>;
}

interface Given {
  readonly id?: number;
  readonly attempt?: number;
  readonly event?: string;
  readonly ref?: string;
  readonly at?: () => number;
  /** Its disk, where it is not to be a clean one. */
  readonly data?: string;
  readonly dryRun?: boolean;
  readonly all?: boolean;
  /** Stands between this run and GitHub. */
  readonly fetch?: typeof fetch;
  /** The state branch. */
  readonly branch?: string;
  /** The memory stays on its disk, and on no branch. */
  readonly plain?: boolean;
}

export interface Ran {
  readonly code: number | undefined;
  readonly out: string;
  readonly error?: Error;
  /** The job's summary. */
  readonly summary: string;
}

export const branch = "recheck-state";
export const lock = "recheck-state-lock";

let runs = 0;

export async function startReport(...sources: string[]): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "recheck-state-"));
  const lists = await startLists(...sources);
  lists.configure(folder);
  const github = await startGitHub();
  await github.asPerson("POST", "/labels", { name: "recheck", color: "0e8a16" });

  const eventPath = join(folder, "event.json");
  writeFileSync(eventPath, JSON.stringify({ repository: { default_branch: "main" } }));
  const environment: Report["environment"] = ({ id, attempt = 1 } = { id: ++runs }) => ({
    RECHECK_DATA: mkdtempSync(join(folder, "disk-")),
    RECHECK_REPO: github.repo,
    RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8",
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: github.token,
    GITHUB_EVENT_NAME: "schedule",
    GITHUB_RUN_ID: String(id),
    GITHUB_RUN_ATTEMPT: String(attempt),
  });

  const commits: Report["commits"] = async (name) => {
    if (!(await isThere(name))) return [];
    const path = `/commits?sha=${name}&per_page=100`;
    const found = await github.asPerson<{ sha: string; commit: { message: string } }[]>("GET", path);
    return found.map(({ sha, commit }) => ({ sha, message: commit.message }));
  };
  const isThere = (name: string): Promise<boolean> =>
    github.asPerson("GET", `/git/ref/heads/${name}`).then(
      () => true,
      () => false,
    );
  const made = (what: string, body: object) => github.asPerson<{ sha: string }>("POST", `/git/${what}`, body);
  const push: Report["push"] = async (name, files, alone = false) => {
    const tree = await Promise.all(
      Object.entries(files).map(async ([path, content]) => {
        const body = { content: Buffer.from(content).toString("base64"), encoding: "base64" };
        return { path, mode: "100644", type: "blob", sha: (await made("blobs", body)).sha };
      }),
    );
    const [head] = alone ? [] : await commits(name);
    const base = head && (await github.asPerson<{ tree: { sha: string } }>("GET", `/git/commits/${head.sha}`)).tree.sha;
    const { sha } = await made("trees", { tree, ...(base && { base_tree: base }) });
    const commit = await made("commits", { message: "By a person", tree: sha, parents: head ? [head.sha] : [] });
    await move(name, commit.sha);
    return commit.sha;
  };
  const move: Report["move"] = async (name, commit) => {
    const ref = `/git/refs/heads/${name}`;
    if (commit === undefined) await github.asPerson("DELETE", ref);
    else if (await isThere(name)) await github.asPerson("PATCH", ref, { sha: commit, force: true });
    else await github.asPerson("POST", "/git/refs", { ref: `refs/heads/${name}`, sha: commit });
  };

  return {
    github,
    lists,
    folder,
    environment,
    async run({
      id = ++runs,
      attempt,
      event,
      ref,
      at,
      data,
      fetch: between = github.fetch,
      branch: stateBranch = branch,
      plain = false,
      ...options
    } = {}) {
      const env = environment({ id, attempt });
      const settings = settingsFrom(
        {
          ...env,
          ...(event !== undefined && { GITHUB_EVENT_NAME: event }),
          ...(ref !== undefined && { GITHUB_REF: ref, GITHUB_EVENT_PATH: eventPath }),
          ...(data !== undefined && { RECHECK_DATA: data }),
        },
        { config: folder },
      );
      const summary = join(env.RECHECK_DATA ?? "", "summary.md");
      const clock = at ? { now: at } : settings.clock;
      return await ran(
        { ...settings, clock, github: { patience: false, fetch: between } },
        { all: true, ...(plain ? {} : { stateBranch }), ...options, summary },
      );
    },
    issues: () => github.asPerson("GET", "/issues?state=all&per_page=100&direction=asc"),
    commits,
    async file(name, path) {
      const { content } = await github.asPerson<{ content: string }>("GET", `/contents/${path}?ref=${name}`);
      return Buffer.from(content, "base64");
    },
    push,
    move,
    async close() {
      await github.close();
      await lists.close();
      rmSync(folder, { recursive: true });
      expect(github.requests.flatMap(violations)).toEqual([]);
    },
  };
}

async function ran(settings: Settings, options: { summary: string; stateBranch?: string }): Promise<Ran> {
  const { out, lines } = linesOut();
  const quick = { ...settings, fetch: { ...settings.fetch, pause: 0 } };
  let code: number | undefined;
  let error: Error | undefined;
  try {
    code = await scanCommand(quick, options, out);
  } catch (thrown) {
    error = thrown as Error;
  }
  return {
    code,
    out: lines.map((line) => `${line}\n`).join(""),
    error,
    summary: readFileSync(options.summary, "utf8"),
  };
}
