import type { Duration, Instant } from "../../model/model.ts";
import type { Clock, Registry } from "../../model/ports/index.ts";
import { aMinute, anHour, hasPassed } from "../../model/time.ts";

/** A look that has been due for longer, while none was kept anywhere, tells that nobody looks. */
const longestWait: Duration = anHour;

/** While all is well what waits is counted so often: that goes over all that is watched. */
const countedEvery: Duration = 10 * aMinute;

/** Asked after each round: a sentence, where nobody looks though something is due. `see`: where a person finds out why. */
export function createLooksGoOn(
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
