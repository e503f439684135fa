import { type BranchCommit, type BranchFile, GitHubProblem, type Pack, StateProblem } from "../../model/ports/index.ts";
import { aMinute, type Instant, isoTime, minute, pauseAfter } from "../../model/time.ts";
import {
  type LockFile,
  names,
  readLockFile,
  readme,
  readStateFile,
  remedy,
  type StateBranch,
  type StateFile,
  write,
} from "./files.ts";

/** The state on this machine's disk, reserved for this run. */
export type TakenState = ReturnType<typeof takenState>;

/**
 * Copies the state from its branch to this machine's disk, for this run alone. Earlier files on the disk are used only
 * if there is no branch. If a run dies at any moment, nothing is lost or done twice: the state advances by one complete
 * commit, and the plan is in the journal before anything new is written to GitHub. The next run continues from the
 * journal if its base is still the head of the state branch. @throws StateProblem | GitHubProblem
 */
export async function take(state: StateBranch): Promise<TakenState> {
  const { branches, branch } = state;
  const place = await branches.place();
  if (place.archived) {
    throw new GitHubProblem("archived", "the repository is archived: nothing can be remembered or asked there");
  }
  const lease = await acquire(state);
  try {
    const commit = await branches.head(branch);
    const stored = await readState(state, place.id, lease, commit);
    await unpack(stored, state);
    const base = { repository: place.id, commit, file: stored.file };
    return takenState(state, { from: stored.from, lease, base, content: await state.archive.content() });
  } catch (error) {
    await letGo(state, lease).catch(() => undefined);
    throw error;
  }
}

/** Copies the state for reading. Takes no lock, so the copy may be older than that of a running scan. */
export async function copy(state: StateBranch): Promise<StateOrigin> {
  const { branches, branch } = state;
  const place = await branches.place();
  const stored = await readState(state, place.id, undefined, await branches.head(branch));
  await unpack(stored, state);
  return stored.from;
}

interface Begun {
  readonly from: StateOrigin;
  readonly lease: Lease;
  readonly base: Base;
  /** Digest of the store when it was taken. */
  readonly content: string | undefined;
}

function takenState(state: StateBranch, { from, lease: first, base, content }: Begun) {
  const { branch, clock, archive } = state;
  let lease = first;
  let unfinished = from === "journal";
  const timeLeft = () => lease.lock.until - leeway - clock.now();
  return {
    from,
    /** For a *journal*: until when the run that left it may have written to GitHub. */
    ...(from === "journal" && { endedBefore: first.endedBefore }),
    /** Milliseconds during which no other run touches the branch. Do not begin anything that may take longer. */
    timeLeft,

    /** Saves the present store for the next run, in case this one is interrupted. */
    async journal(): Promise<void> {
      const journal = { base: base.commit?.sha ?? null };
      const next = await amend(lease, { journal }, await filesAfter(base, state), state);
      if (!next) throw overdueProblem(branch);
      lease = next;
      unfinished = true;
    },

    /** Gives back the present store if it changed. Returns whether it did. */
    async giveBack(): Promise<boolean> {
      if (from === "branch" && (await archive.content()) === content) return false;
      if (timeLeft() <= 0) throw overdueProblem(branch);
      if (!(await push(base, state))) {
        const says = `the branch ${branch} was changed by someone else while this run had it`;
        throw new StateProblem("moved", `${says}: what this run saw is not kept, and is checked again`);
      }
      unfinished = false;
      return true;
    },

    /** Releases the branch for other runs. Must be called in any case. */
    letGo: () => letGo(state, lease, unfinished),
  };
}

function overdueProblem(branch: string): StateProblem {
  const says = `this run has exceeded its time on the branch ${branch}`;
  return new StateProblem("late", `${says}: the next run continues from the state before the first write`);
}

