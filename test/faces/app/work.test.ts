import { createHmac, generateKeyPairSync } from "node:crypto";
import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import { createJobs } from "../../../src/adapters/jobs/boss.ts";
import { startServer, startWorker } from "../../../src/faces/app/server.ts";
import { createWorker, type Worker } from "../../../src/faces/app/work.ts";
import { GitHubProblem, type JobLane } from "../../../src/model/ports/index.ts";
import { usualKeep } from "../../../src/wire/settings.ts";
import { freePort } from "../../support/free-port.ts";
import { asking, noServer, startPostgres } from "../../support/postgres.ts";

const minute = 60_000;

/** The variables of an App whose store is a database, and whose GitHub does not answer. */
function appOn(address: string): Record<string, string> {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
  return { DATABASE_URL: address, APP_ID: "1", PRIVATE_KEY: key, GITHUB_API_URL: "http://127.0.0.1:9" };
}

/** A worker with a clock that is set by hand, a GitHub with one list, and a queue that gives what the test wants. */
describe("a worker that is given GitHub's list", () => {
  let worker: Worker;
  let now: number;
  let isDown: boolean;
  let compared: number;
  let asked: [JobLane, number?][];
  let give: (lane: JobLane) => Promise<void>;

  beforeEach(async () => {
    now = Date.UTC(2026, 5, 1, 4, 17);
    isDown = false;
    compared = 0;
    asked = [];
    const instance = {
      clock: { now: () => now },
      keep: usualKeep,
      registry: { async *repositories() {}, forgetDeliveries: async () => {} },
      hosts: { forget: async () => {} },
      installations: {
        async installations() {
          if (isDown) throw new GitHubProblem("unavailable", "GitHub could not list installations (502)");
          compared++;
          return [];
        },
      },
    };
    const jobs = {
      ask: async (...one: [JobLane, number?]) => void asked.push(one),
      async begin(work: typeof give) {
        give = work;
      },
      end: async () => {},
    };
    const given = { instance, jobs, sandbox: {} };
    worker = createWorker(given as unknown as Parameters<typeof createWorker>[0], pino({ level: "silent" }));
    await worker.start();
    asked.length = 0;
  });

  test("compares each time: how often it is asked for is the queue's affair", async () => {
    for (let night = 0; night < 7; night++) {
      await give("list");
      now += 24 * 60 * minute;
    }
    // A server starts, and starts again.
    for (let start = 0; start < 2; start++) {
      now += 45 * minute;
      await give("list");
    }
    expect(compared).toBe(9);
    expect(asked).toEqual([]);
  });

  test("asks for it again if GitHub did not answer, and not before it may", async () => {
    isDown = true;
    await give("list");
    expect(asked).toEqual([["list", 60]]);
    isDown = false;
    now += 20_000;
    await give("list");
    expect(compared).toBe(0);
    expect(asked).toEqual([
      ["list", 60],
      ["list", 40],
    ]);
    now += 40_000;
    await give("list");
    expect(compared).toBe(1);
    expect(asked).toHaveLength(2);
  });
});

test.skipIf(noServer)(
  "a webhook that cannot be kept by the time that GitHub waits for is not said to be taken",
  async () => {
    const server = await startPostgres();
    const address = await server.database();
    const secret = "the secret of webhooks";
    const environment = {
      ...appOn(address),
      WEBHOOK_SECRET: secret,
      HOST: "127.0.0.1",
      PORT: String(await freePort()),
    };
    const running = await startServer(environment, pino({ level: "silent" }));
    const push = { ref: "refs/heads/main", after: "a".repeat(40), installation: { id: 3 } };
    const body = JSON.stringify({ ...push, repository: { id: 7, full_name: "lab/report" } });
    const send = async () => {
      const headers = {
        "content-type": "application/json",
        "x-github-event": "push",
        "x-github-delivery": "one",
        "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      };
      const url = `http://127.0.0.1:${running.port}/api/github/webhooks`;
      return (await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(120_000) })).status;
    };
    await asking(address, async (client) => {
      await client.query("begin; lock table recheck.delivery in access exclusive mode");
      expect(await send()).toBe(500);
      await client.query("commit");
    });
    expect(await send()).toBe(200);
    const kept = await asking(address, (client) => client.query("select id from recheck.delivery"));
    expect(kept.rows).toEqual([{ id: "one" }]);
    await running.stop();
    await server.stop();
  },
  60_000,
);

