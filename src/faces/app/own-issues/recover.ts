import type { DatedIssue, OwnIssue, RepositoryChange } from "../../../model/ports/index.ts";
import { sweepBoxes } from "../../../recheck/answer/boxes.ts";
import { handleAllComments } from "../../../recheck/answer/comment.ts";
import type { ServedRepository, WatchedRepository } from "../../../recheck/answer/repository.ts";
import { endedMark, markOf, splitAtSection } from "../../../recheck/issue/marker.ts";
import { recover } from "../../../recheck/recover.ts";
import type { Outbox, RestoredIssues } from "../../../recheck/run.ts";
import { isProblemSection } from "../config/refresh.ts";

/** Searches of this process for issues that the store of a repository may lack. */
export interface Recovery {
  /** Whether the overview and the issue about a broken config were searched for. */
  isOverviewFound?: boolean;
  areRechecksFound?: boolean;
  /** Restored issues whose comments must still be read. */
  readonly unheard: Set<number>;
}

/** Finds the overview and the issue about a broken config again if the store has neither. @throws GitHubProblem */
export async function recoverOwnIssues({ state, store, github }: ServedRepository, recovery: Recovery): Promise<void> {
  if (recovery.isOverviewFound) return;
  const { overview, problem } = state;
  if (overview === undefined && problem === undefined) {
    const found = ownAmong(await github.ownIssues());
    if (Object.keys(found).length > 0) await store.commit((tx) => tx.updateRepository(found));
  }
  recovery.isOverviewFound = true;
}

function ownAmong(issues: readonly DatedIssue[]): Pick<RepositoryChange, "overview" | "problem"> {
  const ours = issues.filter(({ body }) => markOf(body)?.trigger === "");
  const newest = (isProblem: boolean) => ours.find((one) => isProblemSection(one.body) === isProblem && !isEnded(one));
  const own = (issue: DatedIssue | undefined): OwnIssue | undefined => {
    const { marker = "" } = markOf(issue?.body ?? "") ?? {};
    return issue && { marker, number: issue.number };
  };
  const [overview, problem] = [own(newest(false)), own(newest(true))];
  return { ...(overview && { overview }), ...(problem && { problem }) };
}

function isEnded({ body, state }: DatedIssue): boolean {
  return state === "closed" && splitAtSection(body).section.includes(endedMark);
}

/** Finds rechecks that the store lacks, once per process, and reads people's answers in them. @throws GitHubProblem */
export async function recoverRechecks(
  repository: WatchedRepository,
  outbox: Outbox,
  recovery: Recovery,
): Promise<RestoredIssues | undefined> {
  const { github, clock } = repository;
  const recovered = recovery.areRechecksFound ? undefined : await recover(outbox, github, { always: true });
  for (const issue of recovered?.adopted ?? []) recovery.unheard.add(issue);
  recovery.areRechecksFound = true;
  if (recovery.unheard.size === 0) return recovered;
  for (const issue of recovery.unheard) {
    await handleAllComments(repository, issue);
    recovery.unheard.delete(issue);
  }
  await sweepBoxes(repository, clock.now());
  return recovered ?? { adopted: [], answered: [] };
}
