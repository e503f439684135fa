import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRanges } from "../../src/adapters/fetch/address.ts";
import { createFetch } from "../../src/adapters/fetch/index.ts";
import { openStore } from "../../src/adapters/store/open.ts";
import { createPool } from "../../src/adapters/threads/pool.ts";
import { parseConfig } from "../../src/config/index.ts";
import { formatProblem } from "../../src/config/problems.ts";
import type { Check } from "../../src/model/check.ts";
import type { Config } from "../../src/model/config.ts";
import { Failure } from "../../src/model/failure.ts";
import { readers } from "../../src/read/index.ts";
import { check, type World } from "../../src/watch/check.ts";
import type { Hostile } from "./input.ts";
import { inputsOf } from "./inputs.ts";
import { readReport } from "./read-report.ts";

/**
 * The checking part of the program: its own way to the web, its own threads within their limits, its own store. It gets the
 * hostile answer that is served at `origin`, checks it together with an honest page, and reports the cost.
 */

export interface Asked {
  readonly seed: number;
  readonly index: number;
  readonly size: number;
  readonly origin: string;
}

/** The cost of one hostile answer. Times are milliseconds. */
export interface Measured {
  /** The longest turn of the event loop, by the processor time of its thread. */
  readonly turn: number;
  /** Processor time of the check, in all threads together. */
  readonly check: number;
  /**
   * … and of several checks in turn, some with the answer altered; also of a quarter of its size. If the quarter takes an
   * eighth or less, the lowest of three times: one alone may include what compiling costs.
   */
  readonly again: number;
  readonly quarter?: number;
  /** Megabytes that were taken beyond those before. */
  readonly memory: number;
  /** Until the honest page was read. */
  readonly honest: number;
  readonly said: string;
  /** A worker gave it up, as it should if something costs too much. */
  readonly isGivenUp?: boolean;
  /** A defect, or an honest check that did not come to its end. */
  readonly wrong?: string;
}

/** Limits of the program itself; see `src/wire/web.ts`. */
const limits = { processor: 5_000, megabytes: 256 };
/** For a second check, at a quarter of the size: growth is only visible in costs that are not small. */
const worthAQuarter = 200;
/** A quarter of the size that takes less than this share was measured badly, or the time grows faster than the size. */
const smallestShare = 1 / 8;
const pairs = 3;

const folder = mkdtempSync(join(tmpdir(), "recheck-fuzz-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const database = await openStore(join(folder, "recheck.db"));
const store = database.repository("local");
const workers = createPool({ entry: new URL("thread.ts", import.meta.url), ...limits });
const clock = { now: () => Date.now() };

function configFor({ kind, address = readers.get(kind)?.example, options = {} }: Hostile): Config {
  const claims = [
    "compiled graphs are an early prototype and likely to fail",
    "a b c d e f",
    "words of it. words of it.",
  ];
  const it = {
    [kind]: address,
    ...options,
    ...(texts.has(kind) && {
      claims: Object.fromEntries(claims.map((quote, i) => [`c${i}`, { says: "So it is", quote }])),
    }),
  };
  const text = JSON.stringify({
    report: { title: "A report", audited: "2026-01-01" },
    sources: { it, honest: { page: honestPage } },
  });
  const parsed = parseConfig([{ path: "sources.yaml", text }], readers);
  if (!parsed.config) throw new Error(parsed.problems.map(formatProblem).join("\n"));
  return parsed.config;
}

const texts = new Set(["page", "text", "pdf"]);
/** Stands in for a report, which has no source. */
const honestly: Hostile = { kind: "page", about: "", name: "", make: () => "" };
const honestPage = "https://honest.example/";

function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Measures the longest time for which the event loop is blocked. */
function watchTurns(): () => number {
  let [longest, last] = [0, processorTime()];
  const tick = () => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, 2);
  return () => {
    clearInterval(timer);
    tick();
    return longest;
  };
}

/** Linux: writing 5 there resets the peak to the present value. */
function resetPeak(): number {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Elsewhere the peak of the whole process is all there is.
  }
  return peak();
}

/** The most that was resident, in megabytes. */
function peak(): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}

