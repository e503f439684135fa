import { setTimeout as sleep } from "node:timers/promises";
import { markOf } from "../../src/recheck/issue/marker.ts";
import type { Child } from "../../test/support/child.ts";
import { hostOf, install, namesOf, startPlace, until } from "./place.ts";

/**
 * Kills workers while they check: every two seconds, if four are at work, the oldest one. There are 10,000 sources with news,
 * each on a host of its own. A check of a killed worker is put off; once all others are done, nobody is killed any more, and
 * these are checked. Fails unless each source was checked, each entry fired once, and each issue was opened once. `npm run
 * bench:killed -- 50 200`: repositories and sources of each.
 */
const [repositories = 50, ofEach = 200] = process.argv.slice(2).map(Number);
const triggersOfEach = 2;
const workersAtOnce = 4;
const everyMs = 2_000;
const names = namesOf(repositories);
const place = await startPlace(names, 50);

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

function filesOf(number: number) {
  const listed = Array.from({ length: ofEach }, (_, index) => {
    const url = `http://${hostOf(number * ofEach + index)}:${place.webPort}/list/${index}`;
    return `  s${index}: { json: "${url}", items: entries, item: { id: id, title: id, date: date } }\n`;
  });
  const report = "report: { title: A report, audited: 2026-01-01 }\nratings: { speed: fast }\n";
  const triggers = Array.from({ length: triggersOfEach }, (_, trigger) => {
    const own = Array.from({ length: ofEach }, (_, index) => index).filter(
      (index) => index % triggersOfEach === trigger,
    );
    const on = own.map((index) => `  - item: s${index}\n`).join("");
    const text = `name: Part ${trigger}\nratings: [speed]\non:\n${on}ask: Does it still hold?\n`;
    return { path: `triggers/t${trigger}.yaml`, text };
  });
  return [{ path: "sources.yaml", text: `${report}sources:\n${listed.join("")}` }, ...triggers];
}

const count = repositories * ofEach;
const wanted = repositories * triggersOfEach;
const number = async (text: string) => Number((await place.ask<{ n: string }>(`select count(*) n from ${text}`))[0]?.n);
const checked = () => number("recheck.watch where looked > 0");
const asked = () => number("recheck.recheck where state = 'open' and issue is not null");

/** By lane, the last sign of whoever has it, and which try that is. */
const signs = new Map<string, { tries: number; at: number }>();
let longest = 0;

/** How long the work of a dead worker rested: from its last sign until another worker began it. */
async function watchLanes(): Promise<void> {
  const rows = await place.ask<{ lane: string; tries: number; began: Date; sign: Date | null }>(
    `select singleton_key as lane, retry_count as tries, started_on as began, heartbeat_on as sign
     from recheck_jobs.job where name = 'work' and state = 'active' and singleton_key like 'repository %'`,
  );
  for (const { lane, tries, began, sign } of rows) {
    const before = signs.get(lane);
    if (before && tries > before.tries) longest = Math.max(longest, began.getTime() - before.at);
    signs.set(lane, { tries, at: Math.max(began.getTime(), sign?.getTime() ?? 0) });
  }
}

/** The triggers of the issues that were opened; those of the program itself left out. */
async function triggersIn(name: string): Promise<string[]> {
  const url = `${place.local.url}/repos/${name}/issues?state=all&per_page=100`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${place.local.token}` } });
  return ((await response.json()) as { body: string }[]).flatMap(({ body }) => {
    const { trigger = "" } = markOf(body) ?? {};
    return /^t\d+$/.test(trigger) ? [trigger] : [];
  });
}

for (const [at, name] of names.entries()) await install(place, name, filesOf(at));
/** The running workers, the oldest first. */
const workers: Child[] = [];
let starting = 0;

async function startWorker(): Promise<void> {
  starting++;
  const worker = place.run("worker");
  await worker.says("working");
  starting--;
  workers.push(worker);
}

let killed = 0;
const begun = performance.now();
let isOver = false;
const killing = (async () => {
  while (!isOver) {
    while (workers.length + starting < workersAtOnce) void startWorker();
    await sleep(everyMs);
    await watchLanes();
    // On a busy machine they take longer to start than they would live.
    if (workers.length < workersAtOnce) continue;
    workers.shift()?.process.kill("SIGKILL");
    killed++;
    if (killed % 10 === 0)
      line(`${killed} killed: ${await checked()} of ${count} checked, ${await asked()} of ${wanted} issues`);
  }
})();
await until("all is checked, and asked about", 2_700, async () => {
  await sleep(1_000);
  return (await checked()) >= count && (await asked()) >= wanted;
});
const seconds = (performance.now() - begun) / 1_000;
isOver = true;
await killing;
await until("none starts any more", 120, async () => starting === 0);
const died = await number("recheck.look where outcome = 'unknown'");
await until("all that was under way as its worker died is checked", 900, async () => {
  await place.ask("update recheck.watch set next = $1 where rest not like '%\"firstSeen\"%'", Date.now());
  await place.ask("update recheck.repository set next = $1", Date.now());
  await place.jobs.ask("plan");
  await sleep(5_000);
  return (await number("recheck.firing")) >= count;
});
// Whatever else those that are left would do, they have time for it.
await sleep(40_000);
for (const { process: child } of workers) child.kill("SIGTERM");
await Promise.all(workers.map(({ ended }) => ended));

const firings = await number("recheck.firing");
const evidence = await number("recheck.evidence");
const opened = await Promise.all(names.map(triggersIn));
const twice = opened.flatMap((all) => all.filter((trigger, at) => all.indexOf(trigger) !== at));
line(
  `${killed} workers killed in ${seconds.toFixed(0)} s; work that one had was taken over after ${(longest / 1_000).toFixed(0)} s at most`,
);
line(`${await checked()} of ${count} sources checked; ${died} checks failed with their worker, and were made again`);
line(
  `${firings} firings with ${evidence} sightings; ${opened.flat().length} issues of ${wanted}, ${twice.length} twice`,
);
const isRight = firings === count && evidence === count && opened.flat().length === wanted && twice.length === 0;
if (!isRight || longest > 60_000) process.exitCode = 1;
await place.close();
