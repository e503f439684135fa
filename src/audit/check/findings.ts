import type { ChangedFiles, ChangedSentence, ReportChange } from "../../claims/mine/changed-sentences.ts";
import type { Contradiction } from "../../claims/mine/contradictions.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Config } from "../../model/config.ts";
import { asSentence, oneLine } from "../../model/words.ts";
import type { Reader } from "../../read/reader.ts";
import type { ReportFile } from "../../report/index.ts";
import type { Finding } from "../findings.ts";
import { type ReportLines, reportLines } from "./lines.ts";

export interface ReportFinding {
  readonly file: string;
  /** Counts from 1; undefined if the line was not found. */
  readonly line?: number;
  readonly title: string;
  /** One line of plain text: what the report says, what the page says, and what to do. */
  readonly message: string;
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
      return [{ ...placeOf(one.sentence, one.said), title, message: contradictionSays(one) }];
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

function contradictionSays({ said, there, under, same, quoted, address }: Contradiction): string {
  const from = `(${oneLine(address, 300)})`;
  if (there === undefined)
    return `The page does not hold the words that are quoted from it: “${oneLine(said, 200)}” ${from}`;
  if (quoted) return `You quote “${oneLine(said, 200)}”; the page says “${oneLine(there, 200)}” ${from}`;
  const below = under === undefined ? "" : `, under “${oneLine(under, 80)}”`;
  const page = same ? `the page says ${oneLine(there, 80)}` : `the page names ${oneLine(there, 80)}, and this nowhere`;
  return `You say ${oneLine(said, 80)}; ${page}${below} ${from}`;
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
