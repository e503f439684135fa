import { isAsking } from "../../model/ports/index.ts";
import type { Wait } from "../create-once.ts";
import { isKnown } from "../issue/question.ts";
import { isInConfig } from "./answers.ts";
import { type AskingHome, type Case, casesOf, closing, idsOf } from "./case.ts";
import { comeBack, dropBranchOf, isWaiting, readPull, unlessRefused } from "./pulls.ts";
import { writePull } from "./write-pull.ts";

/**
 * Brings the pull requests that hold people's answers up to date with what is stored, one for each recheck: what config
 * shows already is settled, what is done is closed, what nobody wants any more is withdrawn. Safe to run at any time. Why
 * some have to wait.
 * @throws GitHubProblem
 */
export async function updatePulls(home: AskingHome): Promise<Wait[]> {
  const waits: Wait[] = [];
  let cases = await casesOf(home);
  // Before another one is opened: one that was closed may have been opened again, and nobody told.
  if (await comeBack(home, cases.filter(isWaiting))) cases = await casesOf(home);
  if (await settle(home, cases)) cases = await casesOf(home);
  for (const one of cases) {
    const { recheck, standing } = one;
    const isOpen = isAsking(recheck);
    if (standing.gathered.length === 0) {
      await retire(one, home);
      if (isOpen && standing.done) await close(one, home);
    } else if (isOpen && recheck.issue !== undefined && isKnown(recheck.trigger, home.config)) {
      const wait = await writePull({ ...one, issue: recheck.issue }, home);
      if (wait) waits.push(wait);
    }
  }
  return waits;
}

/** Settles the answers that the default branch shows already: merged, or written by hand. Whether there were any. */
async function settle({ store, clock, config }: AskingHome, cases: readonly Case[]): Promise<boolean> {
  const there = cases.flatMap(({ standing }) => standing.gathered.filter((answer) => isInConfig(answer, config)));
  if (there.length === 0) return false;
  await store.commit((tx) => tx.settleAnswers(idsOf(there), clock.now()));
  return true;
}

async function close({ recheck }: Case, { store, clock }: AskingHome): Promise<void> {
  await store.updateRecheck(recheck.id, closing(recheck, clock.now()));
}

/** A pull request that holds nothing any more. */
async function retire({ recheck }: Case, { store, github, clock }: AskingHome): Promise<void> {
  const { id, pull } = recheck;
  const over = recheck.state === "closed";
  if (!pull || pull.ended !== undefined) return;
  const live = pull.number === undefined ? undefined : await readPull(github, pull.number);
  if (live?.state === "open") await github.updatePull(live.number, { state: "closed" }).catch(unlessRefused);
  if (live) await dropBranchOf(pull, live, github);
  const ended = { ...pull, patch: undefined, ended: clock.now() };
  await store.updateRecheck(id, { pull: ended, ...(over && { written: undefined }) });
}
