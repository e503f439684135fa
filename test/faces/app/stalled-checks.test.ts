import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { createService, createStalledChecks } from "../../../src/faces/app/service.ts";
import { createFront } from "../../../src/faces/app/work.ts";
import type { Backlog } from "../../../src/model/ports/index.ts";
import { StoreProblem } from "../../../src/model/problem.ts";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.UTC(2026, 5, 1, 4, 17);

let now: number;
let checks: Backlog["checks"];
const clock = { now: () => now };
const registry = { backlog: async () => ({ checks }) as Backlog, mayWrite: async () => {} };

beforeEach(() => {
  now = start;
});

describe("whether checks go on", () => {
  let ask: () => Promise<string | undefined>;
  beforeEach(() => {
    ask = createStalledChecks({ registry, clock }, "who knows");
  });

  test("is not in doubt if nothing is due, or if due checks wait for their turn among others that are made", async () => {
    for (const found of [{ count: 0 }, { count: 0, last: start - 9 * hour }, { count: 1, since: start - hour }])
      for (const _ of [1, 2]) {
        checks = found;
        expect(await ask()).toBeUndefined();
      }
    for (let passed = 0; passed < 3; passed++) {
      now += 30 * minute;
      checks = { count: 1, since: start - 9 * hour, last: now - minute };
      expect(await ask()).toBeUndefined();
    }
  });

  test("is in doubt once a check is due for more than an hour, and none was kept meanwhile", async () => {
    checks = { count: 1, since: start - 26 * hour, last: start - 30 * hour };
    // A server that was off for a day begins to check in its first round.
    expect(await ask()).toBeUndefined();
    now += minute;
    const says = "the most overdue check has waited for 26 h, and none succeeded for an hour: who knows";
    expect(await ask()).toBe(says);
    expect(await ask()).toBe(says);
    checks = { ...checks, last: now };
    expect(await ask()).toBeUndefined();
  });
});

describe("if nobody checks", () => {
  const log = pino({ level: "silent" });
  const stuck = { count: 1, since: start - 2 * hour };

  test("a server that checks itself is not ready, and its rounds go badly until it checks again", async () => {
    const went: string[] = [];
    const stalled = createStalledChecks({ registry, clock }, "the log says why");
    const service = createService({ clock, log, stopping: new AbortController(), round: async () => {}, stalled });
    service.onRound((how) => void went.push(how));
    for (const found of [stuck, stuck, { ...stuck, last: start }]) {
      checks = found;
      await service.run();
      expect(service.health().ok).toBe(went.at(-1) === "well");
    }
    expect(went).toEqual(["well", "badly", "well"]);
  });

  test("a server whose checks are its workers' goes on taking webhooks, and says it", async () => {
    const went: string[] = [];
    const given = { instance: { registry, clock }, shared: {} };
    const front = createFront(given as unknown as Parameters<typeof createFront>[0], log);
    front.onRound((how) => void went.push(how));
    checks = stuck;
    for (const _ of [1, 2]) await front.run();
    expect(went).toEqual(["well", "badly"]);
    expect(front.health()).toMatchObject({ ok: true, says: expect.stringContaining("does a worker run?") });
  });

  test("nor is it ready if its database is read-only, and takes no webhook", async () => {
    const says = "the database at db.internal/recheck is read-only: it may be a standby";
    const mayWrite = async () => {
      throw new StoreProblem("read-only", says);
    };
    const given = { instance: { registry: { ...registry, mayWrite }, clock }, shared: {} };
    const front = createFront(given as unknown as Parameters<typeof createFront>[0], log);
    checks = { count: 0 };
    await front.run();
    expect(front.health()).toMatchObject({ ok: false, says });
  });
});
