import type { Instant } from "../model.ts";
import {
  type BranchCommit,
  type Branches,
  type BranchFile,
  type Clock,
  GitHubProblem,
  type Luggage,
  type Pack,
  StateProblem,
} from "../ports.ts";
import { acquire, amend, type Lease, leeway, lockOf, release } from "./lease.ts";
import { names, readme, readState, remedy, type StatePaper, write } from "./papers.ts";

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

/** What is remembered, on this machine's disk, and this run's alone. */
export interface Taken {
  /** Where it came from. *nothing*: the branch is not there. *journal*: from a run that did not come to its end. */
  readonly from: "branch" | "journal" | "nothing" | "elsewhere";
  /** For a *journal*: until when the run that left it may have written to GitHub. */
  readonly endedBefore?: Instant;
  /** How long nothing else touches the branch, in milliseconds. Nothing is to be begun that may take longer. */
  timeLeft(): number;
  /** Keeps what is stored now where the next run finds it, should this one not come to its end. */
  journal(): Promise<void>;
  /** Gives back what is stored now, if any of it changed. True where it did. */
  giveBack(): Promise<boolean>;
  /** Lets others have it. To be called in any case. */
  letGo(): Promise<void>;
}

/** After so many commits, or bytes, the history begins anew. */
const mostCommits = 50;
const mostBytes = 100_000_000;

const mostPacked = 64 * 2 ** 20;

/**
 * Takes what is remembered from its branch onto this machine's disk, for this run alone. What the disk held before is
 * used only where the branch is not there.
 *
 * Nothing is lost or done twice, whatever dies when: the state goes forward by one commit that either is there or not;
 * before GitHub is told of anything new, the plan lies in the journal; and a journal whose base is still the head of
 * the state branch is what the next run begins with.
 *
 * @throws StateProblem | GitHubProblem
 */
export async function take(keeping: Keeping): Promise<Taken> {
  const { branches, branch } = keeping;
  const place = await branches.place();
  if (place.archived) {
    throw new GitHubProblem("archived", "the repository is archived: nothing can be remembered or asked there");
  }
  const lease = await acquire(keeping);
  try {
    const base = await branches.head(branch);
    const found = await remembered(keeping, place.id, lease, base);
    await unpack(found, keeping);
    return taken(keeping, { place: place.id, lease, base, ...found, content: await keeping.luggage.content() });
  } catch (error) {
    await letGo(keeping, lease).catch(() => undefined);
    throw error;
  }
}

/** A copy of what is remembered, for one who gives nothing back: takes no lock, and may be behind another run. */
export async function copy(keeping: Keeping): Promise<Taken["from"]> {
  const { branches, branch } = keeping;
  const place = await branches.place();
  const found = await remembered(keeping, place.id, undefined, await branches.head(branch));
  await unpack(found, keeping);
  return found.from;
}

async function unpack({ pack }: Found, { luggage }: Keeping): Promise<void> {
  try {
    if (pack) await luggage.unpack(pack);
  } catch (error) {
    if (!(error instanceof StateProblem) || error.kind === "newer") throw error;
    throw new StateProblem(error.kind, `${error.message}: ${remedy}`, error);
  }
}

interface Found {
  readonly from: Taken["from"];
  readonly pack?: Pack;
  readonly paper?: StatePaper;
}

/** The newest that is whole: a journal that was not given back, else the head of the branch. */
async function remembered(
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

interface Begun extends Found {
  readonly place: number;
  readonly lease: Lease;
  readonly base: BranchCommit | undefined;
  readonly content: string | undefined;
}

function taken(keeping: Keeping, { from, place, lease: first, base, paper: before, content }: Begun): Taken {
  const { branches, branch, clock, luggage } = keeping;
  let lease = first;
  let unfinished = from === "journal";

  async function files(commits: number, bytes: number) {
    const { bytes: packed, sha256 } = await luggage.pack();
    const database = await branches.put(packed);
    const written = { recheck: keeping.version, repository: place, written: clock.now(), sha256 };
    const paper = write({ ...written, commits, bytes: bytes + packed.length });
    return new Map<string, string | BranchFile>([
      [names.readme, readme(branch)],
      [names.state, paper],
      [names.database, database],
    ]);
  }

  const { commits = 0, bytes = 0 } = before ?? {};
  const isTime = commits >= mostCommits || bytes >= mostBytes;

  async function push(): Promise<boolean> {
    const message = `Remember what was seen until ${new Date(clock.now()).toISOString()}`;
    if (base === undefined || isTime) {
      const root = await branches.commit({ message, files: await files(1, 0), parents: [] });
      if (base === undefined) return await branches.create(branch, root.sha);
      if ((await branches.head(branch))?.sha !== base.sha) return false;
      await branches.force(branch, root.sha);
      return true;
    }
    const next = await branches.commit({ message, files: await files(commits + 1, bytes), parents: [base.sha] });
    return await branches.forward(branch, next.sha);
  }

  return {
    from,
    ...(from === "journal" && { endedBefore: first.endedBefore }),
    timeLeft: () => lease.paper.until - leeway - clock.now(),

    async journal() {
      const made = await files(commits + 1, bytes);
      const next = await amend(lease, { journal: { base: base?.sha ?? null } }, made, keeping);
      if (!next) throw late(branch);
      lease = next;
      unfinished = true;
    },

    async giveBack() {
      if (from === "branch" && (await luggage.content()) === content) return false;
      if (this.timeLeft() <= 0) throw late(branch);
      if (!(await push())) {
        const says = `the branch ${branch} was changed by somebody else while this run had it`;
        throw new StateProblem("moved", `${says}: what this run saw is not kept, and is looked at again`);
      }
      unfinished = false;
      return true;
    },

    letGo: () => letGo(keeping, lease, unfinished),
  };
}

function late(branch: string): StateProblem {
  const says = `this run has had the branch ${branch} for longer than it may`;
  return new StateProblem("late", `${says}: the next run goes on from what was kept before the first write`);
}

/** A journal stays, in a lock that is over at once. */
async function letGo(keeping: Keeping, lease: Lease, unfinished = lease.paper.journal !== undefined): Promise<void> {
  if (!unfinished) return await release(lease, keeping);
  await amend(lease, { until: keeping.clock.now() - leeway }, lease.commit.files, keeping);
}
