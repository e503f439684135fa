import type { Duration, Instant } from "../../model/model.ts";
import type { Clock, Registry } from "../../model/ports/index.ts";
import { aMinute, anHour, hasPassed } from "../../model/time.ts";

/** Looks have stalled once one has been due for so long, and none was kept anywhere meanwhile. */
const longestWait: Duration = anHour;

/** How often what waits is counted while all is well: counting goes over all that is watched. */
const countedEvery: Duration = 10 * aMinute;

/**
 * Makes what is asked after each round whether looks have stalled: it returns a sentence where nobody looks though something is
 * due. `see`: where a person finds out why.
 */
export function createStalledLooks(
  { registry, clock }: { readonly registry: Pick<Registry, "backlog">; readonly clock: Clock },
  see: string,
): () => Promise<string | undefined> {
  /** The last look that was kept, as the round before knew it, where none had been for too long. */
  let before: { readonly last: Instant | undefined } | undefined;
  let counted: Instant | undefined;
  return async () => {
    const now = clock.now();
    if (before === undefined && counted !== undefined && !hasPassed(countedEvery, counted, now)) return undefined;
    counted = now;
    const { since, last } = (await registry.backlog(now)).looks;
    const isLate = since !== undefined && now - Math.max(since, last ?? 0) > longestWait;
    const isAsBefore = before !== undefined && before.last === last;
    before = isLate ? { last } : undefined;
    // Looks that came due while no server ran, or its machine slept, are only made now.
    if (!isLate || !isAsBefore) return undefined;
    const hours = Math.floor((now - since) / anHour);
    return `the look that is longest due has waited for ${hours} h, and none was kept for an hour: ${see}`;
  };
}
