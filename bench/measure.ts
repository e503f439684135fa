import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseDocument } from "htmlparser2";
import { Agent, request } from "undici";
import { parseRanges } from "../src/adapters/fetch/address.ts";
import { createFetch } from "../src/adapters/fetch/index.ts";
import { openStore } from "../src/adapters/store/open.ts";
import { parseConfig } from "../src/config/index.ts";
import type { Workers } from "../src/model/ports/index.ts";
import { readers } from "../src/read/index.ts";
import type { World } from "../src/watch/check.ts";
import { scan } from "../src/watch/scan.ts";
import { shareOfThreads } from "../src/wire/web.ts";
import { bytesWritten } from "./process.ts";

/**
 * One measurement in a process of its own, so that neither side warms the other: checks per second of the median round,
 * and bytes of each check, after rounds that are not counted. Prints one line of JSON.
 */
const [what = "", portText = "", countText = ""] = process.argv.slice(2);
const port = Number(portText);
/** Requests of one round. */
const count = Number(countText);
const inFlight = 64;
const urlOf = (path: string, index: number) => `http://127.0.0.${(index % 64) + 1}:${port}/${path}/${index}`;

interface Measured {
  /** Checks. */
  readonly perSecond: number;
  /** For each check: received bytes for the floor, bytes written to the store's disk for ours. */
  readonly bytes: number;
}

const measured: Record<string, () => Promise<Measured>> = {
  "bare-unchanged": () => bare(bareUnchanged, 12),
  "recheck-unchanged": () => recheck("small", 12),
  "bare-changed": () => bare(bareChanged, 3),
  "recheck-changed": () => recheck("page", 3),
  "recheck-first": firstChecks,
  "threads-changed": async () => {
    // Like the program: parses in other threads than the ones that fetch and store.
    const workers = await shareOfThreads();
    const figures = await recheck("page", 3, workers);
    await workers.close();
    return figures;
  },
  "bare-memory": async () => ({ perSecond: 0, bytes: 0 }),
  "recheck-memory": () => recheck("small", 1),
};
const run = measured[what];
if (!run) throw new Error(`nothing called ${what} to measure`);
const figures = await run();
process.stdout.write(`${JSON.stringify({ ...figures, peakMegabytes: process.resourceUsage().maxRSS / 1024 })}\n`);

/** Checks per second of the median round. */
async function median(rounds: number, round: () => Promise<void>, prepare = async () => {}): Promise<number> {
  const rates: number[] = [];
  for (let i = 0; i < rounds; i++) {
    await prepare();
    const begun = performance.now();
    await round();
    rates.push(count / ((performance.now() - begun) / 1000));
  }
  return rates.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

/** Requests one page. Returns the received bytes. */
type Work = (index: number, dispatcher: Agent) => Promise<number>;

async function bare(work: Work, rounds: number): Promise<Measured> {
  const dispatcher = new Agent({ connections: 1 });
  let bytes = 0;
  const round = async () => {
    let next = 0;
    const lane = async () => {
      while (next < count) {
        const came = await work(next++, dispatcher);
        bytes += came;
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
  };
  await round();
  bytes = 0;
  const perSecond = await median(rounds, round);
  await dispatcher.close();
  return { perSecond, bytes: bytes / (rounds * count) };
}

async function bareUnchanged(index: number, dispatcher: Agent): Promise<number> {
  const { body } = await request(urlOf("small", index), { dispatcher, headers: { "if-none-match": '"small"' } });
  await body.dump();
  return 0;
}

async function bareChanged(index: number, dispatcher: Agent): Promise<number> {
  const { body } = await request(urlOf("page", index), { dispatcher });
  const text = await body.text();
  parseDocument(text);
  return Buffer.byteLength(text);
}

/**
 * First checks, one round that is not counted, and those that are: all sources again, unchanged or in another edition.
 */
async function recheck(path: "small" | "page", rounds: number, workers?: Workers): Promise<Measured> {
  const { world: alone, close } = await worldOf(path);
  const world: World = { ...alone, ...(workers && { workers }) };
  let edition = 0;
  const round = async (what: "first" | "unchanged" | "changed") => {
    const { checks } = await scan(world, { all: true, atOnce: inFlight });
    const right = checks.filter((check) => (what === "changed" ? check.sightings.length > 0 : check.outcome === what));
    // A benchmark of checks that failed would measure nothing.
    if (right.length !== count) throw new Error(`${right.length} checks ${what} of ${count}`);
  };
  const publish = async () => {
    const { body } = await request(`http://127.0.0.1:${port}/edition/${++edition}`);
    await body.dump();
  };
  const [again, prepare] = path === "small" ? [() => round("unchanged")] : [() => round("changed"), publish];
  await round("first");
  await prepare?.();
  await again();
  const before = bytesWritten();
  const perSecond = await median(rounds, again, prepare);
  const bytes = (bytesWritten() - before) / (rounds * count);
  await close();
  return { perSecond, bytes };
}

/** First checks, each round in a new store. */
async function firstChecks(): Promise<Measured> {
  let opened = await worldOf("page");
  const round = async () => {
    const { checks } = await scan(opened.world, { all: true, atOnce: inFlight });
    if (checks.some(({ outcome }) => outcome !== "first")) throw new Error("some checks failed");
  };
  const prepare = async () => {
    await opened.close();
    opened = await worldOf("page");
  };
  await round();
  const perSecond = await median(3, round, prepare);
  await opened.close();
  return { perSecond, bytes: 0 };
}

async function worldOf(path: "small" | "page") {
  const folder = mkdtempSync(join(tmpdir(), "recheck-bench-"));
  const listed = Array.from({ length: count }, (_, index) => `  s${index}:\n    page: ${urlOf(path, index)}\n`).join(
    "",
  );
  const text = `report: { title: Bench, audited: 2026-01-01 }\nsources:\n${listed}`;
  const { config, problems } = parseConfig([{ path: "sources.yaml", text }], readers);
  if (!config) throw new Error(JSON.stringify(problems.slice(0, 3)));
  const database = await openStore(join(folder, "recheck.sqlite"));
  const clock = { now: () => Date.now() };
  const allowAddresses = parseRanges("127.0.0.0/8");
  const fetch = createFetch({ clock, userAgent: "Recheck-bench/0", pause: 0, allowAddresses });
  const world: World = {
    config,
    clock,
    fetch,
    readers,
    store: database.repository("bench"),
    access: { githubToken: false },
  };
  const close = async () => {
    await fetch.close();
    await database.close();
    rmSync(folder, { recursive: true });
  };
  return { world, close };
}
