import { type BranchCommit, type Pack, StateProblem } from "../ports.ts";
import type { Keeping } from "./keeping.ts";
import { type Lease, lockOf } from "./lease.ts";
import { names, readState, remedy, type StatePaper } from "./papers.ts";

/**
 * Where what is remembered came from. *nothing*: the branch is not there. *elsewhere*: it is another repository's.
 * *journal*: from a run that did not come to its end.
 */
export type Origin = "branch" | "journal" | "nothing" | "elsewhere";

/** Bytes of a packed database that are taken. */
const mostPacked = 64 * 2 ** 20;

/** What is remembered, and where it was found. */
export interface Found {
  readonly from: Origin;
  readonly pack?: Pack;
  readonly paper?: StatePaper;
}

/** The newest that is whole: a journal that was not given back, else the head of the branch. */
export async function remembered(
  { branches, branch }: Keeping,
  repository: number,
  lease: Lease | undefined,
  base: BranchCommit | undefined,
): Promise<Found> {
  const { journal } = lease?.paper ?? {};
  const isUnfinished = journal !== undefined && journal.base === (base?.sha ?? null);
  const at = isUnfinished ? lease?.commit : base;
  if (!at) return { from: "nothing" };
  const place = isUnfinished ? lockOf(branch) : branch;
  const paper = await readState(branches, at, place);
  // A fork gets the branches of its origin, whose issues are not its own.
  if (paper.repository !== repository) return { from: "elsewhere" };
  const database = at.files.get(names.database);
  if (!database) throw new StateProblem("damaged", `the branch ${place} has lost its ${names.database}: ${remedy}`);
  if (database.size > mostPacked) {
    throw new StateProblem("huge", `${names.database} on the branch ${place} is larger than 64 MiB: ${remedy}`);
  }
  const pack = { bytes: await branches.bytes(database), sha256: paper.sha256 };
  return { from: isUnfinished ? "journal" : "branch", pack, paper };
}

/** Puts what was found onto this machine's disk. @throws StateProblem | StoreProblem */
export async function unpack({ pack }: Found, { luggage }: Keeping): Promise<void> {
  try {
    if (pack) await luggage.unpack(pack);
  } catch (error) {
    if (!(error instanceof StateProblem) || error.kind === "newer") throw error;
    throw new StateProblem(error.kind, `${error.message}: ${remedy}`, error);
  }
}
