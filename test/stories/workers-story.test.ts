import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Child } from "../support/child.ts";
import { endInstance, type Instance, issuesOf, startInstance } from "../support/instance.ts";
import { asking, noServer, type PostgresServer, startPostgres } from "../support/postgres.ts";
import { startProgram } from "../support/program.ts";

/** The server of an App and its workers, each a process of its own, with one database between them. */
describe.skipIf(noServer)(`many workers${noServer}`, () => {
  let server: PostgresServer;
  let it: Instance;
  let environment: Readonly<Record<string, string>>;
  const children: Child[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    it = await startInstance("alpha", "beta");
    environment = { ...it.environment, DATABASE_URL: await server.database() };
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      child.process.kill("SIGKILL");
      await child.ended;
    }
    await endInstance(it);
  });

  async function run(command: "start" | "worker", says: string): Promise<Child> {
    const child = startProgram([command], environment);
    children.push(child);
    await child.says(says);
    return child;
  }
  const serve = () => run("start", "Listening on");
  const work = () => run("worker", "working");
  /** A request that GitHub or a busy machine refuses once is tried again after a minute, and asked for every minute. */
  const patience = { interval: 300 };
  /** As if whoever has work, or a host's turn, had given no sign for longer than anybody is waited for. */
  const waitForLong = () =>
    asking(environment.DATABASE_URL ?? "", async (client) => {
      await client.query("update recheck_jobs.job set heartbeat_on = now() - interval '1 hour' where state = 'active'");
      await client.query("update recheck.host_turn set at = 0");
    });
  const rechecks = async () => (await issuesOf(it)).filter(({ title }) => title.includes("“About "));

  test("a worker that is killed while it checks: another one has its work, and each thing is asked about once", async () => {
    await serve();
    for (const source of ["alpha", "beta"]) it.lists.add(source, "one");
    const release = it.lists.hold();
    await it.commit(it.config());
    const first = await work();
    await expect.poll(() => new Set(it.lists.asked).size, patience).toBe(2);
    first.process.kill("SIGKILL");
    await first.ended;
    await waitForLong();
    release();
    await work();
    await work();
    const both = [
      "alpha, new entry one; is “About alpha” still right?",
      "beta, new entry one; is “About beta” still right?",
    ];
    const titles = async () => (await rechecks()).map(({ title }) => title).toSorted();
    await expect.poll(titles, patience).toEqual(both);
    // The overview comes last: nothing is asked about any more.
    await expect
      .poll(async () => (await issuesOf(it)).map(({ title }) => title), patience)
      .toContain("Recheck overview");
    expect(await titles()).toEqual(both);
  });

  test("a push is heard by the server and worked off by a worker; while none works, webhooks wait for the next", async () => {
    const server = await serve();
    it.lists.add("alpha", "one");
    await it.commit(it.config());
    const worker = await work();
    await expect
      .poll(async () => (await issuesOf(it)).map(({ title }) => title), patience)
      .toContain("Recheck overview");
    expect((await rechecks()).map(({ title }) => title)).toEqual([
      "alpha, new entry one; is “About alpha” still right?",
    ]);
    worker.process.kill("SIGTERM");
    expect((await worker.ended).code).toBe(0);
    // Kept by the server, while nobody works.
    it.lists.add("alpha", "two");
    const config = it.config();
    await it.commit({ "sources.yaml": `${config["sources.yaml"]}\n# again\n` });
    await it.local.settled();
    server.process.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
    const waits = await asking(environment.DATABASE_URL ?? "", (client) =>
      client.query("select 1 from recheck.delivery where done = 0"),
    );
    expect(waits.rows.length).toBeGreaterThan(0);
    await work();
    const left = () =>
      asking(environment.DATABASE_URL ?? "", (client) => client.query("select 1 from recheck.delivery where done = 0"));
    await expect.poll(async () => (await left()).rows, patience).toEqual([]);
  });

  test("news in a worker's second piece of work are asked about as in its first", async () => {
    await serve();
    it.lists.add("alpha", "one");
    await it.commit(it.config());
    await work();
    const fired = () =>
      asking(environment.DATABASE_URL ?? "", (client) => client.query("select 1 from recheck.firing"));
    const idle = () =>
      asking(environment.DATABASE_URL ?? "", (client) =>
        client.query("select 1 from recheck_jobs.job where state in ('created', 'active') and name = 'work'"),
      );
    await expect.poll(async () => (await fired()).rows.length, patience).toBe(1);
    await expect.poll(async () => (await idle()).rows.length, patience).toBe(0);
    // At once, while the thread that read the first answer still runs.
    it.lists.add("alpha", "two");
    await asking(environment.DATABASE_URL ?? "", (client) => client.query("update recheck.watch set next = 0"));
    const config = it.config();
    await it.commit({ "sources.yaml": `${config["sources.yaml"]}\n# again\n` });
    await expect.poll(async () => (await fired()).rows.length, patience).toBe(2);
  });

  test("without a database, or as a server of one repository, there is nothing for a worker to share", async () => {
    environment = { ...it.environment };
    await expect(work()).rejects.toThrow("set DATABASE_URL: a server whose store is a file does all work itself");
  });
});
