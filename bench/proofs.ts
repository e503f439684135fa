import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Command } from "commander";
import { readConfigFiles } from "../src/adapters/files/config.ts";
import { citationsIn } from "../src/claims/mine/citations.ts";
import { proposeClaims, provingHere } from "../src/claims/mine/index.ts";
import { provingPage } from "../src/claims/mine/page.ts";
import { figurePhrases } from "../src/claims/mine/phrases.ts";
import { sentencesIn } from "../src/claims/mine/sentences.ts";
import { parseConfig } from "../src/config/index.ts";
import { readCorpus } from "../src/faces/cli/backtest/corpus.ts";
import { type Quantity, quantities, sameQuantity } from "../src/language/quantity.ts";
import type { Claim, Proof } from "../src/model/claim.ts";
import type { Config } from "../src/model/config.ts";
import type { Reading } from "../src/model/reading.ts";
import type { Source } from "../src/model/source.ts";
import { describeProof } from "../src/model/words.ts";
import { readers } from "../src/read/index.ts";
import { type Draft, draft } from "../src/report/index.ts";
import { reportTextOf } from "../src/report/parse/report-text.ts";
import { corpusWeb } from "./corpus-web.ts";

/**
 * `npm run --silent proofs -- --web DIR --out FILE REPORT…`: the claims that are found in each report's sentences, from
 * its text alone. DIR is the web: `extracts/*.txt` (Markdown below lines such as `# url: …`), and `docs/` or
 * `dev/docs/` as of the day of the report. `--beside DIR`: a config by hand; then it counts how many figures of its
 * claims are found.
 */
const program = new Command()
  .requiredOption("--web <dir>", "holds extracts/, docs/ or dev/docs/")
  .requiredOption("--out <file>", "one JSON object a line, a claim each")
  .option("--beside <dir>", "a config written by hand")
  .argument("<report...>")
  .parse();
const { web, out, beside } = program.opts<{ web: string; out: string; beside?: string }>();

const extracts = extractsIn(join(web, "extracts"));
const folder = [web, join(web, "dev")].find((one) => existsSync(join(one, "docs")));
const documents = folder === undefined ? [] : readCorpus(folder, () => {});
const byHand = beside === undefined ? undefined : parsed(await readConfigFiles(beside));

