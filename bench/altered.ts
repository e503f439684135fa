import { type ChangedSentence, changedSentences, citedAt } from "../src/config/claims/changed.ts";
import type { SeenPage } from "../src/config/claims/contradicted.ts";
import { statementsIn } from "../src/config/claims/statements.ts";
import type { ReportFile } from "../src/config/draft/index.ts";
import { findingsOfChange } from "../src/faces/report-check/findings.ts";
import { reportLines } from "../src/faces/report-check/lines.ts";
import { blocksOfMarkdown } from "../src/read/formats/markdown.ts";
import { madePage, type Said, scaled } from "./made-pages.ts";

/** A figure or quoted words of a report that can be altered alone: they stand on their line once. */
interface Alterable {
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly isQuoted: boolean;
}

export interface Annotated {
  /** Altered, and those of them that are annotated on their line with the altered words. */
  readonly altered: readonly Alterable[];
  readonly found: readonly Alterable[];
  /** Left as the pages have them. */
  readonly right: number;
  /** Annotations of anything that was not altered. */
  readonly wrong: readonly string[];
}

/**
 * Checks a pull request that brings a whole report in which every second figure and quotation is other than on the page
 * that is cited for it, and one with the other half altered: each alteration is to be annotated, and nothing else.
 */
export function annotated(report: ReportFile, most: number): Annotated {
  const { sentences } = changedSentences({ before: [], after: [report], numbered: new Map() });
  const said = sentences.flatMap(saidOf).slice(0, most);
  const pages = pagesOf(said);
  const alterable = alterableIn(report, said);
  const halves = [0, 1].map((half) => {
    const altered = alterable.filter((_, i) => i % 2 === half);
    return { altered, right: said.length - altered.length, ...checked(report, altered, pages) };
  });
  return {
    altered: halves.flatMap(({ altered }) => altered),
    found: halves.flatMap(({ found }) => found),
    right: halves.reduce((sum, { right }) => sum + right, 0),
    wrong: halves.flatMap(({ wrong }) => wrong),
  };
}

interface SaidAt extends Said {
  readonly address: string;
  readonly title: string;
  readonly sentence: ChangedSentence;
}

/** What a sentence says on the authority of one page alone. */
function saidOf(sentence: ChangedSentence): SaidAt[] {
  return statementsIn({ around: sentence.text, path: [], marks: [], ...sentence }).flatMap(({ from, to }) => {
    const [address, ...more] = citedAt(sentence, to) ?? [];
    const isWhole = from === 0 && to === sentence.text.length;
    if (address === undefined || more.length > 0 || isWhole || !/[\d“”"]/.test(sentence.text.slice(from, to)))
      return [];
    const title = sentence.cites.find((cited) => cited.address === address)?.title ?? "";
    return [{ ...sentence, from, to, address, title, sentence }];
  });
}

function pagesOf(said: readonly SaidAt[]): Map<string, SeenPage> {
  const byAddress = Map.groupBy(said, ({ address }) => address);
  return new Map(
    [...byAddress].map(([address, own]) => {
      const title = own[0]?.title || (URL.parse(address)?.host ?? address);
      return [address, { kind: "page", reading: { title, blocks: blocksOfMarkdown(madePage(title, own, "true")) } }];
    }),
  );
}

function alterableIn({ text }: ReportFile, said: readonly SaidAt[]): Alterable[] {
  const lines = text.split("\n");
  const known = reportLines(text, "");
  const taken = new Set<number>();
  return said.flatMap(({ sentence, text: words, from, to }): Alterable[] => {
    const written = words.slice(from, to);
    const isQuoted = /["“”]/.test(written);
    const other = isQuoted ? written.replace(/(\S+ )\S+/, "$1never") : scaled(written, 3);
    const line = known.lineOf(sentence, written);
    const there = lines[(line ?? 0) - 1]?.split(written).length ?? 0;
    if (line === undefined || there !== 2 || taken.has(line) || other === written) return [];
    taken.add(line);
    return [{ line, from: written, to: other, isQuoted }];
  });
}

function checked(
  report: ReportFile,
  altered: readonly Alterable[],
  pages: ReadonlyMap<string, SeenPage>,
): Pick<Annotated, "found" | "wrong"> {
  const lines = report.text.split("\n");
  for (const { line, from, to } of altered) lines[line - 1] = (lines[line - 1] ?? "").replace(from, () => to);
  const after = [{ ...report, text: lines.join("\n") }];
  const change = changedSentences({ before: [], after, numbered: new Map() });
  const findings = findingsOfChange({ change, before: [], after, seen: { pages, standings: [] } });
  const is = (one: Alterable) => (finding: (typeof findings)[number]) =>
    finding.line === one.line && finding.message.includes(one.isQuoted ? "never" : one.to);
  return {
    found: altered.filter((one) => findings.some(is(one))),
    wrong: findings
      .filter((finding) => !altered.some((one) => is(one)(finding)))
      .map(({ line, message }) => `${line}: ${message}`),
  };
}
