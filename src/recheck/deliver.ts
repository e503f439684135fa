import { builtIn } from "../askers.ts";
import {
  type GitHub,
  GitHubProblem,
  type GitHubProblemKind,
  type Issue,
  type StoredComment,
  type StoredRecheck,
} from "../ports.ts";
import { renderCatchUp } from "../setup/catch-up-issue.ts";
import { assigneesOf } from "./assignees.ts";
import { mostCharacters } from "./clip.ts";
import { isReply } from "./comment.ts";
import { length } from "./inert.ts";
import { renderIssue, wholeBody } from "./issue.ts";
import type { Label } from "./labels.ts";
import { around, markOf, mergeBody } from "./marker.ts";
import { close, readIssue, succeed } from "./observe.ts";
import {
  capOf,
  isCapped,
  isFull,
  type Outbox,
  questionOf,
  type State,
  type Synced,
  sectionHash,
  stateOf,
} from "./outbox.ts";
import { isKnown, type Question } from "./question.ts";
import { isAsleep } from "./snooze.ts";

/** What writing to one GitHub needs. */
interface Writing {
  readonly outbox: Outbox;
  readonly github: GitHub;
  readonly state: State;
  readonly told: Synced;
}

/**
 * Writes what is stored and not yet on GitHub: contrary questions first, then what is open already, then the routine
 * ones. Each creation is noted before it is sent, and looked for before it is sent again. @throws GitHubProblem
 */
export async function deliver(outbox: Outbox, github: GitHub, told: Synced): Promise<void> {
  const state = await stateOf(outbox.store);
  const writing: Writing = { outbox, github, state, told };
  const open = state.rechecks.filter(({ state: is, trigger }) => is === "open" && isKnown(trigger, outbox.config));
  const unwritten = open.filter(({ issue }) => issue === undefined);
  const isContrary = ({ id }: StoredRecheck): boolean =>
    state.firings.some(({ recheck, weight }) => recheck === id && weight === "contrary");

  for (const recheck of state.rechecks) if (recheck.closing) await each(writing, () => finish(recheck, writing));
  for (const recheck of unwritten.filter(isContrary)) await each(writing, () => create(recheck, writing), ["invalid"]);
  for (const recheck of open) {
    if (recheck.issue !== undefined) await each(writing, () => update(recheck, recheck.issue ?? 0, writing));
  }
  for (const comment of await outbox.store.comments(false)) await each(writing, () => write(comment, writing));
  for (const recheck of unwritten.filter((one) => !isContrary(one)))
    await each(writing, () => create(recheck, writing), ["invalid"]);
}

/** Of one issue: its text is refused, or it was deleted meanwhile. The next time sees which, and others go on. */
const ofOne: readonly GitHubProblemKind[] = ["invalid", "not-found", "deleted"];

/** What GitHub will not do to one issue holds up nothing else. `passing`: the kinds of problems that are such. */
async function each(
  { outbox, told }: Writing,
  work: () => Promise<void>,
  passing: readonly GitHubProblemKind[] = ofOne,
): Promise<void> {
  if (outbox.stopped?.()) return;
  try {
    await work();
  } catch (error) {
    if (!(error instanceof GitHubProblem) || !passing.includes(error.kind)) throw error;
    told.problems.push({ kind: error.kind, says: error.message });
  }
}