test.each([
  ["half a minute", 30_000, ["installation 3", "repository 7"]],
  ["half a minute by a clock that is behind the server's", -30_000, ["installation 3", "repository 7"]],
  ["two minutes, in vain", 2 * minute, []],
  ["nobody knows how long, by a clock that is an hour behind the server's", -60 * minute, []],
])("news of an installation that wait for %s", async (_, age, asked) => {
  const now = Date.UTC(2026, 5, 1);
  const told: JobLane[] = [];
  let give: (lane: JobLane) => Promise<void> = async () => {};
  const instance = {
    clock: { now: () => now },
    keep: usualKeep,
    registry: {
      visit: async () => ({ state: { id: 7, installation: 3, standing: "removed" }, attend: now }),
      attend: async () => undefined,
      deliveries: async () => [{ id: "one", installation: 3, received: now - age }],
      rest: async () => {},
    },
  };
  const jobs = {
    ask: async (lane: JobLane) => void told.push(lane),
    async begin(work: typeof give) {
      give = work;
    },
    end: async () => {},
  };
  const given = { instance, jobs, sandbox: {} };
  const worker = createWorker(given as unknown as Parameters<typeof createWorker>[0], pino({ level: "silent" }));
  await worker.start();
  told.length = 0;
  await give("repository 7");
  expect(told).toEqual(asked);
});

test.skipIf(noServer)("a worker that cannot begin leaves nothing behind that goes on", async () => {
  const server = await startPostgres();
  const address = await server.database();
  await (await createJobs(address)).close();
  const ask = (text: string) => asking(address, async (client) => (await client.query(text)).rows);
  await ask("alter table recheck_jobs.job add constraint none check (false) not valid");
  await expect(startWorker(appOn(address), pino({ level: "silent" }))).rejects.toThrow("none");
  const open = "select 1 from pg_stat_activity where datname = current_database() and application_name = 'recheck'";
  await expect.poll(() => ask(open)).toEqual([]);
  await server.stop();
});

test.skipIf(noServer)("a worker answers its monitors on a port of its own", async () => {
  const server = await startPostgres();
  const port = await freePort();
  const token = "a token of the monitor";
  const more = { RECHECK_WORKER_PORT: String(port), RECHECK_METRICS_TOKEN: token };
  const env = { ...appOn(await server.database()), ...more };
  const working = await startWorker(env, pino({ level: "silent" }));
  const ask = (path: string, headers = {}) => fetch(`http://localhost:${port}${path}`, { headers });
  try {
    for (const path of ["/livez", "/readyz"]) expect((await ask(path)).status).toBe(200);
    expect((await ask("/metrics")).status).toBe(401);
    const figures = await (await ask("/metrics", { authorization: `Bearer ${token}` })).text();
    expect(figures).toContain('recheck_checks_total{outcome="unchanged"} 0');
    expect((await ask("/reports/")).status).toBe(404);
    await expect(startWorker(env, pino({ level: "silent" }))).rejects.toThrow(
      `port ${port} is in use: set RECHECK_WORKER_PORT to another one`,
    );
    await expect(startWorker({ ...env, RECHECK_WORKER_PORT: "x" }, pino({ level: "silent" }))).rejects.toThrow(
      "RECHECK_WORKER_PORT must be a number from 1 to 65535",
    );
  } finally {
    await working.stop();
    await server.stop();
  }
  await expect(ask("/livez")).rejects.toThrow();
});
