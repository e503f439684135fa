import { identifiedReport } from "../../../audit/entry-edits.ts";
import { runInWorker } from "../../../audit/tasks.ts";
import { checkWorks } from "../../../audit/works.ts";
import type { Draft, DraftedReport } from "../../../report/index.ts";
import type { AppRepository } from "../sandbox.ts";

/** Minutes for the registries of works, at most. */
const minutes = 1;

/** A draft of the report with corrected identifiers of works, as far as registries know them; undefined if nothing changed. */
export async function draftIdentified(
  report: DraftedReport | undefined,
  { web, clock }: AppRepository,
  draft: (report: DraftedReport) => Promise<Draft | undefined>,
): Promise<Draft | undefined> {
  const through = report && web?.();
  if (!through) return undefined;
  const files = [report, ...(report.chapters ?? [])].filter(({ text }) => text !== "");
  const works = (await runInWorker("works", files, through)).filter(({ isEntry }) => isEntry);
  const time = { minutes, stop: async () => {}, seen: () => {} };
  const { checked } = await checkWorks(works, through, clock.now(), time);
  const right = identifiedReport(report, checked);
  return right === report ? undefined : await draft(right);
}
