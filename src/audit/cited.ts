import { type ChangedSentence, type ReadFile, readReportFile, sentencesIn } from "../claims/mine/changed-sentences.ts";
import { groupByEach } from "../model/cache.ts";
import { placeText, withNumbers } from "../model/words.ts";
import type { LineRange } from "../read/shared/cited-lines.ts";
import { addressesIn } from "../read/text/bare-addresses.ts";
import { addressLines, privateAddress, withoutFragment } from "../report/cite/addresses.ts";
import type { ReportFile } from "../report/index.ts";
import { fragmentsIn, linesIn } from "./fragments.ts";

/** One address that a report cites, with the place of the first citation. */
export interface Cited {
  readonly address: string;
  readonly title: string;
  /** The numbers of the reference, if the report numbers its references. The first is the one on `line`. */
  readonly numbers: readonly number[];
  /** The file's name in messages: `docs/report.md`. */
  readonly file: string;
  /** Counts from 1; undefined if the address is split over lines. */
  readonly line?: number;
  /** The parts and passages of the page that the report links to: `install` of `#install`. */
  readonly fragments?: readonly string[];
  /** The lines of a file that the report links to: `L10-L20`. */
  readonly codeLines?: readonly string[];
  /** Everything that the report says on its authority. */
  readonly sentences: readonly ChangedSentence[];
  /** Its title and all text beside it, which may name a version or a release. */
  readonly words: string;
}

/** The most characters of text beside one address. */
export const maxWordsCharacters = 20_000;

/** The most sentences that are compared with one page. */
const maxSentences = 200;

/** The most addresses that are checked. Further ones are counted. */
const maxCitations = 2_000;

export interface Citations {
  readonly cited: readonly Cited[];
  /** How many further addresses are left out. */
  readonly left: number;
  /** Files that are longer than the limit for reports. */
  readonly cut: readonly string[];
  /** Addresses that nobody else can open: private or numeric ones, and those with a login. */
  readonly closed: readonly string[];
}

/** All addresses that the files of a report cite, each once, in order. Pure. */
export function citationsOf(files: readonly ReportFile[]): Citations {
  const citedByKey = new Map<string, Cited>();
  const cut: string[] = [];
  const closed = new Set<string>();
  const readings = files.map(readReportFile);
  const sentences = sentencesByAddress(readings);
  let beyond = 0;
  for (const reading of readings) {
    const { path, written, text, references } = reading;
    const lines = addressLines(written);
    const fragments = fragmentsIn(written);
    const codeLines = fragmentsIn(written, linesIn);
    for (const address of addressesWritten(reading).flatMap((one) => privateAddress(one) ?? [])) closed.add(address);
    beyond += references.left;
    if (text.cut) cut.push(placeText({ file: path }));
    for (const { address, title, number, where, line: citedLine } of references.all) {
      if (address === undefined || !/^https?:/.test(address)) continue;
      const key = withoutFragment(address);
      const earlier = citedByKey.get(key);
      const names = new Set([...(earlier?.fragments ?? []), ...(fragments.get(key) ?? [])]);
      const numbers = new Set([...(earlier?.codeLines ?? []), ...(codeLines.get(key) ?? [])]);
      const line = earlier?.line ?? citedLine ?? lines(address);
      citedByKey.set(key, {
        file: path,
        title,
        ...earlier,
        address: key,
        numbers: [...new Set([...(earlier?.numbers ?? []), ...(number === undefined ? [] : [number])])],
        line,
        ...(names.size > 0 && { fragments: [...names] }),
        ...(numbers.size > 0 && { codeLines: [...numbers] }),
        sentences: (sentences.get(key) ?? []).slice(0, maxSentences),
        words: [earlier?.words ?? title, ...where.map((part) => part.text)].join("\n").slice(0, maxWordsCharacters),
      });
    }
  }
  const cited = [...citedByKey.values()];
  return {
    cited: cited.slice(0, maxCitations),
    left: Math.max(0, cited.length - maxCitations) + beyond,
    cut,
    closed: [...closed],
  };
}

/** The addresses of a file as written, also those that are not references. */
function addressesWritten({ text: { parts }, written, isImported }: ReadFile): string[] {
  if (isImported) return addressesIn(written);
  return parts.flatMap((part) => [
    ...part.links.map(({ address }) => address),
    ...addressesIn(part.text).filter((address) => !part.code?.includes(address)),
  ]);
}

function sentencesByAddress(files: readonly ReadFile[]): ReadonlyMap<string, readonly ChangedSentence[]> {
  const bare = sentencesIn(files).map(({ cites, ...sentence }) => ({
    ...sentence,
    cites: cites.map((one) => (one.address ? { ...one, address: withoutFragment(one.address) } : one)),
  }));
  return groupByEach(bare, ({ cites }) => cites.flatMap(({ address }) => address ?? []));
}

export function citationName({ title, numbers }: Pick<Cited, "title" | "numbers">): string {
  return withNumbers(title, numbers);
}

/** Lines of a repository's own code that one of its documents names: `src/index.ts:120`. */
export interface NamedLines extends LineRange {
  readonly file: string;
  readonly line: number;
  /** As written: relative to the document's folder or to the repository's root. */
  readonly path: string;
}

const lineReference =
  /(?<![\w/.:@-])((?:[\w.-]{1,80}\/){0,10}[\w.-]{1,80}\.[a-z]{1,5}):(\d{1,6})(?:-(\d{1,6}))?(?![\w:-])/gi;
const mostLines = 500;

/** The lines of code that documents name. Pure. */
export function linesNamedIn(files: readonly ReportFile[]): NamedLines[] {
  return files.flatMap(({ path: file, text }) =>
    text
      .split(/\r\n|\r|\n/)
      .flatMap((line, i) =>
        [...line.matchAll(lineReference)].flatMap(([, path = "", first, last = first]): NamedLines[] => {
          const [from, to] = [Number(first), Number(last)];
          return from >= 1 && to >= from ? [{ file, line: i + 1, path, from, to }] : [];
        }),
      )
      .slice(0, mostLines),
  );
}
