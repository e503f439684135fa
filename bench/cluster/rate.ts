import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseConfig } from "../../src/config/index.ts";
import { readers } from "../../src/read/index.ts";
import { subjectOf } from "../../src/watch/watch.ts";
import { hostOf, install, namesOf, startPlace, until } from "./place.ts";

/**
 * Checks a second of 1, 2 and 4 workers, `recheck worker` each, on one PostgreSQL database: the same sources, all due at
 * once, unchanged, each on a host of its own that takes 50 ms. `node bench/cluster/rate.ts 400 60`: repositories, and sources
 * of each; use so many that the second before the queue is read does not matter. Prints one line of JSON: the rates by number
 * of workers, and the processor time of a check.
 */
const [repositories = 400, ofEach = 60] = process.argv.slice(2).map(Number);
const count = repositories * ofEach;
const names = namesOf(repositories);
const place = await startPlace(names, 50);

function filesOf(number: number) {
  const listed = Array.from({ length: ofEach }, (_, index) => {
    const at = number * ofEach + index;
    return `  s${index}:\n    page: http://${hostOf(at)}:${place.webPort}/page/${at}\n`;
  });
  const text = `report: { title: Bench, audited: 2026-01-01 }\nsources:\n${listed.join("")}`;
  return [{ path: "sources.yaml", text }];
}

/** One real first check; all other sources start from its result. */
async function seed(): Promise<void> {
  const configs = new Map<number, ReturnType<typeof parseConfig>>();
  for (const [number, name] of names.entries()) {
    const files = filesOf(number);
    const id = await install(place, name, files);
    configs.set(id, parseConfig(files, readers));
  }
  const [first = 0] = configs.keys();
  await place.ask("update recheck.repository set next = $1 where id <> $2", Date.now() + 30 * 60_000, first);
  const worker = place.run("worker");
  const store = place.database.repository(first);
  await until("one repository is checked", 60, async () => (await store.watches()).some(({ lastSeen }) => lastSeen));
  worker.process.kill("SIGTERM");
  await worker.ended;
  const [seen] = await store.watches();
  if (!seen) throw new Error("the first check failed");
  for (const [id, { config }] of configs) {
    const watches = [...(config?.sources.values() ?? [])].map((source) => ({
      ...seen,
      source: source.id,
      subject: subjectOf(source),
    }));
    await place.database.repository(id).touch(watches);
  }
}

/** Found at once while there is one left: to count them all, ten times a second, took a twentieth of a processor. */
const isAnyLeft = async (since: number, sources: string) =>
  (await place.ask("select 1 from recheck.watch where looked < $1 and source like $2 limit 1", since, sources)).length >
  0;

/** All are due, or those of a pattern, and asked for: how long until each was checked. */
async function round(sources = "%"): Promise<number> {
  await until("nothing is under way", 120, async () => {
    const busy = await place.ask(
      "select 1 from recheck_jobs.job where name = 'work' and state < 'completed' and start_after < now() limit 1",
    );
    return busy.length === 0;
  });
  // Whoever was asked a moment ago is not asked again so soon.
  await sleep(1_500);
  const now = Date.now();
  await place.ask("update recheck.watch set next = $1 where source like $2", now - 1_000, sources);
  await place.ask("update recheck.repository set next = $1", now - 1_000);
  const begun = performance.now();
  await place.jobs.ask("plan");
  await until("all are checked", 300, async () => !(await isAnyLeft(now, sources)));
  const seconds = (performance.now() - begun) / 1_000;
  return count / seconds;
}

/** Processor time of a process since its start, in ms: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function cpuOf(pid = 0): number {
  const [user = 0, system = 0] =
    readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13).map(Number) ?? [];
  return (user + system) * 10;
}

await seed();
const rates: Record<number, number> = {};
const cpus: Record<number, number> = {};
for (const many of [1, 2, 4]) {
  const workers = Array.from({ length: many }, () => place.run("worker"));
  await Promise.all(workers.map((worker) => worker.says("working")));
  const cpu = () => workers.reduce((sum, worker) => sum + cpuOf(worker.process.pid), 0);
  // In the first ones each worker reads the configs, and compares with GitHub. It gets a repository by chance: so most
  // have been at each worker, with one source due.
  for (let n = 0; n < 4 * many; n++) await round("s0");
  await round();
  const found: { rate: number; cpu: number }[] = [];
  for (let n = 0; n < 3; n++) {
    const before = cpu();
    const rate = await round();
    found.push({ rate, cpu: (cpu() - before) / count });
  }
  const middle = found.toSorted((a, b) => a.rate - b.rate)[1];
  rates[many] = middle?.rate ?? 0;
  cpus[many] = middle?.cpu ?? 0;
  for (const worker of workers) worker.process.kill("SIGTERM");
  await Promise.all(workers.map(({ ended }) => ended));
}
process.stdout.write(`${JSON.stringify({ rates, cpus })}\n`);
await place.close();
