import { findingsOfChange, reportLines } from "../src/audit/check/findings.ts";
import { findingsOf } from "../src/audit/findings.ts";
import { addressesCitedAt, type ChangedSentence, changedSentences } from "../src/claims/mine/changed-sentences.ts";
import { contradictionsIn, type SeenPage } from "../src/claims/mine/contradictions.ts";
import { statementsIn } from "../src/claims/mine/statements.ts";
import { blocksOfMarkdown } from "../src/read/text/markdown.ts";
import type { ReportFile } from "../src/report/index.ts";
import { madePage, type Said, scaled } from "./made-pages.ts";

/** A figure or quoted words of a report that can be altered alone: they stand on their line once. */
interface Alterable {
  readonly line: number;
  readonly from: string;
  readonly to: string;
  readonly what: Altered;
}

/**
 * A figure; at least five quoted words that a sentence attributes to somebody; or a title, a name or a figure of speech
 * in such marks.
 */
export const alterations = ["figure", "quotation", "title"] as const;
export type Altered = (typeof alterations)[number];

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
 * Checks a pull request for a whole report in which every second figure and quotation differs from its page, and
 * another with the other half altered. Exactly the altered ones must get an annotation.
 */
export function annotated(report: ReportFile, most: number): Annotated {
  const { sentences } = changedSentences({ before: [], after: [report], lists: [], numbered: new Map() });
  const said = sentences.flatMap(saidOf).slice(0, most);
  const pages = pagesOf(said);
  return inHalves(report, alterableIn(report, said), said.length, pages);
}

function inHalves(
  report: ReportFile,
  alterable: readonly Alterable[],
  all: number,
  pages: ReadonlyMap<string, SeenPage>,
): Annotated {
  const halves = [0, 1].map((half) => {
    const altered = alterable.filter((_, i) => i % 2 === half);
    return { altered, right: all - altered.length, ...checked(report, altered, pages) };
  });
  return {
    altered: halves.flatMap(({ altered }) => altered),
    found: halves.flatMap(({ found }) => found),
    right: halves.reduce((sum, { right }) => sum + right, 0),
    wrong: halves.flatMap(({ wrong }) => wrong),
  };
}

/** Whether a sentence says of whom it has its quoted words. */
function isQuotation(sentence: string, quoted: string): boolean {
  const around = sentence.replace(quoted, "");
  return (
    quoted.split(/\s+/).length >= 5 &&
    /\b(?:says?|said|states?|writes?|wrote|reports?|notes?|quotes?|according to)\b/i.test(around)
  );
}

/** Ways in which a sentence says whose words it quotes. */
const attributed: readonly ((words: string, address: string) => string)[] = [
  (words, address) => `The maker says “${words}” ([source](${address})).`,
  (words, address) => `According to [its page](${address}), “${words}”.`,
  (words, address) => `Its documentation states that “${words}” ([there](${address})).`,
  (words, address) => `“${words}”, as its authors write in [their notes](${address}).`,
];
/** Words of a quotation: as many as people quote. */
const [fewestWords, mostWords] = [6, 16];

/**
 * A report with one quoted sentence of each page, because real reports seldom quote. The quotes are altered and
 * annotated as above.
 */
export function quoting(report: ReportFile, most: number): Annotated {
  const { sentences } = changedSentences({ before: [], after: [report], lists: [], numbered: new Map() });
  const pages = pagesOf(sentences.flatMap(saidOf).slice(0, most));
  const taken = new Set<string>();
  const quotes = [...pages].flatMap(([address, { reading }]) => {
    const [words] = (reading.blocks ?? []).flatMap(({ kind, text }) => {
      const first = /^(?:[^.!?“”"()[\]|*_<>]|[.](?=\d))+/.exec(text)?.[0].trim().split(/\s+/).slice(0, mostWords) ?? [];
      return kind === "paragraph" && first.length >= fewestWords ? [first.join(" ")] : [];
    });
    // If two lines have the same words, the annotation is on the first.
    const isNew = words !== undefined && !taken.has(words);
    if (words !== undefined) taken.add(words);
    return isNew ? [{ words, address }] : [];
  });
  const text = quotes.map(({ words, address }, i) => attributed[i % attributed.length]?.(words, address)).join("\n\n");
  const quoted = { path: "quotations.md", text };
  const alterable = quotes.map(({ words }, i): Alterable => {
    const to = words.replace(/^((?:\S+ ){3})\S+/, "$1never");
    return { line: 2 * i + 1, from: words, to, what: "quotation" };
  });
  return inHalves(quoted, alterable, quotes.length, pages);
}

interface SaidAt extends Said {
  readonly address: string;
  readonly title: string;
  readonly sentence: ChangedSentence;
}

/** Statements on the authority of one page alone. */
function saidOf(sentence: ChangedSentence): SaidAt[] {
  return statementsIn({ path: [], marks: [], ...sentence }).flatMap(({ from, to }) => {
    const [address, ...more] = addressesCitedAt(sentence, to) ?? [];
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
    const isMarked = /["“”]/.test(written);
    const what = !isMarked ? "figure" : isQuotation(words, written) ? "quotation" : "title";
    const other = isMarked ? written.replace(/(\S+ )\S+/, "$1never") : scaled(written, 3);
    const line = known.lineOf(sentence, written);
    const there = lines[(line ?? 0) - 1]?.split(written).length ?? 0;
    if (line === undefined || there !== 2 || taken.has(line) || other === written) return [];
    taken.add(line);
    return [{ line, from: written, to: other, what }];
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
  const change = changedSentences({ before: [], after, lists: [], numbered: new Map() });
  const found = [...pages].flatMap(([address, page]) => {
    const cited = { address, title: "", numbers: [], file: report.path, sentences: change.sentences, words: "" };
    const compared = contradictionsIn({ sentences: change.sentences, address, page });
    return findingsOf({ cited, kind: page.kind, compared }, 0, new Map());
  });
  const findings = findingsOfChange({ change, before: [], after, findings: found });
  const is = (one: Alterable) => (finding: (typeof findings)[number]) =>
    finding.line === one.line && finding.message.includes(one.what === "figure" ? one.to : "never");
  return {
    found: altered.filter((one) => findings.some(is(one))),
    wrong: findings
      .filter((finding) => !altered.some((one) => is(one)(finding)))
      .map(({ line, message }) => `${line}: ${message}`),
  };
}
