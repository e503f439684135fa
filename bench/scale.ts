import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { parseRanges } from "../src/adapters/fetch/address.ts";
import { shareFetch } from "../src/adapters/fetch/index.ts";
import { openStore } from "../src/adapters/store/open.ts";
import { prepareForPages } from "../src/adapters/threads/thread.ts";
import { parseConfig } from "../src/config/index.ts";
import { createMetrics } from "../src/faces/app/metrics.ts";
import { createQueue } from "../src/faces/app/queue.ts";
import { sideBySide, turns } from "../src/model/concurrency.ts";
import type { Config } from "../src/model/config.ts";
import { readers } from "../src/read/index.ts";
import type { World } from "../src/watch/check.ts";
import { scan } from "../src/watch/scan.ts";
import { subjectOf } from "../src/watch/watch.ts";
import { bytesWritten } from "./process.ts";

/**
 * Many repositories in one store, as on a server: the processor time and the written bytes of an unchanged check when
 * all are due, and the cost of a minute in which nothing is due. If repositories share addresses, it counts the
 * requests. `node bench/scale.ts PORT REPOSITORIES SOURCES-OF-EACH ADDRESSES`, in a process of its own; prints one line
 * of JSON.
 */
const [port = 0, repositories = 0, ofEach = 0, addresses = 0] = process.argv.slice(2).map(Number);
const count = repositories * ofEach;
const [minute, day] = [60_000, 24 * 60 * 60_000];

prepareForPages();
const folder = mkdtempSync(join(tmpdir(), "recheck-scale-"));
const database = await openStore(join(folder, "recheck.sqlite"));
const { registry } = database;
let now = Date.now() - 300 * day;
const clock = { now: () => now };
const fetch = shareFetch({ clock, pause: 0, allowAddresses: parseRanges("127.0.0.0/8"), hosts: database.hosts });
const ids = Array.from({ length: repositories }, (_, index) => index + 1);
const worlds = new Map<number, World>(ids.map((id) => [id, worldOf(id, configOf(id))]));

function configOf(id: number): Config {
  const listed = Array.from({ length: ofEach }, (_, index) => {
    const number = ((id - 1) * ofEach + index) % addresses;
    return `  s${index}:\n    page: http://127.0.0.${(number % 64) + 1}:${port}/small/${number}\n`;
  });
  const text = `report: { title: Bench, audited: 2026-01-01 }\nsources:\n${listed.join("")}`;
  const { config, problems } = parseConfig([{ path: "sources.yaml", text }], readers);
  if (!config) throw new Error(JSON.stringify(problems.slice(0, 3)));
  return config;
}

function worldOf(id: number, config: Config): World {
  const store = database.repository(id);
  return {
    config,
    clock,
    fetch: fetch.for({ id: String(id), userAgent: "Recheck-bench/0" }),
    readers,
    store,
    access: { githubToken: false },
  };
}

/** As many checks are under way at once as a server has. */
const turn = turns(48);

/** All that is due, as a round does it. Returns how many checks there were. */
async function round(): Promise<number> {
  let checks = 0;
  for (let due = await registry.plan(now, 1_000); due.length > 0; due = await registry.plan(now, 1_000)) {
    await sideBySide([...due], 16, undefined, async (id) => {
      const world = worlds.get(id);
      if (!world) return;
      const scanned = await scan(world, { prompt: true, turn });
      const wrong = scanned.checks.filter(({ outcome }) => outcome !== "unchanged").length;
      // A benchmark of checks that failed would measure nothing.
      if (wrong > 0 && now > seeded) throw new Error(`${wrong} checks are not unchanged`);
      checks += scanned.checks.length;
      // As a server does: without it a repository would be due each minute.
      await registry.attend(id);
      await registry.rest(id, now, now + 60 * minute);
    });
  }
  return checks;
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** One real first check; all other sources start from its result. */
async function seed(): Promise<void> {
  const [first] = worlds.values();
  if (!first) throw new Error("nothing to check");
  await scan(first, { sources: ["s0"] });
  const [seen] = await first.store.watches(["s0"]);
  if (!seen) throw new Error("the first check failed");
  for (const [id, { config, store }] of worlds) {
    await registry.revise(id, () => ({
      id,
      name: `lab/${id}`,
      installation: 1,
      standing: "active",
      since: now,
      stale: false,
    }));
    const watches = [...config.sources.values()].map((source) => ({
      ...seen,
      source: source.id,
      subject: subjectOf(source),
    }));
    await store.touch(watches);
  }
}

await seed();
const seeded = now;
await round();
const rounds = Math.max(1, Math.round(10_000 / count));
/** Requests for sources since this was asked last. */
const asked = async () => Number(await (await globalThis.fetch(`http://127.0.0.1:${port}/asked`)).text());
const rates: number[] = [];
let requests = 0;
await asked();
const before = bytesWritten();
for (let number = 0; number < rounds; number++) {
  now += 2 * day;
  let checks = 0;
  const taken = await cpuOf(async () => {
    checks = await round();
  });
  if (checks !== count) throw new Error(`${checks} checks of ${count}`);
  rates.push(taken / checks);
  requests = await asked();
}
const written = (bytesWritten() - before) / (rounds * count);
const minutes = 60;
const idle = await cpuOf(async () => {
  for (let passed = 0; passed < minutes; passed++) {
    now += minute;
    if ((await round()) > 0) throw new Error("something was due");
  }
});
/** Average of a hundred. */
async function cpuOfEach(work: (number: number) => Promise<unknown>): Promise<number> {
  await work(0);
  const all = async () => {
    for (let number = 1; number <= 100; number++) await work(number);
  };
  return (await cpuOf(all)) / 100;
}

const monitored = createMetrics(clock);
const metrics = await cpuOfEach(() => monitored.text(() => registry.backlog(now)));
const queue = createQueue({ registry, clock, log: pino({ level: "silent" }) });
const webhook = await cpuOfEach((number) =>
  queue.receive(`delivery ${number}`, "issue_comment", {
    action: "created",
    installation: { id: 1 },
    repository: { id: 1, full_name: "lab/1" },
    issue: { number: 1 },
    comment: { id: number, body: "/recheck keep", user: { login: "author", type: "User" } },
  }),
);
if ((await registry.deliveries()).length !== 101) throw new Error("webhooks were not stored");
rates.sort((a, b) => a - b);
const figures = {
  perCheck: rates[Math.floor(rates.length / 2)],
  requests,
  written,
  idleMinute: idle / minutes,
  metrics,
  webhook,
  peakMegabytes: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
await fetch.close();
await database.close();
rmSync(folder, { recursive: true });
