import { isNews } from "../../model/firing.ts";
import { isAsking, isOver } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { readIssue } from "../observe.ts";
import { type FullRecheck, fullRechecks, idsOf, type WatchedRepository } from "./repository.ts";

/**
 * Hears that people reopened an issue, which may be missing in the list of those with our label. @throws GitHubProblem
 */
export async function hearReopened(repository: WatchedRepository, issue: number, at: Instant): Promise<void> {
  const one = (await fullRechecks(repository)).find(({ recheck }) => recheck.issue === issue);
  if (one && isOver(one.recheck)) await openedAgain(one, repository, at);
}

/**
 * Asks a closed recheck again from then on, where people have reopened its issue: what they say there may be heard
 * before anybody looks at the issue. Else returns why nothing can be answered there. @throws GitHubProblem
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
    const where = successor.issue === undefined ? "an issue that is still to be opened" : `#${successor.issue}`;
    return `Nothing was changed: this recheck is closed, and ${where} asks by now. Answer there.`;
  }
  if (recheck.state !== "closed" || issue === undefined) return closed;
  if ((await readIssue(github, issue))?.state !== "open") return closed;
  // Answers given before the closing do not count, however late they are heard.
  const from = at < recheck.closed ? clock.now() : at;
  // If the program ends here, the recheck is still closed.
  await store.joinRecheck(id, idsOf(firings.filter((firing) => !isNews(firing))), from);
  await store.updateRecheck(id, { state: "open", issue });
  return (await fullRechecks(repository)).find((one) => one.recheck.id === id) ?? closed;
}

const closed = "This recheck is closed: nothing was changed. Open the issue again to answer it anew.";
