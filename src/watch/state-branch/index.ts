import { GitHubProblem, StateProblem } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { type Base, filesAfter, push, readState, type StateOrigin, unpack } from "./exchange.ts";
import type { StateBranch } from "./files.ts";
import { acquire, amend, type Lease, leeway, release } from "./lease.ts";

/** The state, on this machine's disk and for this run alone. */
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
 * Takes the state from its branch onto this machine's disk, for this run alone. Earlier contents of the disk are used only if
 * there is no branch.
 *
 * Nothing is lost or done twice if a run dies at any moment. The state advances by one commit, which is complete or missing.
 * Before anything new is written to GitHub, the plan is in the journal. And the next run begins with a journal whose base is
 * still the head of the state branch.
 *
 * @throws StateProblem | GitHubProblem
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

/** Copies the state for a reader that gives nothing back. Takes no lock, so the copy may be behind another run. */
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
  const says = `this run has had the branch ${branch} for longer than it may`;
  return new StateProblem("late", `${says}: the next run goes on from what was kept before the first write`);
}

/** Releases the lock; with a journal, it stays as a lock that has expired. */
async function letGo(state: StateBranch, lease: Lease, unfinished = lease.lock.journal !== undefined): Promise<void> {
  if (!unfinished) return await release(lease, state);
  await amend(lease, { until: state.clock.now() - leeway }, lease.commit.files, state);
}
