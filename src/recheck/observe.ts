import { type GitHub, GitHubProblem, type Issue, type StoredFiring, type StoredRecheck } from "../ports.ts";
import { markOf } from "./marker.ts";
import { newWord, type Outbox, type Synced, stateOf } from "./outbox.ts";

/**
 * Sees what people did: an issue that was closed, or deleted, is answered. Firings that its last body did not tell of
 * are not: they are asked about anew. @throws GitHubProblem
 */
export async function observe(outbox: Outbox, github: GitHub, told: Synced): Promise<void> {
  await raise(outbox);
  const { rechecks } = await stateOf(outbox.store);
  for (const recheck of rechecks) {
    if (recheck.state !== "open" || recheck.issue === undefined) continue;
    const issue = await read(github, recheck.issue);
    if (issue?.state !== "open") await close(recheck, issue, outbox, told);
  }
}

async function read(github: GitHub, number: number): Promise<Issue | undefined> {
  try {
    return await github.issue(number);
  } catch (error) {
    if (error instanceof GitHubProblem && error.kind === "deleted") return undefined;
    throw error;
  }
}

/** Closes a recheck as a person did its issue. The successor stands aside until then: a trigger has one open recheck. */
export async function close(
  recheck: StoredRecheck,
  issue: Issue | undefined,
  outbox: Outbox,
  told: Synced,
): Promise<void> {
  const { store, clock } = outbox;
  const { firings } = await stateOf(store);
  const untold = issue
    ? notIn(
        issue.body,
        firings.filter((firing) => firing.recheck === recheck.id),
      )
    : [];
  const now = clock.now();
  if (untold.length > 0) {
    const { trigger, id: previous } = recheck;
    const successor = { trigger, state: "closed", marker: newWord(outbox), opened: now, previous } as const;
    await store.openRecheck(
      successor,
      untold.map(({ id }) => id),
    );
  }
  await store.updateRecheck(recheck.id, { state: "closed", closed: now });
  await raise(outbox);
  for (const comment of await store.comments(false)) {
    if (comment.recheck === recheck.id) await store.updateComment(comment.id, { done: true });
  }
  if (recheck.issue !== undefined) told.closed.push(recheck.issue);
}

/** Opens the rechecks that stand aside, marked by having no time of closing, once their trigger has no other. */
async function raise({ store }: Outbox): Promise<void> {
  const all = await store.rechecks();
  const taken = new Set(all.filter(({ state }) => state === "open").map(({ trigger }) => trigger));
  for (const { id, trigger, state, closed } of all) {
    if (state !== "closed" || closed !== undefined || taken.has(trigger)) continue;
    await store.updateRecheck(id, { state: "open" });
    taken.add(trigger);
  }
}

/** Firings whose events the body's hidden line does not name. Without that line nobody knows: then all were told. */
function notIn(body: string, firings: readonly StoredFiring[]): StoredFiring[] {
  const mark = markOf(body);
  if (!mark || mark.more > 0) return [];
  const events = new Set(mark.events);
  return firings.filter(({ event }) => !events.has(event.key));
}
