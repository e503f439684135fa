import { webAddress } from "../../report/cite/addresses.ts";
import { type Reference, type References, referencesOf } from "../../report/cite/references.ts";
import { importOf } from "../../report/import/index.ts";
import type { ReportFile } from "../../report/index.ts";
import { type ReportText, reportTextOf } from "../../report/parse/report-text.ts";
import { type CitationMark, type CitedSentence, citationsAfter, citedSentences } from "./sentences.ts";

export interface ChangedSentence extends Pick<CitedSentence, "text" | "row" | "column" | "shared"> {
  /** The path of the report's file in the repository. */
  readonly file: string;
  readonly cites: readonly ChangedCitation[];
}

export interface ChangedCitation {
  /** The offset in the sentence after which it is. */
  readonly at: number;
  /** Undefined if neither the report nor config gives it. */
  readonly address?: string;
  /** Its name in the report; empty if there is only the address. */
  readonly title: string;
}

/** Everything new that a change of a report says on the authority of others. */
export interface ReportChange {
  readonly sentences: readonly ChangedSentence[];
  /** Files that are longer than the limit for reports. */
  readonly cut: readonly string[];
  /** Whether some sentences cite by numbers or keys of a list in another file. */
  readonly elsewhere: boolean;
}

export interface ChangedFiles {
  readonly before: readonly ReportFile[];
  readonly after: readonly ReportFile[];
  /** Other files of the report after the change, which may list its references. */
  readonly lists: readonly ReportFile[];
  /** Addresses of reference numbers in config. The report's own list takes precedence. */
  readonly numbered: ReadonlyMap<number, string>;
}

/**
 * Finds cited sentences that a change added to a report: other words, another row or column, another reference or
 * another address of one. Linear in the files. Pure.
 */
export function changedSentences({ before, after, lists, numbered }: ChangedFiles): ReportChange {
  const now = after.map(readReportFile);
  const common = sharedReferences([...now, ...lists.map(readReportFile)], numbered);
  const earlierKeys = new Set(before.flatMap((file) => sentencesOf(readReportFile(file), common).sentences.map(keyOf)));
  const all = now.map((file) => ({ file, ...sentencesOf(file, common) }));
  const sentences = all.flatMap((one) => one.sentences.filter((sentence) => !earlierKeys.has(keyOf(sentence))));
  return {
    sentences,
    cut: all.flatMap(({ file, cut }) => (cut ? [file.path] : [])),
    elsewhere: sentences.some((sentence) => all.some(({ elsewhere }) => elsewhere.has(sentence))),
  };
}

/** All cited sentences of files that were read. */
export function sentencesIn(files: readonly ReadFile[]): ChangedSentence[] {
  const common = sharedReferences(files, new Map());
  return files.flatMap((file) => sentencesOf(file, common).sentences);
}

function keyOf({ text, row, column, cites }: ChangedSentence): string {
  return JSON.stringify([text, row, column, cites.map(({ address }) => address)]);
}

function sentencesOf(
  { path, text, references }: ReadFile,
  common: SharedReferences,
): { readonly sentences: ChangedSentence[]; readonly elsewhere: ReadonlySet<ChangedSentence>; readonly cut: boolean } {
  const { sentences: citing, left } = citedSentences(text);
  const elsewhere = new Set<ChangedSentence>();
  // A source that is only named may be anybody.
  const sentences = citing.filter(({ marks }) => marks.some(({ name, host }) => (name ?? host) === undefined));
  const ownNumbers = addressesBy(references.all, ({ number }) => number);
  const titles = titlesOf(references.all);
  const addressOf = ({ number, key, address }: CitationMark): string | undefined => {
    if (key !== undefined) return common.keys.get(key);
    return number === undefined ? webAddress(address ?? "") : (ownNumbers.get(number) ?? common.numbers.get(number));
  };
  const changed = sentences.map(({ text: words, marks, row, column, shared }): ChangedSentence => {
    const cites = marks.map((mark): ChangedCitation => {
      const address = addressOf(mark);
      const title = titles.get(address ?? "") ?? common.titles.get(address ?? "") ?? "";
      return { at: mark.at, title, address };
    });
    const sentence = { file: path, text: words, cites, row, column, ...(shared && { shared }) };
    if (marks.some(({ key, number }) => key !== undefined || (number !== undefined && !ownNumbers.has(number))))
      elsewhere.add(sentence);
    return sentence;
  });
  return { sentences: changed, elsewhere, cut: text.cut || left > 0 };
}

export interface ReadFile {
  readonly path: string;
  readonly written: string;
  readonly text: ReportText;
  readonly references: References;
  /** It is a file of a reference manager: a text cites its keys, and its numbers are only those of its lines. */
  readonly isImported: boolean;
}

/** Reads a report, or the entries of a reference manager's file. Pure. */
export function readReportFile({ path, text: written }: ReportFile): ReadFile {
  const imported = importOf(path, written);
  const text = reportTextOf(path, imported ? "" : written);
  const references = imported ?? referencesOf(text, () => false);
  return { path, written, text, references, isImported: imported !== undefined };
}

/** The references of all files of the report together. */
interface SharedReferences {
  readonly numbers: ReadonlyMap<number, string>;
  readonly keys: ReadonlyMap<string, string>;
  readonly titles: ReadonlyMap<string, string>;
}

/**
 * If only one file numbers its references, the numbers hold for all files. If several do, `[1]` is ambiguous, and only
 * config decides. A key with different addresses in two files has none.
 */
function sharedReferences(files: readonly ReadFile[], numbered: ChangedFiles["numbered"]): SharedReferences {
  const [imported, texts] = [files.filter((file) => file.isImported), files.filter((file) => !file.isImported)];
  const [counting, ...more] = texts.filter(({ references }) => references.numbered);
  const shared = counting && more.length === 0 ? counting.references.all : [];
  const keyed = imported.flatMap(({ references }) => references.all);
  return {
    numbers: new Map([...numbered, ...addressesBy(shared, ({ number }) => number)]),
    keys: addressesBy(keyed, ({ key }) => key),
    titles: titlesOf([...shared, ...keyed]),
  };
}

function titlesOf(references: readonly Reference[]): ReadonlyMap<string, string> {
  return new Map(references.flatMap(({ address, title }) => (address ? [[address, title]] : [])));
}

/** The addresses of references, by number or key. An ambiguous key has none. */
function addressesBy<By>(
  references: readonly Reference[],
  by: (one: Reference) => By | undefined,
): ReadonlyMap<By, string> {
  const all = references.flatMap((one): [By, string][] => {
    const cited = by(one);
    return cited === undefined || one.address === undefined ? [] : [[cited, one.address]];
  });
  const found = Map.groupBy(all, ([cited]) => cited);
  return new Map(
    [...found.values()].flatMap((own) => (new Set(own.map(([, at]) => at)).size === 1 && own[0] ? [own[0]] : [])),
  );
}

/** The addresses that are cited for a statement that ends at `to`; undefined if one of them is unknown. */
export function addressesCitedAt({ cites }: Pick<ChangedSentence, "cites">, to: number): readonly string[] | undefined {
  const meant = citationsAfter(cites, to);
  const addresses = meant.flatMap(({ address }) => address ?? []);
  return addresses.length === meant.length ? [...new Set(addresses)] : undefined;
}
