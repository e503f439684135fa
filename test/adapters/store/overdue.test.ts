import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../../src/adapters/store/postgres/open.ts";
import type { Database } from "../../../src/adapters/store/store.ts";
import { asking, noServer, type PostgresServer, startPostgres } from "../../support/postgres.ts";

const minute = 60_000;
const repositories = 100_000;
const atOnce = 1_000;

describe.skipIf(noServer)(`a queue that is long overdue${noServer}`, () => {
  let server: PostgresServer;
  let database: Database;
  const asked: string[] = [];
  const now = Date.now();
  beforeAll(async () => {
    server = await startPostgres();
    const address = await server.database();
    database = await openPostgres(address, { ask: async (_, ...lanes) => void asked.push(...lanes) });
    // Due in the order of their numbers, the last one now, after a day in which nothing was done.
    await asking(address, async (client) => {
      await client.query(
        `insert into recheck.repository (id, name, rest, next)
         select n, 'lab/' || n, '{"installation":1,"standing":"active","since":0,"stale":false}', $1::bigint - ($2 - n) * 864
         from generate_series(1, $2::int) n order by n % 1009`,
        [now, repositories],
      );
      await client.query("analyze recheck.repository");
    });
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  test("is asked for a thousand a minute, the longest due first, and none twice", async () => {
    const { registry } = database;
    for (let passed = 0; passed < 3; passed++) {
      const planned = await registry.plan(now + passed * minute, atOnce);
      const from = passed * atOnce + 1;
      expect([planned.length, planned[0], planned.at(-1)]).toEqual([atOnce, from, from + atOnce - 1]);
    }
    expect(new Set(asked).size).toBe(3 * atOnce);
    expect(asked.length).toBe(3 * atOnce);
  });

  test("is not asked for again by a worker whose clock is minutes behind or ahead", async () => {
    asked.length = 0;
    const { registry } = database;
    for (const clock of [now - 5 * minute, now + 5 * minute]) await registry.plan(clock, atOnce);
    expect(asked.length).toBe(2 * atOnce);
    expect(asked.slice(0, 2)).toEqual([`repository ${3 * atOnce + 1}`, `repository ${3 * atOnce + 2}`]);
    expect(new Set(asked).size).toBe(2 * atOnce);
  });
});
