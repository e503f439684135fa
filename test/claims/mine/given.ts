import { type Proposals, type Proving, proposeClaims, provingHere } from "../../../src/claims/mine/index.ts";
import { parseConfig } from "../../../src/config/index.ts";
import type { Config } from "../../../src/model/config.ts";
import type { Facts, Reading } from "../../../src/model/reading.ts";
import { describeProof } from "../../../src/model/words.ts";
import { readers } from "../../../src/read/index.ts";
import { blocksOfMarkdown } from "../../../src/read/text/markdown.ts";
import { draft } from "../../../src/report/index.ts";

const matrix = `| Engine | Memory | Speed |
|---|---|---|
| Alpha Max | High | Low |
| Beta Mini | Low | High |`;

/** A page in Markdown, or the facts of a source without one. */
type Page = string | Facts;

/** The claims of a report that cites these pages as [1], [2] …, each as `source: proof`. */
export async function claimsOf(sentences: string, ...pages: readonly Page[]): Promise<string[]> {
  return (await proposals(sentences, ...pages)).claims.map(
    ({ source, proof }) => `${source.replace(/^page-/, "")}: ${describeProof(proof)}`,
  );
}

export async function proposals(sentences: string, ...pages: readonly Page[]): Promise<Proposals> {
  return await proposalsBy({}, sentences, ...pages);
}

/** The same, with some of the steps by which they are found. */
export async function proposalsBy(
  steps: Partial<Proving>,
  sentences: string,
  ...pages: readonly Page[]
): Promise<Proposals> {
  const { config, readings, report } = given(sentences, ...pages);
  return await proposeClaims([report], config, { readings, proving: { ...provingHere(readers), ...steps } });
}

/** What is proposed for a report as it stands, over the page that it cites at an address. */
export async function proposedFor(text: string, address: string, page: string): Promise<Proposals> {
  return await proposedForWhole(`# State of Engines\n\n${matrix}\n\n${text}\n`, address, page);
}

/** The same for a report as a whole. */
export async function proposedForWhole(text: string, address: string, page: string): Promise<Proposals> {
  const report = { path: "README.md", text };
  const config = configOf(report);
  const ids = [...config.sources.values()].filter((source) => source.address === address).map(({ id }) => id);
  const readings = new Map(ids.map((id) => [id, readingOf(page)]));
  return await proposeClaims([report], config, { readings, proving: provingHere(readers) });
}

export function given(sentences: string, ...pages: readonly Page[]) {
  const list = pages.map((page, i) => `${i + 1}. Page ${i + 1}. ${address(page, i)}`).join("\n");
  const text = `# State of Engines\n\n${matrix}\n\n## Engines\n\n${sentences}\n\n## References\n\n${list}\n`;
  const report = { path: "README.md", text };
  const config = configOf(report);
  const sources = [...config.sources.values()];
  const readings = new Map(
    pages.flatMap((page, i): [string, Reading][] => {
      const source = sources.find(({ cites }) => cites.includes(i + 1));
      return source ? [[source.id, readingOf(page)]] : [];
    }),
  );
  return { config, readings, report };
}

function configOf(report: { path: string; text: string }): Config {
  const drafted = draft(report, { at: Date.parse("2026-05-16"), readers });
  const { config, problems } = parseConfig(drafted?.files ?? [], readers);
  if (!config) throw new Error(problems[0]?.message);
  return config;
}

function address(page: Page, i: number): string {
  return typeof page === "string"
    ? `https://docs.example.org/page-${i + 1}`
    : `https://github.com/example/page-${i + 1}`;
}

function readingOf(page: Page): Reading {
  return typeof page === "string" ? { blocks: blocksOfMarkdown(page) } : { facts: page };
}
