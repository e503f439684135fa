import { isNews } from "../model/firing.ts";
import {
  type GitHub,
  type Issue,
  isAsking,
  isOver,
  problemIn,
  type StoredFiring,
  type StoredRecheck,
  tolerate,
} from "../model/ports/index.ts";
import { anHour, day, hasPassed, type Instant } from "../model/time.ts";
import { refusalSays } from "../model/words.ts";
import { commentMark } from "./issue/comment.ts";
import {
  beginLine,
  endedMark,
  firstLine,
  hasMarker,
  markOf,
  mentionsOf,
  sectionEnd,
  splitAtSection,
  withSection,
} from "./issue/marker.ts";
import { isKnown } from "./issue/question.ts";
import { idsOf } from "./plan.ts";
import { addRecheck, applyChange, changeRecheck, feedRecheck, type IssuedRecheck, newWord, type Run } from "./run.ts";

/**
 * Reads what people did to the issues: a closed or deleted one counts as answered, a reopened one asks again. Firings
 * that a closed issue's last body did not mention go into a new recheck. Runs before planning, so that new firings can
 * join. @throws GitHubProblem
 */
export async function observe(run: Run): Promise<void> {
  const { github, outbox } = run;
  await wakeByTime(run);
  for (const recheck of run.rechecks.filter(({ state }) => state === "closing")) {
    await planSuccessor(recheck, (await issueOf(recheck, github)).issue, run);
  }
  const before = run.rechecks;
  await planQueued(run);
  if (before.every(({ issue }) => issue === undefined)) return;
  if (outbox.quiet) return reportForgotten(run);
  const issues = await github.openIssues();
  const openIssues = new Set(issues.map(({ number }) => number));
  await closeTwins(issues, run);
  await seeIssues(issues, run);
  for (const recheck of run.rechecks) {
    if (recheck.state !== "open" || openIssues.has(recheck.issue)) continue;
    const issue = await readUnlisted(recheck, run);
    // If only its label was removed, an unlisted issue is still open.
    if (issue !== "unsure" && issue?.state !== "open") await closeAsPeopleDid(recheck, issue, run);
  }
  await reopen(openIssues, run);
  reportForgotten(run);
}

/**
 * Reads an unlisted issue. GitHub reports a deleted issue reliably, but *not found* also for issues that exist: that
 * counts only after an hour. @throws GitHubProblem
 */
async function readUnlisted(recheck: IssuedRecheck, run: Run): Promise<Issue | undefined | "unsure"> {
  const { github, outbox, synced } = run;
  const { id, issue, refused, trigger } = recheck;
  const missed = refused?.kind === "missing" ? refused : undefined;
  try {
    const found = await github.issue(issue);
    if (missed) await changeRecheck(run, id, { refused: undefined });
    return found;
  } catch (error) {
    if (problemIn(error, "deleted", "not-found").kind === "deleted") return undefined;
    const now = outbox.clock.now();
    const since = missed?.since ?? now;
    if (hasPassed(anHour, since, now)) return undefined;
    const refusal = { kind: "missing", what: "text", since, next: since + anHour } as const;
    if (!missed) await changeRecheck(run, id, { refused: refusal });
    synced.waiting.push({ trigger, what: "issue", because: refusalSays(refusal), until: refusal.next });
    return "unsure";
  }
}

/** Reads an issue; undefined if it is gone. The repository exists: its issues were just listed. */
export async function readIssue(github: Pick<GitHub, "issue">, number: number): Promise<Issue | undefined> {
  return await tolerate(github.issue(number), "deleted", "not-found");
}

/** Finds the issue of a recheck, even if the response to its creation was lost. `number`: the issue's number, if known. */
export async function issueOf(
  { issue: known, attempted, marker }: StoredRecheck,
  github: GitHub,
): Promise<{ readonly number?: number; readonly issue?: Issue }> {
  if (known !== undefined) return { number: known, issue: await readIssue(github, known) };
  const issue = attempted === undefined ? undefined : await github.findIssue(hasMarker(marker));
  return { number: issue?.number, issue };
}

