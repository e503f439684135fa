import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { parseRanges } from "../src/adapters/fetch/address.ts";
import { openStore } from "../src/adapters/store/open.ts";
import { startServer } from "../src/faces/app/server.ts";
import { beginLine, sectionEnd } from "../src/recheck/issue/marker.ts";
import { environmentOf, type LocalGitHub, startGitHub } from "../test/github/server.ts";
import { start } from "../test/support/child.ts";
import { freePort } from "../test/support/free-port.ts";
import { type Lists, startLists } from "../test/support/lists.ts";
import { hostAt } from "./host-names.ts";

/**
 * The server of an App with many repositories, each with one source and one open recheck, and a GitHub on this machine.
 * `npm run bench:tenants -- rest 200` counts the requests to GitHub in a day without news. `npm run bench:tenants --
 * flood 200` sends 2,000 webhooks of 47 MB in ten seconds, and measures losses, delays and memory.
 */

const [what = "rest", given = "200"] = process.argv.slice(2);
const minute = 60_000;
const hour = 60 * minute;
const secret = "a-secret-of-webhooks";
const names = Array.from({ length: Number(given) }, (_, at) => `example/r${at}`);

interface Place {
  readonly local: LocalGitHub;
  readonly lists: Lists;
  readonly folder: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}

async function place(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), "recheck-tenants-"));
  const lists = await startLists("alpha");
  const [repo = "", ...others] = names;
  const local = await startGitHub({ repo, others });
  for (const [at, name] of names.entries()) {
    // A host of its own: on a shared one, each check would wait a second for the one before.
    lists.configure(folder, hostAt(at));
    for (const path of ["sources.yaml", "triggers/alpha.yaml"]) {
      const content = readFileSync(join(folder, path)).toString("base64");
      await asPerson(local, name, "PUT", `/contents/${path}`, { message: path, content });
    }
  }
  const port = await freePort();
  const environment = {
    ...environmentOf(local, { secret, data: join(folder, "data"), port }),
    LOG_LEVEL: "info",
  };
  return { local, lists, folder, port, environment };
}

async function asPerson(local: LocalGitHub, name: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${local.token}`, "content-type": "application/json" };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(`${local.url}/repos/${name}${path}`, init);
  if (!response.ok) throw new Error(`${method} ${name}${path}: ${response.status}`);
  return (await response.json()) as { id: number };
}

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** All first checks, and an open recheck in each repository. Returns how to go on with its clock. */
async function served({ environment, lists, local }: Place) {
  // A token is valid by the time of the machine: the days of this server are before today.
  let now = Date.now() - 96 * hour;
  const { service, stop } = await startServer(environment, pino({ level: "warn" }), {
    clock: { now: () => now },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), pause: 0 },
    github: { patience: false },
  });
  const pass = async (duration: number) => {
    now += duration;
    await service.run();
    await service.settled();
  };
  // The GitHub of this machine counts 5,000 requests an hour of its own time for each token.
  const fresh = async (duration: number) => {
    for (const one of [duration, 2 * minute]) {
      local.expireTokens();
      await pass(one);
    }
  };
  await fresh(0);
  lists.add("alpha", "one");
  await fresh(26 * hour);
  await fresh(hour);
  return { pass, stop };
}

async function rest(at: Place): Promise<void> {
  const { pass, stop } = await served(at);
  await pass(2 * hour);
  const from = at.local.requests.length;
  for (let passed = 0; passed < 24 * hour; passed += 20 * minute) await pass(20 * minute);
  const asked = at.local.requests.slice(from);
  const kinds = new Map<string, number>();
  for (const { method, path } of asked) {
    const kind = `${method} ${path.replace(/^\/repos\/[^/]+\/[^/]+/, "…").replace(/\b(?:[0-9a-f]{40}|\d+)\b/g, "…")}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  for (const [kind, count] of [...kinds].toSorted(([, a], [, b]) => b - a))
    line(`${String(count).padStart(7)}  ${kind}`);
  line(`${asked.length} requests in a day, ${(asked.length / names.length).toFixed(1)} for each repository`);
  await stop();
}

interface Webhook {
  readonly event: string;
  readonly payload: object;
  readonly kept: boolean;
}

/** The first issue of a repository is the overview, the second its recheck. */
const recheckNumber = 2;

