import { day } from "../describe.ts";
import type { Instant } from "../model.ts";
import type { Clock, Store, StoredRecheck } from "../ports.ts";
import { commentMark } from "./comment.ts";

interface Sleeping {
  readonly store: Store;
  readonly clock: Clock;
}

/** Whether it is not to be asked about yet. Comments wait until then; its body tells what is new all the same. */
export function isAsleep({ snoozed }: StoredRecheck, at: Instant): boolean {
  return typeof snoozed === "number" && snoozed > at;
}

/** Asks again about what was snoozed until now. */
export async function wakeByTime({ store, clock }: Sleeping): Promise<void> {
  const now = clock.now();
  for (const recheck of await store.rechecks("open")) {
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
  if (recheck?.snoozed !== "next-event") return;
  if (told) await store.updateRecheck(recheck.id, { snoozed: undefined });
  else await wake(recheck, "since something new was seen", store);
}

async function wake({ id, marker, snoozed }: StoredRecheck, because: string, store: Store): Promise<void> {
  const word = `${marker}wake${snoozed === "next-event" ? await count(store) : snoozed}`;
  const body = `${commentMark(word)}\n\nThis is asked again, ${because}. The description of this issue holds all that was seen.`;
  await store.commit(async (tx) => {
    await tx.updateRecheck(id, { snoozed: undefined });
    await tx.say({ recheck: id, marker: commentMark(word), body, done: false });
  });
}

/** Of all firings: another number whenever something joined. */
async function count(store: Store): Promise<number> {
  return (await store.firings()).length;
}
