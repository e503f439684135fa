import { type BranchCommit, type BranchFile, type Pack, StateProblem } from "../../model/ports/index.ts";
import { isoTime } from "../../model/time.ts";
import { names, readme, readStateFile, remedy, type StateBranch, type StateFile, write } from "./files.ts";
import { isRefused, type Lease, lockOf } from "./lease.ts";

/**
 * The origin of the state. *nothing*: there is no branch. *elsewhere*: the branch belongs to another repository.
 * *journal*: an interrupted run left it.
 */
export type StateOrigin = "branch" | "journal" | "nothing" | "elsewhere";

const maxPackedBytes = 64 * 2 ** 20;

export interface FoundState {
  readonly from: StateOrigin;
  readonly pack?: Pack;
  readonly file?: StateFile;
}

/** Finds the newest complete state: a journal that an interrupted run left, else the head of the branch. */
export async function readState(
  { branches, branch }: StateBranch,
  repository: number,
  lease: Lease | undefined,
  base: BranchCommit | undefined,
): Promise<FoundState> {
  const { journal } = lease?.lock ?? {};
  const isUnfinished = journal !== undefined && journal.base === (base?.sha ?? null);
  const at = isUnfinished ? lease?.commit : base;
  if (!at) return { from: "nothing" };
  const place = isUnfinished ? lockOf(branch) : branch;
  const file = await readStateFile(branches, at, place);
  // A fork inherits the branches of its origin, but not its issues.
  if (file.repository !== repository) return { from: "elsewhere" };
  const database = at.files.get(names.database);
  if (!database) throw new StateProblem("damaged", `the branch ${place} has lost its ${names.database}: ${remedy}`);
  if (database.size > maxPackedBytes) {
    throw new StateProblem("huge", `${names.database} on the branch ${place} is larger than 64 MiB: ${remedy}`);
  }
  const pack = { bytes: await branches.bytes(database), sha256: file.sha256 };
  return { from: isUnfinished ? "journal" : "branch", pack, file };
}

/** Unpacks the state onto this machine's disk. @throws StateProblem | StoreProblem */
export async function unpack({ pack }: FoundState, { archive }: StateBranch): Promise<void> {
  try {
    if (pack) await archive.unpack(pack);
  } catch (error) {
    if (!(error instanceof StateProblem) || error.kind === "newer") throw error;
    throw new StateProblem(error.kind, `${error.message}: ${remedy}`, error);
  }
}

/** Beyond either of these limits, the branch's history starts again. */
const maxCommits = 50;
const maxHistoryBytes = 100_000_000;

/** The state branch when this run took it. */
export interface Base {
  /** GitHub's own number of the repository. */
  readonly repository: number;
  readonly commit: BranchCommit | undefined;
  readonly file?: StateFile;
}

export async function filesAfter(
  {
    file: { commits, bytes } = { commits: 0, bytes: 0 },
    repository,
  }: Pick<Base, "repository"> & {
    readonly file?: Pick<StateFile, "commits" | "bytes">;
  },
  { branches, branch, clock, archive, version }: StateBranch,
): Promise<ReadonlyMap<string, string | BranchFile>> {
  const { bytes: packed, sha256 } = await archive.pack();
  const database = await branches.put(packed);
  const next = { commits: commits + 1, bytes: bytes + packed.length };
  const file = { recheck: version, repository, written: clock.now(), sha256, ...next };
  return new Map<string, string | BranchFile>([
    [names.readme, readme(branch)],
    [names.state, write(file)],
    [names.database, database],
  ]);
}

/** Commits the present state on top of the branch, or starts its history again. Returns false if the branch has moved. */
export async function push(base: Base, state: StateBranch): Promise<boolean> {
  const { branches, branch } = state;
  const { commit: head, file = { commits: 0, bytes: 0 }, repository } = base;
  const isLong = file.commits >= maxCommits || file.bytes >= maxHistoryBytes;
  if (head === undefined || isLong) {
    const files = await filesAfter({ repository }, state);
    const root = await branches.commit({ message: messageOf(state), files, parents: [] });
    if (head === undefined) return await branches.create(branch, root.sha);
    // A forced push does not compare; the lock keeps other runs away.
    if ((await branches.head(branch))?.sha !== head.sha) return false;
    if (await tryForce(branches.force(branch, root.sha))) return true;
  }
  const files = await filesAfter(base, state);
  const next = await branches.commit({ message: messageOf(state), files, parents: [head.sha] });
  return await branches.forward(branch, next.sha);
}

/** Whether the push could be forced. If a rule forbids that, the history keeps growing, and nothing is lost. */
async function tryForce(forcing: Promise<void>): Promise<boolean> {
  try {
    await forcing;
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return false;
  }
}

function messageOf({ clock }: StateBranch): string {
  return `Remember what was seen until ${isoTime(clock.now())}`;
}
