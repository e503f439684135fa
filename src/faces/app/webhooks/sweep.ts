import { GitHubProblem } from "../../../model/ports/index.ts";
import { aDay, anHour, type Duration, hasPassed, type Instant } from "../../../model/time.ts";
import { sweepBoxes } from "../../../recheck/answer/boxes.ts";
import { sweepPulls } from "../../../recheck/answer/pulls.ts";
import { checkHead } from "../config/check-run.ts";
import type { AppRepository } from "../sandbox.ts";
import { hearSetUp } from "../set-up/set-up.ts";
import { isOfAll } from "../troubles.ts";
import { hearSaid } from "./hear.ts";

/** Comments are listed from an hour before the last sweep, because clocks differ. Answered ones are skipped. */
const overlap: Duration = anHour;

/** Pull requests whose heads are checked: each takes five requests, and one more for each file of config. */
const maxPulls = 20;

/** Whether to search for lost webhooks: every day, and after a pause of the repository. */
export function isDue({ state: { swept = 0, rested }, clock }: Pick<AppRepository, "state" | "clock">): boolean {
  return hasPassed(aDay, swept, clock.now()) || (rested !== undefined && swept < rested.to);
}

/** Starts the check of the report at a pull request's head, if it was not done yet; does not wait for it. */
export type CheckReport = (head: { readonly commit: string; readonly base: string }) => void;

/** Receives GitHub's refusals, so that one of them does not stop the others. */
export type Left = (problem: GitHubProblem) => void;

/** Makes up for lost webhooks: comments, boxes, ends of pull requests, pushes. @throws GitHubProblem */
export async function sweep(repository: AppRepository, checkReport: CheckReport, left: Left): Promise<void> {
  const { state, config, store, github, clock } = repository;
  const now = clock.now();
  const speaks = config ?? state.setUp?.pull ?? state.problem;
  if (speaks !== undefined && state.swept !== undefined) {
    for (const comment of await github.commentsSince(sweptUntil(state.swept, now) - overlap)) {
      const { id, at, edited, ...said } = comment;
      // No webhook makes a command of an edit either.
      if (edited) continue;
      const news = { kind: "comment", comment: id, ...said } as const;
      const heard = await hearSaid(repository, news, at).catch(skipRefused(isTransient, left));
      if (heard) await store.commit(heard);
    }
  }
  if (config) await sweepBoxes({ ...repository, config }, now);
  if (config) await sweepPulls({ ...repository, config });
  const { setUp } = state;
  if (!config && setUp?.pull !== undefined) {
    await store.commit(await hearSetUp(repository, { number: setUp.pull, branch: setUp.branch }));
  }
  if (state.swept !== undefined) await sweepHeads(repository, checkReport, left);
  await store.commit((tx) => tx.updateRepository({ swept: now, stale: true }));
}

/** After a wrong clock the time is unknown: then it is slightly longer than GitHub resends deliveries. */
function sweptUntil(swept: Instant, now: Instant): Instant {
  return swept > now ? now - 7 * aDay : swept;
}

async function sweepHeads(repository: AppRepository, checkReport: CheckReport, left: Left): Promise<void> {
  const { github, state } = repository;
  if (state.refused?.["checks: write"] !== undefined) return;
  const pulls = await github.openPulls(maxPulls).catch(skipRefused(isTransient, left));
  for (const { head, base } of pulls ?? []) {
    await checkHead(repository, { commit: head, base }).catch(skipRefused(isOfAll, left));
    checkReport({ commit: head, base });
  }
}

/** Whether another try may well succeed. */
function isTransient(problem: GitHubProblem): boolean {
  return problem.uncertain || isOfAll(problem);
}

/** Skips what GitHub refused; throws a problem that is `serious`. */
function skipRefused(serious: (problem: GitHubProblem) => boolean, left: Left): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof GitHubProblem) || serious(error)) throw error;
    left(error);
    return undefined;
  };
}
