import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openStore } from "../src/adapters/store/open.ts";
import { ConfigProblems } from "../src/config/problems.ts";
import { type CorpusDocument, readCorpus, type WatchedDocument, watchedIn } from "../src/faces/cli/backtest/corpus.ts";
import type { Config } from "../src/model/config.ts";
import { readers } from "../src/read/index.ts";
import { loadConfig } from "../src/wire/config.ts";
import { corpusWeb, readSnippets } from "./corpus-web.ts";
import { ofRawChanges, ofRecheck, ofVersions } from "./monitors.ts";
import { table, truthOf } from "./score.ts";
import { type Replayed, walk } from "./walk.ts";

/**
 * `npm run replay`: the product's own look over a folder of dated documents, with another clock and another web.
 * Firings go to `--out`, one JSON object a line; with `--truth` a table of how monitors compare goes to stdout.
 */
const say = (line: string) => process.stderr.write(`${line}\n`);
const values = asked();
const begun = performance.now();
const docs = documents(values.corpus);
const truth = values.truth === undefined ? undefined : labels(values.truth);
const config = auditedAtFirst(await configOf(values.config), docs);
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

/** Reads the command line; a wrong one ends the command. */
function asked(): { corpus: string; config: string; out: string; truth?: string } {
  const string = { type: "string" } as const;
  try {
    const options = { corpus: string, config: { ...string, default: "test/bench/replay" }, out: string, truth: string };
    const { corpus, out, ...others } = parseArgs({ options }).values;
    if (corpus && out) return { corpus, out, ...others };
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
  say("usage: npm run --silent replay -- --corpus DIR [--config DIR] --out FILE [--truth EVENTS.json]");
  process.exit(1);
}

function documents(corpus: string): CorpusDocument[] {
  try {
    const docs = readCorpus(corpus, say);
    if (docs.length > 0) return docs;
    say(`no documents in ${corpus}/docs`);
  } catch (error) {
    say(`no documents: ${error instanceof Error ? error.message : String(error)}`);
  }
  process.exit(1);
}

function labels(file: string) {
  try {
    return truthOf(readFileSync(file, "utf8"));
  } catch (error) {
    say(`no labels: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

async function configOf(folder: string): Promise<Config> {
  try {
    return await loadConfig(folder);
  } catch (error) {
    if (error instanceof ConfigProblems) {
      for (const { file, line, column, message } of error.problems) say(`${file}:${line}:${column} ${message}`);
    } else say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

/** Before its audit a report cannot know what is new: it counts as audited when the history begins. */
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
