import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { noOwnServer } from "../test/support/postgres.ts";
import { addresses, type Figures, recheckAsRun, type Situations, urlwatchAsRun } from "./command.ts";
import { run } from "./process.ts";
import { starts } from "./start.ts";

/**
 * `npm run bench`: the cost of Recheck, each row beside something else in the same run, on the same machine and hosts.
 * Options after `--`: `--only NAME` for the rows whose name begins so; `--pages 3000` for that number of pages in the
 * rows of the command (default: 300); `--json` for one document; `--check` fails if a ratio is a fifth worse than in
 * `bench/ratios.json`, and `--keep` writes that file.
 */

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    pages: { type: "string", default: "300" },
    json: { type: "boolean", default: false },
    check: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});

/** One measurement beside its floor. */
interface Row {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly beside: string;
  readonly theirs: number;
  /** Ours over theirs, or theirs over ours if small is good: more is always better. */
  readonly ratio: number;
}

const rows: Row[] = [];
const wants = (part: string) => part.startsWith(values.only) || values.only.startsWith(part);

function add(row: Omit<Row, "ratio"> & { readonly small?: boolean }): void {
  const { small = false, ...rest } = row;
  const ratio = small ? row.theirs / row.ours : row.ours / row.theirs;
  const whole = { ...rest, ratio };
  rows.push(whole);
  if (!values.json) process.stdout.write(`${lineOf(whole)}\n`);
}

function lineOf({ name, unit, ours, beside, theirs, ratio }: Row): string {
  const figure = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
  const [mine, other] = [ours, theirs].map((value) => `${figure(value)} ${unit}`.padStart(14));
  return `${name.padEnd(42)} ${mine}  ${other} ${beside.padEnd(20)} ${ratio.toFixed(2)}`;
}

const hosts = fork(new URL("hosts.ts", import.meta.url));
const [{ port }] = (await once(hosts, "message")) as [{ port: number }];
const way = {
  pages: Number(values.pages),
  address: addresses(port),
  async publish(...told: readonly number[]) {
    await (await fetch(`http://127.0.0.1:${port}/publish/${told.join("/")}`)).text();
  },
};

/** Runs a process that prints its measurement. */
async function told<T>({ pathname }: URL, ...given: readonly (string | number)[]): Promise<T> {
  const { code, output } = await run([process.execPath, pathname, ...given.map(String)]);
  if (code !== 0) throw new Error(`${pathname} ${given.join(" ")} failed: ${output}`);
  return JSON.parse(output);
}

/** The number of repositories, the sources of each, and the addresses of all. */
const scaleOf = (repositories: number, ofEach: number, addresses = repositories * ofEach) =>
  told<Record<"perCheck" | "written" | "idleMinute" | "metrics" | "webhook" | "requests" | "peakMegabytes", number>>(
    new URL("scale.ts", import.meta.url),
    port,
    repositories,
    ofEach,
    addresses,
  );

const measure = (what: string, count: number) =>
  told<Measured>(new URL("measure.ts", import.meta.url), what, port, count);

/** The measurements with a floor: the names of both in `measure.ts`, and the number of checks in a round. */
interface Checks {
  readonly ours: string;
  readonly floor: string;
  readonly beside: string;
  readonly count: number;
}

interface Measured {
  readonly perSecond: number;
  readonly bytes: number;
  readonly peakMegabytes: number;
}

interface Pair {
  readonly ours: Measured;
  readonly theirs: Measured;
}

/** Both sides in turn, three times; the pair with the median ratio. */
async function checks(name: string, { ours, floor, beside, count }: Checks): Promise<Pair> {
  const rounds: Pair[] = [];
  for (let round = 0; round < 3; round++) {
    await edition(0);
    const theirs = await measure(floor, count);
    await edition(0);
    rounds.push({ theirs, ours: await measure(ours, count) });
  }
  const ratioOf = ({ ours, theirs }: Pair) => ours.perSecond / theirs.perSecond;
  const [, middle] = rounds.sort((a, b) => ratioOf(a) - ratioOf(b));
  if (!middle) throw new Error("no round was measured");
  const [mine, other] = [middle.ours.perSecond, middle.theirs.perSecond];
  add({ name: `in process, ${name}`, unit: "/s", ours: mine, beside, theirs: other });
  return middle;
}

async function edition(number: number): Promise<void> {
  await (await fetch(`http://127.0.0.1:${port}/edition/${number}`)).text();
}

/** The built command if there is one, else its source. */
const root = join(import.meta.dirname, "..");
const built = join(root, "dist/main.js");
const program = [
  process.execPath,
  existsSync(built) ? join(root, "bin/recheck.cjs") : join(root, "src/faces/cli/main.ts"),
];