async function spent(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Starts every thread: replacing one that was given up is no cost of an input. Each is held until all have started, because
 * the first could do all tasks that end at once, however many they are.
 */
async function warm(asked: Asked): Promise<void> {
  const { threads, running } = workers.figures();
  if (running === threads) return;
  const all = Promise.withResolvers<void>();
  let held = 0;
  const answer = async () => {
    held += 1;
    if (held === threads) all.resolve();
    await all.promise;
  };
  await Promise.all(Array.from({ length: threads }, () => workers.run("held", asked, { answer })));
}

async function measure(asked: Asked): Promise<Measured> {
  const input = inputsOf(asked.seed)[asked.index];
  if (!input) throw new Error(`no input ${asked.index}`);
  const isReport = input.kind === "report";
  const config = configFor(isReport ? honestly : input);
  const fetch = createFetch({
    ...{ clock, userAgent: "Recheck/0.1 (+https://recheck.example/about)", pause: 0 },
    ...{ allowAddresses: parseRanges("127.0.0.0/8"), origin: () => asked.origin },
  });
  const world: World = { config, clock, fetch, store, readers, access: { githubToken: true }, workers };
  const checked: Check[] = [];
  let outcome: string | undefined;
  let failed: unknown;
  let honest = 0;
  const checkAt = async (id: string) => {
    const source = config.sources.get(id);
    if (!source) throw new Error(`no source ${id}`);
    const { check: result } = await check(source, undefined, world);
    checked.push(result);
  };
  await warm(asked);
  const begun = performance.now();
  const before = resetPeak();
  const turns = watchTurns();
  const spentOnce = await spent(async () => {
    const page = checkAt("honest").then(() => {
      honest = performance.now() - begun;
    });
    if (isReport)
      try {
        outcome = await readReport(input, asked.size, workers);
      } catch (error) {
        failed = error;
      }
    else await checkAt("it");
    await page;
  });
  const turn = turns();
  await fetch.close();
  await store.forget(["it", "honest"]);
  const again = input.isWhole ? { again: 0 } : await checkAgain(asked);
  const memory = Math.max(0, peak() - before);
  const of = (id: string) => checked.find(({ source }) => source === id);
  const failure = failed instanceof Failure ? failed : of("it")?.failure;
  const said = failure?.kind ?? of("it")?.outcome ?? outcome ?? "";
  const isGivenUp = said === "processor" || said === "memory";
  const wrong =
    defect(failure, failed) ?? (of("honest")?.outcome === "first" ? undefined : "an honest page was not read");
  return {
    turn,
    check: spentOnce,
    memory,
    honest,
    said,
    ...(isGivenUp && { isGivenUp }),
    ...(wrong !== undefined && { wrong }),
    ...again,
  };
}

async function checkAgain(asked: Asked): Promise<Pick<Measured, "again" | "quarter" | "wrong" | "isGivenUp">> {
  const came = { isGivenUp: false };
  const check = (size: number) =>
    spent(async () => {
      try {
        await workers.run("again", { ...asked, size });
      } catch (error) {
        if (!(error instanceof Failure) || error.kind === "internal") throw error;
        came.isGivenUp = true;
      }
    });
  try {
    await warm(asked);
    let again = await check(asked.size);
    let quarter = again < worthAQuarter || came.isGivenUp ? undefined : await check(asked.size / 4);
    for (let pair = 1; pair < pairs && quarter !== undefined && quarter < again * smallestShare; pair++) {
      again = Math.min(again, await check(asked.size));
      quarter = Math.min(quarter, await check(asked.size / 4));
    }
    return { again, ...(quarter !== undefined && { quarter }), ...(came.isGivenUp && came) };
  } catch (error) {
    return { again: 0, wrong: String(error) };
  }
}

function defect(failure: Failure | Check["failure"], failed: unknown): string | undefined {
  if (failed !== undefined && !(failed instanceof Failure)) return String(failed);
  if (failure?.kind !== "internal") return undefined;
  return failure instanceof Failure ? failure.message : failure.says;
}

process.on("message", (asked: Asked) => {
  measure(asked).then(
    (measured) => process.send?.(measured),
    (error: unknown) =>
      process.send?.({
        wrong: String(error),
        turn: 0,
        check: 0,
        again: 0,
        memory: 0,
        honest: 0,
        said: "",
      } satisfies Measured),
  );
});
