import { plainWords } from "../../language/fold.ts";
import { makeOnce } from "../../model/cache.ts";
import type { ReportFile } from "../../report/index.ts";
import type { Finding } from "../findings.ts";

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
