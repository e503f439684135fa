import type { Instant } from "../model.ts";
import type { Store } from "../ports.ts";

/** Whether anything is to be created on GitHub that was never tried: an issue, or a comment. */
export async function isCreating(store: Store): Promise<boolean> {
  return (await untried(store)).length > 0;
}

/**
 * Takes for tried all that was to be created when a run did not come to its end: its markers are looked for first, and
 * it counts for the hour's cap.
 */
export async function doubt(store: Store, at: Instant): Promise<void> {
  for (const mark of await untried(store)) {
    await mark(at);
    await store.countCreation(at);
  }
}

/** What marks each as tried. */
async function untried(store: Store): Promise<((attempted: Instant) => Promise<void>)[]> {
  const issues = (await store.rechecks("open")).filter(
    ({ issue, attempted }) => issue === undefined && attempted === undefined,
  );
  const comments = (await store.comments(false)).filter(({ attempted }) => attempted === undefined);
  return [
    ...issues.map(
      ({ id }) =>
        (attempted: Instant) =>
          store.updateRecheck(id, { attempted }),
    ),
    ...comments.map(
      ({ id }) =>
        (attempted: Instant) =>
          store.updateComment(id, { attempted }),
    ),
  ];
}