export function withIssue(recheck: StoredRecheck, issue: number): StoredRecheck {
  return isOver(recheck) ? { ...recheck, issue } : applyChange(recheck, { state: "open", issue });
}

/**
 * Queues a successor for evidence that the body of an answered issue did not mention. If the issue is gone, or people
 * deleted its hidden line, the last written body counts.
 */
async function planSuccessor(
  { id: previous, trigger, reported = "" }: StoredRecheck,
  issue: Issue | undefined,
  run: Run,
): Promise<void> {
  const { outbox, firings } = run;
  const itsFirings = firings.filter(({ recheck }) => recheck === previous);
  const lastBody = issue && markOf(issue.body) ? issue.body : reported;
  const unreported = idsOf(unreportedIn(lastBody, itsFirings));
  if (unreported.length === 0) return;
  const opened = outbox.clock.now();
  await addRecheck(run, { trigger, state: "queued", marker: newWord(outbox), opened, previous }, unreported);
}

/** Closes a recheck because a person closed its issue. `issue`: undefined if it is gone. */
export async function closeAsPeopleDid(recheck: IssuedRecheck, issue: Issue | undefined, run: Run): Promise<void> {
  await planSuccessor(recheck, issue, run);
  const closed = run.outbox.clock.now();
  const gone = issue ? undefined : true;
  await changeRecheck(run, recheck.id, { state: "closed", issue: recheck.issue, closed, gone });
  await planQueued(run);
  (issue ? run.synced.closed : run.synced.gone).push(recheck.issue);
}

/** Marks an issue to be rewritten if people unlocked it, or if its body is not the last one written. */
async function seeIssues(issues: readonly Issue[], run: Run): Promise<void> {
  const seen = new Map(issues.map((issue) => [issue.number, issue]));
  for (const { id, issue: number = 0, refused, reported, written } of run.rechecks) {
    const issue = seen.get(number);
    if (!issue) continue;
    const unlocked = refused?.kind === "locked" && issue.locked === false;
    const undone =
      reported !== undefined && written !== undefined && firstLine(splitAtSection(issue.body).section) !== reported;
    if (unlocked) await changeRecheck(run, id, { refused: undefined });
    if (undone) await changeRecheck(run, id, { written: undefined });
  }
}

async function planQueued(run: Run): Promise<void> {
  const { config } = run.outbox;
  for (const { id, trigger, state } of run.rechecks) {
    if (state === "planned" && !isKnown(trigger, config)) await changeRecheck(run, id, { state: "queued" });
  }
  const taken = new Set(run.rechecks.filter(isAsking).map(({ trigger }) => trigger));
  for (const { id, trigger, state } of run.rechecks) {
    if (state !== "queued" || taken.has(trigger) || !isKnown(trigger, config)) continue;
    await changeRecheck(run, id, { state: "planned" });
    taken.add(trigger);
  }
}

/**
 * Reopens answered rechecks whose issue a person reopened: the newest of each trigger, unless the trigger has another
 * open recheck.
 */
async function reopen(open: ReadonlySet<number>, run: Run): Promise<void> {
  const { synced, github } = run;
  const asking = new Map<string, StoredRecheck>(run.rechecks.filter(isAsking).map((one) => [one.trigger, one]));
  for (const recheck of run.rechecks.toReversed()) {
    const { id, trigger, state, issue } = recheck;
    if (state !== "closed" || issue === undefined || !open.has(issue)) continue;
    const successor = asking.get(trigger);
    if (successor) {
      const where = successor.issue === undefined ? "a new issue" : `#${successor.issue}`;
      synced.left.push({ trigger, issue, because: `it was reopened, but ${where} already asks the same` });
    } else if ((await readIssue(github, issue))?.state === "open") {
      await changeRecheck(run, id, { state: "open", issue });
      // Answers given before the issue was reopened do not count.
      const fed = run.firings.filter((firing) => firing.recheck === id && !isNews(firing));
      await feedRecheck(run, id, idsOf(fed));
      asking.set(trigger, recheck);
      synced.reopened.push(issue);
    }
  }
}

function reportForgotten({ outbox, rechecks, synced }: Run): void {
  for (const { trigger, issue } of rechecks.filter(isAsking)) {
    if (issue === undefined || isKnown(trigger, outbox.config)) continue;
    synced.left.push({ trigger, issue, because: "its trigger is no longer in triggers/" });
  }
}

