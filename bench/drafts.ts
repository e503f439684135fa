import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { Command } from "commander";
import { parseConfig } from "../src/config/index.ts";
import { formatProblem } from "../src/config/problems.ts";
import type { Config } from "../src/model/config.ts";
import type { Source } from "../src/model/source.ts";
import { day } from "../src/model/time.ts";
import { readers } from "../src/read/index.ts";
import { draft } from "../src/report/index.ts";

/** `npm run drafts -- --corpus DIR --out FILE`: the draft of every document in DIR/docs, as it would be merged. */

const { corpus, out } = new Command()
  .requiredOption("--corpus <dir>", "holds docs/")
  .requiredOption("--out <file>", "one JSON object a line, a document each")
  .parse()
  .opts<{ corpus: string; out: string }>();

const documents = readdirSync(join(corpus, "docs")).sort();
writeFileSync(out, documents.map((name) => `${JSON.stringify(lineOf(name))}\n`).join(""));

/** The config that the draft's own files parse to. */
function lineOf(name: string): object {
  const id = name.slice(0, name.length - extname(name).length);
  const began = performance.now();
  const drafted = draft(
    { path: name, text: readFileSync(join(corpus, "docs", name), "utf8") },
    { at: Date.now(), readers },
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  if (!drafted) {
    process.stderr.write(`${id}: nothing to draft (${seconds} s)\n`);
    return { id, none: true };
  }
  const { config, problems } = parseConfig(drafted.files, readers);
  for (const problem of problems.slice(0, 3)) process.stderr.write(`${id}: ${formatProblem(problem)}\n`);
  const { sources, ratings, triggers } = drafted.found;
  process.stderr.write(`${id}: ${sources} sources, ${ratings} ratings, ${triggers} triggers (${seconds} s)\n`);
  return { id, valid: problems.length === 0, ...(config ? told(config) : { sources: [], ratings: [], levels: [] }) };
}

function told({ sources, ratings, names, levels, report }: Config): object {
  return {
    sources: [...sources.values()].map((source) => ({
      id: source.id,
      kind: source.kind,
      address: shownAddress(source),
      cites: source.cites,
    })),
    ratings: [...ratings].map(([id, { level }]) => ({
      id,
      names: id.split("/").map((part) => names.get(part) ?? part),
      level,
    })),
    levels,
    audited: day(report.audited),
  };
}

/** The scorer knows these kinds by their short addresses; of all others it wants the page. */
function shownAddress(source: Source): string {
  const short = /^(?:github-(?!advisory).*|pypi|container-tags)$/.test(source.kind);
  return short ? source.address : (readers.get(source.kind)?.page(source) ?? source.address);
}
