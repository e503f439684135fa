import type { ChangedFiles, ChangedSentence, ReportChange } from "../../claims/mine/changed-sentences.ts";
import { plainWords } from "../../language/fold.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Config } from "../../model/config.ts";
import { asSentence, oneLine } from "../../model/words.ts";
import type { Reader } from "../../read/reader.ts";
import type { ReportFile } from "../../report/index.ts";
import { type Finding, sidesOf } from "../findings.ts";

export interface ReportFinding {
  readonly file: string;
  /** Counts from 1; undefined if the line was not found. */
  readonly line?: number;
  readonly title: string;
  /** One line of plain text: what the report says, what the page says, and what to do. */
  readonly message: string;
  /** What the report and the page say, as the message has it, if it has both. */
  readonly said?: string;
  readonly there?: string;
}

export interface ChangeToJudge extends Pick<ChangedFiles, "before" | "after"> {
  readonly change: ReportChange;
  readonly findings: readonly Pick<Finding, "cited" | "says" | "evidence" | "todo" | "contradiction">[];
}

/** All findings about a change of a report, by file and line, without duplicates. Pure. */
export function findingsOfChange({ change, before, after, findings }: ChangeToJudge): ReportFinding[] {
  const lines = new Map<string, ReportLines>();
  const linesOf = (file: string): ReportLines => {
    const textIn = (files: readonly ReportFile[]) => files.find(({ path }) => path === file)?.text ?? "";
    return makeOnce(lines, file, () => reportLines(textIn(after), textIn(before)));
  };
  const placeOf = ({ file, ...sentence }: ChangedSentence, said: string): Pick<ReportFinding, "file" | "line"> => {
    return { file, line: linesOf(file).lineOf(sentence, said) };
  };
  const allFindings = findings.flatMap((finding): ReportFinding[] => {
    const { contradiction: one, cited } = finding;
    if (one) {
      const title = one.same ? "The cited page says otherwise" : "Not on the page that is cited";
      const { says, evidence } = finding;
      const message = `The page ${one.there === undefined ? `${says}: ${evidence}` : says} (${oneLine(cited.address, 300)})`;
      return [{ ...placeOf(one.sentence, one.said), title, message, ...sidesOf(one) }];
    }
    const { file, line, address } = cited;
    const sentence = change.sentences.find(({ cites }) => cites.some((cite) => cite.address === address));
    const place = line === undefined ? sentence && placeOf(sentence, address) : { file, line };
    return place ? [{ ...place, title: "Check this citation", message: standingSays(finding) }] : [];
  });
  const once = new Map(allFindings.map((one) => [JSON.stringify(one), one]));
  return [...once.values()].toSorted(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0),
  );
}

function standingSays({ cited: { address, title }, says, evidence, todo }: Omit<Finding, "kind" | "also">): string {
  const named = title === address ? "" : ` (${oneLine(address, 300)})`;
  const because = evidence === "" || evidence === address ? "" : `: ${oneLine(evidence, 200)}`;
  return `${oneLine(title, 100)}${named} ${says}${because}. ${asSentence(todo)}`;
}

/** The addresses of reference numbers that config gives to one source alone. */
export function numberedAddresses(
  { sources }: Pick<Config, "sources">,
  readers: ReadonlyMap<string, Reader>,
): ReadonlyMap<number, string> {
  const all = [...sources.values()].flatMap((source): [number, string][] => {
    const address = readers.get(source.kind)?.page(source) ?? source.address;
    return /^https?:/.test(address) ? source.cites.map((number) => [number, address]) : [];
  });
  const byNumber = Map.groupBy(all, ([number]) => number);
  return new Map([...byNumber.values()].flatMap(([only, ...more]) => (only && more.length === 0 ? [only] : [])));
}

export interface ReportLines {
  /**
   * Counts from 1; undefined if no line holds most of the sentence's words. `said`: words that the line must hold.
   */
  lineOf(sentence: { readonly text: string; readonly row?: string }, said?: string): number | undefined;
}

export interface FindingsToPlace {
  readonly findings: readonly Finding[];
  readonly files: readonly ReportFile[];
}

/** The most findings about sentences that are placed: each takes time in proportion to the report. */
const maxPlaced = 200;

/** Moves findings about sentences from the lines of the citations to the lines of the sentences. Pure. */
export function atSentences({ findings, files }: FindingsToPlace): Finding[] {
  const lines = new Map<string, ReportLines>();
  let placed = 0;
  return findings.map((finding) => {
    const { contradiction, cited } = finding;
    const file = files.find(({ path }) => path === contradiction?.sentence.file);
    if (!contradiction || !file || placed++ >= maxPlaced) return finding;
    const line = makeOnce(lines, file.path, () => reportLines(file.text, "")).lineOf(
      contradiction.sentence,
      contradiction.said,
    );
    return line === undefined ? finding : { ...finding, cited: { ...cited, file: file.path, line } };
  });
}

/** How many lines before and after a line may hold other parts of its sentence. */
const reach = 3;
/** The share of a sentence's words that must be around its line. */
const minShare = 0.6;

/** `before`: lines that existed before are taken only if no new one fits. */
export function reportLines(text: string, before: string): ReportLines {
  const old = new Set(linesIn(before));
  const lines = linesIn(text).map((line) => ({ plain: plainOf(line), words: wordsOf(line), isNew: !old.has(line) }));
  return {
    lineOf({ text: sentence, row = "" }, said = "") {
      const sentenceWords = wordsOf(`${row} ${sentence}`);
      const exact = plainOf(said);
      let best: { readonly line: number; readonly score: number } | undefined;
      for (const [i, { plain, words, isNew }] of lines.entries()) {
        const wordsHere = countIn(sentenceWords, [words]);
        if (wordsHere === 0) continue;
        const linesAround = lines.slice(Math.max(0, i - reach), i + reach + 1).map((one) => one.words);
        const around = countIn(sentenceWords, linesAround);
        if (around < minShare * sentenceWords.size) continue;
        const holds = exact !== "" && plain.includes(exact) ? 2 : 0;
        const score =
          holds + (isNew ? 1 : 0) + (around + wordsHere / sentenceWords.size) / (2 * sentenceWords.size + 2);
        if (!best || score > best.score) best = { line: i + 1, score };
      }
      return best?.line;
    },
  };
}

function linesIn(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** The text without marks of emphasis and links, with white space folded. */
function plainOf(text: string): string {
  return text
    .replace(/[*_`~]|<[^<>]{0,200}>/g, "")
    .replace(/&nbsp;|\s+/g, " ")
    .trim();
}

function wordsOf(text: string): Set<string> {
  return new Set(plainWords(plainOf(text)));
}

function countIn(wanted: ReadonlySet<string>, lines: readonly ReadonlySet<string>[]): number {
  return [...wanted].filter((word) => lines.some((line) => line.has(word))).length;
}