async function create(recheck: StoredRecheck, writing: Writing): Promise<void> {
  const { outbox, github, state, told } = writing;
  const { store, clock } = outbox;
  if (recheck.attempted !== undefined) {
    const found = await github.findIssue(recheck.marker);
    if (found) return adopt(recheck, found, writing);
  }
  const full = recheck.trigger !== builtIn.catchUp && (await isFull(outbox));
  if (full || (await isCapped(outbox))) {
    told.waiting.push({ trigger: recheck.trigger, what: "issue", because: full ? fullSays(outbox) : capSays(outbox) });
    return;
  }
  const fed = state.firings.filter((firing) => firing.recheck === recheck.id);
  const question = questionOf(recheck, fed, state, outbox);
  const { title, body: section, labels } = render(question);
  const body = recheck.trigger === builtIn.catchUp ? section : wholeBody(question);
  await github.ensureLabels(labels);
  await store.updateRecheck(recheck.id, { attempted: clock.now() });
  await store.countCreation(clock.now());
  const names = labels.map(({ name }) => name);
  const assignees = assigneesOf(fed, outbox.config);
  const draft = { title, body, labels: names };
  const issue = await once(
    () => createFor(assignees, draft, github),
    () => github.findIssue(recheck.marker),
  );
  await store.updateRecheck(recheck.id, { issue: issue.number, written: sectionHash(section) });
  // Its body tells what these were to tell.
  for (const comment of await store.comments(false)) {
    if (comment.recheck === recheck.id) await store.updateComment(comment.id, { done: true });
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

/** An issue that an earlier, interrupted try made after all. */
async function adopt(recheck: StoredRecheck, issue: Issue, writing: Writing): Promise<void> {
  const { outbox, told } = writing;
  const { title, labels, number, url } = issue;
  await outbox.store.updateRecheck(recheck.id, { issue: number });
  told.opened.push({ trigger: recheck.trigger, title, labels, issue: number, url });
  await update({ ...recheck, issue: number }, number, writing);
}

async function update(recheck: StoredRecheck, number: number, { outbox, github, state, told }: Writing): Promise<void> {
  const { store } = outbox;
  const fed = state.firings.filter((firing) => firing.recheck === recheck.id);
  const question = questionOf(recheck, fed, state, outbox);
  if (sectionHash(render(question).body) === recheck.written) return;
  // Read as late as can be: what people write meanwhile would be overwritten.
  const issue = await github.issue(number);
  if (issue.state === "closed") return close({ ...recheck, issue: number }, issue, outbox, told);
  const { before, after } = around(issue.body);
  const { body: section, labels } = render(question, mostCharacters - length(before) - length(after));
  await addLabels(issue, labels, github);
  const body = mergeBody(issue.body, section);
  if (body !== issue.body) {
    await github.updateIssue(number, { body });
    told.updated.push(number);
  }
  await store.updateRecheck(recheck.id, { written: sectionHash(render(question).body) });
}

function render(question: Question, room?: number): { title: string; body: string; labels: readonly Label[] } {
  const caughtUp = question.trigger === builtIn.catchUp ? renderCatchUp(question, room) : undefined;
  return caughtUp ?? renderIssue(question, room);
}

/** Closes the issue of a recheck that was closed here, with its last words. */
async function finish(recheck: StoredRecheck, { outbox, github, state, told }: Writing): Promise<void> {
  const known = recheck.issue ?? (recheck.attempted && (await github.findIssue(recheck.marker))?.number);
  const issue = known && (await readIssue(github, known));
  if (known && issue) {
    await succeed(recheck, issue, outbox);
    const fed = (await outbox.store.firings()).filter((firing) => firing.recheck === recheck.id);
    const { before, after } = around(issue.body);
    const room = mostCharacters - length(before) - length(after);
    const body = mergeBody(issue.body, render(questionOf(recheck, fed, state, outbox), room).body);
    const reason = recheck.dismissed === undefined ? "completed" : "not_planned";
    if (issue.state === "open") await github.updateIssue(known, { body, state: "closed", reason });
    told.closed.push(known);
  }
  await outbox.store.updateRecheck(recheck.id, { closing: undefined, ...(known && { issue: known }) });
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

async function write(comment: StoredComment, writing: Writing): Promise<void> {
  const { store, clock } = writing.outbox;
  const recheck = (await store.rechecks()).find(({ id }) => id === comment.recheck);
  if (recheck?.issue === undefined || (isAsleep(recheck, clock.now()) && !isReply(comment))) return;
  try {
    if (!(await send(comment, { ...recheck, issue: recheck.issue }, writing))) return;
  } catch (error) {
    // An issue that is closed and gone has nobody to tell; one that is open is seen to be gone the next time.
    if (recheck.state === "open" || !(error instanceof GitHubProblem) || !isGone(error)) throw error;
  }
  await store.updateComment(comment.id, { done: true });
}

function isGone({ kind }: GitHubProblem): boolean {
  return kind === "deleted" || kind === "not-found";
}

/** Whether it is there now. */
async function send(
  comment: StoredComment,
  { issue, trigger }: StoredRecheck & { readonly issue: number },
  { outbox, github, told }: Writing,
): Promise<boolean> {
  const { store, clock } = outbox;
  const isThere = comment.attempted !== undefined && (await github.findComment(issue, comment.marker));
  if (!isThere) {
    if (await isCapped(outbox)) {
      told.waiting.push({ trigger, what: "comment", because: capSays(outbox) });
      return false;
    }
    await store.updateComment(comment.id, { attempted: clock.now() });
    await store.countCreation(clock.now());
    await once(
      () => github.createComment(issue, comment.body).then(() => true),
      async () => (await github.findComment(issue, comment.marker)) || undefined,
    );
    told.commented.push(issue);
  }
  return true;
}

/** Sends once. Where the answer got lost, looks whether it arrived; if not, the next time tries again. */
async function once<T>(send: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof GitHubProblem) || !error.uncertain) throw error;
    const found = await find().catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

function capSays(outbox: Outbox): string {
  return `at most ${capOf(outbox)} issues, comments and pull requests are written an hour`;
}

function fullSays({ config }: Outbox): string {
  return `at most ${config.limits.rechecksAnHour} rechecks are opened an hour`;
}
