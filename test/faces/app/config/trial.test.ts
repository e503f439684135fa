import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../../../src/adapters/store/open.ts";
import type { Database } from "../../../../src/adapters/store/store.ts";
import { readConfig } from "../../../../src/config/files.ts";
import { checkCommit } from "../../../../src/faces/app/config/check-run.ts";
import { refresh } from "../../../../src/faces/app/config/refresh.ts";
import { parse, tryOut } from "../../../../src/faces/app/config/trial.ts";
import type { Sandbox } from "../../../../src/faces/app/sandbox.ts";
import { newRepository } from "../../../../src/faces/app/webhooks/lifecycle.ts";
import { blobOf } from "../../../../src/model/digest.ts";
import type { CheckRun, RepositoryConfig, TreeFile } from "../../../../src/model/ports/index.ts";
import { readers } from "../../../../src/read/index.ts";
import { draft } from "../../../../src/report/index.ts";
import { Hub } from "../../../stories/life/hub.ts";
import { sandboxHere } from "./sandbox-here.ts";

const now = Date.UTC(2026, 5, 1);
const sources = "report: { title: Boards, audited: 2026-05-16 }\nratings: { speed: fast }\n";
const other = `${sources}sources:\n  a: { page: https://example.org/ }\n`;
const configOf = (text: string, commit = "c"): RepositoryConfig => ({
  commit,
  folder: "",
  files: [{ path: "sources.yaml", text }],
});

let database: Database;
beforeEach(async () => {
  database = await openStore(":memory:");
});
afterEach(async () => {
  await database.close();
});

describe("config whose reading does not end", () => {
  const undone = async () => undefined;
  const never: Sandbox = {
    ...{ parse: undone, parseProposed: undone, check: undone, draft: undone, claims: undone },
  };
  const says = "reading the config was stopped: it takes too long, or too much memory";

  async function home(hub: Hub, sandbox: Sandbox) {
    const github = { ...hub.app, check: async (run: CheckRun) => void runs.push(run) };
    const known = newRepository({ id: 7, name: "example/report" }, 1, now);
    const inUse = { ...configOf(sources, "before"), commit: "before" };
    await database.registry.revise(7, () => ({ ...known, defaultBranch: "main", config: inUse }));
    const state = (await database.registry.repository(7)) ?? known;
    const config = parse(inUse, readers).config;
    const store = database.repository(7);
    const clock = { now: () => now };
    return { state, store, github, clock, readers, link: () => undefined, sandbox, ...(config && { config }) };
  }
  let runs: CheckRun[];
  beforeEach(() => {
    runs = [];
  });

  test("is reported in the check run as a mistake of its own", async () => {
    const hub = new Hub({ "sources.yaml": other }, () => now);
    await checkCommit(await home(hub, never), "c0", true);
    expect(runs).toMatchObject([{ commit: "c0", conclusion: "failure", title: "1 problem" }]);
    expect(runs[0]?.summary).toContain(`\`sources.yaml:1:1\` ${says}`);
  });

  test("is reported in the issue of the default branch, and the config in use stays in use", async () => {
    const hub = new Hub({ "sources.yaml": other }, () => now);
    await refresh(await home(hub, never));
    expect(hub.issues).toMatchObject([{ title: "Recheck cannot read its config" }]);
    expect(hub.issues[0]?.body).toContain(says);
    expect(await database.registry.repository(7)).toMatchObject({ broken: "c0", config: { commit: "before" } });
  });

  test("and one that does is in use", async () => {
    const hub = new Hub({ "sources.yaml": other }, () => now);
    await refresh(await home(hub, sandboxHere()));
    expect(await database.registry.repository(7)).toMatchObject({ config: { commit: "c0" } });
    expect(hub.issues).toEqual([]);
  });
});

describe("the part of a commit that is read", () => {
  function github(files: Readonly<Record<string, string>>, more: Readonly<Record<string, Partial<TreeFile>>> = {}) {
    const asked: string[] = [];
    const tree = Object.entries(files).map(([path, text]) => ({
      path,
      sha: blobOf(text),
      size: text.length,
      ...more[path],
    }));
    return {
      asked,
      filesIn: async () => tree,
      text: async (path: string) => {
        asked.push(path);
        return files[path];
      },
    };
  }
  const both = { "sources.yaml": sources, "triggers/a.yaml": "name: A\n" };

  test("is what is not in use already", async () => {
    const hub = github({ ...both, "triggers/b.yaml": "name: B\n" });
    const known = { ...configOf(sources), files: Object.entries(both).map(([path, text]) => ({ path, text })) };
    const found = await readConfig(hub, "d", known);
    expect(hub.asked).toEqual(["triggers/b.yaml"]);
    expect(found?.files).toEqual([...known.files, { path: "triggers/b.yaml", text: "name: B\n" }]);
    // git hash-object
    expect(blobOf("Grüße\n")).toBe("05bb5b40eaf6cd35f14fb829a0a85d61c8875418");
  });

  test.each([
    ["too large", { size: 1_000_001 }, "the file is larger than 1 MB, the limit of a config file"],
    ["a link to what may be", { link: true }, "a symbolic link: config is read only from regular files"],
  ])("is nothing where a file is %s", async (_, more, message) => {
    const hub = github(both, { "triggers/a.yaml": more });
    const found = await readConfig(hub, "d");
    expect(hub.asked).toEqual([]);
    expect(found?.excess).toEqual([{ file: "triggers/a.yaml", line: 1, column: 1, message }]);
    expect(found && parse(found, readers).problems).toEqual(found?.excess);
  });
});

test("a trial that comes to a replay reports before that all that holds without it", async () => {
  const soFar: string[] = [];
  const trial = { repository: 7, config: configOf(other), inUse: configOf(sources), at: now };
  const store = database.repository(7);
  const scratch = () => Promise.reject(new Error("nothing is stored to be replayed"));
  const output = await tryOut(trial, { readers, store, scratch }, ({ summary }) => soFar.push(summary));
  expect(soFar).toEqual([expect.stringMatching(/^1 source added\.\n\nIts effect on past events is unknown: /)]);
  expect(output).toMatchObject({ conclusion: "success", title: "Valid: 1 source added" });
});

test("a config is the same when it comes from another thread", () => {
  const paths = ["sources.yaml", ...readdirSync("triggers").map((name) => `triggers/${name}`)];
  const files = paths.map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const parsed = parse({ commit: "c", folder: "", files }, readers);
  expect(parsed.config?.sources.size).toBeGreaterThan(10);
  expect(structuredClone(parsed)).toStrictEqual(parsed);
});

test("a draft is the same when it comes from another thread", () => {
  const text = "# A report\n\n## References\n\n1. One. https://one.example/\n2. Two. https://two.example/feed.xml\n";
  const made = draft({ path: "README.md", text }, { at: now, readers });
  expect(made?.found.references).toBe(2);
  expect(structuredClone(made)).toStrictEqual(made);
});