/** Releases the lock; with a journal, it stays as a lock that has expired. */
async function letGo(state: StateBranch, lease: Lease, unfinished = lease.lock.journal !== undefined): Promise<void> {
  if (!unfinished) return await release(lease, state);
  await amend(lease, { until: state.clock.now() - leeway }, lease.commit.files, state);
}

/** *nothing*: there is no branch. *elsewhere*: it is of another repository. *journal*: an interrupted run left it. */
export type StateOrigin = "branch" | "journal" | "nothing" | "elsewhere";

const maxPackedBytes = 64 * 2 ** 20;

export interface FoundState {
  readonly from: StateOrigin;
  readonly pack?: Pack;
  readonly file?: StateFile;
}

/** Finds the newest complete state: a journal that an interrupted run left, else the head of the branch. */
async function readState(
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

/** @throws StateProblem | StoreProblem */
async function unpack({ pack }: FoundState, { archive }: StateBranch): Promise<void> {
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
  readonly file?: Pick<StateFile, "commits" | "bytes">;
}

const noHistory = { commits: 0, bytes: 0 };

async function filesAfter(
  { file: { commits, bytes } = noHistory, repository }: Pick<Base, "repository" | "file">,
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
async function push(base: Base, state: StateBranch): Promise<boolean> {
  const { branches, branch } = state;
  const { commit: head, file = noHistory, repository } = base;
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

const leaseTime = 30 * aMinute;

/** How far two machines' clocks may differ, including the time of a request. */
const leeway = 2 * aMinute;

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

const lockOf = (branch: string): string => `${branch}-lock`;

/**
 * Acquires the lock of the state branch: a branch that only one of several runs can create. An expired lock is taken
 * over with its contents, and so is one of an earlier attempt of this run. Only one run can make the commit that does it.
 * @throws StateProblem *busy* | GitHubProblem
 */
async function acquire(state: StateBranch): Promise<Lease> {
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
    const holder = await readLockFile(branches, head, lock);
    if (clock.now() >= holder.until + leeway || isEarlierTry(holder, state)) {
      const lease = await propose(state, { commit: head, lock: holder });
      if (await branches.forward(lock, lease.commit.sha)) return lease;
      continue;
    }
    const says = `${nameOf(holder)} has locked the store on ${branch}, until ${minute(holder.until)} at the latest`;
    if (clock.now() >= gaveUpAt) {
      // A lock that lasts longer than any run may hold one comes from a wrong clock.
      const isOff = holder.until - clock.now() > leaseTime + leeway;
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
  const lockContent = { word: word(), since, until: since + leaseTime, ...run, journal };
  const carried = journal ? [...(before?.commit.files ?? [])] : [];
  const commit = await branches.commit({
    message: `Lock for ${nameOf(lockContent)}`,
    files: new Map<string, string | BranchFile>([...carried, [names.lock, write(lockContent)]]),
    parents: before ? [before.commit.sha] : [],
  });
  const endedBefore = before && Math.min(since, before.lock.until + leeway);
  return { commit, lock: { format: 1, ...lockContent }, endedBefore };
}

/** Puts files beside the lock, and changes its time if one is given. Returns false if another run has taken it over. */
async function amend(
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
async function release(lease: Lease, state: StateBranch): Promise<void> {
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
function isRefused(error: unknown): boolean {
  return error instanceof GitHubProblem && (error.kind === "invalid" || error.kind === "forbidden");
}

/** Whether the lock is of an earlier attempt of the same run, whose jobs have all ended when the next attempt begins. */
function isEarlierTry({ run, attempt = 0 }: LockFile, { run: ours }: StateBranch): boolean {
  return run !== undefined && run === ours.run && attempt < (ours.attempt ?? 0);
}

function nameOf({ run, attempt, since }: Pick<LockFile, "run" | "attempt" | "since">): string {
  if (run === undefined) return `the run of ${minute(since)}`;
  return `run ${run}${attempt !== undefined && attempt > 1 ? `, try ${attempt},` : ""}`;
}
