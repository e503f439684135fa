import type { Instant } from "../../model/model.ts";
import { GitHubProblem, StateProblem } from "../../model/ports/index.ts";
import { type Base, filesAfter, type Origin, push, remembered, unpack } from "./exchange.ts";
import { acquire, amend, type Keeping, type Lease, leeway, release } from "./lease.ts";

export type { Origin } from "./exchange.ts";
export type { Keeping } from "./lease.ts";

/** What is remembered, on this machine's disk, and this run's alone. */
export interface Taken {
  readonly from: Origin;
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
    const commit = await branches.head(branch);
    const found = await remembered(keeping, place.id, lease, commit);
    await unpack(found, keeping);
    const base = { repository: place.id, commit, paper: found.paper };
    return taken(keeping, { from: found.from, lease, base, content: await keeping.luggage.content() });
  } catch (error) {
    await letGo(keeping, lease).catch(() => undefined);
    throw error;
  }
}

/** A copy of what is remembered, for one who gives nothing back: takes no lock, and may be behind another run. */
export async function copy(keeping: Keeping): Promise<Origin> {
  const { branches, branch } = keeping;
  const place = await branches.place();
  const found = await remembered(keeping, place.id, undefined, await branches.head(branch));
  await unpack(found, keeping);
  return found.from;
}

interface Begun {
  readonly from: Origin;
  readonly lease: Lease;
  readonly base: Base;
  /** Of the store, when it was taken. */
  readonly content: string | undefined;
}

function taken(keeping: Keeping, { from, lease: first, base, content }: Begun): Taken {
  const { branch, clock, luggage } = keeping;
  let lease = first;
  let unfinished = from === "journal";
  const timeLeft = () => lease.paper.until - leeway - clock.now();
  return {
    from,
    ...(from === "journal" && { endedBefore: first.endedBefore }),
    timeLeft,

    async journal() {
      const journal = { base: base.commit?.sha ?? null };
      const next = await amend(lease, { journal }, await filesAfter(base, keeping), keeping);
      if (!next) throw late(branch);
      lease = next;
      unfinished = true;
    },

    async giveBack() {
      if (from === "branch" && (await luggage.content()) === content) return false;
      if (timeLeft() <= 0) throw late(branch);
      if (!(await push(base, keeping))) {
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
