import { runInWorker } from "../../src/audit/tasks.ts";
import type { ParsedConfig } from "../../src/config/index.ts";
import type { Workers } from "../../src/model/ports/index.ts";
import { booksIn } from "../../src/onboard/books.ts";
import { draftIn, firstCheckIn } from "../../src/onboard/first-check.ts";
import type { Hostile } from "./input.ts";

/** All that `audit`, `check`, `init`, `claims` and the App do with a report before they ask for its pages. */
export async function readReport(input: Hostile, size: number, workers: Workers): Promise<string> {
  const path = input.address ?? "report.md";
  const text = String(input.make(size));
  const file = { path, text };
  const chapters = ["01-one.md", "02-two.md"].map((chapter) => ({ path: chapter, text }));
  const { cited } = await runInWorker("cited", [file], { workers });
  await runInWorker("faults", file, { workers });
  await workers.run("works", [file]);
  await runInWorker("report change", { before: [], after: [file], lists: [], numbered: new Map() }, { workers });
  const around = { at: Date.UTC(2026, 0, 1) };
  const drafted = await draftIn(workers, { report: file, around });
  const pages = [path, ...chapters.map((chapter) => chapter.path)];
  const [book] = booksIn(pages, [{ ...file, drafted }]);
  if (book) await draftIn(workers, { report: { ...file, chapters }, around });
  if (!drafted) return `${cited.length} citations`;
  const { config, problems } = (await workers.run("parse", drafted.files)) as ParsedConfig;
  if (!config) throw new Error(`its draft is not valid: ${JSON.stringify(problems[0])}`);
  await firstCheckIn(workers).stated(file, config);
  return `${cited.length} citations, ${config.sources.size} sources`;
}
