import type { Config } from "../../model/config.ts";
import { ratingsInDoubt } from "../../model/dependencies.ts";
import { isAsking, type StoredAnswer, type StoredFiring } from "../../model/ports/index.ts";
import { newMarker } from "../issue/marker.ts";
import { unreportedIn } from "../observe.ts";
import { idsOf } from "../plan.ts";
import { answeredByAudit, type Speaker } from "./answers.ts";
import {
  closingState,
  type FullRecheck,
  fullRechecks,
  noUpdate,
  type StoreUpdate,
  type WatchedRepository,
} from "./repository.ts";

/**
 * Handles a new config on the default branch: a later `audited` answers all evidence up to that day with *keep*.
 * `before`: the earlier config; `repository` has the new one.
 */
export async function handleConfig(
  repository: WatchedRepository,
  before: Config,
  pushed: Omit<Speaker, "comment">,
): Promise<StoreUpdate> {
  const { audited } = repository.config.report;
  if (audited <= before.report.audited) return noUpdate;
  const older = (firings: readonly StoredFiring[]) => answeredByAudit(firings, audited, pushed.at);
  const loose = (await repository.store.firings()).filter((firing) => firing.recheck === undefined);
  const asking = (await fullRechecks(repository)).filter(({ recheck }) => isAsking(recheck));
  const unreported = asking.flatMap(({ recheck, firings }) => unreportedIn(recheck.reported ?? "", firings));
  await closeUnasked(older([...loose, ...unreported]), repository);
  const open = (await fullRechecks(repository)).filter(({ recheck }) => isAsking(recheck));
  const updates = open.map((one) => audit(one, older(one.firings), repository.config, pushed));
  return async (tx) => {
    for (const update of updates) await update(tx);
  };
}

/** Stores closed rechecks for firings that no issue shows yet: nobody has to be asked about them any more. */
async function closeUnasked(firings: readonly StoredFiring[], { store, clock }: WatchedRepository): Promise<void> {
  for (const [trigger, its] of Map.groupBy(firings, (firing) => firing.trigger)) {
    const at = clock.now();
    const previous = (await store.rechecks()).findLast((one) => one.trigger === trigger)?.id;
    const closed = {
      trigger,
      state: "closed",
      marker: newMarker(),
      opened: at,
      closed: at,
      previous,
    } as const;
    await store.openRecheck(closed, idsOf(its));
  }
}

/** Keeps the ratings without newer evidence. Newer evidence stays open, and answers in a pull request are unchanged. */
function audit(
  { recheck, firings, status }: FullRecheck,
  older: readonly StoredFiring[],
  config: Config,
  pushed: Omit<Speaker, "comment">,
): StoreUpdate {
  const { id } = recheck;
  const newer = firings.filter((firing) => !older.includes(firing));
  if (status.asked.length === 0 && newer.length === 0) {
    return (tx) => tx.updateRecheck(id, closingState(recheck, pushed.at, { kind: "keep", by: pushed.by }));
  }
  const doubted = new Set(newer.flatMap((firing) => [...ratingsInDoubt(firing, config)]));
  const answers = status.open
    .filter((rating) => !doubted.has(rating))
    .map(
      (rating): Omit<StoredAnswer, "id"> => ({ recheck: id, rating, verdict: "keep", ...pushed, settled: pushed.at }),
    );
  return (tx) => tx.addAnswers(answers);
}
