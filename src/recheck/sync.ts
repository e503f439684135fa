import { GitHubProblem, isAsking } from "../model/ports/index.ts";
import { deliver } from "./deliver.ts";
import { commentMark, renderComment } from "./issue/comment.ts";
import { isKnown } from "./issue/question.ts";
import { render } from "./issue/section.ts";
import { observe, wakeByEvent } from "./observe.ts";
import { newWord, type Outbox, questionOf, type State, type Synced, stateOf } from "./outbox.ts";
import { type Action, isUnasked, plan, planCatchUp } from "./plan.ts";

export type { Outbox, Synced } from "./outbox.ts";

/**
 * Brings GitHub up to date with the stored firings: sees what people answered, plans, stores the plan, and writes. What
 * could not be written stays in the outbox. Not to be run twice at once for one repository.
 */
export async function sync(outbox: Outbox): Promise<Synced> {
  const told: Synced = {
    opened: [],
    updated: [],
    commented: [],
    closed: [],
    gone: [],
    reopened: [],
    left: [],
    waiting: [],
    wouldOpen: [],
    wouldUpdate: [],
    problems: [],
  };
  if (!outbox.github) {
    await preview(outbox, told);
    return told;
  }
  try {
    await observe(outbox, outbox.github, told);
    await outbox.recover?.();
    await store(outbox);
    await outbox.planned?.();
    await deliver(outbox, outbox.github, told);
  } catch (error) {
    if (!(error instanceof GitHubProblem)) throw error;
    const { kind, message: says, resumeAt } = error;
    told.problems.push({ kind, says, ...(resumeAt === undefined ? {} : { resumeAt }) });
    await left(outbox, told, says);
  }
  return told;
}

/** Keeps the plan: from then on it is carried out, whatever happens. */
async function store(outbox: Outbox): Promise<void> {
  if (outbox.catchUp) {
    const state = await stateOf(outbox.store);
    await carryOut(planCatchUp(state.firings, state.rechecks, known(outbox)), state, outbox);
  }
  const state = await stateOf(outbox.store);
  await carryOut(planned(state, outbox), state, outbox);
}

async function carryOut(actions: readonly Action[], state: State, outbox: Outbox): Promise<void> {
  for (const action of actions) {
    if (action.kind === "open") {
      const { trigger, previous } = action;
      const recheck = {
        trigger,
        state: "planned",
        marker: newWord(outbox),
        opened: outbox.clock.now(),
        previous,
      } as const;
      await outbox.store.openRecheck(recheck, action.firings);
    } else {
      const { recheck, firings } = action;
      const comment = commentFor(action, state, outbox);
      await outbox.store.joinRecheck(recheck, firings, outbox.clock.now(), comment);
      const joined = state.rechecks.find(({ id }) => id === recheck);
      await wakeByEvent(joined, comment !== undefined, outbox);
    }
  }
}

function planned({ firings, rechecks }: State, outbox: Outbox): Action[] {
  return plan(firings, rechecks, known(outbox));
}

function known({ config }: Outbox): (trigger: string) => boolean {
  return (trigger) => isKnown(trigger, config);
}

function commentFor({ recheck: id, contrary }: Extract<Action, { kind: "join" }>, state: State, outbox: Outbox) {
  const recheck = state.rechecks.find((each) => each.id === id);
  if (!recheck || contrary.length === 0) return undefined;
  const joined = state.firings.filter((firing) => contrary.includes(firing.id));
  const word = newWord(outbox);
  const body = renderComment(questionOf(recheck, joined, state, outbox), joined, word);
  return { marker: commentMark(word), body, done: false };
}

/** What would be done with a GitHub; nothing is stored. */
async function preview(outbox: Outbox, told: Synced): Promise<void> {
  const state = await stateOf(outbox.store);
  for (const action of planned(state, outbox)) {
    if (action.kind === "join") {
      const open = state.rechecks.find(({ id }) => id === action.recheck);
      if (open?.issue !== undefined) told.wouldUpdate.push({ trigger: open.trigger, issue: open.issue });
      continue;
    }
    const fed = state.firings.filter(({ id }) => action.firings.includes(id));
    const recheck = {
      trigger: action.trigger,
      marker: "",
      previous: action.previous,
      opened: 0,
      state: "planned",
    } as const;
    told.wouldOpen.push(opening(recheck, fed, state, outbox));
  }
  for (const recheck of state.rechecks) {
    if (recheck.state !== "planned" || !isKnown(recheck.trigger, outbox.config)) continue;
    const fed = state.firings.filter((firing) => firing.recheck === recheck.id);
    told.wouldOpen.push(opening(recheck, fed, state, outbox));
  }
}

function opening(recheck: Parameters<typeof questionOf>[0], fed: State["firings"], state: State, outbox: Outbox) {
  const { title, labels } = render(questionOf(recheck, fed, state, outbox));
  return { trigger: recheck.trigger, title, labels: labels.map(({ name }) => name) };
}

/** Says of everything that is not written yet why it waits. */
async function left({ store, config }: Outbox, told: Synced, because: string): Promise<void> {
  const open = (await store.rechecks()).filter((one) => isAsking(one) && isKnown(one.trigger, config));
  const said = new Set(told.waiting.map(({ trigger, what }) => `${what} ${trigger}`));
  const add = (trigger: string, what: "issue" | "comment"): void => {
    if (!said.has(`${what} ${trigger}`)) told.waiting.push({ trigger, what, because });
    said.add(`${what} ${trigger}`);
  };
  for (const { trigger, issue } of open) if (issue === undefined) add(trigger, "issue");
  for (const comment of await store.comments(false)) {
    const recheck = open.find(({ id, issue }) => id === comment.recheck && issue !== undefined);
    if (recheck) add(recheck.trigger, "comment");
  }
  const loose = (await store.firings()).filter((firing) => isUnasked(firing) && isKnown(firing.trigger, config));
  for (const { trigger } of loose) add(trigger, open.some((one) => one.trigger === trigger) ? "comment" : "issue");
}
