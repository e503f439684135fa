import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { createRepositories, type Repositories } from "../../../src/faces/app/repositories.ts";
import { createSandbox } from "../../../src/faces/app/sandbox.ts";
import { newRepository } from "../../../src/faces/app/webhooks/lifecycle.ts";
import { settingsFrom } from "../../../src/faces/environment.ts";
import { type Instance, wireInstance } from "../../../src/wire/instance.ts";
import { environmentOf, type LocalGitHub, startGitHub } from "../../github/server.ts";
import { type Lists, startLists } from "../../support/lists.ts";

const minute = 60_000;

/** The memories of two workers over one store and one GitHub: a job of one repository is given to either. */
let folder: string;
let lists: Lists;
let local: LocalGitHub;
let instance: Instance;
let sandbox: ReturnType<typeof createSandbox>;
let workers: readonly [Repositories, Repositories];
let id: number;
let now: number;
/** Comparisons with GitHub that were begun. */
let begun: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "recheck-two-workers-"));
  now = Date.now();
  begun = 0;
  const clock = { now: () => now };
  lists = await startLists("alpha");
  lists.configure(folder);
  local = await startGitHub({ clock });
  for (const path of ["sources.yaml", ...readdirSync(join(folder, "triggers")).map((name) => `triggers/${name}`)]) {
    const content = readFileSync(join(folder, path)).toString("base64");
    await local.asPerson("PUT", `/contents/${path}`, { message: "Write", branch: "main", content });
  }
  const environment = environmentOf(local, { secret: "a-secret-of-webhooks", data: join(folder, "data"), port: 1 });
  const settings = {
    ...settingsFrom(environment),
    ...{ clock, fetch: { allowAddresses: parseRanges("127.0.0.0/8"), pause: 0 }, github: { patience: false } as const },
  };
  instance = await wireInstance(settings as Parameters<typeof wireInstance>[0]);
  sandbox = createSandbox(join(folder, "data", "recheck.sqlite"), instance.workers);
  const attend: typeof instance.registry.attend = async (repository) => {
    begun++;
    return await instance.registry.attend(repository);
  };
  const counted = { ...instance, registry: { ...instance.registry, attend } };
  const parts = { instance: counted, sandbox, log: pino({ level: "silent" }), stopped: () => false, missed: () => {} };
  workers = [createRepositories(parts), createRepositories(parts)];
  ({ id } = await local.asPerson<{ id: number }>("GET", ""));
  const state = newRepository({ id, name: local.repo, public: true }, local.app.installation, now);
  await instance.registry.revise(id, () => state);
});

afterEach(async () => {
  await instance.close();
  await sandbox.close();
  await lists.close();
  await local.close();
  rmSync(folder, { recursive: true });
});

test("a job without news reads the row of its repository at most six times", async () => {
  let reads = 0;
  const repository: typeof instance.registry.repository = async (id) => {
    reads++;
    return await instance.registry.repository(id);
  };
  const counting = { ...instance, registry: { ...instance.registry, repository } };
  const parts = { instance: counting, sandbox, log: pino({ level: "silent" }), stopped: () => false, missed: () => {} };
  const worker = createRepositories(parts);
  for (let jobs = 0; jobs < 3; jobs++) {
    await job(worker);
    now += 61 * minute;
  }
  reads = 0;
  await job(worker);
  expect(reads).toBeLessThanOrEqual(6);
  expect(reads).toBeGreaterThan(0);
});

/** As a worker does it, to which no news came. */
async function job(worker: Repositories): Promise<void> {
  const by = await worker.check(id, (await worker.takeOver(id))?.state);
  await worker.idle();
  await instance.registry.rest(id, now, by);
}

test("a comparison with GitHub that another worker did not end is made, also by one whose own news wait", async () => {
  const [worker] = workers;
  for (let jobs = 0; jobs < 3; jobs++) await job(worker);
  begun = 0;
  await job(worker);
  expect(begun).toBe(0);
  await instance.registry.attend(id);
  await worker.takeOver(id);
  await worker.check(id);
  expect(begun).toBe(1);
});

test("news that no work follows are compared with GitHub by the next check of the process that has the repository", async () => {
  const [worker] = workers;
  for (let jobs = 0; jobs < 3; jobs++) await job(worker);
  begun = 0;
  await worker.check(id);
  expect(begun).toBe(0);
  await instance.registry.revise(id, (state) => state);
  await worker.check(id);
  expect(begun).toBe(1);
});

test("the checks that run while news come may be those that were asked for: GitHub hears of their end", async () => {
  const [worker] = workers;
  for (let jobs = 0; jobs < 3; jobs++) await job(worker);
  now += 25 * 60 * minute;
  await worker.attend(id);
  const before = lists.asked.length;
  const release = lists.hold();
  const checking = worker.check(id);
  await expect.poll(() => lists.asked.length).toBeGreaterThan(before);
  await worker.attend(id);
  begun = 0;
  release();
  await checking;
  expect(begun).toBe(1);
});

async function untilPlanned(): Promise<void> {
  while (!(await instance.registry.plan(now, 10)).includes(id)) now += minute;
}

const issues = async () =>
  (await local.asPerson<{ title: string }[]>("GET", "/issues?state=all")).filter(({ title }) =>
    title.includes("“About "),
  );

test("an issue that GitHub did not take is tried again by the worker with the next job, as soon as it may be", async () => {
  const [one, other] = workers;
  await one.attend(id);
  for (const worker of [one, one, other, other]) await job(worker);
  // The one has just compared with GitHub, as each does by itself every hour.
  while ((await instance.registry.backlog(now)).checks.count === 0) {
    await untilPlanned();
    if ((await instance.registry.backlog(now)).checks.count === 0) await job(one);
  }
  lists.add("alpha", "now-public", true);
  local.fault({ match: /^POST .*\/issues$/, status: 502, when: "before", times: 3 });
  const seen = now;
  await job(other);
  local.mend();
  expect(await issues()).toEqual([]);
  while ((await issues()).length === 0 && now - seen < 60 * minute) {
    await untilPlanned();
    await job(one);
  }
  // For ten minutes what was sent may still be carried out.
  expect(now - seen).toBeLessThan(15 * minute);
});
