import { isNews } from "../model/firing.ts";
import type { Instant } from "../model/model.ts";
import {
  type Clock,
  type GitHub,
  GitHubProblem,
  type Issue,
  isAsking,
  isOver,
  type Store,
  type StoredFiring,
  type StoredRecheck,
} from "../model/ports/index.ts";
import { day } from "../model/time.ts";
import { commentMark } from "./issue/comment.ts";
import { around, firstLine, holds, markOf } from "./issue/marker.ts";
import { isKnown } from "./issue/question.ts";
import { newWord, type Outbox, type Synced, stateOf } from "./outbox.ts";

/**
 * Sees what people did: an issue that was closed, or deleted, is answered; one that was opened again is asked anew.
 * Firings that the last body of a closed one did not tell of are not answered: they are asked about anew. Before the
 * plan, so that what is new joins them. @throws GitHubProblem
 */
export async function observe(outbox: Outbox, github: GitHub, told: Synced): Promise<void> {
  await wakeByTime(outbox);
  const { rechecks } = await stateOf(outbox.store);
  for (const recheck of rechecks.filter(({ state }) => state === "closing")) {
    await succeed(recheck, (await issueOf(recheck, github)).issue, outbox);
  }
  await raise(outbox);
  if (rechecks.every(({ issue }) => issue === undefined)) return;
  const issues = await github.openIssues();
  const open = new Set(issues.map(({ number }) => number));
  await seeIssues(rechecks, issues, outbox);
  for (const recheck of rechecks) {
    if (recheck.state !== "open" || open.has(recheck.issue)) continue;
    const issue = await readIssue(github, recheck.issue);
    // Still open, where somebody took its label off.
    if (issue?.state !== "open") await close(recheck, issue, outbox, told);
  }
  await reopen(outbox, github, open, told);
  await sayForgotten(outbox, told);
}

/** Undefined where the issue is no more. The repository itself is there: its issues were just listed. */
export async function readIssue(github: GitHub, number: number): Promise<Issue | undefined> {
  try {
    return await github.issue(number);
  } catch (error) {
    if (error instanceof GitHubProblem && (error.kind === "deleted" || error.kind === "not-found")) return undefined;
    throw error;
  }
}

/** The issue of a recheck, also of one whose creation was not heard to succeed. `number`: it has or had one. */
export async function issueOf(
  { issue: known, attempted, marker }: StoredRecheck,
  github: GitHub,
): Promise<{ readonly number?: number; readonly issue?: Issue }> {
  if (known !== undefined) return { number: known, issue: await readIssue(github, known) };
  const issue = attempted === undefined ? undefined : await github.findIssue(holds(marker));
  return issue ? { number: issue.number, issue } : {};
}

/** A recheck whose issue's number is known now. */
export function withIssue(recheck: StoredRecheck, issue: number): StoredRecheck {
  return isOver(recheck) ? { ...recheck, issue } : { ...recheck, state: "open", issue };
}

/**
 * What the body of an answered issue did not tell of was not answered: a successor is to ask about it, and stands aside
 * until it may. Of an issue that is no more, or whose hidden line people wiped out, the body that was written last counts.
 */
async function succeed(
  { id: previous, trigger, tells = "" }: StoredRecheck,
  issue: Issue | undefined,
  outbox: Outbox,
): Promise<void> {
  const { store, clock } = outbox;
  const its = (await store.firings()).filter(({ recheck }) => recheck === previous);
  const told = issue && markOf(issue.body) ? issue.body : tells;
  const untold = untoldIn(told, its).map(({ id }) => id);
  if (untold.length === 0) return;
  const successor = { trigger, state: "queued", marker: newWord(outbox), opened: clock.now(), previous } as const;
  await store.openRecheck(successor, untold);
}

/** Closes a recheck as a person did its issue. A trigger has one open recheck: the successor stands aside until then. */
export async function close(
  recheck: StoredRecheck & { readonly state: "open" },
  issue: Issue | undefined,
  outbox: Outbox,
  told: Synced,
): Promise<void> {
  const { store, clock } = outbox;
  await succeed(recheck, issue, outbox);
  const gone = issue ? undefined : true;
  await store.updateRecheck(recheck.id, { state: "closed", issue: recheck.issue, closed: clock.now(), gone });
  await raise(outbox);
  (issue ? told.closed : told.gone).push(recheck.issue);
}

/** What people unlocked is written to at once; so is a body that tells something else than was written last. */
async function seeIssues(
  rechecks: readonly StoredRecheck[],
  issues: readonly Issue[],
  { store }: Pick<Outbox, "store">,
): Promise<void> {
  const seen = new Map(issues.map((issue) => [issue.number, issue]));
  for (const { id, issue: number = 0, refused, tells, written } of rechecks) {
    const issue = seen.get(number);
    if (!issue) continue;
    const unlocked = refused?.kind === "locked" && issue.locked === false;
    const undone = tells !== undefined && written !== undefined && firstLine(around(issue.body).section) !== tells;
    if (unlocked) await store.updateRecheck(id, { refused: undefined });
    if (undone) await store.updateRecheck(id, { written: undefined });
  }
}

