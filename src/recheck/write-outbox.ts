import { digest } from "../model/digest.ts";
import {
  type GitHub,
  type GitHubProblemKind,
  type Issue,
  isAsking,
  isOver,
  problemIn,
  type Sending,
  type StoredComment,
  type StoredRecheck,
  tolerate,
} from "../model/ports/index.ts";
import { refusalSays } from "../model/words.ts";
import { type Creation, createCommentOnce, createOnce, type Wait } from "./create-once.ts";
import { isReply } from "./issue/comment.ts";
import { hasMarker, markOf } from "./issue/marker.ts";
import { isKnown } from "./issue/question.ts";
import { type IssueText, issueText } from "./issue/section.ts";
import { assigneesOf, type Label } from "./issue/title.ts";
import { closeAsPeopleDid, isAsleep, issueOf, readIssue } from "./observe.ts";
import { isHeld, reportRefused, tryWriting } from "./refusals.ts";
import { budgetOf, changeRecheck, type IssuedRecheck, type PlannedRecheck, paceOf, type Run } from "./run.ts";

/**
 * Writes everything that is stored and not yet on GitHub: new contrary issues, then open issues, then new routine ones.
 * @throws GitHubProblem
 */
export async function writeOutbox(run: Run): Promise<void> {
  const { config, store } = run.outbox;
  const asking = run.rechecks.filter((one) => isAsking(one) && isKnown(one.trigger, config));
  const planned = asking.filter((one) => one.state === "planned");
  const contrary = new Set(run.firings.flatMap(({ recheck, weight }) => (weight === "contrary" ? [recheck] : [])));

  const ours = new Set(run.rechecks.flatMap(({ issue, state }) => (state === "closing" ? [issue] : [])));
  for (const recheck of run.rechecks) {
    if (recheck.state === "closing") await writeToExisting(run, () => closeIssue(recheck, run));
  }
  for (const recheck of planned.filter(({ id }) => contrary.has(id))) {
    await recordProblems(run, () => createIssue(recheck, run), ["invalid"]);
  }
  // A comment refers to the text of its issue, so it waits for that text and for earlier comments.
  const unwrittenIssues = new Set<number | undefined>();
  for (const recheck of asking) {
    if (recheck.state !== "open") continue;
    if (await writeToExisting(run, () => updateIssue(recheck, run))) unwrittenIssues.add(recheck.id);
  }
  await rewriteClosed(ours, run);
  for (const comment of await store.comments(false)) {
    if (unwrittenIssues.has(comment.recheck)) continue;
    if (await writeToExisting(run, () => writeComment(comment, run))) unwrittenIssues.add(comment.recheck);
  }
  for (const recheck of planned.filter(({ id }) => !contrary.has(id))) {
    await recordProblems(run, () => createIssue(recheck, run), ["invalid"]);
  }
  await linkRelated(run);
  reportRefused(run);
}

/** Problems of a single issue: its text is refused, or it was deleted meanwhile. The next run sees which. */
const ofOneIssue: readonly GitHubProblemKind[] = ["invalid", "not-found", "deleted"];

/** After this many failed edits and comments, GitHub as a whole counts as unavailable. */
const maxUnavailable = 3;

/** Writes to an existing issue, and returns whether GitHub was unavailable. One failing issue does not stop the others. */
async function writeToExisting(run: Run, work: () => Promise<void>): Promise<boolean> {
  const failureCount = () => run.synced.problems.filter(({ kind }) => kind === "unavailable").length;
  const before = failureCount();
  await recordProblems(run, work, before + 1 < maxUnavailable ? [...ofOneIssue, "unavailable"] : ofOneIssue);
  return failureCount() > before;
}

/** Records problems of these kinds and continues, so that one issue does not stop the others. */
async function recordProblems(
  { outbox, synced }: Run,
  work: () => Promise<void>,
  passing: readonly GitHubProblemKind[],
): Promise<void> {
  if (outbox.stopped?.()) return;
  try {
    await work();
  } catch (error) {
    const { kind, message } = problemIn(error, ...passing);
    synced.problems.push({ kind, says: message });
  }
}

/** The issue type of a recheck, if the organisation has defined it. */
const issueType = "Recheck";

async function createIssue(recheck: PlannedRecheck, run: Run): Promise<void> {
  const { outbox, github, synced } = run;
  const { id, trigger, attempted } = recheck;
  const text = issueText(recheck, run, outbox);
  const labels = text.labels.map(({ name }) => name);
  const assignees = assigneesOf(text.firings, outbox.config);
  const draft = { title: text.title, body: text.body, labels, type: issueType };
  const creation: Creation<Issue> = {
    attempted,
    find: () => github.findIssue(isMadeFor(recheck, run)),
    wait: async () => paceOf(run, recheck),
    prepare: () => github.ensureLabels(text.labels),
    note: (sent) => changeRecheck(run, id, { state: "planned", attempted: sent, titled: text.title }),
    create: (sending) => createFor(assignees, draft, github, sending),
  };
  const writing = { what: "text", digest: digest([draft, assignees]) } as const;
  const attempt = await tryWriting(recheck, writing, run, async () => {
    const published = await createOnce(creation, budgetOf(outbox));
    if (published.kind === "waits") noteWait(trigger, "issue", published, run);
    else if (published.kind === "found") await adopt(recheck, published.made, run);
    else await keepCreated(recheck, published.made, text, run);
    return published.kind !== "waits";
  });
  if (attempt.kind === "held") {
    noteWait(trigger, "issue", { because: refusalSays(attempt.refusal), until: attempt.refusal.next }, run);
  } else if (attempt.kind === "refused") {
    synced.problems.push({ kind: attempt.problem.kind, says: attempt.problem.message });
  }
}

