import type { Instant } from "../../model/model.ts";
import { type BranchCommit, type BranchFile, GitHubProblem, StateProblem } from "../../model/ports/index.ts";
import { aMinute, minute } from "../../model/time.ts";
import { type LockFile, names, readLockFile, type StateBranch, write } from "./files.ts";

/** A run may have the state branch for so long. */
const leaseTime = 30 * aMinute;

/** The clocks of two machines may be so far apart, with a request under way. */
export const leeway = 2 * aMinute;

/** A run waits so long for another one, with pauses between its looks. */
const maxWait = 10 * aMinute;
const pause = { shortest: 1_000, longest: 15_000 };

/** The state branch is this run's alone until then. */
export interface Lease {
  /** The head of the lock's branch. */
  readonly commit: BranchCommit;
  readonly lock: LockFile;
  /** When the run surely had ended that this one took the lock over from. */
  readonly endedBefore?: Instant;
}

export const lockOf = (branch: string): string => `${branch}-lock`;

/**
 * Gets the lock of the state branch: a branch that one of many can create. A lock whose time is over, or that an earlier
 * try of this very run left, is taken over with all that lies in it, by a commit on top of it: again one of many can.
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
    const says = `${nameOf(held)} has what is remembered on ${branch}, until ${minute(held.until)} at the latest`;
    if (clock.now() >= gaveUpAt) {
      // No run takes a lock for so long by a clock that goes like ours.
      const isOff = held.until - clock.now() > leaseTime + leeway;
      const then = isOff
        ? `a clock is wrong: delete the branch ${lock} if no run is under way`
        : "the next run goes on";
      throw new StateProblem("busy", `${says}: nothing was looked at; ${then}`);
    }
    if (waits === 0) state.say(`${says}; waiting for it`);
    await state.wait(Math.min(pause.longest, pause.shortest * 2 ** waits++));
  }
}

/** A lock for this run: alone, or on top of another with what lies in that. */
async function propose({ branches, clock, run, word }: StateBranch, before?: Lease): Promise<Lease> {
  const since = clock.now();
  const journal = before?.lock.journal;
  const own = { word: word(), since, until: since + leaseTime, ...run, ...(journal && { journal }) };
  const carried = journal ? [...(before?.commit.files ?? [])] : [];
  const commit = await branches.commit({
    message: `Lock for ${nameOf(own)}`,
    files: new Map<string, string | BranchFile>([...carried, [names.lock, write(own)]]),
    parents: before ? [before.commit.sha] : [],
  });
  const endedBefore = before && Math.min(since, before.lock.until + leeway);
  return { commit, lock: { format: 1, ...own }, ...(endedBefore !== undefined && { endedBefore }) };
}

/** Puts files beside the lock; with another time where one is given. False where another run has taken it over. */
export async function amend(
  lease: Lease,
  change: Partial<Pick<LockFile, "until" | "journal">>,
  files: ReadonlyMap<string, string | BranchFile>,
  { branches, branch }: StateBranch,
): Promise<Lease | undefined> {
  const lock = { ...lease.lock, ...change };
  const { format: _, ...own } = lock;
  const commit = await branches.commit({
    message: change.journal ? `Journal of ${nameOf(lock)}` : `End of ${nameOf(lock)}`,
    files: new Map([...files, [names.lock, write(own)]]),
    parents: [lease.commit.sha],
  });
  return (await branches.forward(lockOf(branch), commit.sha)) ? { commit, lock } : undefined;
}

/** Lets others have the state branch: while it is surely still this run's, the lock goes, or is over where it must stay. */
export async function release(lease: Lease, state: StateBranch): Promise<void> {
  const { branches, branch, clock } = state;
  const { commit, lock } = lease;
  // Later another run may have taken it over between our looking and our deleting; it does not need to be deleted.
  if (clock.now() >= lock.until - leeway) return;
  if ((await branches.head(lockOf(branch)))?.sha !== commit.sha) return;
  try {
    await branches.remove(lockOf(branch));
  } catch (error) {
    if (!isRefused(error)) throw error;
    await amend(lease, { until: clock.now() - leeway, journal: undefined }, new Map(), state);
  }
}

/** Whether a rule of the repository forbids it: what GitHub proposes for all branches forbids force and deletion. */
export function isRefused(error: unknown): boolean {
  return error instanceof GitHubProblem && (error.kind === "invalid" || error.kind === "forbidden");
}

function isOver({ until }: LockFile, now: Instant): boolean {
  return now >= until + leeway;
}

/** All jobs of a try have ended when the next one begins. */
function isEarlierTry({ run, attempt = 0 }: LockFile, { run: ours }: StateBranch): boolean {
  return run !== undefined && run === ours.run && attempt < (ours.attempt ?? 0);
}

function nameOf({ run, attempt, since }: Pick<LockFile, "run" | "attempt" | "since">): string {
  if (run === undefined) return `the run of ${minute(since)}`;
  return `run ${run}${attempt !== undefined && attempt > 1 ? `, try ${attempt},` : ""}`;
}
