import { readFileSync, writeFileSync } from "node:fs";
import { basename, extname } from "node:path";
import { Command } from "commander";
import { type Altered, type Annotated, alterations, annotated, quoting } from "./altered.ts";
import { type Way, ways } from "./made-pages.ts";
import { lookUp, maxStatements, type Stated, statedIn } from "./stated.ts";

/**
 * `npm run --silent doubts -- --out FILE REPORT…`: looks the statements of reports up on generated pages. Pages that
 * support them should prove as many as possible, all others none. It also checks pull requests with altered figures,
 * each of which must get an annotation, and reports that quote each page. FILE gets one JSON object a line, for each
 * statement and page.
 */
const program = new Command().requiredOption("--out <file>", "one JSON object a line").argument("<report...>").parse();
const { out } = program.opts<{ out: string }>();

const lines: string[] = [];
const totals = new Map<Way, { stated: number; proved: number }>(ways.map((way) => [way, { stated: 0, proved: 0 }]));
const pulls: Annotated[] = [];
const quotations: Annotated[] = [];
let documents = 0;
for (const file of program.args) {
  const [name, text] = [basename(file), readFileSync(file, "utf8")];
  const stated = statedIn({ path: name, text });
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

/** How many statements are proved by the pages of this kind, among those for which the kind makes a difference. */
function measure(document: string, stated: readonly Stated[], way: Way): string {
  const lookups = lookUp(stated, way);
  lines.push(...lookups.map((one) => JSON.stringify({ document, ...one })));
  const proved = lookups.filter(({ proof }) => proof !== undefined).length;
  const sum = totals.get(way);
  if (sum) {
    sum.stated += lookups.length;
    sum.proved += proved;
  }
  return `${proved} of ${lookups.length}`;
}
