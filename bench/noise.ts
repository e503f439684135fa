import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { openStore } from "../src/adapters/store/open.ts";
import type { Database } from "../src/adapters/store/store.ts";
import type { Check } from "../src/model/check.ts";
import type { Trace } from "../src/model/heuristics.ts";
import { anHour } from "../src/model/time.ts";
import { Margins } from "./margins.ts";
import { Monitor } from "./monitor.ts";
import { indexOf, type Page, type Sequence, snapshotsOf } from "./snapshots.ts";

/**
 * `npm run noise -- --corpus DIR --out FILE [--one-check] [--list] [--together] [--margins]`: the page measure, by the
 * product's own checks. `kind`, `options` and `on` in the index are for sources that are not pages. Each snapshot is
 * checked twice, as the schedule does if a page changed; with `--one-check` only once. `--together` has one report watch all pages of a host, with a trigger for each. `--margins` writes to standard
 * output which decisions a small change of a threshold would turn.
 */

/** Time from the first check of a snapshot to the second. The schedule confirms after six hours, and a scan may be late. */
const untilSecondCheck = 7 * anHour;

const say = (line: string) => process.stderr.write(`${line}\n`);

/** The times at which a snapshot is checked: when it was made, and again if it has not been replaced by then. */
function checkTimes(date: string, next: string | undefined): number[] {
  const [first, second] = [Date.parse(date), Date.parse(date) + untilSecondCheck];
  return isOneCheck || (next !== undefined && Date.parse(next) <= second) ? [first] : [first, second];
}

type Snapshots = ReturnType<typeof snapshotsOf>;

/** The newest snapshot of a page at a time, of all that the corpus has: a second check may read a neighbour. */
function pagesOf(folder: string, pages: readonly Page[]) {
  const byUrl = Map.groupBy(pages, ({ url }) => url);
  const read = new Map<string, Snapshots>();
  return (url: string, at: number): string | undefined => {
    const snapshots =
      read.get(url) ?? (byUrl.get(url) ?? []).flatMap(({ file }) => [...snapshotsOf(join(folder, file), say)]);
    read.set(url, snapshots);
    return snapshots
      .filter(({ date }) => Date.parse(date) <= at)
      .sort((a, b) => a.date.localeCompare(b.date))
      .at(-1)?.html;
  };
}

/** The checks of each snapshot, by a monitor that has seen those before it. */
async function* walk(
  folder: string,
  watched: readonly Sequence[],
  pageAt: ReturnType<typeof pagesOf>,
  database: Database,
  { cpu, traceOf }: { cpu: { milliseconds: number }; traceOf: (id: string) => Trace | undefined },
): AsyncGenerator<{ id: string; n: number; check: Check }> {
  const monitor = new Monitor(watched, database.repository("noise"));
  const checks = watched
    .flatMap(({ id, file, url }) => {
      const snapshots = snapshotsOf(join(folder, file), (why) => say(`${id}: ${why}`));
      return snapshots.flatMap(({ n, date, html }, k) =>
        checkTimes(date, snapshots[k + 1]?.date).map((at) => ({
          ...{ id, n },
          visit: { url, at, html, neighbour: (other: string) => pageAt(other, at) },
        })),
      );
    })
    .sort((a, b) => a.visit.at - b.visit.at);
  for (const { id, n, visit } of checks) {
    const begun = process.cpuUsage();
    const check = await monitor.check(visit, traceOf(id));
    const { user, system } = process.cpuUsage(begun);
    cpu.milliseconds += (user + system) / 1000;
    yield { id, n, check };
  }
}

/** Sequences that one report watches: each alone, or all of a host, of each page one. */
function reportsOf(sequences: readonly Sequence[], together: boolean): Sequence[][] {
  if (!together) return sequences.map((sequence) => [sequence]);
  const reports = new Map<string, Sequence[]>();
  for (const sequence of sequences) {
    const { host } = new URL(sequence.url);
    let round = 0;
    while (reports.get(`${host} ${round}`)?.some(({ url }) => url === sequence.url)) round++;
    reports.set(`${host} ${round}`, [...(reports.get(`${host} ${round}`) ?? []), sequence]);
  }
  return [...reports.values()];
}

const command = new Command("noise").requiredOption("--corpus <dir>").option("--out <file>");
const { corpus, out, list, together, margins, oneCheck } = command
  .option("--one-check", "check each snapshot only once")
  .option("--list", "print every alert")
  .option("--together", "watch all pages of a host in one report")
  .option("--margins", "print decisions near a threshold")
  .parse()
  .opts();
if (!out && !margins) command.error("--out <file> or --margins is wanted");
const isOneCheck = oneCheck === true;
const { sequences, neighbours } = indexOf(corpus);
const pageAt = pagesOf(corpus, [...sequences, ...neighbours]);
const cpu = { milliseconds: 0 };
const alerts: string[] = [];
const near = margins ? new Margins() : undefined;
let checks = 0;
for (const watched of reportsOf(sequences, together === true)) {
  const database = await openStore(":memory:");
  for await (const { id, n, check } of walk(corpus, watched, pageAt, database, {
    cpu,
    traceOf: (id) => near?.traceOf(id),
  })) {
    checks++;
    if (check.firings.length === 0) continue;
    alerts.push(JSON.stringify({ id, n }));
    const changes = check.firings.flatMap(({ evidence }) => evidence.map(({ change }) => change));
    if (list) process.stderr.write(`${alerts.at(-1)} ${JSON.stringify(changes.slice(0, 5))}\n`);
  }
  await database.close();
}
if (out) writeFileSync(out, alerts.map((line) => `${line}\n`).join(""));
for (const line of near?.lines() ?? []) process.stdout.write(`${line}\n`);
say(`${checks} checks, ${(cpu.milliseconds / Math.max(1, checks)).toFixed(1)} ms of CPU each`);
