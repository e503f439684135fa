import { type BranchCommit, type BranchFile, type Pack, StateProblem } from "../../model/ports/index.ts";
import {
  isRefused,
  type Keeping,
  type Lease,
  lockOf,
  names,
  readme,
  readState,
  remedy,
  type StatePaper,
  write,
} from "./lease.ts";

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

/** After so many commits, or bytes, the history begins anew. */
const mostCommits = 50;
const mostBytes = 100_000_000;

/** What the state branch was when it was taken. */
export interface Base {
  /** GitHub's own number of the repository. */
  readonly repository: number;
  readonly commit: BranchCommit | undefined;
  readonly paper?: StatePaper;
}

/** What is stored now, as the files of the commit after this one. */
export async function filesAfter(
  {
    paper: { commits, bytes } = { commits: 0, bytes: 0 },
    repository,
  }: Pick<Base, "repository"> & {
    readonly paper?: Pick<StatePaper, "commits" | "bytes">;
  },
  { branches, branch, clock, luggage, version }: Keeping,
): Promise<ReadonlyMap<string, string | BranchFile>> {
  const { bytes: packed, sha256 } = await luggage.pack();
  const database = await branches.put(packed);
  const next = { commits: commits + 1, bytes: bytes + packed.length };
  const paper = { recheck: version, repository, written: clock.now(), sha256, ...next };
  return new Map<string, string | BranchFile>([
    [names.readme, readme(branch)],
    [names.state, write(paper)],
    [names.database, database],
  ]);
}

/** Puts what is stored now on top of the branch, or begins its history anew. False where it is no longer what it was. */
export async function push(base: Base, keeping: Keeping): Promise<boolean> {
  const { branches, branch } = keeping;
  const { commit: head, paper = { commits: 0, bytes: 0 }, repository } = base;
  const isLong = paper.commits >= mostCommits || paper.bytes >= mostBytes;
  if (head === undefined || isLong) {
    const files = await filesAfter({ repository }, keeping);
    const root = await branches.commit({ message: messageOf(keeping), files, parents: [] });
    if (head === undefined) return await branches.create(branch, root.sha);
    // By force, which compares nothing: the lock keeps other runs away.
    if ((await branches.head(branch))?.sha !== head.sha) return false;
    if (await isForced(branches.force(branch, root.sha))) return true;
  }
  const files = await filesAfter(base, keeping);
  const next = await branches.commit({ message: messageOf(keeping), files, parents: [head.sha] });
  return await branches.forward(branch, next.sha);
}

/** A rule may forbid to leave a history behind: then it grows on, and nothing is lost. */
async function isForced(forcing: Promise<void>): Promise<boolean> {
  try {
    await forcing;
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return false;
  }
}

function messageOf({ clock }: Keeping): string {
  return `Remember what was seen until ${new Date(clock.now()).toISOString()}`;
}