/** The ten webhooks of a repository: much that is said, one command, a push, an edit. */
function webhooksOf(name: string, id: number, installation: number): Webhook[] {
  const common = { installation: { id: installation }, repository: { id, full_name: name, private: false } };
  const person = { login: "author", type: "User" };
  const long = "So it goes. ".repeat(3_400);
  const comment = (number: number, body: string) => ({
    event: "issue_comment",
    payload: {
      ...common,
      action: "created",
      issue: { number: recheckNumber },
      comment: { id: id * 100 + number, body, user: person },
    },
    kept: body.startsWith("/recheck"),
  });
  const said = Array.from({ length: 5 }, (_, number) => comment(number, long));
  const ours = `${beginLine("m", "t", [], [])}\n\n${sectionEnd}`;
  const issue = { number: recheckNumber, body: `${ours}\n${long.slice(0, 20_000)}` };
  const commits = [{ added: ["README.md"], modified: [], removed: [] }];
  const push = { ...common, ref: "refs/heads/other", after: "a".repeat(40), commits };
  const edited = { ...common, action: "edited", issue, sender: person, changes: { body: { from: ours } } };
  const closed = { ...common, action: "closed", issue: { number: 999 } };
  return [
    ...said,
    comment(9, "/recheck keep"),
    { event: "push", payload: push, kept: true },
    { event: "issues", payload: edited, kept: true },
    { event: "issues", payload: closed, kept: true },
    { event: "star", payload: { ...common, action: "created", sender: person }, kept: false },
  ];
}

async function send(port: number, { event, payload }: Webhook): Promise<number> {
  const body = JSON.stringify(payload);
  const headers = {
    "content-type": "application/json",
    "x-github-event": event,
    "x-github-delivery": randomUUID(),
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  };
  const url = `http://127.0.0.1:${port}/api/github/webhooks`;
  return (await fetch(url, { method: "POST", headers, body })).status;
}

/** Resident memory, from Linux. */
function megabytesOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

async function flood(at: Place): Promise<void> {
  const { stop } = await served(at);
  await stop();
  const ids = new Map<string, number>();
  for (const name of names) ids.set(name, (await asPerson(at.local, name, "GET", "")).id);
  const hooks = names.flatMap((name) => webhooksOf(name, ids.get(name) ?? 0, at.local.app.installation));
  const inTurn = hooks.map((_, n) => hooks[(n * 37) % hooks.length] as Webhook);
  const child = start("bench/server.ts", [], at.environment);
  try {
    await child.says("Listening");
    await settle(at);
    at.local.expireTokens();
    await measured(at, inTurn, child.process.pid ?? 0);
  } finally {
    child.process.kill("SIGKILL");
    await child.ended;
  }
}

/** Waits until the first round is over: it compares all repositories. */
async function settle({ local }: Place): Promise<void> {
  for (let before = -1; before !== local.requests.length; ) {
    before = local.requests.length;
    await sleep(5_000);
  }
}

async function measured({ port, folder }: Place, hooks: readonly Webhook[], pid: number): Promise<void> {
  const before = megabytesOf(pid);
  let [peak, slowest] = [before, 0];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await (await fetch(`http://127.0.0.1:${port}/health`)).text();
      slowest = Math.max(slowest, performance.now() - begun);
      peak = Math.max(peak, megabytesOf(pid));
      await sleep(100);
    }
  })();
  const begun = performance.now();
  const bytes = hooks.reduce((sum, { payload }) => sum + JSON.stringify(payload).length, 0);
  const statuses: Promise<number>[] = [];
  for (const [n, hook] of hooks.entries()) {
    await sleep(Math.max(0, (n * 10_000) / hooks.length - (performance.now() - begun)));
    statuses.push(send(port, hook).catch(() => 0));
  }
  const taken = (await Promise.all(statuses)).filter((status) => status < 300 && status > 0).length;
  const sent = (performance.now() - begun) / 1_000;
  const database = await openStore(join(folder, "data", "recheck.sqlite"), { readonly: true });
  while ((await database.registry.deliveries()).length > 0 && performance.now() - begun < 10 * minute) await sleep(500);
  const over = (performance.now() - begun) / 1_000;
  isOver = true;
  await watching;
  let answers = 0;
  for await (const { id } of database.registry.repositories())
    answers += (await database.repository(id).answers()).length;
  const waiting = (await database.registry.deliveries()).length;
  await database.close();
  line(`${hooks.length} webhooks of ${(bytes / 1e6).toFixed(0)} MB sent in ${sent.toFixed(1)} s: ${taken} taken`);
  line(
    `${hooks.filter(({ kept }) => kept).length} concern the App; worked off after ${over.toFixed(0)} s: ${waiting} left`,
  );
  line(`${names.length} commands: ${answers} answers`);
  line(`slowest /health: ${slowest.toFixed(0)} ms`);
  line(
    `memory: ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most, ${megabytesOf(pid).toFixed(0)} MB after`,
  );
  if (taken < hooks.length || waiting > 0 || answers < names.length) process.exitCode = 1;
}

const at = await place();
try {
  await (what === "flood" ? flood(at) : rest(at));
} finally {
  await at.lists.close();
  await at.local.close();
  rmSync(at.folder, { recursive: true });
}
