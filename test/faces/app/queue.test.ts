import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openStore } from "../../../src/adapters/store/open.ts";
import { createQueue, type Queue } from "../../../src/faces/app/queue.ts";
import { GitHubProblem } from "../../../src/model/ports/index.ts";

let database: Database;
let queue: Queue;
const clock = { now: () => 7 };

beforeEach(async () => {
  database = await openStore(":memory:");
  queue = createQueue(database.registry, clock, pino({ level: "silent" }));
});
afterEach(() => database.close());

const payload = (repository: number, number: number) => ({
  action: "closed",
  installation: { id: 1 },
  repository: { id: repository, full_name: `lab/r${repository}` },
  issue: { number },
});
/** What is handled, in order; `fails` says what becomes of a delivery, and what is not to fail is finished. */
async function work(fails: (id: string) => Error | undefined = () => undefined): Promise<string[]> {
  const handled: string[] = [];
  await queue.work({
    async handle({ delivery, at }) {
      expect(at).toBe(7);
      const error = fails(delivery);
      if (error) throw error;
      handled.push(delivery);
      await database.registry.finish(delivery);
      return [];
    },
    async after() {},
  });
  return handled;
}
const outage = () => new GitHubProblem("unavailable", "GitHub could not");

test("what concerns nobody here is not kept, and what comes twice is kept once", async () => {
  expect(await queue.receive("a", "star", payload(1, 1))).toBe(false);
  expect(await queue.receive("a", "issues", { action: "closed" })).toBe(false);
  expect(await queue.receive("a", "issues", "{")).toBe(false);
  expect(await queue.receive("a", "issues", payload(1, 1))).toBe(true);
  expect(await queue.receive("a", "issues", payload(1, 1))).toBe(false);
  expect(await work()).toEqual(["a"]);
  expect(await queue.receive("a", "issues", payload(1, 1))).toBe(false);
  expect(await work()).toEqual([]);
});

test("each repository's news are worked off in order, and one that waits holds up its own alone", async () => {
  for (const [id, repository] of [
    ["a1", 1],
    ["b1", 2],
    ["a2", 1],
  ] as const)
    await queue.receive(id, "issues", payload(repository, 1));
  await queue.receive("i", "installation", { action: "suspend", installation: { id: 1 } });
  expect(await work((id) => (id === "a1" ? outage() : undefined))).toEqual(["i", "b1"]);
  // A new process finds what the one before had kept and not finished.
  queue = createQueue(database.registry, clock, pino({ level: "silent" }));
  expect(await work()).toEqual(["a1", "a2"]);
});

test("one that always fails by a defect is given up, so that others go on", async () => {
  await queue.receive("a1", "issues", payload(1, 1));
  await queue.receive("a2", "issues", payload(1, 2));
  const broken = (id: string) => (id === "a1" ? new Error("defect") : undefined);
  for (let tries = 1; tries < 5; tries++) expect(await work(broken)).toEqual([]);
  expect(await work(broken)).toEqual(["a2"]);
  expect(await work()).toEqual([]);
});