async function command(): Promise<void> {
  // So that no side waits for a page to be made.
  for (let number = 0; number < way.pages; number++) await (await fetch(way.address(number))).arrayBuffer();
  const theirs = await urlwatchAsRun(way);
  const { situations: ours, state, backtest } = await recheckAsRun(program, way);
  if (theirs === undefined && !values.json)
    process.stdout.write("urlwatch is not installed: the command stands alone\n");
  const beside = theirs ? "urlwatch" : "itself";
  for (const name of Object.keys(ours) as (keyof Situations)[]) {
    const [mine, other] = [ours[name], theirs?.situations[name] ?? ours[name]];
    const row = (what: keyof Figures, unit: string, small: boolean) =>
      add({ name: `command, ${name}, ${unit}`, unit, ours: mine[what] ?? 0, beside, theirs: other[what] ?? 0, small });
    row("perSecond", "pages/s", false);
    row("cpu", "CPU ms/page", true);
    row("megabytes", "MB", true);
  }
  const kept = { name: "command, first, state of a page", unit: "KB", beside, small: true };
  add({ ...kept, ours: state, theirs: theirs?.state ?? state });
  const again = { name: "command, backtest of all checks", unit: "CPU ms/page", beside: "first checks", small: true };
  add({ ...again, ours: backtest.cpu, theirs: ours.first.cpu });
}

if (wants("command")) await command();
if (wants("start")) {
  for (const { name, ours, theirs } of await starts(program))
    add({ name: `start, ${name}`, unit: "CPU ms", ours, beside: "node -e 0", theirs, small: true });
}
if (wants("in process")) {
  const asked = { floor: "bare-unchanged", beside: "bare undici", count: 1_600 };
  await checks("unchanged", { ...asked, ours: "recheck-unchanged" });
  const read = { floor: "bare-changed", beside: "fetch, parse", count: 64 };
  await checks("first", { ...read, ours: "recheck-first" });
  const { ours: changed, theirs: page } = await checks("changed", { ...read, ours: "recheck-changed" });
  const written = { name: "in process, changed, written of a page", unit: "KB", beside: "its bytes" };
  add({ ...written, ours: changed.bytes / 1_000, theirs: page.bytes / 1_000, small: true });
  await checks("changed, read in a thread", { ...read, ours: "threads-changed" });
  const bare = (await measure("bare-memory", 0)).peakMegabytes;
  const ours = (await measure("recheck-memory", 10_000)).peakMegabytes;
  add({ name: "in process, memory at 10,000 sources", unit: "MB", ours, beside: "nothing", theirs: bare, small: true });
}
if (wants("scale")) {
  const few = await scaleOf(10, 100);
  const bare = (await measure("bare-memory", 0)).peakMegabytes;
  for (const repositories of [100, 1_000]) {
    const many = await scaleOf(repositories, 100);
    const name = `scale, ${(repositories * 100).toLocaleString("en")} sources`;
    const row = (what: string, unit: string, ours: number, theirs: number, beside = "at 1,000 sources") =>
      add({ name: `${name}, ${what}`, unit, ours, beside, theirs, small: true });
    row("a check", "CPU ms", many.perCheck, few.perCheck);
    row("written of a check", "bytes", many.written, few.written);
    row("a minute without any", "CPU ms", many.idleMinute, few.idleMinute);
    row("an answer of /metrics", "CPU ms", many.metrics, few.metrics);
    row("a webhook that is stored", "CPU ms", many.webhook, few.webhook);
    row("memory", "MB", many.peakMegabytes, bare, "nothing");
  }
}
if (wants("shared")) {
  const [repositories, addresses] = [1_000, 500];
  const { requests } = await scaleOf(repositories, 60, addresses);
  const name = `shared, ${repositories} × 60 sources, a round`;
  add({ name, unit: "requests", ours: requests, beside: "addresses", theirs: addresses, small: true });
}
if (wants("workers") && noOwnServer === "") {
  const { rates, cpus } = await told<Record<"rates" | "cpus", Readonly<Record<number, number>>>>(
    new URL("cluster/rate.ts", import.meta.url),
  );
  const one = { beside: "one worker" };
  for (const many of [2, 4]) {
    const name = `workers, ${many} on PostgreSQL, origin 50 ms`;
    add({ name: `${name}, checks`, unit: "/s", ours: rates[many] ?? 0, ...one, theirs: rates[1] ?? 0 });
    add({ name: `${name}, a check`, unit: "CPU ms", ours: cpus[many] ?? 0, ...one, theirs: cpus[1] ?? 0, small: true });
  }
} else if (wants("workers") && !values.json) process.stdout.write(`workers${noOwnServer}\n`);
if (wants("evaluation")) {
  const { ours, theirs } = await told<{ ours: number; theirs: number }>(new URL("evaluations.ts", import.meta.url));
  const name = "evaluation, 1,000 changes × 1,000 triggers";
  add({ name, unit: "CPU ms", ours, beside: "JSON.stringify", theirs, small: true });
}
hosts.disconnect();

const file = new URL("ratios.json", import.meta.url);
if (values.json) process.stdout.write(`${JSON.stringify({ rows }, undefined, 2)}\n`);
if (values.keep) {
  const known = JSON.parse(readFileSync(file, "utf8"));
  const now = Object.fromEntries(rows.map(({ name, ratio }) => [name, Number(ratio.toPrecision(3))]));
  writeFileSync(file, `${JSON.stringify({ ...known, ...now }, undefined, 2)}\n`);
}
if (values.check) {
  const known = JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  for (const { name, beside, ratio } of rows) {
    const least = 0.8 * (known[name] ?? 0);
    if (beside === "itself" || ratio >= least) continue;
    process.stderr.write(
      `${name}: ${ratio.toFixed(2)} is below ${least.toFixed(2)}, a fifth less than what is committed\n`,
    );
    process.exitCode = 1;
  }
}
