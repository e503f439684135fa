import { isNews } from "../../model/firing.ts";
import { isAsking, isOver } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { readIssue } from "../observe.ts";
import { type FullRecheck, fullRechecks, idsOf, type WatchedRepository } from "./repository.ts";

/** Handles a reopened issue, which the list of issues with our label may lack. @throws GitHubProblem */
export async function hearReopened(repository: WatchedRepository, issue: number, at: Instant): Promise<void> {
  const one = (await fullRechecks(repository)).find(({ recheck }) => recheck.issue === issue);
  if (one && isOver(one.recheck)) await openedAgain(one, repository, at);
}

/**
 * Reopens a closed recheck if people have reopened its issue: their comments may arrive before the next run sees that.
 * Else returns why nothing can be answered there. @throws GitHubProblem
 */
export async function openedAgain(
  { recheck, firings }: FullRecheck,
  repository: WatchedRepository,
  at: Instant,
): Promise<FullRecheck | string> {
  const { store, github, clock } = repository;
  const { id, trigger, issue } = recheck;
  const successor = (await store.rechecks()).find((one) => one.trigger === trigger && isAsking(one));
  if (successor) {
    const where = successor.issue === undefined ? "an issue that is not open yet" : `#${successor.issue}`;
    return `Nothing was changed: this recheck is closed, and ${where} has taken its place. Answer there.`;
  }
  if (recheck.state !== "closed" || issue === undefined) return closed;
  if ((await readIssue(github, issue))?.state !== "open") return closed;
  // Answers from before the closing do not count, even if they arrive later.
  const from = at < recheck.closed ? clock.now() : at;
  // If the program is interrupted here, the recheck is still closed.
  await store.joinRecheck(id, idsOf(firings.filter((firing) => !isNews(firing))), from);
  await store.updateRecheck(id, { state: "open", issue });
  return (await fullRechecks(repository)).find((one) => one.recheck.id === id) ?? closed;
}

const closed = "Nothing was changed: this recheck is closed. Reopen the issue to answer it again.";
