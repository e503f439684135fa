import { digest } from "../model/digest.ts";
import { builtIn } from "../model/firing.ts";
import type { Instant } from "../model/model.ts";
import {
  type GitHub,
  GitHubProblem,
  type Issue,
  isAsking,
  isOver,
  type StoredComment,
  type StoredRecheck,
} from "../model/ports/index.ts";
import { isReply } from "./issue/comment.ts";
import { holds, markOf, mergeBody } from "./issue/marker.ts";
import { assigneesOf, isKnown, type Label } from "./issue/question.ts";
import { sectionOf, wholeBody } from "./issue/section.ts";
import { close, isAsleep, issueOf, readIssue } from "./observe.ts";
import {
  capSays,
  each,
  isHeld,
  mayArrive,
  once,
  refusalSays,
  refuse,
  sayRefused,
  type Writing,
  writeComment,
  writeText,
} from "./once.ts";
import { isCapped, isFull, type Outbox, type Synced, stateOf } from "./outbox.ts";

/**
 * Writes what is stored and not yet on GitHub: contrary questions first, then what is open already, then the routine
 * ones. Each creation is noted before it is sent, and looked for before it is sent again. @throws GitHubProblem
 */
export async function deliver(outbox: Outbox, github: GitHub, told: Synced): Promise<void> {
  const state = await stateOf(outbox.store);
  const writing: Writing = { outbox, github, state, told };
  const asking = state.rechecks.filter((one) => isAsking(one) && isKnown(one.trigger, outbox.config));
  const planned = asking.filter((one) => one.state === "planned");
  const isContrary = ({ id }: StoredRecheck): boolean =>
    state.firings.some(({ recheck, weight }) => recheck === id && weight === "contrary");

  for (const recheck of state.rechecks) {
    if (recheck.state === "closing")
      await each(writing, () => writeText(recheck, writing, () => finish(recheck, writing)));
  }
  for (const recheck of planned.filter(isContrary)) await each(writing, () => create(recheck, writing), ["invalid"]);
  for (const recheck of asking) {
    if (recheck.state === "open") await each(writing, () => rewrite(recheck, writing));
  }
  await sayClosed(writing);
  for (const comment of await outbox.store.comments(false)) await each(writing, () => tell(comment, writing));
  for (const recheck of planned.filter((one) => !isContrary(one)))
    await each(writing, () => create(recheck, writing), ["invalid"]);
  if (told.opened.length > 0) await linkUp(writing);
  await sayRefused(writing);
}

/** What hit several rechecks is told in each of them by numbers that are known only once all are there. */
async function linkUp(writing: Writing): Promise<void> {
  const state = await stateOf(writing.outbox.store);
  for (const recheck of state.rechecks) {
    if (recheck.state !== "open" || !isKnown(recheck.trigger, writing.outbox.config)) continue;
    await each(writing, () => rewrite(recheck, { ...writing, state }));
  }
}

type Planned = StoredRecheck & { readonly state: "planned" };
type Open = StoredRecheck & { readonly state: "open" };
type Closing = StoredRecheck & { readonly state: "closing" };

/** Rechecks have it where the organisation has defined it. */
const issueType = "Recheck";

async function create(recheck: Planned, writing: Writing): Promise<void> {
  const { outbox, github, state, told } = writing;
  const { store, clock } = outbox;
  if (recheck.attempted !== undefined) {
    const found = await github.findIssue(made(recheck, recheck.attempted, writing));
    if (found) return adopt(recheck, found, writing);
  }
  const early = mayArrive(recheck, clock.now());
  if (early !== undefined) {
    told.waiting.push({ trigger: recheck.trigger, what: "issue", because: early });
    return;
  }
  const { title, labels, question, kept } = sectionOf(recheck, state, outbox);
  const body = wholeBody(question);
  const names = labels.map(({ name }) => name);
  const assignees = assigneesOf(question.firings, outbox.config);
  const draft = { title, body, labels: names, type: issueType };
  const tried = digest([draft, assignees]);
  if (recheck.refused && isHeld(recheck, "text", clock.now(), tried)) {
    const { next: until } = recheck.refused;
    told.waiting.push({ trigger: recheck.trigger, what: "issue", because: refusalSays(recheck.refused), until });
    return;
  }
  const full = recheck.trigger !== builtIn.catchUp && (await isFull(recheck.id, outbox));
  if (full || (await isCapped(outbox))) {
    told.waiting.push({ trigger: recheck.trigger, what: "issue", because: full ? fullSays(outbox) : capSays(outbox) });
    return;
  }
  const send = async (): Promise<Issue> => {
    await github.ensureLabels(labels);
    await store.updateRecheck(recheck.id, { state: "planned", attempted: clock.now(), titled: title });
    await store.countCreation(clock.now());
    return await once(
      () => store.updateRecheck(recheck.id, { attempted: undefined }),
      () => createFor(assignees, draft, github),
      () => github.findIssue(holds(recheck.marker)),
    );
  };
  const issue = await send().catch(async (error: unknown) => {
    await refuse(error, recheck, "text", writing, tried);
    throw error;
  });
  await store.updateRecheck(recheck.id, { state: "open", issue: issue.number, ...kept, refused: undefined });
  // Its body tells what these were to tell.
  for (const comment of await store.comments(false)) {
    if (comment.recheck === recheck.id && !isReply(comment)) await store.updateComment(comment.id, { done: true });
  }
  const { number, url } = issue;
  told.opened.push({ trigger: recheck.trigger, title, labels: names, issue: number, url });
}

