import type { StoredRecheck } from "../ports.ts";
import { each, writeText } from "./attempt.ts";
import { mergeBody } from "./marker.ts";
import { issueOf, readIssue } from "./observe.ts";
import { stateOf } from "./outbox.ts";
import { isKnown } from "./question.ts";
import { sectionOf } from "./section.ts";
import type { Writing } from "./writing.ts";

/** Closes the issue of a recheck that was closed here, with its last words. @throws GitHubProblem */
export async function finish(recheck: StoredRecheck, { outbox, github, state, told }: Writing): Promise<void> {
  const { number, issue } = await issueOf(recheck, github);
  if (issue?.state === "open") {
    const { section, kept } = sectionOf(recheck, state, outbox, issue);
    const reason = recheck.dismissed === undefined ? "completed" : "not_planned";
    await github.updateIssue(issue.number, { body: mergeBody(issue.body, section), state: "closed", reason });
    await outbox.store.updateRecheck(recheck.id, kept);
  }
  if (issue) told.closed.push(issue.number);
  await outbox.store.updateRecheck(recheck.id, { closing: undefined, issue: number });
}

/**
 * The text of an issue that a person was just seen to have closed still asks, and tells of answers that wait in a pull
 * request until that ends: it is written once more. @throws GitHubProblem
 */
export async function sayClosed(writing: Writing): Promise<void> {
  const { outbox, told } = writing;
  const ours = new Set(writing.state.rechecks.flatMap(({ issue, closing }) => (closing ? [issue] : [])));
  // What it had not told of is asked about elsewhere by now.
  const state = await stateOf(outbox.store);
  for (const recheck of state.rechecks) {
    const { issue, trigger } = recheck;
    if (issue === undefined || ours.has(issue) || recheck.state === "open" || !isKnown(trigger, outbox.config))
      continue;
    const isTold = recheck.written !== undefined || recheck.pull?.ended === undefined || recheck.gone;
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