/**
 * Firings that the body's hidden line does not mention, or mentions as routine although they are contrary now. Without
 * that line, all count as mentioned.
 */
export function unreportedIn(body: string, firings: readonly StoredFiring[]): StoredFiring[] {
  const mark = markOf(body);
  if (!mark || mark.more > 0) return [];
  const isMentioned = mentionsOf(mark);
  return firings.filter((firing) => !isMentioned(firing));
}

/** Whether a recheck is snoozed at this time: comments wait, but the body is still updated. */
export function isAsleep(recheck: StoredRecheck, at: Instant): boolean {
  return recheck.state === "open" && typeof recheck.snoozed === "number" && recheck.snoozed > at;
}

/** Asks again in rechecks whose snooze has ended. */
async function wakeByTime(run: Run): Promise<void> {
  const now = run.outbox.clock.now();
  for (const recheck of run.rechecks) {
    if (recheck.state !== "open") continue;
    const { snoozed } = recheck;
    if (typeof snoozed === "number" && snoozed <= now) await wake(recheck, `it was snoozed until ${day(snoozed)}`, run);
  }
}

/** Ends a snooze *until something new* when something new joins. `isReported`: a comment reports it. */
export async function wakeByEvent(recheck: StoredRecheck | undefined, isReported: boolean, run: Run): Promise<void> {
  if (recheck?.state !== "open" || recheck.snoozed !== "next-event") return;
  if (isReported) await changeRecheck(run, recheck.id, { state: "open", issue: recheck.issue });
  else await wake(recheck, "something new was seen", run);
}

async function wake({ id, issue, snoozed }: IssuedRecheck, because: string, run: Run): Promise<void> {
  // The count of firings changes whenever one joins.
  const word = `${issue}wake${snoozed === "next-event" ? run.firings.length : snoozed}`;
  const planned = run.outbox.clock.now();
  const body = `${commentMark(word)}\n\nThis is asked again: ${because}. The description of this issue lists everything that was seen.`;
  await run.outbox.store.commit(async (tx) => {
    await tx.updateRecheck(id, { state: "open", issue });
    await tx.say({ recheck: id, marker: commentMark(word), body, planned, done: false });
  });
  run.rechecks = run.rechecks.map((one) => (one.id === id ? applyChange(one, { state: "open", issue }) : one));
}

/**
 * Closes the second issue of a recheck that was created twice: GitHub's response to the first creation was lost, and
 * its lists showed the issue too late. The older issue stays, or the one that people have answered. A second issue that
 * people reopened stays open. `open`: all open issues with our label. @throws GitHubProblem
 */
async function closeTwins(open: readonly Issue[], run: Run): Promise<void> {
  for (const issue of open) {
    const mark = issue.own ? markOf(issue.body) : undefined;
    const recheck = run.rechecks.find(({ marker }) => marker === mark?.marker);
    if (!mark || recheck?.issue === undefined || recheck.issue === issue.number) continue;
    if (!issue.body.includes(endedMark)) await closeTwin(recheck, recheck.issue, issue.number, run);
  }
}

async function closeTwin(recheck: StoredRecheck, issue: number, other: number, run: Run): Promise<void> {
  const { github, synced } = run;
  const stays = isOver(recheck) ? issue : Math.min(issue, other);
  const goes = stays === issue ? other : issue;
  const said = `This repeats #${stays}, which GitHub reported too late. Answer there.`;
  const section = [beginLine(recheck.marker, recheck.trigger, [], []), endedMark, said, sectionEnd].join("\n\n");
  const { body, state } = await github.issue(goes);
  if (stays !== issue) await changeRecheck(run, recheck.id, { state: "open", issue: stays, written: undefined });
  if (state === "open") {
    const closed = { body: withSection(body, () => section), state: "closed", reason: "not_planned" } as const;
    await github.updateIssue(goes, closed);
  }
  synced.left.push({
    trigger: recheck.trigger,
    issue: goes,
    because: `it repeats #${stays}: the issue was opened twice`,
  });
}
