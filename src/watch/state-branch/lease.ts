import { z } from "zod";
import type { Instant } from "../../model/model.ts";
import {
  type BranchCommit,
  type Branches,
  type BranchFile,
  type Clock,
  GitHubProblem,
  type Luggage,
  StateProblem,
} from "../../model/ports/index.ts";
import { minute } from "../../model/words.ts";

const minutes = 60_000;

/** How long a run may have the state branch. */
const leaseTime = 30 * minutes;

/** How far the clocks of two machines may be apart, with a request under way. */
export const leeway = 2 * minutes;

/** How long a run waits for another one, and its shortest and longest pause between looks. */
const patience = 10 * minutes;
const pause = { shortest: 1_000, longest: 15_000 };

/** The state branch is this run's alone until then. */
export interface Lease {
  /** The head of the lock's branch. */
  readonly commit: BranchCommit;
  readonly paper: LockPaper;
  /** When the run surely had ended that this one took the lock over from. */
  readonly endedBefore?: Instant;
}

export const lockOf = (branch: string): string => `${branch}-lock`;

/**
 * Gets the lock of the state branch: a branch that one of many can create. A lock whose time is over, or that an earlier
 * try of this very run left, is taken over with all that lies in it, by a commit on top of it: again one of many can.
 * @throws StateProblem *busy* | GitHubProblem
 */
export async function acquire(keeping: Keeping): Promise<Lease> {
  const { branches, branch, clock } = keeping;
  const lock = lockOf(branch);
  const gaveUpAt = clock.now() + patience;
  let waits = 0;
  for (;;) {
    const head = await branches.head(lock);
    if (head === undefined) {
      const lease = await propose(keeping);
      if (await branches.create(lock, lease.commit.sha)) return lease;
      continue;
    }
    const paper = await readLock(branches, head, lock);
    if (isOver(paper, clock.now()) || isEarlierTry(paper, keeping)) {
      const lease = await propose(keeping, { commit: head, paper });
      if (await branches.forward(lock, lease.commit.sha)) return lease;
      continue;
    }
    const says = `${nameOf(paper)} has what is remembered on ${branch}, until ${minute(paper.until)} at the latest`;
    if (clock.now() >= gaveUpAt) {
      // No run takes a lock for so long by a clock that goes like ours.
      const isOff = paper.until - clock.now() > leaseTime + leeway;
      const then = isOff
        ? `a clock is wrong: delete the branch ${lock} if no run is under way`
        : "the next run goes on";
      throw new StateProblem("busy", `${says}: nothing was looked at; ${then}`);
    }
    if (waits === 0) keeping.say(`${says}; waiting for it`);
    await keeping.wait(Math.min(pause.longest, pause.shortest * 2 ** waits++));
  }
}

/** A lock for this run: alone, or on top of another with what lies in that. */
async function propose({ branches, clock, run, word }: Keeping, before?: Lease): Promise<Lease> {
  const since = clock.now();
  const journal = before?.paper.journal;
  const own = { word: word(), since, until: since + leaseTime, ...run, ...(journal && { journal }) };
  const carried = journal ? [...(before?.commit.files ?? [])] : [];
  const commit = await branches.commit({
    message: `Lock for ${nameOf(own)}`,
    files: new Map<string, string | BranchFile>([...carried, [names.lock, write(own)]]),
    parents: before ? [before.commit.sha] : [],
  });
  const endedBefore = before && Math.min(since, before.paper.until + leeway);
  return { commit, paper: { format: 1, ...own }, ...(endedBefore !== undefined && { endedBefore }) };
}

/** Puts files beside the lock; with another time where one is given. False where another run has taken it over. */
export async function amend(
  lease: Lease,
  change: Partial<Pick<LockPaper, "until" | "journal">>,
  files: ReadonlyMap<string, string | BranchFile>,
  { branches, branch }: Keeping,
): Promise<Lease | undefined> {
  const paper = { ...lease.paper, ...change };
  const { format: _, ...own } = paper;
  const commit = await branches.commit({
    message: change.journal ? `Journal of ${nameOf(paper)}` : `End of ${nameOf(paper)}`,
    files: new Map([...files, [names.lock, write(own)]]),
    parents: [lease.commit.sha],
  });
  return (await branches.forward(lockOf(branch), commit.sha)) ? { commit, paper } : undefined;
}

/** Lets others have the state branch: while it is surely still this run's, the lock goes, or is over where it must stay. */
export async function release(lease: Lease, keeping: Keeping): Promise<void> {
  const { branches, branch, clock } = keeping;
  const { commit, paper } = lease;
  // Later another run may have taken it over between our looking and our deleting; it does not need to be deleted.
  if (clock.now() >= paper.until - leeway) return;
  if ((await branches.head(lockOf(branch)))?.sha !== commit.sha) return;
  try {
    await branches.remove(lockOf(branch));
  } catch (error) {
    if (!isRefused(error)) throw error;
    await amend(lease, { until: clock.now() - leeway, journal: undefined }, new Map(), keeping);
  }
}

/** Whether a rule of the repository forbids it: what GitHub proposes for all branches forbids force and deletion. */
export function isRefused(error: unknown): boolean {
  return error instanceof GitHubProblem && (error.kind === "invalid" || error.kind === "forbidden");
}

function isOver({ until }: LockPaper, now: Instant): boolean {
  return now >= until + leeway;
}

