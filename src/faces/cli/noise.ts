/** `npm run noise -- --corpus DIR --out FILE [--list]`: the page measure, by the product's own functions. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { Command } from "commander";
import { comparePage, type PageComparison, type PageMemory } from "../../compare/page.ts";
import { Failure } from "../../failure.ts";
import type { Instant, Source } from "../../model.ts";
import { page } from "../../read/page.ts";
import { unreadableSince } from "../../read/readable.ts";
import { confirmAfter } from "../../schedule.ts";

interface Sequence {
  readonly id: string;
  readonly file: string;
  readonly url: string;
}

/** What one monitor remembers of one page. */
interface State {
  readonly page?: PageMemory;
  readonly language?: string;
}

type Seen = { readonly state: State; readonly comparison: PageComparison } | { readonly failure: Failure };

/** One look: read, judge whether it can be read, compare. */
function look(state: State, html: string, source: Source, at: Instant): Seen {
  try {
    const body = new TextEncoder().encode(html);
    const headers = { "content-type": "text/html; charset=utf-8" };
    const reading = page.read({ url: source.address, status: 200, headers, body }, source);
    if (reading instanceof Promise) throw new Error("a page is read at once");
    const failure = unreadableSince(state, reading);
    if (failure) return { failure };
    const comparison = comparePage(state.page, reading.blocks ?? [], { at, confirmAfter: confirmAfter(source) });
    return { state: { page: comparison.memory, language: reading.language ?? state.language }, comparison };
  } catch (error) {
    if (error instanceof Failure) return { failure: error };
    throw error;
  }
}

interface Tally {
  pages: number;
  /** Milliseconds of CPU. */
  cpu: number;
}

/** A `page` as config gives it when nothing but its address is written. */
function sourceOf({ id, url }: Sequence): Source {
  const none = { cites: [], standsFor: [], citedBy: [], announces: [], claims: [] };
  return { id, kind: "page", address: url, options: {}, ...none };
}

function* walk(dir: string, sequence: Sequence, tally: Tally): Generator<{ n: number; seen: Seen }> {
  const packed = readFileSync(join(dir, sequence.file));
  const lines = zstdDecompressSync(packed).toString("utf8").split("\n");
  const source = sourceOf(sequence);
  let state: State = {};
  for (const line of lines.slice(1)) {
    if (line === "") continue;
    const { n, date, html } = JSON.parse(line) as { n: number; date: string; html: string };
    const start = process.cpuUsage();
    const seen = look(state, html, source, Date.parse(date));
    const { user, system } = process.cpuUsage(start);
    tally.cpu += (user + system) / 1000;
    tally.pages++;
    if ("state" in seen) state = seen.state;
    yield { n, seen };
  }
}

function main(): void {
  const command = new Command("noise").requiredOption("--corpus <dir>").requiredOption("--out <file>");
  const { corpus, out, list } = command.option("--list", "tell every alert").parse().opts();
  const { sequences } = JSON.parse(readFileSync(join(corpus, "index.json"), "utf8")) as { sequences: Sequence[] };
  const tally: Tally = { pages: 0, cpu: 0 };
  const alerts: string[] = [];
  for (const sequence of sequences) {
    for (const { n, seen } of walk(corpus, sequence, tally)) {
      if ("failure" in seen || seen.comparison.changes.length === 0) continue;
      alerts.push(JSON.stringify({ id: sequence.id, n }));
      if (list) console.error(alerts.at(-1), JSON.stringify(seen.comparison.changes.slice(0, 5)));
    }
  }
  writeFileSync(out, alerts.map((line) => `${line}\n`).join(""));
  console.error(`${tally.pages} pages, ${(tally.cpu / tally.pages).toFixed(1)} ms of CPU each`);
}

main();
