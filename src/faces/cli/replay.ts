import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openStore } from "../../adapters/store/open.ts";
import { readers } from "../../read/index.ts";
import { loadConfig } from "../../wire.ts";
import { readCorpus, readSnippets } from "./replay/corpus.ts";
import { sourcesOf, walk } from "./replay/walk.ts";
import { corpusWeb } from "./replay/web.ts";

/** `npm run replay`: the product's own look over a folder of dated documents, with another clock and another web. */
const { values } = parseArgs({
  options: { corpus: { type: "string" }, config: { type: "string", default: "test/replay" }, out: { type: "string" } },
});
if (!values.corpus || !values.out) {
  process.stderr.write("usage: npm run --silent replay -- --corpus DIR [--config DIR] --out FILE\n");
  process.exit(1);
}

const begun = performance.now();
let now = 0;
const clock = {
  now: () => now,
  set(at: number) {
    now = at;
  },
};
const config = await loadConfig(values.config);
const docs = readCorpus(values.corpus);
const database = await openStore(":memory:");
const world = {
  config,
  clock,
  readers,
  access: { githubToken: true },
  fetch: corpusWeb(docs, clock, readSnippets(values.corpus)),
  store: database.repository("replay"),
};
const sources = sourcesOf(docs, world);
const replayed = await walk(docs, sources, world);
writeFileSync(values.out, replayed.firings.map((firing) => `${JSON.stringify(firing)}\n`).join(""));

const say = (line: string) => process.stderr.write(`${line}\n`);
for (const { doc, url } of docs) if (!sources.has(doc)) say(`not watched: ${doc} (${url})`);
for (const [doc, says] of replayed.unknown) say(`last unknown: ${doc}: ${says}`);
say(
  `${replayed.looks} looks at ${sources.size} of ${docs.length} documents in ${((performance.now() - begun) / 1000).toFixed(1)} s`,
);
say(`${replayed.firings.length} firings, ${replayed.ofTime.length} more of time alone`);
await database.close();
