import { webAddress } from "../draft/addresses.ts";
import type { ReportFile } from "../draft/index.ts";
import { referencesOf } from "../draft/references.ts";
import { type ReportText, reportTextOf } from "../draft/report-text.ts";
import { type CitedSentence, citedSentences } from "./sentences.ts";

/** A sentence or cell that a change brought into a report, and what it cites. */
export interface ChangedSentence extends Pick<CitedSentence, "text" | "row" | "column"> {
  /** The report's file, as it is named in the repository. */
  readonly file: string;
  readonly cites: readonly ChangedCitation[];
}

export interface ChangedCitation {
  /** Behind so many characters of the sentence. */
  readonly at: number;
  /** Undefined where neither the file nor config tells it. */
  readonly address?: string;
  /** By which the report calls it; empty where it gives the address alone. */
  readonly title: string;
}

/** All that a change of a report says anew on the authority of others. */
export interface ReportChange {
  readonly sentences: readonly ChangedSentence[];
  /** Files that are longer than what is read of a report. */
  readonly cut: readonly string[];
}

/** The files of a report that a change touches. */
export interface ChangedFiles {
  readonly before: readonly ReportFile[];
  readonly after: readonly ReportFile[];
  /** The addresses that config gives for numbers by which the report cites: its own list of references goes before. */
  readonly numbered: ReadonlyMap<number, string>;
}

/**
 * Finds the sentences that cite and that a report did not have before: other words, another row or column, another
 * reference or another address of it. Linear in the files. Pure.
 */
export function changedSentences({ before, after, numbered }: ChangedFiles): ReportChange {
  const known = new Set(before.flatMap((file) => sentencesOf(file, numbered).sentences.map(keyOf)));
  const now = after.map((file) => ({ file, ...sentencesOf(file, numbered) }));
  return {
    sentences: now.flatMap(({ sentences }) => sentences.filter((sentence) => !known.has(keyOf(sentence)))),
    cut: now.flatMap(({ file, cut }) => (cut ? [file.path] : [])),
  };
}

function keyOf({ text, row, column, cites }: ChangedSentence): string {
  return JSON.stringify([text, row, column, cites.map(({ address }) => address)]);
}

function sentencesOf(
  { path, text }: ReportFile,
  numbered: ChangedFiles["numbered"],
): { readonly sentences: ChangedSentence[]; readonly cut: boolean } {
  const read = reportTextOf(path, text);
  const { sentences: citing, left } = citedSentences(read);
  // Who is only named may be anybody.
  const sentences = citing.filter(({ marks }) => marks.some(({ name, host }) => (name ?? host) === undefined));
  const cited = referencesIn(read);
  const all = sentences.map(({ text: words, marks, row, column }): ChangedSentence => {
    const cites = marks.map(({ at, number, address: written }): ChangedCitation => {
      const address =
        number === undefined ? webAddress(written ?? "") : (cited.numbers.get(number) ?? numbered.get(number));
      return { at, title: cited.titles.get(address ?? "") ?? "", ...(address !== undefined && { address }) };
    });
    return {
      file: path,
      text: words,
      cites,
      ...(row !== undefined && { row }),
      ...(column !== undefined && { column }),
    };
  });
  return { sentences: all, cut: read.cut || left > 0 };
}

interface ReferencesIn {
  /** The addresses that the report's own list of references gives to its numbers. */
  readonly numbers: ReadonlyMap<number, string>;
  /** By address. */
  readonly titles: ReadonlyMap<string, string>;
}

function referencesIn(read: ReportText): ReferencesIn {
  const { all } = referencesOf(read, () => false);
  const numbers = all.flatMap(({ number, address }): [number, string][] =>
    number === undefined || address === undefined ? [] : [[number, address]],
  );
  return {
    numbers: new Map(numbers),
    titles: new Map(all.flatMap(({ address, title }) => (address === undefined ? [] : [[address, title]]))),
  };
}

/** The addresses that a statement which ends at `to` rests on; undefined where one of them is not known. */
export function citedAt({ cites }: Pick<ChangedSentence, "cites">, to: number): readonly string[] | undefined {
  const isOnePlace = cites.every(({ at }) => at === cites[0]?.at);
  const next = Math.min(...cites.filter(({ at }) => at >= to).map(({ at }) => at));
  const meant = isOnePlace ? cites : cites.filter(({ at }) => at === next);
  const addresses = meant.flatMap(({ address }) => address ?? []);
  return addresses.length === meant.length ? [...new Set(addresses)] : undefined;
}
