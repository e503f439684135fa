import { type GitHubProblem, isAsking, problemIn, refusals, tolerate } from "../../model/ports/index.ts";
import type { Wait } from "../create-once.ts";
import { idsOf } from "../plan.ts";
import { isInConfig } from "./answers.ts";
import { dropEndedBranch, isWaiting, readPull, reviveClosedPulls } from "./pulls.ts";
import { closingState, type FullRecheck, fullRechecks, type WatchedRepository } from "./repository.ts";
import { writePull } from "./write-pull.ts";

/**
 * Updates the pull requests with answers, one for each recheck: settles answers that config has, closes rechecks that are done,
 * and closes pull requests without answers. Safe to run at any time. Returns why some have to wait. If GitHub fails for one,
 * the others are still updated. @throws GitHubProblem
 */
export async function updatePulls(repository: WatchedRepository): Promise<Wait[]> {
  const waits: Wait[] = [];
  let cases = await fullRechecks(repository);
  // Before opening a new one: the webhook of a reopened one may have been lost.
  if (await reviveClosedPulls(repository, cases.filter(isWaiting))) cases = await fullRechecks(repository);
  if (await settle(repository, cases)) cases = await fullRechecks(repository);
  let failed: GitHubProblem | undefined;
  for (const one of cases) {
    try {
      const wait = await updatePull(one, repository);
      if (wait) waits.push(wait);
    } catch (error) {
      const problem = problemIn(error, "unavailable");
      failed ??= problem;
    }
  }
  if (failed) throw failed;
  return waits;
}

async function updatePull(fullRecheck: FullRecheck, repository: WatchedRepository): Promise<Wait | undefined> {
  const { recheck, status } = fullRecheck;
  const isOpen = isAsking(recheck);
  if (status.unsettled.length > 0) {
    return isOpen && recheck.issue !== undefined
      ? writePull({ ...fullRecheck, issue: recheck.issue }, repository)
      : undefined;
  }
  await endPull(fullRecheck, repository);
  const { store, clock } = repository;
  if (isOpen && status.done) await store.updateRecheck(recheck.id, closingState(recheck, clock.now()));
  return undefined;
}

/** Settles the answers that the default branch has: merged, or written by hand. Returns whether there were any. */
async function settle({ store, clock, config }: WatchedRepository, cases: readonly FullRecheck[]): Promise<boolean> {
  const there = cases.flatMap(({ status }) => status.unsettled.filter((answer) => isInConfig(answer, config)));
  if (there.length === 0) return false;
  await store.commit((tx) => tx.settleAnswers(idsOf(there), clock.now()));
  return true;
}

async function endPull({ recheck }: FullRecheck, { store, github, clock }: WatchedRepository): Promise<void> {
  const { id, pull } = recheck;
  const over = recheck.state === "closed";
  if (!pull || pull.ended !== undefined) return;
  const live = pull.number === undefined ? undefined : await readPull(github, pull.number);
  if (live?.state === "open") await tolerate(github.updatePull(live.number, { state: "closed" }), ...refusals);
  if (live) await dropEndedBranch(pull, live, github);
  const ended = { ...pull, patch: undefined, ended: clock.now() };
  await store.updateRecheck(id, { pull: ended, ...(over && { written: undefined }) });
}