/** Where GitHub does not know one of them, the issue is nobody's. */
async function createFor(
  assignees: readonly string[],
  draft: Omit<Parameters<GitHub["createIssue"]>[0], "assignees">,
  github: GitHub,
): Promise<Issue> {
  try {
    return await github.createIssue({ ...draft, assignees });
  } catch (error) {
    if (assignees.length === 0 || !(error instanceof GitHubProblem) || error.kind !== "invalid") throw error;
    return await github.createIssue(draft);
  }
}

/**
 * Knows the issue that an earlier, interrupted try made after all: by its marker or, where people wiped that out before it
 * was found, by the title that it had then. Passers-by can give theirs the title, and not the label.
 */
function made(recheck: Planned, attempted: Instant, { outbox, state }: Writing): (issue: Issue) => boolean {
  const firings = state.firings.filter(({ fired }) => fired <= attempted);
  const title = recheck.titled ?? sectionOf(recheck, { ...state, firings }, outbox).title;
  const others = new Set(state.rechecks.map(({ issue }) => issue));
  const isOurs = holds(recheck.marker);
  return (issue) =>
    isOurs(issue) ||
    (issue.title === title &&
      issue.labels.includes("recheck") &&
      markOf(issue.body) === undefined &&
      !others.has(issue.number));
}

/** An issue that an earlier, interrupted try made after all. */
async function adopt(recheck: Planned, issue: Issue, writing: Writing): Promise<void> {
  const { outbox, told } = writing;
  const { title, labels, number, url } = issue;
  await outbox.store.updateRecheck(recheck.id, { state: "open", issue: number });
  told.opened.push({ trigger: recheck.trigger, title, labels, issue: number, url });
  const { titled, ...rest } = recheck;
  await rewrite({ ...rest, state: "open", issue: number }, writing);
}

/** Brings the text of an open issue up to date. */
async function rewrite(recheck: Open, writing: Writing): Promise<void> {
  const { written } = sectionOf(recheck, writing.state, writing.outbox).kept;
  await writeText(recheck, writing, () => update(recheck, writing), written);
}

async function update(recheck: Open, { outbox, github, state, told }: Writing): Promise<void> {
  if (sectionOf(recheck, state, outbox).kept.written === recheck.written) return;
  // Read as late as can be: what people write meanwhile would be overwritten.
  const issue = await github.issue(recheck.issue);
  if (issue.state === "closed") return close(recheck, issue, outbox, told);
  const { section, labels, kept } = sectionOf(recheck, state, outbox, issue);
  await addLabels(issue, labels, github);
  const body = mergeBody(issue.body, section);
  if (body !== issue.body) {
    const stands = await github.updateIssue(recheck.issue, { body });
    // Closed just before it was written: what it had told until then was answered.
    if (stands === "closed") return close(recheck, issue, outbox, told);
    told.updated.push(recheck.issue);
  }
  await outbox.store.updateRecheck(recheck.id, kept);
}

/** Gives an issue the labels that it did not have the last time. */
async function addLabels(issue: Issue, labels: readonly Label[], github: GitHub): Promise<void> {
  const given = new Set([...(markOf(issue.body)?.labels ?? []), ...issue.labels]);
  const added = labels.filter(({ name }) => !given.has(name));
  if (added.length === 0) return;
  await github.ensureLabels(added);
  await github.addLabels(
    issue.number,
    added.map(({ name }) => name),
  );
}

