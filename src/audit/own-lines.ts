import type { LineRange, LinesNow } from "../read/shared/cited-lines.ts";
import type { ReportFile } from "../report/index.ts";
import { type Finding, lineFinding } from "./findings.ts";

/** Lines of a repository's own code that one of its documents names: `src/index.ts:120`. */
export interface NamedLines extends LineRange {
  readonly file: string;
  readonly line: number;
  /** As written: relative to the document's folder or to the repository's root. */
  readonly path: string;
}

const named = /(?<![\w/.:@-])((?:[\w.-]{1,80}\/){0,10}[\w.-]{1,80}\.[a-z]{1,5}):(\d{1,6})(?:-(\d{1,6}))?(?![\w:-])/gi;
const most = 500;

/** The lines of code that documents name. Pure. */
export function linesNamedIn(files: readonly ReportFile[]): NamedLines[] {
  return files.flatMap(({ path: file, text }) =>
    text
      .split(/\r\n|\r|\n/)
      .flatMap((line, i) =>
        [...line.matchAll(named)].flatMap(([, path = "", first, last = first]): NamedLines[] => {
          const [from, to] = [Number(first), Number(last)];
          return from >= 1 && to >= from ? [{ file, line: i + 1, path, from, to }] : [];
        }),
      )
      .slice(0, most),
  );
}

/** The finding about named lines, by their place in the current file; empty if they are the same. Pure. */
export function ownLinesNow({ file, line, path, ...range }: NamedLines, now: LinesNow): Finding[] {
  const placeOf = ({ from, to }: LineRange) => `${path}:${from}${to === from ? "" : `-${to}`}`;
  const finding = lineFinding({ cited: range, now, page: "at" in now ? placeOf(now.at) : path });
  const cited = { address: "", title: placeOf(range), numbers: [], file, line, sentences: [], words: "" };
  return finding ? [{ ...finding, cited, also: [] }] : [];
}
