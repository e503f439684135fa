import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import type { Database } from "../../../src/adapters/store/store.ts";
import { type AppService, createAppService } from "../../../src/faces/app/app-service.ts";
import type { Sandbox } from "../../../src/faces/app/sandbox.ts";
import { newRepository } from "../../../src/faces/app/webhooks/lifecycle.ts";
import type { Fetch, RepositoryState } from "../../../src/model/ports/index.ts";
import { readers } from "../../../src/read/index.ts";
import type { Instance } from "../../../src/wire/instance.ts";
import { usualKeep } from "../../../src/wire/settings.ts";
import { Hub } from "../../stories/life/hub.ts";
import { noCourier } from "../../support/courier.ts";
import { workersHere } from "../../support/workers-here.ts";
import { sandboxHere } from "./config/sandbox-here.ts";

const text = "report: { title: Boards, audited: 2026-05-16 }\nratings: { speed: fast }\n";
const files = [{ path: "sources.yaml", text }];
const names = new Map([
  [7, "example/report"],
  [8, "example/second"],
]);

const noFetch: Fetch = {
  get: () => Promise.reject(new Error("nothing is to be fetched")),
  githubAllowance: () => undefined,
  close: async () => {},
};

let now: number;
let log: string;
let database: Database;
let hubs: ReadonlyMap<number, Hub>;
let sandbox: Sandbox;
let service: AppService;

beforeEach(async () => {
  now = Date.UTC(2026, 5, 1);
  log = "";
  database = await openStore(":memory:");
  hubs = new Map([...names.keys()].map((id) => [id, new Hub({ "README.md": "# Boards" }, () => now)]));
  sandbox = sandboxHere();
});
afterEach(async () => {
  await service.stop();
  await database.close();
});

function hubOf(id: number): Hub {
  const hub = hubs.get(id);
  if (!hub) throw new Error(`there is no repository ${id}`);
  return hub;
}

/** Serves both repositories, as they are known then. */
async function serve(known: (id: number) => Partial<RepositoryState>): Promise<void> {
  for (const [id, name] of names) {
    const state = { ...newRepository({ id, name }, 1, now), stale: false, defaultBranch: "main", ...known(id) };
    await database.registry.revise(id, () => state);
  }
  const clock = { now: () => now };
  const listed = [...names].map(([id, name]) => ({ id, name, archived: false, fork: false, public: true }));
  const instance: Instance = {
    clock,
    keep: usualKeep,
    registry: database.registry,
    hosts: database.hosts,
    installations: {
      installations: async () => [{ id: 1, suspended: false }],
      repositories: async () => listed,
    },
    readers,
    workers: workersHere(),
    link: () => undefined,
    page: () => undefined,
    courier: () => noCourier,
    store: ({ id }) => database.repository(id),
    github: ({ id, name }) => {
      const { app } = hubOf(id);
      return { ...app, facts: async () => ({ ...(await app.facts()), id, name }) };
    },
    web: () => ({ fetch: noFetch, readers, access: { githubToken: true } }),
    world: ({ id }, config) => {
      const store = database.repository(id);
      return { config, clock, fetch: noFetch, store, readers, access: { githubToken: true } };
    },
    close: async () => {},
  };
  const write = (line: string): void => {
    log += line;
  };
  service = createAppService(instance, sandbox, pino({ level: "trace" }, { write }));
}

let told = 0;
async function push(id: number, branch: string): Promise<void> {
  const after = hubOf(id).git.push(branch, files, "author", hubOf(id).git.branches.get("main"));
  await service.receive(`delivery-${++told}`, "push", {
    installation: { id: 1 },
    repository: { id, full_name: names.get(id) },
    ref: `refs/heads/${branch}`,
    after,
    commits: [{ added: ["sources.yaml"] }],
  });
}
const waiting = async (): Promise<(number | undefined)[]> =>
  (await database.registry.deliveries()).map(({ repository }) => repository);
const inUse = async (id: number) => (await database.registry.repository(id))?.config?.commit;

test("while one repository's config is tried, no other waits for it, and its own news stay in order", async () => {
  const tried: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { check } = sandbox;
  sandbox.check = async (trial) => {
    tried.push(`${trial.repository} ${trial.config.commit}`);
    if (trial.repository === 7) await released;
    return await check(trial);
  };
  await serve(() => ({}));
  await service.run();
  await push(7, "edit");
  await expect.poll(() => tried).toEqual(["7 c1"]);
  await push(7, "main");
  await push(8, "main");
  await expect.poll(() => inUse(8)).toBe("c1");
  await service.run();
  await expect.poll(waiting).toEqual([7, 7]);
  expect(await inUse(7)).toBeUndefined();
  release();
  await service.settled();
  expect(await waiting()).toEqual([]);
  expect(await inUse(7)).toBe("c2");
  expect(tried.toSorted()).toEqual(["7 c1", "7 c2", "8 c1"]);
});

test("a proposed config whose reading does not end is tried once, and its pull request says so", async () => {
  let tries = 0;
  sandbox.parseProposed = async () => void tries++;
  const branch = "recheck/set-up";
  const searched = hubOf(7).git.branches.get("main") ?? "";
  const commit = hubOf(7).git.push(branch, files, "recheck[bot]");
  const setUp = { marker: "m", branch, searched, head: commit, config: { commit, folder: "" as const, files } };
  await serve((id) => (id === 7 ? { setUp: { ...setUp, pull: 1 } } : {}));
  hubOf(7).pulls.push({ number: 1, branch, base: "main", state: "open", merged: false, body: "" });
  for (let minute = 0; minute < 3; minute++) {
    await service.run();
    await service.settled();
    now += 60_000;
  }
  expect(tries).toBe(1);
  expect(hubOf(7).pulls[0]?.body).toContain("reading the config was stopped");
  expect(log).not.toContain('"level":50');
});

test("while the config in use cannot be read, news wait for it, and it is tried ever more seldom", async () => {
  let tries = 0;
  const { parse } = sandbox;
  let isSlow = true;
  sandbox.parse = async (config) => {
    tries++;
    return isSlow ? undefined : await parse(config);
  };
  const commit = hubOf(7).git.push("main", files, "author");
  await serve((id) => (id === 7 ? { config: { commit, folder: "", files } } : {}));
  await push(7, "edit");
  for (let minute = 0; minute < 30; minute++) {
    await service.run();
    await service.settled();
    now += 60_000;
  }
  expect(tries).toBeGreaterThan(2);
  expect(tries).toBeLessThan(7);
  expect(await waiting()).toEqual([7]);
  expect(log).not.toContain('"level":50');
  isSlow = false;
  now += 3_600_000;
  await service.run();
  await service.settled();
  expect(await waiting()).toEqual([]);
});

test("configs are kept as they were read only as far as memory allows, and read again once they are needed", async () => {
  const read: string[] = [];
  sandbox.parse = async ({ commit }) => {
    read.push(commit);
    return { problems: [] };
  };
  let characters = 1_000;
  const config = (id: number) => {
    const text = `${id}`.repeat(characters);
    return { commit: `c${id}`, folder: "" as const, files: [{ path: "sources.yaml", text }] };
  };
  const rounds = async () => {
    await serve((id) => ({ config: config(id) }));
    for (let round = 0; round < 3; round++) {
      await service.run();
      await service.settled();
      now += 3_600_000;
    }
    await service.stop();
  };
  await rounds();
  expect(read.toSorted()).toEqual(["c7", "c8"]);
  characters = 5_000_000;
  read.length = 0;
  await rounds();
  expect(read.length).toBeGreaterThan(2);
});