function fullSays({ config }: Outbox): string {
  return `at most ${config.limits.rechecksAnHour} rechecks are opened an hour`;
}

/** Closes the issue of a recheck that was closed here, with its last words. @throws GitHubProblem */
async function finish(recheck: Closing, { outbox, github, state, told }: Writing): Promise<void> {
  const { number, issue } = await issueOf(recheck, github);
  if (issue?.state === "open") {
    const { section, kept } = sectionOf(recheck, state, outbox, issue);
    const reason = recheck.verdict?.kind === "dismiss" ? "not_planned" : "completed";
    await github.updateIssue(issue.number, { body: mergeBody(issue.body, section), state: "closed", reason });
    await outbox.store.updateRecheck(recheck.id, kept);
  }
  if (issue) told.closed.push(issue.number);
  const { closed, verdict } = recheck;
  await outbox.store.updateRecheck(recheck.id, { state: "closed", issue: number, closed, verdict });
}

/**
 * The text of an issue that a person was just seen to have closed still asks, and tells of answers that wait in a pull
 * request until that ends: it is written once more. @throws GitHubProblem
 */
async function sayClosed(writing: Writing): Promise<void> {
  const { outbox, told } = writing;
  const ours = new Set(writing.state.rechecks.flatMap(({ issue, state }) => (state === "closing" ? [issue] : [])));
  // What it had not told of is asked about elsewhere by now.
  const state = await stateOf(outbox.store);
  for (const recheck of state.rechecks) {
    const { issue, trigger } = recheck;
    if (issue === undefined || ours.has(issue) || !isOver(recheck) || !isKnown(trigger, outbox.config)) continue;
    const isGone = recheck.state === "closed" && recheck.gone;
    const isTold = recheck.written !== undefined || recheck.pull?.ended === undefined || isGone;
    if (!told.closed.includes(issue) && isTold) continue;
    await each(writing, () => writeText(recheck, writing, () => lastWords(recheck, issue, { ...writing, state })));
  }
}

/** Nothing, where it was opened again meanwhile. */
async function lastWords(recheck: StoredRecheck, number: number, { outbox, github, state }: Writing): Promise<void> {
  const issue = await readIssue(github, number);
  if (issue?.state !== "closed") return;
  const { section, kept } = sectionOf(recheck, state, outbox, issue);
  const body = mergeBody(issue.body, section);
  if (body !== issue.body) await github.updateIssue(number, { body });
  await outbox.store.updateRecheck(recheck.id, kept);
}

/**
 * Writes a comment, exactly once. One that tells of evidence waits while its recheck is snoozed, and is dropped when
 * that was answered: what the answered body did not tell of is asked about anew. A reply is owed all the same, unless
 * its issue is closed and gone, or closed and locked: then the conversation is over. @throws GitHubProblem
 */
async function tell(comment: StoredComment, writing: Writing): Promise<void> {
  const { store, clock } = writing.outbox;
  const recheck = (await store.rechecks()).find(({ id }) => id === comment.recheck);
  if (recheck?.issue === undefined) return;
  const isHeldUp = isHeld(recheck, "comment", clock.now());
  const isLeft = isOver(recheck) && (isHeldUp || !isReply(comment));
  if (!isLeft) {
    if (isHeldUp || (isAsleep(recheck, clock.now()) && !isReply(comment))) return;
    try {
      if (!(await send(comment, recheck.issue, recheck.trigger, writing))) return;
      if (recheck.refused?.what === "comment") await store.updateRecheck(recheck.id, { refused: undefined });
    } catch (error) {
      // An open issue that is gone is seen to be the next time.
      if (isAsking(recheck)) return await refuse(error, recheck, "comment", writing);
      if (!(error instanceof GitHubProblem) || !["deleted", "not-found", "locked"].includes(error.kind)) throw error;
    }
  }
  await store.updateComment(comment.id, { done: true });
}

/** Whether it is there now. */
async function send(
  comment: StoredComment,
  issue: number,
  trigger: string,
  { outbox, github, told }: Writing,
): Promise<boolean> {
  const { store, clock } = outbox;
  const full = async () => ((await isCapped(outbox)) ? capSays(outbox) : undefined);
  const done = await writeComment(comment, issue, { store, clock, github, full });
  if (done === "written") told.commented.push(issue);
  if (typeof done === "string") return true;
  told.waiting.push({ trigger, what: "comment", ...done });
  return false;
}
