import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answer503IfClosed } from "../../../src/faces/app/http.ts";
import { createMetrics } from "../../../src/faces/app/metrics.ts";
import { probesOf } from "../../../src/faces/app/probes.ts";
import type { Backlog } from "../../../src/model/ports/index.ts";
import { StoreProblem } from "../../../src/model/problem.ts";
import { endInstance, type Instance, startInstance } from "../../support/instance.ts";

const token = "a-token-for-those-who-watch";
const minute = 60_000;
const nothing: Backlog = {
  checks: { count: 0 },
  outbox: { issue: { count: 0 }, comment: { count: 0 }, message: { count: 0 } },
  deliveries: { count: 0 },
  repositories: {},
};

describe("a server, to those who watch it,", () => {
  let it: Instance;
  beforeEach(async () => {
    it = await startInstance("alpha");
  });
  afterEach(() => endInstance(it));

  const at = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(path, it.webhooks), { headers });
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };
  /** Its figures, by name and labels. */
  const figures = async (): Promise<Record<string, number>> => {
    const { text } = await at("/metrics", { authorization: `Bearer ${token}` });
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ""), Number(line.replace(/^.* /, ""))]));
  };
  const serve = async () => {
    Object.assign(it.environment, { RECHECK_METRICS_TOKEN: token });
    await it.start();
  };

  test("is live while it hears, and ready while its rounds come on time", async () => {
    await serve();
    await it.run();
    expect(await at("/livez")).toMatchObject({ status: 200, text: "ok\n" });
    const ready = await at("/readyz");
    expect(ready).toEqual({ status: 200, type: "application/json", text: expect.stringMatching(/^\{"ok":true,/) });
    expect(await at("/health")).toEqual(ready);
    it.pass(16 * minute);
    expect(await at("/readyz")).toMatchObject({ status: 503 });
    expect(await at("/livez")).toMatchObject({ status: 200 });
  });

  test("gives its figures to a client with the token, and to nobody else", async () => {
    await it.start();
    expect(await at("/metrics", { authorization: "Bearer undefined" })).toMatchObject({ status: 404 });
    await it.stop();
    await serve();
    const guesses: Record<string, string>[] = [{}, { authorization: "Bearer " }, { authorization: `Bearer ${token}x` }];
    for (const headers of guesses) expect(await at("/metrics", headers)).toMatchObject({ status: 401 });
    const told = await at("/metrics", { authorization: `Bearer ${token}` });
    expect([told.status, told.type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
  });

  test("counts checks and rounds, and says how late it is", async () => {
    await it.commit(it.config());
    await serve();
    await it.run();
    const before = await figures();
    expect(before).toMatchObject({
      'recheck_checks_total{outcome="first"}': 1,
      'recheck_checks_total{outcome="unknown"}': 0,
      'recheck_rounds_total{result="badly"}': 0,
      'recheck_repositories{standing="active"}': 2,
      recheck_due_sources: 0,
      recheck_schedule_lag_seconds: 0,
      recheck_last_good_round_timestamp_seconds: it.now() / 1_000,
    });
    expect(before['recheck_rounds_total{result="well"}']).toBeGreaterThan(0);
    it.pass(3 * 24 * 60 * minute);
    const late = await figures();
    expect(late.recheck_due_sources).toBe(1);
    expect(late.recheck_schedule_lag_seconds).toBeGreaterThan(24 * 3_600);
  });

  test("has no check due of a repository whose config was deleted, and checks again once it is back", async () => {
    const config = it.config();
    await it.commit(config);
    await serve();
    await it.run();
    await it.commit(Object.fromEntries(Object.keys(config).map((path) => [path, undefined])));
    await it.run();
    it.pass(3 * 24 * 60 * minute);
    await it.run();
    expect(await figures()).toMatchObject({ recheck_due_sources: 0, recheck_schedule_lag_seconds: 0 });
    const before = it.lists.asked.length;
    it.lists.add("alpha", "news while nothing was watched");
    await it.commit(config);
    await it.run();
    expect(it.lists.asked.length).toBe(before + 1);
    const fired = await it.stored(async (store) => (await store.firings()).length);
    expect(fired).toBe(1);
  });

  test("counts webhooks, those that wait and those that are done", async () => {
    await it.commit(it.config());
    await serve();
    await it.run();
    const done = (await figures())['recheck_deliveries_total{event="done"}'] ?? 0;
    await it.push({ "sources.yaml": `${it.config()["sources.yaml"]}# again\n` });
    const now = await figures();
    expect(now['recheck_deliveries_total{event="done"}']).toBe(done + 1);
    expect(now).toMatchObject({ recheck_deliveries_waiting: 0, recheck_deliveries_oldest_age_seconds: 0 });
  });

  test("reports each good round to the heartbeat monitor, and goes on if that does not answer", async () => {
    const heard: (string | undefined)[] = [];
    let status = 200;
    const watchman = createServer((request, response) => {
      heard.push(`${request.method} ${request.url}`);
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => watchman.listen(0, "127.0.0.1", resolve));
    const { port } = watchman.address() as AddressInfo;
    Object.assign(it.environment, { RECHECK_HEARTBEAT: `http://127.0.0.1:${port}/ping/secret-word` });
    await serve();
    await it.run();
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    expect(new Set(heard)).toEqual(new Set(["GET /ping/secret-word"]));
    status = 500;
    await it.run();
    await expect.poll(() => it.log()).toContain("the heartbeat to RECHECK_HEARTBEAT failed: it answered 500");
    expect(await at("/readyz")).toMatchObject({ status: 200 });
    expect(it.log()).not.toContain("secret-word");
    watchman.closeAllConnections();
    await new Promise((resolve) => watchman.close(resolve));
  });

  test("is not ready, and its watchman hears nothing, while no check can be kept", async () => {
    await it.commit(it.config());
    await serve();
    await it.run();
    const database = new DatabaseSync(join(it.folder, "data", "recheck.sqlite"));
    const full = "begin select raise(abort, 'database or disk is full'); end";
    database.exec(
      `create trigger full_watch before update on watch ${full}; create trigger full_look before insert on look ${full}`,
    );
    // Each address has its own times of day, within a day: all checks have been due for longer than an hour.
    it.pass(26 * 60 * minute);
    for (const _ of [1, 2]) await it.run();
    expect(await at("/readyz")).toMatchObject({
      status: 503,
      text: expect.stringContaining("none succeeded for an hour"),
    });
    expect((await figures())['recheck_rounds_total{result="badly"}']).toBeGreaterThan(0);
    database.exec("drop trigger full_watch; drop trigger full_look");
    database.close();
    for (const _ of [1, 2]) await it.run();
    expect(await at("/readyz")).toMatchObject({ status: 200 });
  });

  test("names no repository, source or secret in its figures", async () => {
    await it.commit(it.config());
    await serve();
    await it.run();
    const { text } = await at("/metrics", { authorization: `Bearer ${token}` });
    for (const word of [it.local.repo, "alpha", "example/second", token]) expect(text, word).not.toContain(word);
    for (const secret of Object.values(it.environment).filter((value) => value.length > 12))
      expect(text).not.toContain(secret);
  });
});

/** A server whose store may be asked whether it answers, and for nothing more. */
const unwatched = {
  service: { health: () => ({ ok: true }) },
  backlog: () => Promise.reject(new Error("all that waits was counted")),
};

test("a question about readiness has nothing counted, however much waits", async () => {
  const answer = probesOf({ ...unwatched, metrics: createMetrics({ now: () => 0 }), stored: async () => undefined });
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  for (const path of ["/readyz", "/health"]) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("the example alerts and dashboard ask only for figures that there are", async () => {
  const { body } = await createMetrics({ now: () => 0 }).text(
    async () =>
      ({
        checks: { count: 0 },
        outbox: {},
        deliveries: { count: 0 },
        repositories: {},
      }) as never,
  );
  for (const file of ["alerts.yml", "dashboard.json"]) {
    const text = readFileSync(new URL(`../../../examples/monitoring/${file}`, import.meta.url), "utf8");
    const asked = new Set(text.match(/recheck_\w+/g));
    expect(asked.size).toBeGreaterThan(4);
    for (const name of asked) expect(body).toContain(`# TYPE ${name} `);
  }
});

test("the last good round is absent without rounds, and counts from the start if none was good", async () => {
  let now = 1_000_000;
  const metrics = createMetrics({ now: () => now });
  const lastGood = async () =>
    /^recheck_last_good_round_timestamp_seconds (\d+)$/m.exec((await metrics.text(async () => nothing)).body)?.[1];
  expect(await lastGood()).toBeUndefined();
  now += minute;
  metrics.round("badly", now);
  expect(await lastGood()).toBe("1000");
  metrics.round("well", now);
  expect(await lastGood()).toBe("1060");
});

test("a server whose store hangs says so while the client still waits", async () => {
  const metrics = createMetrics({ now: () => 0 });
  const stored = () => new Promise(() => {});
  const backlog = () => new Promise<never>(() => {});
  const answer = probesOf({ ...unwatched, metrics, stored, backlog, token });
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(120_000) });
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ ok: false, says: "the store does not answer" });
  const figures = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(120_000),
  });
  expect([figures.status, await figures.text()]).toEqual([503, "The store does not answer.\n"]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("a server whose store cannot be read says so in its figures and its pages, too", async () => {
  const down = async () => {
    throw new StoreProblem("unreachable", "the database at db.internal/recheck does not answer");
  };
  const probes = probesOf({
    ...{
      service: { health: () => ({ ok: true }) },
      metrics: createMetrics({ now: () => 0 }),
      backlog: down,
      stored: down,
    },
    token,
  });
  const pages = answer503IfClosed(down);
  const server = createServer(async (request, response) => {
    if (!(await probes(request, response))) await pages(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const told = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return [response.status, await response.text()];
  };
  expect(await told("/metrics")).toEqual([503, "the database at db.internal/recheck does not answer.\n"]);
  expect(await told("/reports/example/report/")).toEqual([503, "The store cannot be read at the moment.\n"]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("the rest of GitHub's quota is given for the installation that has least of it, as long as its hour lasts", async () => {
  let now = 0;
  const metrics = createMetrics({ now: () => now });
  const told = async () =>
    /^recheck_github_quota_remaining_requests (\d+)$/m.exec((await metrics.text(async () => nothing)).body)?.[1];
  expect(await told()).toBeUndefined();
  metrics.quota(4_990, 50 * minute, "100");
  metrics.quota(12, 40 * minute, "101");
  expect(await told()).toBe("12");
  now = 45 * minute;
  expect(await told()).toBe("4990");
  now = 55 * minute;
  expect(await told()).toBeUndefined();
});

test("the documentation has every figure with its kind, and no other", async () => {
  const { body } = await createMetrics({ now: () => 0 }).text(async () => nothing);
  const told = [...body.matchAll(/^# TYPE (recheck_\w+) (\w+)$/gm)].map(([, name, kind]) => [name, kind]);
  expect(told.length).toBeGreaterThan(10);
  // https://prometheus.io/docs/practices/naming/
  for (const [name = "", kind] of told) expect(name.endsWith("_total"), name).toBe(kind === "counter");
  const page = readFileSync(join(import.meta.dirname, "../../../docs/operating.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(recheck_\w+)(?:\{[^}]*\})?` \| (\w+) \|/gm)].map(([, name, kind]) => [
    name,
    kind,
  ]);
  expect(rows.toSorted()).toEqual(told.toSorted());
});
