import { builtIn } from "../model/firing.ts";
import type { GitHub } from "../model/ports/index.ts";
import { GitHubProblem, isAsking } from "../model/ports/index.ts";
import { untrueSentences } from "./correct.ts";
import { renderIssue } from "./issue/body.ts";
import { commentMark, renderComment } from "./issue/comment.ts";
import { isKnown } from "./issue/question.ts";
import { questionOf } from "./issue/section.ts";
import { observe, wakeByEvent } from "./observe.ts";
import { type Action, isUnasked, plan, planCatchUp } from "./plan.ts";
import {
  addRecheck,
  feedRecheck,
  newWord,
  nothingSynced,
  type Outbox,
  type Run,
  readRunState,
  type State,
  type SyncResult,
} from "./run.ts";
import { writeOutbox } from "./write-outbox.ts";

/**
 * Brings GitHub up to date with the stored firings: reads the answers, plans, stores the plan, and writes. A failed
 * write stays in the outbox for the next run. Must not run twice at once for a repository.
 */
export async function sync(outbox: Outbox): Promise<SyncResult> {
  const synced = nothingSynced();
  if (outbox.github) await synchronise(outbox, outbox.github, synced);
  else preview(await readRunState(outbox.store), outbox, synced);
  return synced;
}

async function synchronise(outbox: Outbox, github: GitHub, synced: SyncResult): Promise<void> {
  const run: Run = { outbox, github, synced, ...(await readRunState(outbox.store)) };
  try {
    await observe(run);
    const recovered = await outbox.recover?.();
    if (recovered) {
      synced.adopted.push(...recovered.adopted);
      synced.answered.push(...recovered.answered);
      Object.assign(run, await readRunState(outbox.store));
    }
    if (outbox.catchUp) await carryOut(planCatchUp(run.firings, run.rechecks, isKnownIn(outbox)), run);
    await carryOut(plan(run.firings, run.rechecks, isKnownIn(outbox)), run);
    await outbox.planned?.();
    await readFiles(run);
    await writeOutbox(run);
  } catch (error) {
    if (!(error instanceof GitHubProblem)) throw error;
    const { kind, message: says, resumeAt } = error;
    synced.problems.push({ kind, says, resumeAt });
    await reportUnwritten(run, says);
  }
}

/**
 * Reads the files that issue texts show. If people edit by hand, always; else only if an open recheck asks about a
 * sentence of the report, about an address in it, or about a finding of the first check.
 */
async function readFiles(run: Run): Promise<void> {
  const { config, commands, files } = run.outbox;
  const open = new Set(run.rechecks.filter(isAsking).map(({ id }) => id));
  const asking = run.firings.filter(({ recheck }) => recheck !== undefined && open.has(recheck));
  const isOfReport = asking.some(({ trigger }) => trigger === builtIn.notFound);
  const isOfAddress = asking.some(({ evidence }) => evidence.some(({ change }) => change.kind === "link"));
  if (!commands || isOfReport || isOfAddress || untrueSentences(asking, config).length > 0) run.files = await files?.();
}

function isKnownIn({ config }: Outbox): (trigger: string) => boolean {
  return (trigger) => isKnown(trigger, config);
}

/** Stores the plan; later runs complete it if this one is interrupted. */
async function carryOut(actions: readonly Action[], run: Run): Promise<void> {
  const { outbox } = run;
  for (const action of actions) {
    if (action.kind === "open") {
      const { trigger, previous, firings } = action;
      const opened = outbox.clock.now();
      await addRecheck(run, { trigger, state: "planned", marker: newWord(outbox), opened, previous }, firings);
    } else {
      const comment = commentFor(action, run);
      const joined = run.rechecks.find(({ id }) => id === action.recheck);
      await feedRecheck(run, action.recheck, action.firings, comment);
      await wakeByEvent(joined, comment !== undefined, run);
    }
  }
}

function commentFor({ recheck: id, contrary }: Extract<Action, { kind: "join" }>, run: Run) {
  const recheck = run.rechecks.find((each) => each.id === id);
  if (!recheck || contrary.length === 0) return undefined;
  const joined = run.firings.filter((firing) => contrary.includes(firing.id));
  const word = newWord(run.outbox);
  const body = renderComment(questionOf(recheck, joined, run, run.outbox), joined, word);
  return { marker: commentMark(word), body, planned: run.outbox.clock.now(), done: false };
}

function preview(state: State, outbox: Outbox, synced: SyncResult): void {
  for (const action of plan(state.firings, state.rechecks, isKnownIn(outbox))) {
    if (action.kind === "join") {
      const open = state.rechecks.find(({ id }) => id === action.recheck);
      if (open?.issue !== undefined) synced.wouldUpdate.push({ trigger: open.trigger, issue: open.issue });
      continue;
    }
    const fed = state.firings.filter(({ id }) => action.firings.includes(id));
    const { trigger, previous } = action;
    const planned = { trigger, previous, state: "planned", marker: "", opened: 0 } as const;
    synced.wouldOpen.push(issueToOpen(planned, fed, state, outbox));
  }
  for (const recheck of state.rechecks) {
    if (recheck.state !== "planned" || !isKnown(recheck.trigger, outbox.config)) continue;
    const fed = state.firings.filter((firing) => firing.recheck === recheck.id);
    synced.wouldOpen.push(issueToOpen(recheck, fed, state, outbox));
  }
}

function issueToOpen(recheck: Parameters<typeof questionOf>[0], fed: State["firings"], state: State, outbox: Outbox) {
  const { title, labels } = renderIssue(questionOf(recheck, fed, state, outbox));
  return { trigger: recheck.trigger, title, labels: labels.map(({ name }) => name) };
}

async function reportUnwritten(
  { outbox: { store, config }, rechecks, firings, synced }: Run,
  because: string,
): Promise<void> {
  const asking = rechecks.filter((one) => isAsking(one) && isKnown(one.trigger, config));
  const said = new Set(synced.waiting.map(({ trigger, what }) => `${what} ${trigger}`));
  const add = (trigger: string, what: "issue" | "comment"): void => {
    if (!said.has(`${what} ${trigger}`)) synced.waiting.push({ trigger, what, because });
    said.add(`${what} ${trigger}`);
  };
  for (const { trigger, issue } of asking) if (issue === undefined) add(trigger, "issue");
  for (const comment of await store.comments(false)) {
    const recheck = asking.find(({ id, issue }) => id === comment.recheck && issue !== undefined);
    if (recheck) add(recheck.trigger, "comment");
  }
  for (const firing of firings.filter((one) => isUnasked(one) && isKnown(one.trigger, config))) {
    add(firing.trigger, asking.some(({ trigger }) => trigger === firing.trigger) ? "comment" : "issue");
  }
}
