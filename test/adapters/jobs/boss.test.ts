import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createJobs, workPutAside } from "../../../src/adapters/jobs/boss.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { servedCommand } from "../../../src/faces/cli/status.ts";
import { settingsFrom } from "../../../src/faces/environment.ts";
import { linesOut } from "../../support/lines-out.ts";
import {
  asking,
  noOwnServer,
  noServer,
  type PostgresServer,
  startOwnPostgres,
  startPostgres,
  startWay,
} from "../../support/postgres.ts";
import { start, watch } from "../store/samples.ts";

test.skipIf(noOwnServer)("a database that goes away is reported once, by the first loop that meets it", async () => {
  const server = await startOwnPostgres();
  const told: unknown[] = [];
  const jobs = await createJobs(await server.database(), { onProblem: (problem) => void told.push(problem) });
  await jobs.begin(async () => {});
  await server.end();
  const isAway = expect.objectContaining({ kind: "unreachable", message: expect.stringMatching(/does not answer$/) });
  await expect.poll(() => told).toContainEqual(isAway);
  await sleep(3_000);
  expect(told.filter((one) => isAway.asymmetricMatch(one))).toHaveLength(1);
  await server.begin();
  await jobs.close();
  await server.stop();
});

test.skipIf(noOwnServer)("work is given on, though nothing comes any more on any connection of before", async () => {
  const server = await startOwnPostgres();
  const address = await server.database();
  const way = await startWay(address);
  const jobs = await createJobs(way.to(address), { longest: 3_000 });
  const lanes: string[] = [];
  await jobs.begin(async (lane) => void lanes.push(lane));
  await sleep(1_500);
  way.silence();
  const asking = await createJobs(address);
  await asking.ask("repository 7");
  await expect.poll(() => lanes).toContain("repository 7");
  await asking.close();
  await jobs.close();
  await way.close();
  await server.stop();
});