/** Plans the rechecks that stand aside, once no other of their trigger asks. */
async function raise({ store }: Outbox): Promise<void> {
  const all = await store.rechecks();
  const taken = new Set(all.filter(isAsking).map(({ trigger }) => trigger));
  for (const { id, trigger, state } of all) {
    if (state !== "queued" || taken.has(trigger)) continue;
    await store.updateRecheck(id, { state: "planned" });
    taken.add(trigger);
  }
}

/** Opens the answered rechecks whose issue a person opened again, the newest of a trigger, unless it asks anew already. */
async function reopen(
  { store, clock }: Outbox,
  github: GitHub,
  open: ReadonlySet<number>,
  told: Synced,
): Promise<void> {
  const all = await store.rechecks();
  const asking = new Map<string, StoredRecheck>(all.filter(isAsking).map((one) => [one.trigger, one]));
  for (const recheck of all.toReversed()) {
    const { id, trigger, state, issue } = recheck;
    if (state !== "closed" || issue === undefined || !open.has(issue)) continue;
    const successor = asking.get(trigger);
    if (successor) {
      const where = successor.issue === undefined ? "a new issue" : `#${successor.issue}`;
      told.left.push({ trigger, issue, because: `it was reopened, but ${where} asks already` });
    } else if ((await readIssue(github, issue))?.state === "open") {
      await store.updateRecheck(id, { state: "open", issue });
      await askAnew(id, store, clock.now());
      asking.set(trigger, recheck);
      told.reopened.push(issue);
    }
  }
}

/** What was answered before the issue was opened again does not count for it any more. */
async function askAnew(recheck: number, store: Outbox["store"], at: Instant): Promise<void> {
  const its = (await store.firings()).filter((firing) => firing.recheck === recheck && !isNews(firing));
  await store.joinRecheck(
    recheck,
    its.map(({ id }) => id),
    at,
  );
}

/** An issue whose trigger config no longer has is nobody's to change: people close it when they are done. */
async function sayForgotten({ store, config }: Outbox, told: Synced): Promise<void> {
  for (const { trigger, issue } of (await store.rechecks()).filter(isAsking)) {
    if (issue === undefined || isKnown(trigger, config)) continue;
    told.left.push({ trigger, issue, because: "its trigger is no longer in triggers/" });
  }
}

/**
 * Firings that the body's hidden line does not name, or not as contrary as they are by now. Without that line nobody
 * knows: then all were told.
 */
export function untoldIn(body: string, firings: readonly StoredFiring[]): StoredFiring[] {
  const mark = markOf(body);
  if (!mark || mark.more > 0) return [];
  const { events, contrary = events.length } = mark;
  const places = new Map(events.map((key, place) => [key, place]));
  return firings.filter(({ event, weight }) => {
    const place = places.get(event.key);
    return place === undefined || (weight === "contrary" && place >= contrary);
  });
}

type Open = StoredRecheck & { readonly state: "open" };

interface Sleeping {
  readonly store: Store;
  readonly clock: Clock;
}

/** Whether it is not to be asked about yet. Comments wait until then; its body tells what is new all the same. */
export function isAsleep(recheck: StoredRecheck, at: Instant): boolean {
  return recheck.state === "open" && typeof recheck.snoozed === "number" && recheck.snoozed > at;
}

/** Asks again about what was snoozed until now. */
async function wakeByTime({ store, clock }: Sleeping): Promise<void> {
  const now = clock.now();
  for (const recheck of await store.rechecks()) {
    if (recheck.state !== "open") continue;
    const { snoozed } = recheck;
    if (typeof snoozed === "number" && snoozed <= now) await wake(recheck, `since ${day(snoozed)} has come`, store);
  }
}

/** Asks again about what was snoozed until something new comes, where something did. */
export async function wakeByEvent(
  recheck: StoredRecheck | undefined,
  told: boolean,
  { store }: Pick<Sleeping, "store">,
): Promise<void> {
  if (recheck?.state !== "open" || recheck.snoozed !== "next-event") return;
  if (told) await store.updateRecheck(recheck.id, { state: "open", issue: recheck.issue });
  else await wake(recheck, "since something new was seen", store);
}

async function wake({ id, marker, issue, snoozed }: Open, because: string, store: Store): Promise<void> {
  const word = `${marker}wake${snoozed === "next-event" ? await count(store) : snoozed}`;
  const body = `${commentMark(word)}\n\nThis is asked again, ${because}. The description of this issue holds all that was seen.`;
  await store.commit(async (tx) => {
    await tx.updateRecheck(id, { state: "open", issue });
    await tx.say({ recheck: id, marker: commentMark(word), body, done: false });
  });
}

/** Of all firings: another number whenever something joined. */
async function count(store: Store): Promise<number> {
  return (await store.firings()).length;
}