const lines: string[] = [];
const all: { claim: Claim; key: string }[] = [];
const seen = new Map<string, Reading>();
const texts: string[] = [];
/** Sentences with a citation, by the sources that they cite. */
const said = new Map<string, string[]>();
let first: Draft | undefined;
for (const file of program.args) {
  const report = { path: basename(file), text: readFileSync(file, "utf8") };
  texts.push(report.text);
  const drafted = draft(report, { at: Date.now(), readers });
  if (drafted) first ??= drafted;
  else process.stderr.write(`${report.path}: lists no references\n`);
  // As `recheck claims` reads a further text beside a config.
  const files = (drafted ?? first)?.files;
  if (!files) continue;
  const config = parsed(files);
  const readings = await readingsOf(config);
  const { cited } = citationsIn(reportTextOf(report.path, report.text), config, readers);
  for (const { sentence, sourcesAt, sourcesOfHostAt } of cited)
    for (const { end: to } of figurePhrases(sentence.text))
      for (const key of [...sourcesAt(to), ...sourcesOfHostAt(to)].map(keyOf))
        said.set(key, [...(said.get(key) ?? []), sentence.text]);
  const began = performance.now();
  const { claims, considered, stated, proved, contrary } = await proposeClaims([report], config, {
    readings,
    proving: provingHere(readers),
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  const readable = cited.filter(({ sentence, sourcesAt, sourcesOfHostAt }) =>
    [...sourcesAt(sentence.text.length), ...sourcesOfHostAt(sentence.text.length)].some(({ id }) => readings.has(id)),
  );
  process.stderr.write(
    `${report.path}: ${config.sources.size} sources, ${readings.size} with a text; ${considered} sentences with citation (${readable.length} of sources with a text), ${stated} statements, ${proved} proved, ${contrary.length} contrary, ${claims.length} claims (${seconds} s)\n`,
  );
  for (const { source, figure, there, says } of contrary)
    process.stderr.write(`  contrary in ${source}: ${figure}, there ${there}\n      ${says}\n`);
  for (const claim of claims) {
    const { address = "" } = config.sources.get(claim.source) ?? {};
    lines.push(JSON.stringify({ report: report.path, address, ...claim }));
    process.stderr.write(
      `  ${claim.source}/${claim.id} [${claim.ratings.join(", ")}] ${describeProof(claim.proof)}\n      ${claim.says}\n`,
    );
    all.push({ claim, key: keyOf(config.sources.get(claim.source)) });
  }
  for (const [id, reading] of readings) seen.set(keyOf(config.sources.get(id)), reading);
}
writeFileSync(out, lines.map((line) => `${line}\n`).join(""));
if (byHand) compare(byHand);

function parsed(files: Parameters<typeof parseConfig>[0]): Config {
  const { config, problems } = parseConfig(files, readers);
  if (!config) throw new Error(problems[0]?.message ?? "no config");
  return config;
}

function keyOf(source: Source | undefined): string {
  return source === undefined
    ? ""
    : (readers.get(source.kind)?.page(source) ?? source.address).replace(/(?:\.md\.txt|\/)$/, "");
}

/** An extract is of the page at its address, whatever kind that is watched as. */
async function readingsOf(config: Config): Promise<Map<string, Reading>> {
  const fetch = corpusWeb(documents, { now: () => config.report.audited }, []);
  const found = new Map<string, Reading>();
  for (const source of config.sources.values()) {
    const reader = readers.get(source.kind);
    const text = extracts.get(keyOf(source));
    if (!reader) continue;
    try {
      if (text === undefined) {
        const fetched = await fetch.get(reader.request(source, { githubToken: true }), {});
        if (fetched.kind === "response") found.set(source.id, await reader.read(fetched.response, source));
      } else found.set(source.id, await readingOf(text, source));
    } catch {
      // There is no text of it.
    }
  }
  return found;
}

async function readingOf(text: string, source: Source): Promise<Reading> {
  const reader = readers.get("text");
  if (!reader) throw new Error("texts are read");
  const headers = { "content-type": "text/markdown; charset=utf-8" };
  const response = { url: keyOf(source), status: 200, headers, body: new TextEncoder().encode(text) };
  return await reader.read(response, { ...source, kind: "text", address: keyOf(source), options: {} });
}

/** By address. Lines that begin with `NOTE` are not the page's; the first line of a table is its head. */
function extractsIn(dir: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of existsSync(dir) ? readdirSync(dir).sort() : []) {
    const text = readFileSync(join(dir, name), "utf8");
    const url = /^# url: (\S+)/m.exec(text)?.[1];
    if (url === undefined) continue;
    const body = text
      .split("\n")
      .filter((line) => !/^# (?:TEXT EXTRACT|url:|source:|as of:)|^NOTE /.test(line))
      .flatMap((line, i, rest) => {
        const begins = line.startsWith("|") && !rest[i - 1]?.startsWith("|") && !/^\|[\s|:-]+$/.test(rest[i + 1] ?? "");
        return begins
          ? [line, `|${"---|".repeat(line.split("|").length - 2)}`]
          : [line, ""].slice(0, line.startsWith("|") ? 1 : 2);
      })
      .join("\n");
    const key = url.replace(/\/$/, "");
    found.set(key, `${found.get(key) ?? ""}\n\n${body}`);
  }
  return found;
}

/** Figures of claims by hand: of their values, and of the passages that hold any. */
function compare({ sources }: Config): void {
  const claims = [...sources.values()].flatMap((source) => source.claims.map((claim) => ({ claim, source })));
  const figured = claims.flatMap(({ claim: { id, proof, says }, source }) => {
    const text = "value" in proof ? says : "quote" in proof ? proof.quote : "";
    return figurePhrases(text).map(({ quantity, text: written }) => ({
      quantity,
      text: written,
      name: `${source.id}/${id}`,
      key: keyOf(source),
    }));
  });
  type Figured = (typeof figured)[number];
  const isFound = ({ quantity, key }: Figured) => all.some((one) => one.key === key && holds(one.claim, quantity));
  const holdsText = (text: string, { quantity }: Figured) =>
    figurePhrases(text).some((one) => sameQuantity(one.quantity, quantity));
  // A figure that the report does not give, or whose source gives it nowhere here, cannot be found.
  const inReport = figured.filter((one) =>
    texts.some((text) => sentencesIn(text).some(({ from, to }) => holdsText(text.slice(from, to), one))),
  );
  const onPage = inReport.filter((one) => isOnPage(one));
  const causeOf = (one: Figured) => {
    if (isFound(one)) return "found";
    if (!inReport.includes(one)) return "no report gives it";
    if (!seen.has(one.key)) return "its source has no text here";
    if (!isOnPage(one)) return "the text of its source does not give it";
    return said.get(one.key)?.some((text) => holdsText(text, one))
      ? "given and cited, and not proved"
      : "no sentence that gives it cites its source";
  };
  const count = (some: readonly Figured[]) => `${some.filter(isFound).length} of ${some.length}`;
  process.stderr.write(
    `by hand: ${claims.length} claims; of their figures found ${count(figured)}; of those that a report gives ${count(inReport)}; of those that the text of its source gives, too, ${count(onPage)}\n`,
  );
  for (const [cause, some] of Map.groupBy(figured, causeOf)) {
    process.stderr.write(`  ${some.length} ${cause}\n`);
    if (cause !== "found") for (const { name, text } of some) process.stderr.write(`      ${name}: ${text}\n`);
  }

  function isOnPage({ key, quantity }: Figured): boolean {
    const reading = seen.get(key);
    const alike = reading && provingPage(reading).figures.get(quantity.dimension);
    return alike?.some((there) => sameQuantity(there.quantity, quantity)) === true;
  }
}

function holds({ proof }: Claim, quantity: Quantity): boolean {
  const text = "value" in proof ? proof.value : "quote" in proof ? proof.quote : "";
  const bare = "value" in proof && /^[\d,.]+$/.test(text) && Number(text.replace(/,/g, ""));
  if (bare !== false && quantity.from % bare === 0 && bare > 1) return figureIn(proof, quantity);
  return figurePhrases(text).some((one) => sameQuantity(one.quantity, quantity));
}

/** A bare number has its unit from the words beside it. */
function figureIn(proof: Proof, quantity: Quantity): boolean {
  const { value, of = "" } = proof as Extract<Proof, { value: string }>;
  return of.split(" ").some((word) => quantities(`${value} ${word}`).some((one) => sameQuantity(one, quantity)));
}
