import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostAt } from "./host-names.ts";
import { run, type Taken } from "./process.ts";

/**
 * The command as people run it: a process, its default manners, pages on 300 hosts. Beside it, if installed, another
 * program that watches pages: urlwatch (https://urlwatch.readthedocs.io), with a pattern for the text of each page.
 */

const hosts = 300;

/** The figures of one program in one situation. */
export interface Figures {
  readonly perSecond: number;
  /** Processor time for each page, in ms. */
  readonly cpu: number;
  readonly megabytes: number | undefined;
}

/** By situation, in the order in which they come. */
export type Situations = Readonly<Record<"first" | "unchanged" | "other bytes" | "5 % changed", Figures>>;

export interface Watched {
  readonly situations: Situations;
  /** Stored bytes of each page after its first check, in KB. */
  readonly state: number;
}

/** How pages are published before a situation. */
interface Way {
  readonly pages: number;
  publish(edition: number, visit: number, share: number): Promise<void>;
  /** The address of a page by its number. */
  address(number: number): string;
}

export function addresses(port: number): (number: number) => string {
  return (number) => `http://${hostAt(number % hosts)}:${port}/site/${number}`;
}

/** `program`: the words before `scan`, `status` and so on. */
export async function recheckAsRun(
  program: readonly string[],
  way: Way,
): Promise<Watched & { readonly backtest: Figures }> {
  return await inFolder(async (folder) => {
    writeFileSync(join(folder, "sources.yaml"), sourcesOf(way));
    const { pages } = way;
    const environment = {
      RECHECK_DATA: join(folder, "data"),
      RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8",
      RECHECK_ARCHIVE: "none",
    };
    const command = [...program, "scan", "--all", "--config", folder];
    const right = (counts: string) => (taken: Taken) => {
      const [line = taken.output] = taken.output.split("\n").filter((one) => one.includes("checked in"));
      if (!line.endsWith(`  ${counts}`)) throw new Error(line);
    };
    let state = 0;
    const done = await situations(way, async (name) => {
      const changed = 5 * Math.floor(pages / 100) + Math.min(5, pages % 100);
      const same =
        name === "5 % changed"
          ? `${pages - changed} unchanged · ${changed} waiting for a second check`
          : `${pages} unchanged`;
      const counts = name === "first" ? `${pages} read for the first time` : same;
      const its = figures(await run(command, environment), pages, right(counts));
      if (name === "first") state = stateIn(join(folder, "data"), pages);
      return its;
    });
    const since = new Date(Date.now() - 24 * 60 * 60_000).toISOString().slice(0, 10);
    const backtest = [...program, "backtest", "--since", since, "--config", folder];
    return { situations: done, state, backtest: figures(await run(backtest, environment), pages, () => {}) };
  });
}

function sourcesOf({ pages, address }: Way): string {
  const listed = Array.from({ length: pages }, (_, number) => `  s${number}:\n    page: ${address(number)}\n`);
  return `report: { title: Bench, audited: 2026-01-01 }\nsources:\n${listed.join("")}`;
}

/** Undefined if it is not installed. */
export async function urlwatchAsRun(way: Way): Promise<Watched | undefined> {
  if ((await run(["urlwatch", "--version"])).code !== 0) return undefined;
  return await inFolder(async (folder) => {
    const { pages } = way;
    const urls = Array.from({ length: pages }, (_, number) => `url: ${way.address(number)}\n`);
    writeFileSync(join(folder, "urls.yaml"), urls.join("---\n"));
    writeFileSync(join(folder, "config.yaml"), "report: { stdout: { enabled: true, color: false } }\n");
    const files = ["--urls", "urls.yaml", "--config", "config.yaml", "--cache", "cache.db", "--hooks", "hooks.py"];
    let state = 0;
    const done = await situations(way, async (name) => {
      const command = ["urlwatch", ...files.map((one) => (one.startsWith("--") ? one : join(folder, one)))];
      const its = figures(await run(command), pages, () => {});
      if (name === "first") state = stateIn(folder, pages, /^cache/);
      return its;
    });
    return { situations: done, state };
  });
}

/** KB of the files in a folder, for each page. */
function stateIn(folder: string, pages: number, names = /(?:)/): number {
  const files = readdirSync(folder).filter((name) => names.test(name));
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) / 1_000 / pages;
}

async function situations(way: Way, check: (name: keyof Situations) => Promise<Figures>): Promise<Situations> {
  await way.publish(0, 0, 0);
  const first = await check("first");
  const unchanged = await check("unchanged");
  await way.publish(0, 1, 0);
  const others = await check("other bytes");
  await way.publish(1, 1, 5);
  return { first, unchanged, "other bytes": others, "5 % changed": await check("5 % changed") };
}

function figures(taken: Taken, pages: number, check: (taken: Taken) => void): Figures {
  if (taken.code !== 0) throw new Error(taken.output.slice(-2_000));
  check(taken);
  return { perSecond: pages / taken.seconds, cpu: (taken.cpu * 1_000) / pages, megabytes: taken.megabytes };
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "recheck-bench-"));
  mkdirSync(join(folder, "data"), { mode: 0o700 });
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
