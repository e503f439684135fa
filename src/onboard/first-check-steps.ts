import { type ProofsOfSource, siftProofs } from "../claims/mine/sift.ts";
import { statedIn } from "../claims/mine/stated.ts";
import { type PageToProve, proveStatements } from "../claims/mine/statements.ts";
import type { Config } from "../model/config.ts";
import { ofReports, type TaskGiver, type Workers } from "../model/ports/index.ts";
import type { Reader } from "../read/reader.ts";
import {
  type Draft,
  type DraftedReport,
  draft,
  type ReportFile,
  type RepositoryContext,
  tableCandidates,
} from "../report/index.ts";
import type { TableCandidate } from "../report/rate/candidates.ts";
import { askedBy, type EntriesToAsk } from "./asked.ts";
import type { FirstCheckSteps } from "./first-check.ts";

type Giver = Required<TaskGiver>;

/** What is known about a report's repository, without the readers. */
export type AroundReport = Omit<RepositoryContext, "readers">;

export interface ReportToDraft {
  readonly report: DraftedReport;
  readonly around: AroundReport;
  /** Ids of the tables that rate, if people chose them. */
  readonly chosen?: readonly string[] | undefined;
}

/** The tasks of workers that process a report and the sources of its draft. */
export function draftTasksBy(readers: ReadonlyMap<string, Reader>) {
  return {
    draft: ({ report, around, chosen }: ReportToDraft) => draft(report, { ...around, readers }, chosen),
    tables: (report: DraftedReport) => tableCandidates(report),
    stated: (file: ReportFile, { shared }: Giver) => statedIn(file, shared as Config, readers),
    prove: (page: PageToProve) => proveStatements(page),
    sift: (proofs: ProofsOfSource, { shared }: Giver) => siftProofs(proofs, shared as Config),
    asked: (entries: EntriesToAsk, { shared }: Giver) => askedBy(entries, shared as Config),
  };
}

/** Drafts a config for a report. @throws Failure if that takes too much */
export async function draftIn(workers: Workers, toDraft: ReportToDraft): Promise<Draft | undefined> {
  return (await workers.run("draft", toDraft, ofReports)) as Draft | undefined;
}

/** The tables of a report that may rate something. @throws Failure if finding them takes too much */
export async function tableCandidatesIn(workers: Workers, report: DraftedReport): Promise<TableCandidate[]> {
  return (await workers.run("tables", report, ofReports)) as TableCandidate[];
}

/** Runs the steps in workers. */
export function firstCheckIn(workers: Workers): FirstCheckSteps {
  return {
    stated: async (file, config) =>
      (await workers.run("stated", file, { shared: config, ...ofReports })) as ReturnType<typeof statedIn>,
    prove: async (page) => (await workers.run("prove", page)) as ReturnType<typeof proveStatements>,
    sift: async (proofs, config) =>
      (await workers.run("sift", proofs, { shared: config })) as ReturnType<typeof siftProofs>,
    asked: async (entries, config) =>
      (await workers.run("asked", entries, { shared: config })) as ReturnType<typeof askedBy>,
  };
}
