import { readFileSync, writeFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { Command } from "commander";
import { citationsIn } from "../src/claims/mine/citations.ts";
import { provingPage } from "../src/claims/mine/page.ts";
import { proveStatement, type Statement, statementsIn } from "../src/claims/mine/statements.ts";
import { parseConfig } from "../src/config/index.ts";
import type { Config } from "../src/model/config.ts";
import type { Reading } from "../src/model/reading.ts";
import type { Source } from "../src/model/source.ts";
import { describeProof } from "../src/model/words.ts";
import { readers } from "../src/read/index.ts";
import { blocksOfMarkdown } from "../src/read/text/markdown.ts";
import { draft } from "../src/report/index.ts";
import { reportTextOf } from "../src/report/parse/report-text.ts";
import { type Altered, type Annotated, alterations, annotated, quoting } from "./altered.ts";
import { differs, madePage, type Said, type Way, ways } from "./made-pages.ts";

/**
 * `npm run --silent doubts -- --out FILE REPORT…`: looks the statements of reports up on generated pages. Pages that
 * support them should prove as many as possible, all others none. It also checks pull requests with altered figures,
 * each of which must get an annotation, and reports that quote each page. FILE gets one JSON object a line, for each
 * statement and page.
 */
const program = new Command().requiredOption("--out <file>", "one JSON object a line").argument("<report...>").parse();
const { out } = program.opts<{ out: string }>();

/** Statements of one document: one long list would outweigh all others. */
const maxStatements = 160;

interface Stated {
  readonly statement: Statement;
  readonly said: Said;
  readonly source: Source;
}

const lines: string[] = [];
const totals = new Map<Way, { stated: number; proved: number }>(ways.map((way) => [way, { stated: 0, proved: 0 }]));
const pulls: Annotated[] = [];
const quotations: Annotated[] = [];
let documents = 0;
for (const file of program.args) {
  const [name, text] = [basename(file), readFileSync(file, "utf8")];
  const config = configOf(name, text);
  const stated = config ? statedIn(name, text, config) : [];
  const pulled = annotated({ path: name, text }, maxStatements);
  if (stated.length + pulled.altered.length === 0) continue;
  documents++;
  const counts = ways.map((way) => `${way} ${measure(name, stated, way)}`);
  pulls.push(pulled);
  const quoted = quoting({ path: name, text }, maxStatements);
  quotations.push(quoted);
  const id = name.slice(0, -extname(name).length);
  process.stderr.write(`${id}: proved where ${counts.join(", ")}; ${annotations([pulled])}\n`);
  for (const wrong of [...pulled.wrong, ...quoted.wrong]) process.stderr.write(`  annotated, and right: ${wrong}\n`);
  for (const { line, from, to } of [pulled, quoted].flatMap(({ altered, found }) =>
    altered.filter((one) => !found.includes(one)),
  ))
    lines.push(JSON.stringify({ document: name, way: "altered", line, from, to }));
}
writeFileSync(out, lines.map((line) => `${line}\n`).join(""));
const all = ways.map((way) => `${way} ${totals.get(way)?.proved} of ${totals.get(way)?.stated}`);
process.stderr.write(
  `${documents} documents; proved where ${all.join(", ")}; ${annotations(pulls)}; where each page is quoted, ${annotations(quotations)}\n`,
);

/** Counts of annotations, in words. */
function annotations(all: readonly Annotated[]): string {
  const of = (what: Altered) => {
    const [found, altered] = (["found", "altered"] as const).map(
      (kind) => all.flatMap((one) => one[kind]).filter((one) => one.what === what).length,
    );
    return `${found} of ${altered} altered ${what}s`;
  };
  const sum = (count: (one: Annotated) => number) => all.reduce((total, one) => total + count(one), 0);
  return `annotated ${alterations.map(of).join(", ")}, ${sum(({ wrong }) => wrong.length)} of ${sum(({ right }) => right)} left as they are`;
}

function configOf(path: string, text: string): Config | undefined {
  const drafted = draft({ path, text }, { at: Date.now(), readers });
  return drafted && parseConfig(drafted.files, readers).config;
}

/** Figures and states that cite exactly one source, each with it; quoted words are on a page or not. */
function statedIn(path: string, text: string, config: Config): Stated[] {
  const { cited } = citationsIn(reportTextOf(path, text), config, readers);
  const found = cited.flatMap(({ sentence, sourcesAt }) =>
    statementsIn(sentence).flatMap((statement): Stated[] => {
      const [source, ...more] = sourcesAt(statement.to);
      const isQuoted = /["“”«»„_]/.test(sentence.text.slice(statement.from, statement.to));
      const isWhole = statement.from === 0 && statement.to === sentence.text.length;
      return source && more.length === 0 && !isWhole && !isQuoted
        ? [{ statement, source, said: { ...sentence, from: statement.from, to: statement.to } }]
        : [];
    }),
  );
  // A report says of many things, in the same words, what its source says once.
  const once = [...new Map(found.map((one) => [keyOf(one), one])).values()];
  const step = Math.max(1, once.length / maxStatements);
  return Array.from({ length: Math.min(once.length, maxStatements) }, (_, i) => once[Math.floor(i * step)]).flatMap(
    (one) => one ?? [],
  );
}

function keyOf({ source, said: { text, from } }: Stated): string {
  return JSON.stringify([source.id, text, from]);
}

/** How many statements are proved by the pages of this kind, among those for which the kind makes a difference. */
function measure(document: string, stated: readonly Stated[], way: Way): string {
  const bySource = Map.groupBy(stated, ({ source }) => source);
  const total = { stated: 0, proved: 0 };
  for (const [source, own] of bySource) {
    // A report may name what it cites by its own description; no page has that name.
    const called = source.title ?? source.id;
    const title = /\d/.test(called) ? (URL.parse(source.address)?.host ?? source.id) : called;
    const markdown = madePage(
      title,
      own.map(({ said }) => said),
      way,
    );
    const judged = own.filter(({ said }) => way === "true" || differs(said, way));
    total.stated += judged.length;
    const reading: Reading = { title, blocks: blocksOfMarkdown(markdown) };
    const page = provingPage(reading, title);
    for (const { statement, said } of judged) {
      const outcome = proveStatement(statement, said, { page, reading }, true);
      const proof = outcome && "proof" in outcome ? describeProof(outcome.proof) : undefined;
      const there = outcome && "there" in outcome ? outcome.there : undefined;
      if (proof !== undefined) total.proved++;
      const { text, from, to, row, column } = said;
      lines.push(
        JSON.stringify({
          document,
          way,
          source: source.id,
          text,
          row,
          column,
          says: text.slice(from, to),
          proof,
          there,
          ...(way === "true" && proof === undefined && { page: markdown }),
        }),
      );
    }
  }
  const sum = totals.get(way);
  if (sum) {
    sum.stated += total.stated;
    sum.proved += total.proved;
  }
  return `${total.proved} of ${total.stated}`;
}
