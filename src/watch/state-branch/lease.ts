import { type BranchCommit, type BranchFile, GitHubProblem, StateProblem } from "../../model/ports/index.ts";
import { aMinute, type Instant, minute, pauseAfter } from "../../model/time.ts";
import { type LockFile, names, readLockFile, type StateBranch, write } from "./files.ts";

const leaseTime = 30 * aMinute;

/** How far two machines' clocks may differ, including the time of a request. */
export const leeway = 2 * aMinute;

/** How long a run waits for another one. */
const maxWait = 10 * aMinute;
const pause = { shortest: 1_000, longest: 15_000 };

/** The state branch is reserved for this run until then. */
export interface Lease {
  readonly commit: BranchCommit;
  readonly lock: LockFile;
  /** When the last holder of the lock had certainly ended. */
  readonly endedBefore?: Instant;
}

export const lockOf = (branch: string): string => `${branch}-lock`;

/**
 * Acquires the lock of the state branch: a branch that only one of several runs can create. An expired lock, or one of
 * an earlier attempt of this run, is taken over with its contents, by a commit on top of it that only one run can make.
 * @throws StateProblem *busy* | GitHubProblem
 */
export async function acquire(state: StateBranch): Promise<Lease> {
  const { branches, branch, clock } = state;
  const lock = lockOf(branch);
  const gaveUpAt = clock.now() + maxWait;
  let waits = 0;
  for (;;) {
    const head = await branches.head(lock);
    if (head === undefined) {
      const lease = await propose(state);
      if (await branches.create(lock, lease.commit.sha)) return lease;
      continue;
    }
    const held = await readLockFile(branches, head, lock);
    if (isOver(held, clock.now()) || isEarlierTry(held, state)) {
      const lease = await propose(state, { commit: head, lock: held });
      if (await branches.forward(lock, lease.commit.sha)) return lease;
      continue;
    }
    const says = `${nameOf(held)} has locked the store on ${branch}, until ${minute(held.until)} at the latest`;
    if (clock.now() >= gaveUpAt) {
      // A lock that lasts longer than any run may hold one comes from a wrong clock.
      const isOff = held.until - clock.now() > leaseTime + leeway;
      const then = isOff
        ? `a clock is wrong: delete the branch ${lock} if no run is under way`
        : "the next run goes on";
      throw new StateProblem("busy", `${says}: nothing was checked; ${then}`);
    }
    if (waits === 0) state.say(`${says}; waiting for it`);
    await state.wait(pauseAfter(++waits, pause.shortest, pause.longest));
  }
}

/** Commits a lock for this run: alone, or on top of another one with its contents. */
async function propose({ branches, clock, run, word }: StateBranch, before?: Lease): Promise<Lease> {
  const since = clock.now();
  const journal = before?.lock.journal;
  const lockContent = { word: word(), since, until: since + leaseTime, ...run, ...(journal && { journal }) };
  const carried = journal ? [...(before?.commit.files ?? [])] : [];
  const commit = await branches.commit({
    message: `Lock for ${nameOf(lockContent)}`,
    files: new Map<string, string | BranchFile>([...carried, [names.lock, write(lockContent)]]),
    parents: before ? [before.commit.sha] : [],
  });
  const endedBefore = before && Math.min(since, before.lock.until + leeway);
  return { commit, lock: { format: 1, ...lockContent }, ...(endedBefore !== undefined && { endedBefore }) };
}

/** Puts files beside the lock, and changes its time if one is given. Returns false if another run has taken it over. */
export async function amend(
  lease: Lease,
  change: Partial<Pick<LockFile, "until" | "journal">>,
  files: ReadonlyMap<string, string | BranchFile>,
  { branches, branch }: StateBranch,
): Promise<Lease | undefined> {
  const lock = { ...lease.lock, ...change };
  const { format: _, ...content } = lock;
  const commit = await branches.commit({
    message: change.journal ? `Journal of ${nameOf(lock)}` : `End of ${nameOf(lock)}`,
    files: new Map([...files, [names.lock, write(content)]]),
    parents: [lease.commit.sha],
  });
  return (await branches.forward(lockOf(branch), commit.sha)) ? { commit, lock } : undefined;
}

/** Releases the state branch if it certainly still belongs to this run: deletes the lock, or lets it expire if it must stay. */
export async function release(lease: Lease, state: StateBranch): Promise<void> {
  const { branches, branch, clock } = state;
  const { commit, lock } = lease;
  // Near its end, another run may take the lock over between our check and the deletion; then it expires by itself.
  if (clock.now() >= lock.until - leeway) return;
  if ((await branches.head(lockOf(branch)))?.sha !== commit.sha) return;
  try {
    await branches.remove(lockOf(branch));
  } catch (error) {
    if (!isRefused(error)) throw error;
    await amend(lease, { until: clock.now() - leeway, journal: undefined }, new Map(), state);
  }
}

/** Whether a rule of the repository forbids it: GitHub suggests to forbid forced pushes and deletion. */
export function isRefused(error: unknown): boolean {
  return error instanceof GitHubProblem && (error.kind === "invalid" || error.kind === "forbidden");
}

function isOver({ until }: LockFile, now: Instant): boolean {
  return now >= until + leeway;
}

/** Whether the lock is of an earlier attempt of the same run, whose jobs have all ended when the next attempt begins. */
function isEarlierTry({ run, attempt = 0 }: LockFile, { run: ours }: StateBranch): boolean {
  return run !== undefined && run === ours.run && attempt < (ours.attempt ?? 0);
}

function nameOf({ run, attempt, since }: Pick<LockFile, "run" | "attempt" | "since">): string {
  if (run === undefined) return `the run of ${minute(since)}`;
  return `run ${run}${attempt !== undefined && attempt > 1 ? `, try ${attempt},` : ""}`;
}
