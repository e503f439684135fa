import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Child } from "../../test/support/child.ts";
import { hostOf, install, namesOf, startPlace, until } from "./place.ts";

/**
 * A server and two workers are stopped by SIGTERM and started again, one after the other, while webhooks come: people answer
 * rechecks, one each tenth of a second. Fails unless each answer is kept, and carried out on GitHub once. A webhook that
 * finds no server is sent again, as a proxy before a server does, and by hand on GitHub's page of deliveries. `npm run
 * bench:restarts -- 20 10`: repositories and rechecks of each.
 */
const [repositories = 20, ofEach = 10] = process.argv.slice(2).map(Number);
const names = namesOf(repositories);
const place = await startPlace(names, 0);
const count = repositories * ofEach;

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

function filesOf(number: number) {
  const all = Array.from({ length: ofEach }, (_, index) => index);
  const listed = all.map((index) => {
    const url = `http://${hostOf(number * ofEach + index)}:${place.webPort}/list/${index}`;
    return `  s${index}: { json: "${url}", items: entries, item: { id: id, title: id, date: date } }\n`;
  });
  const ratings = all.map((index) => `  part${index}: fast\n`).join("");
  const limits = "limits: { contents-an-hour: 100, rechecks-an-hour: 100 }\n";
  const report = `report: { title: A report, audited: 2026-01-01 }\n${limits}ratings:\n${ratings}`;
  const triggers = all.map((index) => {
    const text = `name: Part ${index}\nratings: [part${index}]\non:\n  - item: s${index}\nask: Does it still hold?\n`;
    return { path: `triggers/t${index}.yaml`, text };
  });
  return [{ path: "sources.yaml", text: `${report}sources:\n${listed.join("")}` }, ...triggers];
}

const number = async (text: string) => Number((await place.ask<{ n: string }>(`select count(*) n from ${text}`))[0]?.n);
const url = `http://127.0.0.1:${place.port}/api/github/webhooks`;
let refused = 0;
let failed = 0;
const sending = new Set<Promise<void>>();

/** Once more after a moment, until a server has taken it. */
async function send({ id, event, payload }: (typeof place.local.sent)[number]): Promise<void> {
  const body = JSON.stringify(payload);
  const headers = {
    "content-type": "application/json",
    "x-github-event": event,
    "x-github-delivery": id,
    "x-hub-signature-256": `sha256=${createHmac("sha256", place.secret).update(body).digest("hex")}`,
  };
  for (;;) {
    try {
      const { ok } = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(10_000) });
      if (ok) return;
      failed++;
    } catch {
      refused++;
    }
    await sleep(500);
  }
}

let isOver = false;
const relaying = (async () => {
  for (let passed = 0; !isOver; await sleep(20)) {
    for (; passed < place.local.sent.length; passed++) {
      const one = place.local.sent[passed];
      const sent = one && send(one);
      if (!sent) continue;
      sending.add(sent);
      void sent.finally(() => sending.delete(sent));
    }
  }
})();

const says = { start: "Listening on", worker: "working" } as const;
async function begin(what: keyof typeof says): Promise<Child> {
  const child = place.run(what);
  await child.says(says[what]);
  return child;
}

for (const [at, name] of names.entries()) await install(place, name, filesOf(at));
const running = [await begin("start"), await begin("worker"), await begin("worker")];
await until("all is asked about", 900, async () => (await number("recheck.recheck where issue is not null")) >= count);
const rechecks = await place.ask<{ repository: string; issue: number }>(
  "select repository, issue from recheck.recheck",
);
const nameOf = new Map([...place.ids].map(([name, id]) => [String(id), name]));
line(`${rechecks.length} rechecks are open in ${repositories} repositories`);

let restarts = 0;
let isAnswered = false;
const restarting = (async () => {
  while (!isAnswered) {
    for (const [at, what] of (["start", "worker", "worker"] as const).entries()) {
      const old = running[at];
      old?.process.kill("SIGTERM");
      const ended = await old?.ended;
      if (ended?.code !== 0) line(`${what} ended with ${ended?.code}: ${ended?.err.slice(-500)}`);
      running[at] = await begin(what);
      restarts++;
    }
  }
})();
const begun = performance.now();
for (const [at, { repository, issue }] of rechecks.toSorted((a, b) => a.issue - b.issue).entries()) {
  await sleep(Math.max(0, at * 100 - (performance.now() - begun)));
  await place.local.asPerson(
    "POST",
    `/issues/${issue}/comments`,
    { body: "/recheck dismiss because it is nothing" },
    "author",
    nameOf.get(repository),
  );
}
isAnswered = true;
await restarting;
await until("each answer is kept, and done", 900, async () => {
  const left = (await number("recheck.delivery where done = 0")) + sending.size;
  return left === 0 && (await number("recheck.recheck where state = 'closed'")) >= count;
});
// Whatever else would be done of them has time for it.
await sleep(5_000);
isOver = true;
await relaying;
const closings = place.local.requests.filter(
  ({ method, body }) => method === "PATCH" && JSON.stringify(body)?.includes('"state":"closed"'),
);
const issues = new Set(closings.map(({ path }) => path));
const dismissed = await number("recheck.recheck where state = 'closed' and verdict is not null");
line(
  `${restarts} restarts in ${((performance.now() - begun) / 1_000).toFixed(0)} s; ${place.local.sent.length} webhooks, ${refused} tries found no server, ${failed} were answered with an error`,
);
line(`${dismissed} of ${count} answers are kept; ${issues.size} issues closed by ${closings.length} requests`);
if (dismissed !== count || issues.size !== count || closings.length !== count || failed > 0) process.exitCode = 1;
for (const { process: child } of running) child.kill("SIGTERM");
await Promise.all(running.map(({ ended }) => ended));
await place.close();
