import type { BranchCommit, BranchFile } from "../ports.ts";
import type { Keeping } from "./keeping.ts";
import { isRefused } from "./lease.ts";
import { names, readme, type StatePaper, write } from "./papers.ts";

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
