import type { Config } from "../../model/config.ts";
import type { Reader } from "../../read/reader.ts";
import type { ReportFile } from "../../report/index.ts";
import { type ProofsOfSource, type Proposal, siftProofs } from "./sift.ts";
import { type StatedInFile, statedIn } from "./stated.ts";
import { type Outcome, type PageToProve, proveStatements } from "./statements.ts";

/**
 * The steps that find claims, each on one file or one page: a slow one delays no other. All data are plain.
 * @throws Failure if a step takes too much
 */
export interface Proving {
  stated(file: ReportFile, config: Config): Promise<StatedInFile>;
  prove(page: PageToProve): Promise<readonly Outcome[]>;
  sift(proofs: ProofsOfSource, config: Config): Promise<readonly Proposal[]>;
}

/** Runs the steps in this thread, without limits. */
export function provingHere(readers: ReadonlyMap<string, Reader>): Proving {
  return {
    stated: async (file, config) => statedIn(file, config, readers),
    prove: async (page) => proveStatements(page),
    sift: async (proofs, config) => siftProofs(proofs, config),
  };
}
