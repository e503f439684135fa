import { GitHubProblem, StateProblem } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { type Base, filesAfter, push, readState, type StateOrigin, unpack } from "./exchange.ts";
import type { StateBranch } from "./files.ts";
import { acquire, amend, type Lease, leeway, release } from "./lease.ts";

/** The state on this machine's disk, reserved for this run. */
export interface Taken {
  readonly from: StateOrigin;
  /** For a *journal*: until when the run that left it may have written to GitHub. */
  readonly endedBefore?: Instant;
  /** Milliseconds during which no other run touches the branch. Do not begin anything that may take longer. */
  timeLeft(): number;
  /** Saves the present store for the next run, in case this one is interrupted. */
  journal(): Promise<void>;
  /** Gives back the present store if it changed. Returns whether it did. */
  giveBack(): Promise<boolean>;
  /** Releases the branch for other runs. Must be called in any case. */
  letGo(): Promise<void>;
}

/**
 * Copies the state from its branch to this machine's disk, for this run alone. Earlier files on the disk are used only
 * if there is no branch. If a run dies at any moment, nothing is lost or done twice: the state advances by one complete
 * commit, and the plan is in the journal before anything new is written to GitHub. The next run continues from the
 * journal if its base is still the head of the state branch. @throws StateProblem | GitHubProblem
 */
export async function take(state: StateBranch): Promise<Taken> {
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

function takenState(state: StateBranch, { from, lease: first, base, content }: Begun): Taken {
  const { branch, clock, archive } = state;
  let lease = first;
  let unfinished = from === "journal";
  const timeLeft = () => lease.lock.until - leeway - clock.now();
  return {
    from,
    ...(from === "journal" && { endedBefore: first.endedBefore }),
    timeLeft,

    async journal() {
      const journal = { base: base.commit?.sha ?? null };
      const next = await amend(lease, { journal }, await filesAfter(base, state), state);
      if (!next) throw overdueProblem(branch);
      lease = next;
      unfinished = true;
    },

    async giveBack() {
      if (from === "branch" && (await archive.content()) === content) return false;
      if (timeLeft() <= 0) throw overdueProblem(branch);
      if (!(await push(base, state))) {
        const says = `the branch ${branch} was changed by someone else while this run had it`;
        throw new StateProblem("moved", `${says}: what this run saw is not kept, and is checked again`);
      }
      unfinished = false;
      return true;
    },

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