function noteWait(trigger: string, what: "issue" | "comment", { because, until }: Wait, { synced }: Run): void {
  synced.waiting.push({ trigger, what, because, until });
}

/** Creates the issue; without assignees if GitHub does not know one of them. */
async function createFor(
  assignees: readonly string[],
  draft: Omit<Parameters<GitHub["createIssue"]>[0], "assignees">,
  github: GitHub,
  sending: Sending,
): Promise<Issue> {
  try {
    return await github.createIssue({ ...draft, assignees }, sending);
  } catch (error) {
    if (assignees.length === 0) throw error;
    problemIn(error, "invalid");
    return await github.createIssue(draft, sending);
  }
}

/**
 * Recognises the issue that an earlier, interrupted attempt created: by its marker or, if people deleted the marker, by
 * its first title. Anybody can use that title, but only people with access can set the label.
 */
function isMadeFor(recheck: PlannedRecheck, run: Run): (issue: Issue) => boolean {
  const firings = run.firings.filter(({ fired }) => fired <= (recheck.attempted ?? 0));
  const title = recheck.titled ?? issueText(recheck, { ...run, firings }, run.outbox).title;
  const others = new Set(run.rechecks.map(({ issue }) => issue));
  const isMarked = hasMarker(recheck.marker);
  return (issue) =>
    isMarked(issue) ||
    (issue.title === title &&
      issue.labels.includes("recheck") &&
      markOf(issue.body) === undefined &&
      !others.has(issue.number));
}

async function keepCreated(
  { id, trigger }: PlannedRecheck,
  { number, url }: Issue,
  text: IssueText,
  run: Run,
): Promise<void> {
  const { store } = run.outbox;
  await changeRecheck(run, id, {
    state: "open",
    issue: number,
    ...text.stored,
    titled: text.title,
    refused: undefined,
  });
  // The body of the new issue already contains these comments.
  for (const comment of await store.comments(false)) {
    if (comment.recheck === id && !isReply(comment)) await store.updateComment(comment.id, { done: true });
  }
  const labels = text.labels.map(({ name }) => name);
  run.synced.opened.push({ trigger, title: text.title, labels, issue: number, url });
}

/** Takes over an issue that an earlier, interrupted attempt created. */
async function adopt({ id, trigger }: PlannedRecheck, issue: Issue, run: Run): Promise<void> {
  const { title, labels, number, url } = issue;
  await changeRecheck(run, id, { state: "open", issue: number });
  run.synced.opened.push({ trigger, title, labels, issue: number, url });
  const adopted = run.rechecks.find((one) => one.id === id);
  if (adopted?.state === "open") await updateIssue(adopted, run);
}

async function updateIssue(recheck: IssuedRecheck, run: Run): Promise<void> {
  const text = issueText(recheck, run, run.outbox);
  const writing = { what: "text", digest: text.stored.written } as const;
  await tryWriting(recheck, writing, run, async () => {
    if (text.stored.written !== recheck.written) await rewriteIssue(recheck, text, run);
    return true;
  });
}

async function rewriteIssue(recheck: IssuedRecheck, text: IssueText, run: Run): Promise<void> {
  const { github, synced } = run;
  // Read as late as possible: edits that people make after this are overwritten.
  const issue = await github.issue(recheck.issue);
  if (issue.state === "closed") return await closeAsPeopleDid(recheck, issue, run);
  await addLabels(issue, text.labels, github);
  const body = text.in(issue.body);
  // A title that a person wrote stays.
  const isOurs = issue.title === recheck.titled || issue.title === text.title;
  const title = isOurs && issue.title !== text.title ? text.title : undefined;
  if (body !== issue.body || title !== undefined) {
    const state = await github.updateIssue(recheck.issue, { body, title });
    // Closed just before the write: people answered its earlier text.
    if (state === "closed") return await closeAsPeopleDid(recheck, issue, run);
    synced.updated.push(recheck.issue);
  }
  await changeRecheck(run, recheck.id, { ...text.stored, ...(isOurs && { titled: text.title }) });
}