describe.skipIf(noServer)(`the queue that processes share${noServer}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test("a webhook and its job are kept together; of a lane one is under way, and whose job is another's writes nothing", async () => {
    const address = await server.database();
    await (await openStore(address)).close();
    const [jobs, others] = [await createJobs(address), await createJobs(address)];
    const database = await openStore(address, { ask: jobs.askWithin });
    const store = database.repository(7);
    const delivery = { repository: 7, installation: 1, news: "{}", received: start };
    await database.registry.receive({ ...delivery, id: "one" });
    await database.registry.receive({ ...delivery, id: "two" });
    const lanes: string[] = [];
    const begun = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const written = Promise.withResolvers<unknown>();
    const work = async (lane: string) => {
      lanes.push(lane);
      if (lanes.length > 1) return;
      await store.touch([watch("before")]);
      begun.resolve();
      await taken.promise;
      await store.touch([watch("after")]).then(written.resolve, written.resolve);
    };
    await Promise.all([jobs.begin(work), others.begin(work)]);
    await begun.promise;
    await jobs.ask("repository 7");
    // As the queue does with the job of a process that gave no sign.
    await asking(address, (client) =>
      client.query("update recheck_jobs.job set retry_count = retry_count + 1 where state = 'active'"),
    );
    taken.resolve();
    expect(await written.promise).toMatchObject({ name: "LostJobLease" });
    expect((await store.watches()).map(({ source }) => source)).toEqual(["before"]);
    expect(lanes.filter((lane) => lane === "repository 7")).toHaveLength(1);
    await Promise.all([jobs.close(), others.close()]);
    await database.close();
  });

  test("several pieces of work are done at once, and one that takes long does not hold up the next ones", async () => {
    const address = await server.database();
    await (await openStore(address)).close();
    const jobs = await createJobs(address, { atOnce: 4 });
    const lanes = [1, 2, 3, 4, 5, 6].map((id) => `repository ${id}` as const);
    for (const lane of lanes) await jobs.ask(lane);
    const taken = new Set<string>();
    const isLastTaken = Promise.withResolvers<void>();
    await jobs.begin(async (lane) => {
      taken.add(lane);
      if (taken.size === lanes.length) isLastTaken.resolve();
      if (taken.size === 1) await isLastTaken.promise;
    });
    await isLastTaken.promise;
    await jobs.close();
    expect([...taken].sort()).toEqual(lanes);
  });

  test("work that is done is not done again because its records cannot be cleared", async () => {
    const address = await server.database();
    await (await openStore(address)).close();
    const problems: unknown[] = [];
    const jobs = await createJobs(address, { onProblem: (problem) => void problems.push(problem) });
    await asking(address, async (client) => {
      await client.query(
        `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
      );
      await client.query("create trigger refuse before delete on recheck_jobs.job execute function refuse()");
    });
    await jobs.begin(async () => {});
    await jobs.ask("repository 7");
    const states = () =>
      asking(address, async (client) => {
        const { rows } = await client.query("select state from recheck_jobs.job where singleton_key = 'repository 7'");
        return rows.map(({ state }) => state);
      });
    await expect.poll(() => problems).not.toEqual([]);
    await expect.poll(states).toEqual(["completed"]);
    await jobs.close();
  });

  test("every minute what is due is asked for, and every night GitHub's list", async () => {
    const address = await server.database();
    await (await openStore(address)).close();
    const jobs = await createJobs(address);
    const lanes: string[] = [];
    const query = (text: string) => asking(address, async (client) => (await client.query(text)).rows);
    await jobs.begin(async (lane) => void lanes.push(lane));
    const schedules = await query("select cron, data ->> 'lane' as lane from recheck_jobs.schedule order by cron");
    expect(schedules).toEqual([
      { cron: "* * * * *", lane: "plan" },
      { cron: "17 4 * * *", lane: "list" },
    ]);
    await expect.poll(() => lanes).toContain("plan");
    await jobs.close();
  });

  test("GitHub's list is asked for once, and once more later, by however many processes that start", async () => {
    const address = await server.database();
    await (await openStore(address)).close();
    const jobs = await createJobs(address);
    const lists: string[] = [];
    await jobs.begin(async (lane) => {
      if (lane === "list") lists.push(lane);
    });
    const inTurn = [jobs, await createJobs(address), await createJobs(address), await createJobs(address)];
    for (const each of inTurn) {
      await each.ask("list");
      await expect.poll(() => lists.length).toBeGreaterThan(0);
    }
    const waiting = await asking(address, (client) =>
      client.query(
        "select extract(epoch from start_after - now()) as later from recheck_jobs.job where singleton_key = 'list' and state = 'created'",
      ),
    );
    expect(lists).toHaveLength(1);
    expect(waiting.rows).toHaveLength(1);
    expect(Number(waiting.rows[0].later)).toBeLessThanOrEqual(600);
    for (const each of inTurn) await each.close();
  });

  test("work that fails again and again is put aside with its last error, and reported until it is done", async () => {
    const address = await server.database();
    await (await openStore(address)).close();
    expect(await workPutAside(address)).toEqual([]);
    const jobs = await createJobs(address);
    let isPoison = true;
    const done: string[] = [];
    await jobs.begin(async (lane) => {
      if (lane !== "repository 7") return;
      if (!isPoison) return void done.push(lane);
      // As if it had been tried as often as it may.
      await asking(address, (client) =>
        client.query("update recheck_jobs.job set retry_limit = retry_count where singleton_key = $1", [lane]),
      );
      throw new Error("it cannot be done");
    });
    await jobs.ask("repository 7");
    await expect.poll(() => workPutAside(address)).toHaveLength(1);
    const [work] = await workPutAside(address);
    expect(work).toMatchObject({ lane: "repository 7", tries: 1, says: "it cannot be done" });
    const { out, lines: told } = linesOut();
    const settings = settingsFrom({ DATABASE_URL: address });
    await servedCommand(settings, {}, out);
    expect(`${told.join("\n")}\n`).toMatch(
      /Failed work that is tried again when it is due\n {2}repository 7 {2}after 1 try, the last 20..-..-.. ..:.. UTC: it cannot be done\n/,
    );
    isPoison = false;
    await jobs.ask("repository 7");
    await expect.poll(() => done).toEqual(["repository 7"]);
    await expect.poll(() => workPutAside(address)).toEqual([]);
    await jobs.close();
  });

  test("work that fails is put aside after five more tries; work whose process died as often is given to another", async () => {
    const address = await server.database();
    await (await openStore(address)).close();
    const jobs = await createJobs(address);
    const done: string[] = [];
    /** As if it had been tried so often, and the process that has it gave no sign for an hour. */
    const died = (lane: string, times: number) =>
      asking(address, (client) =>
        client.query(
          `update recheck_jobs.job set retry_count = $2, retry_delay = 0, retry_backoff = false, state = 'active', start_after = now(),
             started_on = now() - interval '2 hours', heartbeat_on = now() - interval '1 hour' where singleton_key = $1`,
          [lane, times],
        ),
      );
    for (const lane of ["repository 1", "repository 2", "repository 3"] as const) await jobs.ask(lane, 3_600);
    await died("repository 1", 4);
    await died("repository 2", 12);
    await died("repository 3", 30);
    await jobs.begin(async (lane) => {
      done.push(lane);
      if (lane === "repository 1") throw new Error("it cannot be done");
    });
    await expect
      .poll(async () => (await workPutAside(address)).map(({ lane }) => lane).sort())
      .toEqual(["repository 1", "repository 3"]);
    await expect.poll(() => done).toContain("repository 2");
    const [one, three] = (await workPutAside(address)).toSorted((a, b) => (a.lane < b.lane ? -1 : 1));
    expect(one).toMatchObject({ tries: 6, says: "it cannot be done" });
    expect(three).toMatchObject({ tries: 31, says: "its worker died or stopped responding each time" });
    expect(done).not.toContain("repository 3");
    await jobs.close();
  });
});
