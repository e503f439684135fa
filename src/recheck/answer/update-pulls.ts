import { isAsking } from "../../model/ports/index.ts";
import type { Wait } from "../create-once.ts";
import { isInConfig } from "./answers.ts";
import { dropEndedBranch, isWaiting, readPull, reviveClosedPulls, unlessRefused } from "./pulls.ts";
import { closingState, type FullRecheck, fullRechecks, idsOf, type WatchedRepository } from "./repository.ts";
import { writePull } from "./write-pull.ts";

/**
 * Brings the pull requests that hold people's answers up to date, one for each recheck: settles what config already
 * shows, closes what is done, withdraws what nobody wants any more. Safe to run at any time. Returns why some have to
 * wait. @throws GitHubProblem
 */
export async function updatePulls(repository: WatchedRepository): Promise<Wait[]> {
  const waits: Wait[] = [];
  let cases = await fullRechecks(repository);
  // Checked before opening another one: a closed one may have been reopened without our hearing of it.
  if (await reviveClosedPulls(repository, cases.filter(isWaiting))) cases = await fullRechecks(repository);
  if (await settle(repository, cases)) cases = await fullRechecks(repository);
  for (const one of cases) {
    const { recheck, standing } = one;
    const isOpen = isAsking(recheck);
    if (standing.gathered.length === 0) {
      await retire(one, repository);
      if (isOpen && standing.done) await close(one, repository);
    } else if (isOpen && recheck.issue !== undefined) {
      const wait = await writePull({ ...one, issue: recheck.issue }, repository);
      if (wait) waits.push(wait);
    }
  }
  return waits;
}

/**
 * Settles the answers that the default branch already shows, merged or written by hand. Returns whether there were any.
 */
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
