import { type ChangedFiles, changedSentences, type ReportChange } from "../claims/mine/changed.ts";
import { type Compared, contradictedIn, type PageToContradict } from "../claims/mine/contradicted.ts";
import { Failure } from "../model/failure.ts";
import { ofReports } from "../model/ports/index.ts";
import type { Block } from "../model/reading.ts";
import { findLines, type LineRange, type LinesNow } from "../read/shared/cited-lines.ts";
import type { ReportFile } from "../report/index.ts";
import { withoutTags } from "../report/parse/formats.ts";
import { type ChangeToJudge, findingsOfChange, type ReportFinding } from "./check/findings.ts";
import { atSentences, type FindingsToPlace } from "./check/lines.ts";
import { type Citations, citationsOf, faultsIn } from "./cited.ts";
import type { Finding } from "./findings.ts";
import {
  type FeedToRelate,
  linksOf,
  type PageLinks,
  type PageToLink,
  type Relations,
  relationsOf,
  sharedWords,
} from "./links.ts";
import { linesNamedIn, type NamedLines } from "./own-lines.ts";
import type { Web } from "./see.ts";
import { changedWorks, type WorkInReport, worksIn } from "./works.ts";

/** Two texts whose words are compared. */
interface TextsToCompare {
  readonly page: readonly Block[];
  readonly other: readonly Block[];
}

/** Cited lines of a file, and a later version of it. */
interface LinesToFind {
  readonly before: string;
  readonly after: string;
  readonly cited: LineRange;
}

/** The tasks of workers for reports, and for pages that are checked once. */
export const citationTasks = {
  cited: (files: readonly ReportFile[]) => citationsOf(withoutTags(files)),
  faults: (file: ReportFile) => faultsIn(file),
  works: (files: readonly ReportFile[]) => worksIn(withoutTags(files)),
  "report change": (files: ChangedFiles) => changedSentences(files),
  "report findings": (change: ChangeToJudge) => findingsOfChange(change),
  links: ({ html, at }: PageToLink) => linksOf(html, at),
  relations: (feed: FeedToRelate) => relationsOf(feed),
  "named lines": (files: readonly ReportFile[]) => linesNamedIn(files),
  "cited lines": ({ before, after, cited }: LinesToFind) => findLines(before, after, cited),
  lines: ({ findings, files }: FindingsToPlace) => atSentences({ findings, files: withoutTags(files) }),
  "shared words": ({ page, other }: TextsToCompare) => sharedWords(page, other),
  contradicted: ({ sentences, address, page }: PageToContradict) =>
    contradictedIn(sentences, new Map([[address, page]])),
};

type Tasks = typeof citationTasks;
const wholeReport: ReadonlySet<keyof Tasks> = new Set([
  "cited",
  "faults",
  "works",
  "report change",
  "report findings",
  "lines",
  "named lines",
]);

type Apart = Pick<Web, "workers">;

/** Does a task in a worker if there are any. @throws Failure if it took too much */
async function apart<T extends keyof Tasks>(
  task: T,
  input: Parameters<Tasks[T]>[0],
  { workers }: Apart,
): Promise<ReturnType<Tasks[T]>> {
  const limit = wholeReport.has(task) ? ofReports : {};
  const done = workers ? await workers.run(task, input, limit) : citationTasks[task](input as never);
  return done as ReturnType<Tasks[T]>;
}

/** Does the same, with a substitute if it took too much, for results that nobody would miss. */
async function apartOr<R>(work: Promise<R>, otherwise: R): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return otherwise;
  }
}

/** All citations in the files of a report. @throws Failure if finding them took too much */
export function citationsApart(files: readonly ReportFile[], web: Apart): Promise<Citations> {
  return apart("cited", files, web);
}

/** Entries of a report that could not be read. @throws Failure if reading them took too much */
export function faultsApart(file: ReportFile, web: Apart): Promise<readonly string[]> {
  return apart("faults", file, web);
}

/** The works that a report cites; none if finding them took too much. */
export function worksApart(files: readonly ReportFile[], web: Apart): Promise<readonly WorkInReport[]> {
  return apartOr(apart("works", files, web), []);
}

/** The sentences that changed in a report. @throws Failure if finding them took too much */
export function reportChangeApart(files: ChangedFiles, web: Apart): Promise<ReportChange> {
  return apart("report change", files, web);
}

/** Changed sentences that the cited pages do not contain. @throws Failure if comparing took too much */
export function reportFindingsApart(change: ChangeToJudge, web: Apart): Promise<readonly ReportFinding[]> {
  return apart("report findings", change, web);
}

/** All links of a page; none if reading it took too much. */
export function linksApart(page: PageToLink, web: Apart): Promise<PageLinks> {
  return apartOr(apart("links", page, web), { feeds: [], texts: [], all: [] });
}

/** The works that a change of a report brings or edits. */
export async function changedWorksApart(
  files: Pick<ChangedFiles, "before" | "after">,
  web: Apart,
): Promise<WorkInReport[]> {
  return changedWorks(await worksApart(files.before, web), await worksApart(files.after, web));
}

/** Where cited lines of a file are in a later version; unknown if comparing took too much. */
export function citedLinesApart(lines: LinesToFind, web: Apart): Promise<LinesNow> {
  return apartOr(apart("cited lines", lines, web), { state: "unknown" });
}

/** The lines of code that documents name; none if finding them takes too much. */
export function namedLinesApart(files: readonly ReportFile[], web: Apart): Promise<NamedLines[]> {
  return apartOr(apart("named lines", files, web), []);
}

/** How a feed is related to a page that names it; undefined if that takes too much. */
export function relationsApart(feed: FeedToRelate, web: Apart): Promise<Relations> {
  return apartOr(apart("relations", feed, web), {});
}

/** The share of a page's words that another text contains, from 0 to 1; 0 if comparing took too much. */
export function sharedApart(texts: TextsToCompare, web: Apart): Promise<number> {
  return apartOr(apart("shared words", texts, web), 0);
}

/** Findings at the lines of their sentences; if finding these takes too much, at the lines of their citations. */
export function linesApart(findings: FindingsToPlace, web: Apart): Promise<readonly Finding[]> {
  return apartOr(apart("lines", findings, web), findings.findings);
}

/** Compares sentences with one page that they cite. @throws Failure if that takes too much */
export function contradictedApart(page: PageToContradict, web: Apart): Promise<Compared> {
  return apart("contradicted", page, web);
}
