import { builtIn } from "../askers.ts";
import { type GitHub, GitHubProblem, type GitHubProblemKind, type Issue, type StoredRecheck } from "../ports.ts";
import { renderCatchUp } from "../setup/catch-up-issue.ts";
import { assigneesOf } from "./assignees.ts";
import { mostCharacters } from "./clip.ts";
import { isReply } from "./comment.ts";
import { length } from "./inert.ts";
import { renderIssue, wholeBody } from "./issue.ts";
import type { Label } from "./labels.ts";
import { around, firstLine, markOf, mergeBody } from "./marker.ts";
import { close, issueOf, readIssue } from "./observe.ts";
import { isCapped, isFull, type Outbox, questionOf, type Synced, sectionHash, stateOf } from "./outbox.ts";
import { isKnown, type Question } from "./question.ts";
import { isHeld, refusalSays, refuse } from "./refuse.ts";
import { tell } from "./tell.ts";
import { capSays, mayArrive, once, type Writing } from "./writing.ts";

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

  for (const recheck of state.rechecks) {
    if (recheck.closing) await each(writing, () => text(recheck, writing, () => finish(recheck, writing)));
  }
  for (const recheck of unwritten.filter(isContrary)) await each(writing, () => create(recheck, writing), ["invalid"]);
  for (const recheck of open) {
    const { issue } = recheck;
    if (issue !== undefined) await each(writing, () => text(recheck, writing, () => update(recheck, issue, writing)));
  }
  await sayClosed(writing);
  for (const comment of await outbox.store.comments(false)) await each(writing, () => tell(comment, writing));
  for (const recheck of unwritten.filter((one) => !isContrary(one)))
    await each(writing, () => create(recheck, writing), ["invalid"]);
  if (told.opened.length > 0) await linkUp(writing);
  await sayRefused(writing);
}

/** What hit several rechecks is told in each of them by numbers that are known only once all are there. */
async function linkUp(writing: Writing): Promise<void> {
  const state = await stateOf(writing.outbox.store);
  for (const recheck of state.rechecks) {
    const { issue, trigger } = recheck;
    if (recheck.state !== "open" || issue === undefined || !isKnown(trigger, writing.outbox.config)) continue;
    await each(writing, () => text(recheck, writing, () => update(recheck, issue, { ...writing, state })));
  }
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

/** Writes the text of one issue, unless GitHub refused it and it is not time to try again. @throws GitHubProblem */
async function text(recheck: StoredRecheck, writing: Writing, write: () => Promise<void>): Promise<void> {
  const { store, clock } = writing.outbox;
  if (isHeld(recheck, "text", clock.now())) return;
  try {
    await write();
  } catch (error) {
    return await refuse(error, recheck, "text", writing);
  }
  if (recheck.refused?.what === "text") await store.updateRecheck(recheck.id, { refused: undefined });
}

/** Says of each issue that GitHub does not let us write to why it is left as it is. */
async function sayRefused({ outbox, told }: Writing): Promise<void> {
  for (const { trigger, issue, refused, closing, state } of await outbox.store.rechecks()) {
    const isOver = state === "closed" && !closing;
    if (refused && !isOver && issue !== undefined)
      told.left.push({ trigger, issue, because: refusalSays(refused, closing) });
  }
}

/** Rechecks have it where the organisation has defined it. */
const issueType = "Recheck";

async function create(recheck: StoredRecheck, writing: Writing): Promise<void> {
  const { outbox, github, state, told } = writing;
  const { store, clock } = outbox;
  if (recheck.attempted !== undefined) {
    const found = await github.findIssue(recheck.marker);
    if (found) return adopt(recheck, found, writing);
  }
  const early = mayArrive(recheck, clock.now());
  if (early !== undefined) {
    told.waiting.push({ trigger: recheck.trigger, what: "issue", because: early });
    return;
  }
  const full = recheck.trigger !== builtIn.catchUp && (await isFull(recheck.id, outbox));
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
  const draft = { title, body, labels: names, type: issueType };
  const issue = await once(
    () => store.updateRecheck(recheck.id, { attempted: undefined }),
    () => createFor(assignees, draft, github),
    () => github.findIssue(recheck.marker),
  );
  await store.updateRecheck(recheck.id, {
    issue: issue.number,
    written: sectionHash(section),
    tells: firstLine(section),
  });
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
  await store.updateRecheck(recheck.id, { written: sectionHash(render(question).body), tells: firstLine(section) });
}

function render(question: Question, room?: number): { title: string; body: string; labels: readonly Label[] } {
  const caughtUp = question.trigger === builtIn.catchUp ? renderCatchUp(question, room) : undefined;
  return caughtUp ?? renderIssue(question, room);
}

/** Closes the issue of a recheck that was closed here, with its last words. */
async function finish(recheck: StoredRecheck, { outbox, github, state, told }: Writing): Promise<void> {
  const { number, issue } = await issueOf(recheck, github);
  if (issue?.state === "open") {
    const fed = state.firings.filter((firing) => firing.recheck === recheck.id);
    const { before, after } = around(issue.body);
    const question = questionOf(recheck, fed, state, outbox);
    const section = render(question, mostCharacters - length(before) - length(after)).body;
    const reason = recheck.dismissed === undefined ? "completed" : "not_planned";
    await github.updateIssue(issue.number, { body: mergeBody(issue.body, section), state: "closed", reason });
    const written = sectionHash(render(question).body);
    await outbox.store.updateRecheck(recheck.id, { written, tells: firstLine(section) });
  }
  if (issue) told.closed.push(issue.number);
  await outbox.store.updateRecheck(recheck.id, { closing: undefined, issue: number });
}

/** The text of an issue that a person was just seen to have closed still asks: it is written once more. */
async function sayClosed(writing: Writing): Promise<void> {
  const { outbox, told } = writing;
  const ours = new Set(writing.state.rechecks.flatMap(({ issue, closing }) => (closing ? [issue] : [])));
  // What it had not told of is asked about elsewhere by now.
  const state = await stateOf(outbox.store);
  for (const recheck of state.rechecks) {
    const { issue, trigger } = recheck;
    if (issue === undefined || ours.has(issue) || recheck.state === "open" || !isKnown(trigger, outbox.config))
      continue;
    if (!told.closed.includes(issue)) continue;
    await each(writing, () => text(recheck, writing, () => lastWords(recheck, issue, { ...writing, state })));
  }
}

/** Nothing, where it was opened again meanwhile. */
async function lastWords(recheck: StoredRecheck, number: number, { outbox, github, state }: Writing): Promise<void> {
  const issue = await readIssue(github, number);
  if (issue?.state !== "closed") return;
  const fed = state.firings.filter((firing) => firing.recheck === recheck.id);
  const { before, after } = around(issue.body);
  const question = questionOf(recheck, fed, state, outbox);
  const section = render(question, mostCharacters - length(before) - length(after)).body;
  const body = mergeBody(issue.body, section);
  if (body !== issue.body) await github.updateIssue(number, { body });
  await outbox.store.updateRecheck(recheck.id, { written: sectionHash(render(question).body) });
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
