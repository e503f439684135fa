import type { Clock, Registry } from "../../model/ports/index.ts";
import { aMinute, anHour, type Duration, hasPassed, type Instant } from "../../model/time.ts";

/** Checks have stalled if one has been due for this long without any stored check meanwhile. */
const longestWait: Duration = anHour;

/** The interval of counts while there are no problems: counting visits every repository. */
const countedEvery: Duration = 10 * aMinute;

/**
 * Makes the test that runs after each round: it returns a sentence if nothing was checked although something is due.
 * `see`: where a person finds the reason.
 */
export function createStalledChecks(
  { registry, clock }: { readonly registry: Pick<Registry, "backlog">; readonly clock: Clock },
  see: string,
): () => Promise<string | undefined> {
  /** The last stored check at the previous round, if it was too long ago then. */
  let before: { readonly last: Instant | undefined } | undefined;
  let counted: Instant | undefined;
  return async () => {
    const now = clock.now();
    if (before === undefined && counted !== undefined && !hasPassed(countedEvery, counted, now)) return undefined;
    counted = now;
    const { since, last } = (await registry.backlog(now)).checks;
    const isLate = since !== undefined && now - Math.max(since, last ?? 0) > longestWait;
    const isAsBefore = before !== undefined && before.last === last;
    before = isLate ? { last } : undefined;
    // Checks that became due while no server ran, or its machine slept, only start now.
    if (!isLate || !isAsBefore) return undefined;
    const hours = Math.floor((now - since) / anHour);
    return `the most overdue check has waited for ${hours} h, and none succeeded for an hour: ${see}`;
  };
}
