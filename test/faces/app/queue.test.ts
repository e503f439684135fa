import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { LostJobLease } from "../../../src/adapters/store/postgres/job-lease.ts";
import type { Database } from "../../../src/adapters/store/store.ts";
import { createQueue, type DeliveryLane, type Queue } from "../../../src/faces/app/queue.ts";
import { GitHubProblem, type GitHubProblemKind } from "../../../src/model/ports/index.ts";
import { StoreProblem } from "../../../src/model/problem.ts";

const minute = 60_000;
let database: Database;
let queue: Queue;
let now: number;
let log: string;
const clock = { now: () => now };

beforeEach(async () => {
  database = await openStore(":memory:");
  now = 7;
  log = "";
  queue = another();
});
afterEach(() => database.close());

/** What a process has that begins with what is stored. */
function another(): Queue {
  const write = (line: string): void => {
    log += line;
  };
  return createQueue({ registry: database.registry, clock, log: pino({}, { write }) });
}

const payload = (repository: number, number: number) => ({
  action: "closed",
  installation: { id: 1 },
  repository: { id: repository, full_name: `lab/r${repository}` },
  issue: { number },
});
const receive = (id: string, repository: number) => queue.receive(id, "issues", payload(repository, 1));
/** What is handled, in order; `fails` says what becomes of a delivery, and what is not to fail is finished. */
async function work(
  fails: (id: string) => Error | undefined = () => undefined,
  lane?: DeliveryLane,
): Promise<string[]> {
  const handled: string[] = [];
  await queue.work(
    {
      async handle({ delivery, at }) {
        expect(at).toBe(7);
        const error = fails(delivery);
        if (error) throw error;
        handled.push(delivery);
        await database.registry.finish(delivery);
        return [];
      },
      async after() {},
    },
    lane,
  );
  return handled;
}
const problem = (kind: GitHubProblemKind) => new GitHubProblem(kind, `GitHub says ${kind}`);
const only = (meant: string, error: Error) => (id: string) => (id === meant ? error : undefined);
const lines = (says: string) => log.split(says).length - 1;

test("webhook replay: a webhook that concerns nobody here is not kept, and one that comes twice is kept once", async () => {
  expect(await queue.receive("a", "star", payload(1, 1))).toBeUndefined();
  expect(await queue.receive("a", "issues", { action: "closed" })).toBeUndefined();
  expect(await queue.receive("a", "issues", "{")).toBeUndefined();
  expect(await queue.receive("a", "issues", payload(1, 1))).toEqual({ repository: 1, installation: 1 });
  expect(await queue.receive("a", "issues", payload(1, 1))).toBeUndefined();
  expect(await work()).toEqual(["a"]);
  expect(await queue.receive("a", "issues", payload(1, 1))).toBeUndefined();
  expect(await work()).toEqual([]);
});

test("each repository's news are worked off in order, those of an installation first, and a lane by itself", async () => {
  for (const [id, repository] of [
    ["a1", 1],
    ["b1", 2],
    ["a2", 1],
  ] as const)
    await receive(id, repository);
  const suspend = { action: "suspend", installation: { id: 1 } };
  expect(await queue.receive("i", "installation", suspend)).toEqual({ installation: 1 });
  expect(await work(undefined, { repository: 2, installation: 1 })).toEqual(["b1"]);
  expect(await work()).toEqual(["i", "a1", "a2"]);
});

test("a delivery that was kept and not finished is worked off by the next process", async () => {
  await receive("a1", 1);
  expect(await work(() => problem("lost"))).toEqual([]);
  queue = another();
  expect(await work()).toEqual(["a1"]);
});

describe("a delivery that GitHub fails", () => {
  test.each(["forbidden", "not-found", "invalid", "deleted", "disabled"] as const)(
    "for good (%s) lets all others pass, is tried ever more seldom, and given up with a line in the log",
    async (kind) => {
      await receive("a1", 1);
      await receive("a2", 1);
      let tries = 0;
      const refused = (id: string) => {
        if (id !== "a1") return undefined;
        tries++;
        return problem(kind);
      };
      expect(await work(refused)).toEqual(["a2"]);
      expect(await work(refused)).toEqual([]);
      expect(tries).toBe(1);
      for (let passed = 0; passed < 60; passed++) {
        now += minute;
        await work(refused);
      }
      expect(tries).toBe(5);
      expect(await database.registry.deliveries()).toEqual([]);
      expect([lines("a delivery waits: "), lines(`a delivery is given up: GitHub says ${kind}`)]).toEqual([1, 1]);
    },
  );

  test("lastingly (500 or no answer) is tried for a day with pauses that grow, and given up then", async () => {
    await receive("a1", 1);
    let tries = 0;
    const fails = () => {
      tries++;
      return problem("unavailable");
    };
    for (let passed = 0; passed < 23 * 60; passed++) {
      await work(fails);
      now += minute;
    }
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(40);
    expect(await database.registry.deliveries()).toHaveLength(1);
    now += 120 * minute;
    await work(fails);
    expect(await database.registry.deliveries()).toEqual([]);
  });

  test("with all others of its repository: only some are tried in a round, and later ones are reached", async () => {
    for (let count = 0; count < 12; count++) await receive(`a${count}`, 1);
    await receive("last", 1);
    const tried: string[] = [];
    const fails = (id: string) => {
      tried.push(id);
      return id === "last" ? undefined : problem("unavailable");
    };
    await work(fails);
    expect(tried).toHaveLength(5);
    now += minute;
    await work(fails);
    now += minute;
    expect(await work(fails)).toEqual(["last"]);
  });

  test("because a limit is reached, or the token not accepted, has all of its lane wait, and is not given up", async () => {
    await receive("a1", 1);
    await receive("a2", 1);
    await receive("b1", 2);
    for (let tries = 0; tries < 9; tries++)
      expect(await work(only("a1", problem(tries % 2 ? "slow-down" : "unauthorized")))).toEqual(tries ? [] : ["b1"]);
    expect(await work()).toEqual(["a1", "a2"]);
  });
});

test.each([
  new StoreProblem("busy", "the database has no free connection"),
  new StoreProblem("unreachable", "the database ended the connection"),
  new LostJobLease(),
])("one with nothing kept has all of its lane wait, and is not given up: %s", async (error) => {
  await receive("a1", 1);
  await receive("a2", 1);
  for (let tries = 0; tries < 9; tries++) {
    expect(await work(only("a1", error))).toEqual([]);
    now += 60 * minute;
  }
  expect(log.match(/a delivery waits/g)).toHaveLength(1);
  expect(await work()).toEqual(["a1", "a2"]);
});

test("one that always fails by a defect lets others pass, and is given up", async () => {
  await receive("a1", 1);
  await receive("a2", 1);
  const broken = only("a1", new Error("defect"));
  expect(await work(broken)).toEqual(["a2"]);
  for (let tries = 1; tries < 5; tries++) {
    expect(await database.registry.deliveries()).toHaveLength(1);
    now += 60 * minute;
    await work(broken);
  }
  expect(await database.registry.deliveries()).toEqual([]);
});

test("a flood is worked off without its texts being read together", async () => {
  const news: string[] = [];
  const { registry } = database;
  const counted = {
    ...registry,
    news: async (id: string) => {
      news.push(id);
      return await registry.news(id);
    },
  };
  queue = createQueue({ registry: counted, clock, log: pino({ level: "silent" }) });
  for (let count = 0; count < 50; count++) await receive(`a${count}`, 1);
  expect(news).toEqual([]);
  await work();
  expect(news).toHaveLength(50);
  expect((await registry.deliveries()).length).toBe(0);
});
