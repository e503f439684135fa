import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openStore } from "../../adapters/store/open.ts";
import type { Config } from "../../model.ts";
import { readers } from "../../read/index.ts";
import { ConfigProblems, loadConfig } from "../../wire.ts";
import { type Doc, readCorpus, readSnippets } from "./replay/corpus.ts";
import { ofRawChanges, ofRecheck, ofVersions } from "./replay/messages.ts";
import { table, truthOf } from "./replay/table.ts";
import { type Replayed, type Watched, walk, watchedIn } from "./replay/walk.ts";
import { corpusWeb } from "./replay/web.ts";

/**
 * `npm run replay`: the product's own look over a folder of dated documents, with another clock and another web.
 * Firings go to `--out`, one JSON object a line; with `--truth` a table of how monitors compare goes to stdout.
 */
const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    config: { type: "string", default: "test/replay" },
    out: { type: "string" },
    truth: { type: "string" },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);
if (!values.corpus || !values.out) {
  say("usage: npm run --silent replay -- --corpus DIR [--config DIR] --out FILE [--truth EVENTS.json]");
  process.exit(1);
}

const begun = performance.now();
const docs = readCorpus(values.corpus);
const config = auditedAtFirst(await configOf(values.config), docs);
const watched = watchedIn(docs, { config, readers });
const replayed = await replay(config, docs, watched, values.corpus);
writeFileSync(values.out, replayed.firings.map((firing) => `${JSON.stringify(firing)}\n`).join(""));
report(replayed, docs, watched);
if (values.truth) {
  const monitors = {
    "raw change alerts": ofRawChanges(replayed),
    "a watcher of versions": await ofVersions(watched, readers),
    Recheck: ofRecheck(replayed),
  };
  process.stdout.write(`${table(monitors, truthOf(readFileSync(values.truth, "utf8")))}\n`);
}

async function configOf(folder: string): Promise<Config> {
  try {
    return await loadConfig(folder);
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    for (const { file, line, column, message } of error.problems) say(`${file}:${line}:${column} ${message}`);
    process.exit(1);
  }
}

/** Before its audit a report cannot know what is new: it counts as audited when the history begins. */
function auditedAtFirst(config: Config, docs: readonly Doc[]): Config {
  const first = Math.min(...docs.flatMap(({ revisions }) => revisions.map(({ date }) => date)));
  const { report } = config;
  return { ...config, report: { ...report, audited: Math.min(report.audited, first) } };
}

async function replay(config: Config, docs: readonly Doc[], watched: readonly Watched[], corpus: string) {
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

function report({ firings, ofTime, looks, unknown }: Replayed, docs: readonly Doc[], watched: readonly Watched[]) {
  const seen = new Set(watched.map(({ doc }) => doc.doc));
  for (const { doc, url } of docs) if (!seen.has(doc)) say(`not watched: ${doc} (${url})`);
  for (const [doc, { looks, says }] of unknown) say(`unknown at ${looks} looks: ${doc}: ${says}`);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  say(`${looks} looks at ${seen.size} of ${docs.length} documents in ${seconds} s`);
  say(`${firings.length} firings, ${ofTime.length} more of time alone`);
}
