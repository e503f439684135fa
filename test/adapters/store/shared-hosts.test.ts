import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../../src/adapters/store/postgres/open.ts";
import type { Database } from "../../../src/adapters/store/store.ts";
import type { HostMemory } from "../../../src/model/ports/index.ts";
import { noServer, type PostgresServer, startPostgres } from "../../support/postgres.ts";
import { manyRobots } from "./robots.ts";

const minute = 60_000;

describe.skipIf(noServer)(`processes share their state of hosts, and note their work${noServer}`, () => {
  let server: PostgresServer;
  let address: string;
  let databases: Database[];
  let one: HostMemory;
  let other: HostMemory;
  beforeAll(async () => {
    server = await startPostgres();
    address = await server.database();
    databases = [
      await openPostgres(address, { ask: async () => {} }),
      await openPostgres(address, { ask: async () => {} }),
    ];
    [one, other] = databases.map(({ sharedHosts }) => sharedHosts as HostMemory) as [HostMemory, HostMemory];
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await server.stop();
  });

  test("a host's turn is one process's until it leaves it, of many that are asked for at once too", async () => {
    const hosts = Array.from({ length: 50 }, (_, at) => `${at}.example`);
    const taken = (by: HostMemory, of: readonly string[]) =>
      Promise.all(of.map(async (host) => ({ host, wait: (await by.take?.(host, 0))?.wait ?? -1 })));
    const [mine, theirs] = await Promise.all([taken(one, hosts), taken(other, hosts.toReversed())]);
    for (const { host, wait } of mine) {
      const another = theirs.find((turn) => turn.host === host)?.wait ?? -1;
      expect([wait, another].toSorted((a, b) => a - b)).toEqual([
        0,
        expect.toSatisfy((left) => left > 0 && left <= 35_000),
      ]);
    }
    await Promise.all(hosts.flatMap((host) => [one.leave?.(host, 0), one.leave?.(host, 0)]));
    expect((await taken(other, hosts)).every(({ wait }) => wait === 0)).toBe(true);
    await Promise.all(hosts.map((host) => other.leave?.(host, minute)));
    expect((await taken(one, hosts)).every(({ wait }) => wait > minute / 2)).toBe(true);
  });

  test("a turn that is left as its process ends is another's at once", async () => {
    const ending = await openPostgres(address, { ask: async () => {} });
    await ending.sharedHosts?.take?.("ending.example", 0);
    expect((await other.take?.("ending.example", 0))?.wait).toBeGreaterThan(0);
    const left = ending.sharedHosts?.leave?.("ending.example", 0);
    await ending.close();
    expect((await other.take?.("ending.example", 0))?.wait).toBe(0);
    await left;
  });

  test("a host that asked to be left alone for a minute is so by processes whose clocks differ by five", async () => {
    const now = Date.now();
    await one.saveRest({ host: "busy.example", until: now - 5 * minute + minute, status: 429 }, now - 5 * minute);
    const turn = await other.take?.("busy.example", now);
    expect(turn?.rest).toMatchObject({ host: "busy.example", status: 429 });
    expect(turn?.rest?.until).toBeGreaterThan(now + minute - 10_000);
    expect(turn?.rest?.until).toBeLessThanOrEqual(now + minute);
    const late = now + 5 * minute;
    const [rest] = await one.rests(late);
    expect(Math.abs((rest?.until ?? 0) - late - minute)).toBeLessThan(10_000);
  });

  test("a rest that is over by the server's clock is forgotten, and robots.txt that nobody has read for a month", async () => {
    const now = Date.now();
    await one.saveRest({ host: "over.example", until: now - minute, status: 429 }, now);
    await one.saveRest({ host: "long.example", until: now + 60 * minute, status: 429 }, now);
    const rules = { product: "Recheck", rules: "[]", validators: {} };
    await one.saveRobots({ ...rules, origin: "https://old.example", read: now - 40 * 24 * 60 * minute });
    await one.saveRobots({ ...rules, origin: "https://new.example", read: now });
    await other.forget(now);
    const resting = (await one.rests(now)).map(({ host }) => host);
    expect(resting).toContain("long.example");
    expect(resting).not.toContain("over.example");
    expect(await one.robots("Recheck", "https://old.example")).toBeUndefined();
    expect(await one.robots("Recheck", "https://new.example")).toBeDefined();
  });

  test("rules of robots.txt of the same sites are kept by several at once, in any order", async () => {
    const origins = Array.from({ length: 900 }, (_, at) => `https://${at}.example`);
    const kept = { product: "Recheck", rules: "[]", validators: {} };
    const keep = (by: HostMemory, of: readonly string[], read: number) =>
      Promise.all(of.map((origin) => by.saveRobots({ ...kept, origin, read })));
    for (let round = 1; round <= 5; round++) {
      await Promise.all([keep(one, origins, round), keep(other, origins.toReversed(), round)]);
      const known = await Promise.all(origins.map((origin) => one.robots("Recheck", origin)));
      expect(known.map((rules) => rules?.read)).toEqual(origins.map(() => round));
    }
  });

  test("rules of robots.txt are kept up to 64 MiB, those that were read last", async () => {
    await one.forget(Number.MAX_SAFE_INTEGER);
    expect(await manyRobots(one)).toEqual([3, 4, 5, 6, 7, 8]);
  });

  test("checks that repositories begin at once are noted for each, and those that ended are not", async () => {
    const [database] = databases as [Database];
    const [a, b] = [database.repository(1), database.repository(2)];
    await Promise.all([a.attempt(["x", "y"], 1), b.attempt(["x"], 1), a.attempt(["z"], 2, ["x"])]);
    await Promise.all([a.attempt([], 3, ["y"]), b.attempt(["y"], 3)]);
    const rows = await database.rows.selectFrom("attempt").select(["repository", "source", "began"]).execute();
    const told = rows.map(({ repository, source, began }) => `${repository} ${source} ${began}`).toSorted();
    expect(told).toEqual(["1 z 2", "2 y 3"]);
  });
});
