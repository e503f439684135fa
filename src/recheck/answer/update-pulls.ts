import { GitHubProblem, isAsking } from "../../model/ports/index.ts";
import type { Wait } from "../create-once.ts";
import { isInConfig } from "./answers.ts";
import { dropEndedBranch, isWaiting, readPull, reviveClosedPulls, unlessRefused } from "./pulls.ts";
import { closingState, type FullRecheck, fullRechecks, idsOf, type WatchedRepository } from "./repository.ts";
import { writePull } from "./write-pull.ts";

/**
 * Brings the pull requests that hold people's answers up to date with what is stored, one for each recheck: what config
 * shows already is settled, what is done is closed, what nobody wants any more is withdrawn. Safe to run at any time.
 * Returns why some have to wait. One that GitHub cannot show or write holds up none of the others.
 * @throws GitHubProblem
 */
export async function updatePulls(repository: WatchedRepository): Promise<Wait[]> {
  const waits: Wait[] = [];
  let cases = await fullRechecks(repository);
  // Checked before opening another one: a closed one may have been reopened without our hearing of it.
  if (await reviveClosedPulls(repository, cases.filter(isWaiting))) cases = await fullRechecks(repository);
  if (await settle(repository, cases)) cases = await fullRechecks(repository);
  let failed: GitHubProblem | undefined;
  for (const one of cases) {
    try {
      const wait = await updatePull(one, repository);
      if (wait) waits.push(wait);
    } catch (error) {
      if (!(error instanceof GitHubProblem) || error.kind !== "unavailable") throw error;
      failed ??= error;
    }
  }
  if (failed) throw failed;
  return waits;
}

async function updatePull(one: FullRecheck, repository: WatchedRepository): Promise<Wait | undefined> {
  const { recheck, standing } = one;
  const isOpen = isAsking(recheck);
  if (standing.gathered.length > 0) {
    return isOpen && recheck.issue !== undefined ? writePull({ ...one, issue: recheck.issue }, repository) : undefined;
  }
  await retire(one, repository);
  if (isOpen && standing.done) await close(one, repository);
  return undefined;
}

/** Settles the answers that the default branch shows already: merged, or written by hand. Whether there were any. */
async function settle({ store, clock, config }: WatchedRepository, cases: readonly FullRecheck[]): Promise<boolean> {
  const there = cases.flatMap(({ standing }) => standing.gathered.filter((answer) => isInConfig(answer, config)));
  if (there.length === 0) return false;
  await store.commit((tx) => tx.settleAnswers(idsOf(there), clock.now()));
  return true;
}

async function close({ recheck }: FullRecheck, { store, clock }: WatchedRepository): Promise<void> {
  await store.updateRecheck(recheck.id, closingState(recheck, clock.now()));
}

/** Closes a pull request that no longer holds any answer. */
async function retire({ recheck }: FullRecheck, { store, github, clock }: WatchedRepository): Promise<void> {
  const { id, pull } = recheck;
  const over = recheck.state === "closed";
  if (!pull || pull.ended !== undefined) return;
  const live = pull.number === undefined ? undefined : await readPull(github, pull.number);
  if (live?.state === "open") await github.updatePull(live.number, { state: "closed" }).catch(unlessRefused);
  if (live) await dropEndedBranch(pull, live, github);
  const ended = { ...pull, patch: undefined, ended: clock.now() };
  await store.updateRecheck(id, { pull: ended, ...(over && { written: undefined }) });
}
