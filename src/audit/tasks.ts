import { type ChangedFiles, changedSentences } from "../claims/mine/changed-sentences.ts";
import { contradictionsIn, type PageToContradict } from "../claims/mine/contradictions.ts";
import { Failure } from "../model/failure.ts";
import { reportLimits } from "../model/ports/index.ts";
import type { Block } from "../model/reading.ts";
import { findLines, type LineRange } from "../read/shared/cited-lines.ts";
import { importOf } from "../report/import/index.ts";
import type { ReportFile } from "../report/index.ts";
import { withoutTags } from "../report/parse/formats.ts";
import { atSentences, type ChangeToJudge, type FindingsToPlace, findingsOfChange } from "./check/findings.ts";
import { citationsOf, linesNamedIn } from "./cited.ts";
import { missingFragments, newFragments, type PageToSearch } from "./fragments.ts";
import { type FeedToRelate, linksOf, relationsOf, sharedWords } from "./links.ts";
import type { Web } from "./visit.ts";
import { worksIn } from "./works.ts";

/** The tasks of workers: they process reports, and pages that are checked once. */
export const citationTasks = {
  cited: (files: readonly ReportFile[]) => citationsOf(withoutTags(files)),
  faults: ({ path, text }: ReportFile): readonly string[] => importOf(path, text)?.faults ?? [],
  works: (files: readonly ReportFile[]) => worksIn(withoutTags(files)),
  "report change": (files: ChangedFiles) => changedSentences(files),
  "report findings": (change: ChangeToJudge) => findingsOfChange(change),
  links: ({ html, at }: { html: string; at: string }) => linksOf(html, at),
  fragments: (page: PageToSearch) => missingFragments(page),
  "new fragments": (files: Pick<ChangedFiles, "before" | "after">) => newFragments(files),
  relations: (feed: FeedToRelate) => relationsOf(feed),
  "named lines": (files: readonly ReportFile[]) => linesNamedIn(files),
  "cited lines": ({ before, after, cited }: { before: string; after: string; cited: LineRange }) =>
    findLines(before, after, cited),
  lines: ({ findings, files }: FindingsToPlace) => atSentences({ findings, files: withoutTags(files) }),
  "shared words": (pages: { page: readonly Block[]; other: readonly Block[] }) => sharedWords(pages),
  contradicted: (page: PageToContradict) => contradictionsIn(page),
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

/** Substitutes for the results of tasks that took too much, if those are dispensable. */
const otherwise: { readonly [T in keyof Tasks]?: (input: Parameters<Tasks[T]>[0]) => ReturnType<Tasks[T]> } = {
  works: () => [],
  links: () => ({ feeds: [], texts: [], all: [] }),
  fragments: () => [],
  "new fragments": () => new Map(),
  relations: () => ({}),
  "named lines": () => [],
  "cited lines": () => ({ state: "unknown" }),
  // Then findings stay at the lines of their citations.
  lines: ({ findings }) => [...findings],
  "shared words": () => 0,
};

/** Runs a task in a worker if there are any. @throws Failure if it took too much and has no substitute */
export async function runInWorker<T extends keyof Tasks>(
  task: T,
  input: Parameters<Tasks[T]>[0],
  { workers }: Pick<Web, "workers">,
): Promise<ReturnType<Tasks[T]>> {
  const limit = wholeReport.has(task) ? reportLimits : {};
  try {
    const done = workers ? await workers.run(task, input, limit) : citationTasks[task](input as never);
    return done as ReturnType<Tasks[T]>;
  } catch (error) {
    const substitute = error instanceof Failure ? otherwise[task] : undefined;
    if (!substitute) throw error;
    return substitute(input);
  }
}