/** Adds labels that the issue never had: labels that people removed are not added again. */
async function addLabels(issue: Issue, labels: readonly Label[], github: GitHub): Promise<void> {
  const given = new Set([...(markOf(issue.body)?.labels ?? []), ...issue.labels]);
  const added = labels.filter(({ name }) => !given.has(name));
  if (added.length === 0) return;
  await github.ensureLabels(added);
  const names = added.map(({ name }) => name);
  await github.addLabels(issue.number, names);
}

async function closeIssue(recheck: StoredRecheck & { readonly state: "closing" }, run: Run): Promise<void> {
  const { outbox, github, synced } = run;
  await tryWriting(recheck, { what: "text" }, run, async () => {
    const { number, issue } = await issueOf(recheck, github);
    const { closed, verdict } = recheck;
    let fields: Partial<IssueText["stored"]> = {};
    if (issue?.state === "open") {
      const text = issueText(recheck, run, outbox);
      const reason = verdict?.kind === "dismiss" ? "not_planned" : "completed";
      await github.updateIssue(issue.number, { body: text.in(issue.body), state: "closed", reason });
      fields = text.stored;
    }
    if (issue) synced.closed.push(issue.number);
    await changeRecheck(run, recheck.id, { state: "closed", issue: number, closed, verdict, ...fields });
    return true;
  });
}

/**
 * Rewrites issues that a person has closed: their text still asks, and may mention answers in a pull request. `ours`:
 * issues that this run closes itself.
 */
async function rewriteClosed(ours: ReadonlySet<number | undefined>, run: Run): Promise<void> {
  const { synced, outbox } = run;
  for (const recheck of run.rechecks) {
    const { issue, trigger } = recheck;
    if (issue === undefined || ours.has(issue) || !isOver(recheck) || !isKnown(trigger, outbox.config)) continue;
    const isGone = recheck.state === "closed" && recheck.gone;
    const isReported = recheck.written !== undefined || recheck.pull?.ended === undefined || isGone;
    if (!synced.closed.includes(issue) && isReported) continue;
    await writeToExisting(run, () => writeEnding(recheck, issue, run));
  }
}

/** Writes into its issue how a closed recheck ended, unless the issue was reopened meanwhile. */
async function writeEnding(recheck: StoredRecheck, number: number, run: Run): Promise<void> {
  const { outbox, github } = run;
  await tryWriting(recheck, { what: "text" }, run, async () => {
    const issue = await readIssue(github, number);
    if (issue?.state !== "closed") return true;
    const text = issueText(recheck, run, outbox);
    const body = text.in(issue.body);
    if (body !== issue.body) await github.updateIssue(number, { body });
    await changeRecheck(run, recheck.id, text.stored);
    return true;
  });
}

/**
 * Writes a comment exactly once. A comment about evidence waits while its recheck is snoozed, and is dropped when the
 * recheck is answered: evidence that the body did not mention goes into a new recheck. A reply is always written,
 * unless its issue is deleted, or closed and locked.
 */
async function writeComment(comment: StoredComment, run: Run): Promise<void> {
  const { store, clock } = run.outbox;
  const recheck = run.rechecks.find(({ id }) => id === comment.recheck);
  if (recheck?.issue === undefined) return;
  const { issue, trigger } = recheck;
  const writing = { what: "comment" } as const;
  if (isOver(recheck)) {
    const isOwed = isReply(comment) && !isHeld(recheck, writing, clock.now());
    const answer = isOwed
      ? await tolerate(createComment(comment, issue, trigger, run), "deleted", "not-found", "locked")
      : undefined;
    // The comment is not needed, or its conversation is over.
    if (answer === undefined) await store.updateComment(comment.id, { done: true });
  } else if (isReply(comment) || !isAsleep(recheck, clock.now())) {
    // The next run handles an open issue that is gone.
    await tryWriting(recheck, writing, run, () => createComment(comment, issue, trigger, run));
  }
}

/** Returns whether it exists now. */
async function createComment(comment: StoredComment, issue: number, trigger: string, run: Run): Promise<boolean> {
  const { outbox, github, synced } = run;
  const published = await createCommentOnce(comment, issue, { ...budgetOf(outbox), store: outbox.store, github });
  if (published.kind === "created") synced.commented.push(issue);
  if (published.kind === "waits") noteWait(trigger, "comment", published, run);
  return published.kind !== "waits";
}

/** Links rechecks of the same event to each other. Their numbers are known only when all issues exist. */
async function linkRelated(run: Run): Promise<void> {
  if (run.synced.opened.length === 0) return;
  const openRechecks = run.rechecks.filter(
    (one): one is IssuedRecheck => one.state === "open" && isKnown(one.trigger, run.outbox.config),
  );
  const fed = Map.groupBy(run.firings, ({ event }) => event.key);
  const isShared = (recheck: number): boolean =>
    [...fed.values()].some(
      (its) => its.some((one) => one.recheck === recheck) && its.some((one) => one.recheck !== recheck),
    );
  for (const recheck of openRechecks)
    if (isShared(recheck.id)) await writeToExisting(run, () => updateIssue(recheck, run));
}