/** All jobs of a try have ended when the next one begins. */
function isEarlierTry({ run, attempt = 0 }: LockPaper, { run: ours }: Keeping): boolean {
  return run !== undefined && run === ours.run && attempt < (ours.attempt ?? 0);
}

function nameOf({ run, attempt, since }: Pick<LockPaper, "run" | "attempt" | "since">): string {
  if (run === undefined) return `the run of ${minute(since)}`;
  return `run ${run}${attempt !== undefined && attempt > 1 ? `, try ${attempt},` : ""}`;
}

/** The files of a state branch and of its lock. */
export const names = { readme: "README.md", state: "state.json", database: "recheck.sqlite.gz", lock: "lock.json" };

/** The format of the papers that this program writes, and the newest that it reads. */
const format = 1;

const instant = z.iso.datetime().transform((text): Instant => Date.parse(text));
const count = z.number().int().nonnegative();

const stateSchema = z.object({
  format: z.literal(format),
  /** The version of Recheck that wrote it. */
  recheck: z.string(),
  /** GitHub's own number of the repository. */
  repository: count,
  written: instant,
  /** Of the database before it was packed, in hexadecimal digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Commits since the branch's history was last begun anew, and the bytes that they brought. */
  commits: count,
  bytes: count,
});

const lockSchema = z.object({
  format: z.literal(format),
  /** The run that has it, and which try of it this is. */
  run: z.string().max(100).optional(),
  attempt: count.optional(),
  /** Random, so that no two locks are the same commit. */
  word: z.string().max(100),
  since: instant,
  until: instant,
  /** Beside this paper lies what is to be given back: it goes on top of this commit of the state branch, or is its first. */
  journal: z.object({ base: z.string().nullable() }).optional(),
});

/** What `state.json` says of the database beside it. */
export type StatePaper = z.infer<typeof stateSchema>;

/** What `lock.json` says of the run that has the state branch. */
export type LockPaper = z.infer<typeof lockSchema>;

/** What a person can do about a branch that cannot be read. */
export const remedy = "delete the branch to begin anew, or move it back to a commit that is whole";

/** Bytes of a paper that are read. */
const largest = 65_536;

export const readState = (branches: Branches, snap: BranchCommit, branch: string): Promise<StatePaper> =>
  read(branches, snap, branch, names.state, stateSchema);

const readLock = (branches: Branches, snap: BranchCommit, branch: string): Promise<LockPaper> =>
  read(branches, snap, branch, names.lock, lockSchema);

/** @throws StateProblem *foreign*, *newer* or *damaged* */
async function read<T>(
  branches: Branches,
  snap: BranchCommit,
  branch: string,
  name: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const blob = snap.files.get(name);
  if (!blob) {
    const says = `the branch ${branch} holds no ${name}: it is none of Recheck's; give another name, or delete it`;
    throw new StateProblem("foreign", says);
  }
  const problem = (how: string) => new StateProblem("damaged", `${name} on the branch ${branch} ${how}: ${remedy}`);
  if (blob.size > largest) throw problem(`is larger than ${largest} bytes`);
  const paper = json(await branches.bytes(blob));
  if (paper === undefined) throw problem("is no JSON");
  const { data: known } = z.object({ format: z.number() }).safeParse(paper);
  if (known && known.format > format) {
    const versions = `its format is ${known.format}, this program knows up to ${format}`;
    const says = `the branch ${branch} was written by a newer Recheck (${versions}): update Recheck`;
    throw new StateProblem("newer", says);
  }
  const parsed = schema.safeParse(paper);
  if (!parsed.success)
    throw problem(`does not say what it should (${parsed.error.issues[0]?.path.join(".") || "at all"})`);
  return parsed.data;
}

function json(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

/** As it is written: times as people read them. */
export function write(paper: Omit<StatePaper, "format"> | Omit<LockPaper, "format">): string {
  const times = ["written", "since", "until"];
  const said = (key: string, value: unknown) => (times.includes(key) ? new Date(Number(value)).toISOString() : value);
  return `${JSON.stringify({ format, ...paper }, said, 2)}\n`;
}

/** For a person who finds the branch. */
export function readme(branch: string): string {
  return `# What Recheck remembers

This branch is written by Recheck, at every run of its workflow. It holds what
was seen of the sources of this repository's report, which of it was asked about in which issue, and when each source
is due again: \`${names.database}\` is an SQLite database, \`${names.state}\` says what is in it.

Nothing here is to be edited, and nothing is built from it. You may delete the branch \`${branch}\`: then the next run
looks at every source for the first time again. Open rechecks are found again by their issues, and what a closed one
told of is not asked again; what was remembered of pages, and since when ratings are in doubt, is lost.
`;
}

/** What is needed to keep what is remembered on a branch. */
export interface Keeping {
  readonly branches: Branches;
  readonly luggage: Luggage;
  /** The state branch; its lock is a branch beside it, `…-lock`. */
  readonly branch: string;
  readonly clock: Clock;
  /** The run that this is part of, where there are such. */
  readonly run: { readonly run?: string; readonly attempt?: number };
  /** The version of this program. */
  readonly version: string;
  /** A new random word. */
  readonly word: () => string;
  /** Milliseconds. */
  readonly wait: (duration: number) => Promise<void>;
  /** One sentence for whoever watches. */
  readonly say: (sentence: string) => void;
}
