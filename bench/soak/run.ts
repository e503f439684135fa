import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { startGitHub } from "../../test/github/server.ts";
import { freePort } from "../../test/support/free-port.ts";
import type { Held } from "./child.ts";
import { startLivingWeb } from "./web.ts";

/**
 * Runs the server through days of hourly checks, in a process of its own with a driven clock, on a web and a GitHub on
 * this machine: `npm run bench:soak -- --sources 1000 --days 30`. Prints memory, handles and storage at the end of each
 * day; fails if memory, open files or handles grow. A run of a week or more is also judged after its threads have
 * ended, and by resident memory, which in shorter runs depends on the engine's collections.
 */
const { values } = parseArgs({ options: { sources: { type: "string" }, days: { type: "string" } } });
const [sources, days] = [Number(values.sources ?? 1_000), Number(values.days ?? 30)];
const hour = 3_600_000;
/** The last day may hold this many times as much as the first … */
const most = 1.1;
/** … and this many more open files, handles or listeners: a leak of one an hour would be twice as many in a day. */
const mostMore = 12;
const isLong = days >= 7;

const folder = mkdtempSync(join(tmpdir(), "recheck-soak-"));
const web = await startLivingWeb({ sources, changes: 0.05, faults: 0.05 });
const local = await startGitHub({});
for (const [path, text] of Object.entries(web.config())) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** The rows and bytes of one table. */
interface Table {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

function stored(): Table[] {
  const database = new DatabaseSync(join(folder, "data", "recheck.sqlite"), { readOnly: true });
  try {
    const names = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
      .all();
    const bytes = new Map(
      database
        .prepare(
          "select coalesce(s.tbl_name, d.name) as name, sum(d.pgsize) as bytes from dbstat d left join sqlite_schema s on s.name = d.name group by 1",
        )
        .all()
        .map(({ name, bytes }) => [String(name), Number(bytes)]),
    );
    return names.map(({ name }) => ({
      name: String(name),
      rows: Number(database.prepare(`select count(*) as n from "${name}"`).get()?.n),
      bytes: bytes.get(String(name)) ?? 0,
    }));
  } finally {
    database.close();
  }
}

function line(text: string): void {
  process.stdout.write(`${text}\n`);
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

async function soak(): Promise<boolean> {
  const port = await freePort();
  // A token is valid by the time of the machine: the days of this server are before today.
  const from = Date.now() - (days + 1) * 24 * hour;
  const child = fork(join(import.meta.dirname, "child.ts"), [String(from), folder], {
    execArgv: ["--expose-gc"],
    env: {
      PATH: process.env.PATH ?? "",
      GITHUB_TOKEN: local.token,
      GITHUB_API_URL: local.url,
      RECHECK_REPO: local.repo,
      RECHECK_DATA: join(folder, "data"),
      RECHECK_ARCHIVE: "none",
      PORT: String(port),
      HOST: "127.0.0.1",
      ...(process.env.LOG_LEVEL && { LOG_LEVEL: process.env.LOG_LEVEL }),
    },
  });
  const ended = once(child, "exit").then(([code]): never => {
    throw new Error(`the server ended with ${code}`);
  });
  ended.catch(() => {});
  const answer = () =>
    Promise.race([new Promise<Held>((resolve) => child.once("message", (held) => resolve(held as Held))), ended]);
  await answer();
  const atRest: Held[] = [];
  const byDay: Held[][] = Array.from({ length: days }, () => []);
  for (let n = 1; n <= days * 24; n++) {
    web.turn(n);
    child.send(from + n * hour);
    const held = await answer();
    const today = byDay[Math.floor((n - 1) / 24)] ?? [];
    today.push(held);
    if (n % 24 === 0) {
      await (await fetch(`http://127.0.0.1:${port}/status.json`)).arrayBuffer();
      tell(n / 24, today);
      if (isLong && (n === 24 || n === days * 24)) {
        child.send("rest");
        atRest.push(await answer());
      }
    }
  }
  child.send("end");
  await ended.catch(() => {});
  return isSteady(byDay, atRest);
}

function tell(day: number, today: readonly Held[]): void {
  const last = today.at(-1);
  const kinds = Object.entries(last?.resources ?? {}).map(([kind, count]) => `${kind} ${count}`);
  const size = stored().reduce((sum, { bytes }) => sum + bytes, 0);
  const of = (field: "megabytes" | "heap" | "files") => median(today.map((one) => one[field])).toFixed(0);
  line(
    `day ${day}: ${of("megabytes")} MB resident, ${of("heap")} MB heap, ${of("files")} files, ${last?.listeners} listeners, ` +
      `${(size / 2 ** 20).toFixed(1)} MB stored; ${kinds.join(", ")}; ${JSON.stringify(web.served)}`,
  );
}

/** The last day beside the first one, by the median of its hours; of a long soak also once the threads have ended. */
function isSteady(byDay: readonly (readonly Held[])[], atRest: readonly Held[]): boolean {
  const handles = ({ resources }: Held) => Object.values(resources).reduce((sum, count) => sum + count, 0);
  const memory: Readonly<Record<string, (held: Held) => number>> = {
    "MB heap": ({ heap }) => heap,
    ...(isLong && { "MB resident": ({ megabytes }) => megabytes }),
  };
  const counts = { "open files": ({ files }: Held) => files, handles, listeners: ({ listeners }: Held) => listeners };
  const atWork = { at: "at work", of: [byDay[0] ?? [], byDay.at(-1) ?? []] as const };
  const atEnds = isLong ? { at: "at rest", of: [atRest.slice(0, 1), atRest.slice(-1)] as const } : undefined;
  const isFine = (
    name: string,
    figure: (held: Held) => number,
    more: number,
    when: readonly (typeof atWork)[],
  ): boolean =>
    when
      .map(({ at, of: [begun, ended] }) => {
        const [first, last] = [median(begun.map(figure)), median(ended.map(figure))];
        line(`${name} ${at}: ${first.toFixed(0)} on the first day, ${last.toFixed(0)} on the last`);
        return last <= first * most + more;
      })
      .every(Boolean);
  return [
    ...Object.entries(memory).map(([name, figure]) => isFine(name, figure, 0, atEnds ? [atWork, atEnds] : [atWork])),
    // At work there are as many as hosts were asked within the machine's own last seconds: how fast the days go by.
    ...Object.entries(counts).map(([name, figure]) => isFine(name, figure, mostMore, [atEnds ?? atWork])),
  ].every(Boolean);
}

try {
  const begun = performance.now();
  const isFine = await soak();
  const checks = web.served.same + web.served.changed + web.served.faults;
  line(`${checks} checks in ${((performance.now() - begun) / 1_000).toFixed(0)} s: ${JSON.stringify(web.served)}`);
  for (const { name, rows, bytes } of stored())
    if (rows > 0)
      line(`${name.padEnd(16)} ${String(rows).padStart(8)} rows ${(bytes / 2 ** 20).toFixed(1).padStart(8)} MB`);
  if (!isFine) process.exitCode = 1;
} finally {
  await web.close();
  await local.close();
  rmSync(folder, { recursive: true });
}
