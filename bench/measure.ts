import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as cheerio from "cheerio";
import { Agent, request } from "undici";
import { createFetch, parseRanges } from "../src/adapters/fetch/index.ts";
import { openStore } from "../src/adapters/store/open.ts";
import { parseConfig } from "../src/config/index.ts";
import { readers } from "../src/read/index.ts";
import { scan } from "../src/scan.ts";

/** One measurement in a process of its own, so that neither side warms the other. Prints one line of JSON. */
const [what = "", portText = "", countText = ""] = process.argv.slice(2);
const port = Number(portText);
const count = Number(countText);
const inFlight = 64;
const urlOf = (path: string, index: number) => `http://127.0.0.${(index % 64) + 1}:${port}/${path}/${index}`;

const measured: Record<string, () => Promise<number>> = {
  "bare-unchanged": bareUnchanged,
  "recheck-unchanged": () => recheck("small"),
  "bare-changed": bareChanged,
  "recheck-changed": () => recheck("page"),
  "bare-memory": async () => 0,
  "recheck-memory": () => recheck("small"),
};
const run = measured[what];
if (!run) throw new Error(`nothing called ${what} to measure`);
const perSecond = await run();
process.stdout.write(`${JSON.stringify({ perSecond, peakMegabytes: process.resourceUsage().maxRSS / 1024 })}\n`);

async function lanes(work: (index: number) => Promise<void>): Promise<number> {
  const begun = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < count) await work(next++);
    }),
  );
  return count / ((performance.now() - begun) / 1000);
}

async function bareUnchanged(): Promise<number> {
  const dispatcher = new Agent({ connections: 1 });
  const work = async (index: number) => {
    const { body } = await request(urlOf("small", index), { dispatcher, headers: { "if-none-match": '"small"' } });
    await body.dump();
  };
  await lanes(work);
  const result = await lanes(work);
  await dispatcher.close();
  return result;
}

async function bareChanged(): Promise<number> {
  const dispatcher = new Agent({ connections: 1 });
  const work = async (index: number) => {
    const { body } = await request(urlOf("page", index), { dispatcher });
    cheerio.load(await body.text());
  };
  await lanes(work);
  const result = await lanes(work);
  await dispatcher.close();
  return result;
}

/** A first scan, then the one that is measured: all sources again, unchanged or in another edition. */
async function recheck(path: "small" | "page"): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "recheck-bench-"));
  const sources = Array.from({ length: count }, (_, index) => `  s${index}:\n    page: ${urlOf(path, index)}\n`).join(
    "",
  );
  const text = `report: { title: Bench, audited: 2026-01-01 }\nsources:\n${sources}`;
  const parsed = parseConfig([{ path: "sources.yaml", text }], readers);
  if (!parsed.config) throw new Error(JSON.stringify(parsed.problems.slice(0, 3)));
  const database = await openStore(join(folder, "recheck.sqlite"));
  const clock = { now: () => Date.now() };
  const fetch = createFetch({
    clock,
    userAgent: "Recheck-bench/0",
    pause: 0,
    allowAddresses: parseRanges("127.0.0.0/8"),
  });
  const world = {
    config: parsed.config,
    clock,
    fetch,
    readers,
    store: database.repository("bench"),
    access: { githubToken: false },
  };
  const first = await scan(world, { all: true, atOnce: inFlight });
  expectAll(first.looks.filter(({ outcome }) => outcome === "first").length, "first looks");
  if (path === "page") await request(`http://127.0.0.1:${port}/edition/1`).then(({ body }) => body.dump());
  const begun = performance.now();
  const second = await scan(world, { all: true, atOnce: inFlight });
  const seconds = (performance.now() - begun) / 1000;
  if (path === "small")
    expectAll(second.looks.filter(({ outcome }) => outcome === "unchanged").length, "unchanged looks");
  else expectAll(second.looks.filter(({ sightings }) => sightings.length > 0).length, "changes seen");
  await fetch.close();
  await database.close();
  rmSync(folder, { recursive: true });
  return count / seconds;
}

/** A benchmark of looks that failed would measure nothing. */
function expectAll(found: number, what: string): void {
  if (found !== count) throw new Error(`${found} ${what} of ${count}`);
}
