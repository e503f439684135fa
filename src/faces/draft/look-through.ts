import { type PageToProve, proveOn } from "../../config/claims/prove.ts";
import { type ProofsOfSource, siftProofs } from "../../config/claims/sift.ts";
import { statedIn } from "../../config/claims/stated.ts";
import type { ReportFile } from "../../config/draft/index.ts";
import type { Config } from "../../model/model.ts";
import type { TaskGiver, Workers } from "../../model/ports/index.ts";
import type { Reader } from "../../read/reader.ts";
import { askedBy, type EntriesToAsk } from "./asked.ts";
import type { LookingThrough } from "./first-look.ts";

type Giver = Required<TaskGiver>;

/** The tasks of workers by which a report and the sources of its draft are looked through. */
export function draftTasksBy(readers: ReadonlyMap<string, Reader>) {
  return {
    stated: (file: ReportFile, { shared }: Giver) => statedIn(file, shared as Config, readers),
    prove: (page: PageToProve) => proveOn(page),
    sift: (proofs: ProofsOfSource, { shared }: Giver) => siftProofs(proofs, shared as Config),
    asked: (entries: EntriesToAsk, { shared }: Giver) => askedBy(entries, shared as Config),
  };
}

/** Looks through them in workers. */
export function lookThroughIn(workers: Workers): LookingThrough {
  return {
    stated: async (file, config) =>
      (await workers.run("stated", file, { shared: config })) as ReturnType<typeof statedIn>,
    prove: async (page) => (await workers.run("prove", page)) as ReturnType<typeof proveOn>,
    sift: async (proofs, config) =>
      (await workers.run("sift", proofs, { shared: config })) as ReturnType<typeof siftProofs>,
    asked: async (entries, config) =>
      (await workers.run("asked", entries, { shared: config })) as ReturnType<typeof askedBy>,
  };
}
