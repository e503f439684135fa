import { readFileSync, writeFileSync } from "node:fs";
import { Command } from "commander";
import { openStore } from "../src/adapters/store/open.ts";
import { ConfigProblems, formatProblem } from "../src/config/problems.ts";
import {
  type CorpusDocument,
  readCorpus,
  reasonOf,
  type WatchedDocument,
  watchedIn,
} from "../src/faces/cli/backtest/corpus.ts";
import type { Config } from "../src/model/config.ts";
import { readers } from "../src/read/index.ts";
import { loadConfig } from "../src/wire/config.ts";
import { corpusWeb, readSnippets } from "./corpus-web.ts";
import { ofRawChanges, ofRecheck, ofVersions } from "./monitors.ts";
import { table, truthOf } from "./score.ts";
import { type Replayed, walk } from "./walk.ts";

/**
 * `npm run replay`: the product's own checks of a folder of dated documents, with another clock and another web.
 * Firings go to `--out`, one JSON object a line; with `--truth`, a table that compares monitors goes to stdout.
 */
const say = (line: string) => process.stderr.write(`${line}\n`);
const values = new Command("replay")
  .requiredOption("--corpus <dir>")
  .option("--config <dir>", "the config of the report", "test/bench/replay")
  .requiredOption("--out <file>")
  .option("--truth <file>", "labels, for the table")
  .parse()
  .opts<{ corpus: string; config: string; out: string; truth?: string }>();
const begun = performance.now();
const docs = await orExit("no documents: ", () => documents(values.corpus));
const { truth: file } = values;
const truth = file === undefined ? undefined : await orExit("no labels: ", () => truthOf(readFileSync(file, "utf8")));
const config = auditedAtFirst(await orExit("", () => loadConfig(values.config)), docs);
const watched = watchedIn(docs, { config, readers });
const replayed = await replay(config, docs, watched, values.corpus);
writeFileSync(values.out, replayed.firings.map((firing) => `${JSON.stringify(firing)}\n`).join(""));
report(replayed, docs, watched);
if (truth) {
  const monitors = {
    "raw change alerts": ofRawChanges(replayed),
    "a watcher of versions": await ofVersions(watched, readers),
    Recheck: ofRecheck(replayed),
  };
  process.stdout.write(`${table(monitors, truth)}\n`);
}

/** The result of some work; its error ends the command. */
async function orExit<T>(before: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigProblems) say(error.problems.map(formatProblem).join("\n"));
    else say(before + reasonOf(error));
    process.exit(1);
  }
}

function documents(corpus: string): CorpusDocument[] {
  const docs = readCorpus(corpus, say);
  if (docs.length === 0) throw new Error(`${corpus}/docs is empty`);
  return docs;
}

/** Before its audit a report cannot know what is new, so it counts as audited when the history begins. */
function auditedAtFirst(config: Config, docs: readonly CorpusDocument[]): Config {
  const first = Math.min(...docs.flatMap(({ revisions }) => revisions.map(({ date }) => date)));
  const { report } = config;
  return { ...config, report: { ...report, audited: Math.min(report.audited, first) } };
}

async function replay(
  config: Config,
  docs: readonly CorpusDocument[],
  watched: readonly WatchedDocument[],
  corpus: string,
) {
  let now = 0;
  const clock = {
    now: () => now,
    set(at: number) {
      now = at;
    },
  };
  const database = await openStore(":memory:");
  const fetch = corpusWeb(docs, clock, readSnippets(corpus));
  const world = { config, clock, readers, access: { githubToken: true }, fetch, store: database.repository("replay") };
  const replayed = await walk(watched, world);
  await database.close();
  return replayed;
}

function report(
  { firings, ofTime, checks, unknown }: Replayed,
  docs: readonly CorpusDocument[],
  watched: readonly WatchedDocument[],
) {
  const seen = new Set(watched.map(({ doc }) => doc.doc));
  for (const { doc, url } of docs) if (!seen.has(doc)) say(`not watched: ${doc} (${url})`);
  for (const [doc, { checks, says }] of unknown) say(`unknown at ${checks} checks: ${doc}: ${says}`);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  say(`${checks} checks ${seen.size} of ${docs.length} documents in ${seconds} s`);
  say(`${firings.length} firings, ${ofTime.length} more of time alone`);
}
