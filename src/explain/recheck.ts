import { triggerName } from "../describe.ts";
import { touches } from "../freshness.ts";
import type { Instant } from "../model.ts";
import type { StoredFiring, StoredRecheck } from "../ports.ts";
import type { Known } from "./known.ts";

/** A recheck: what fed it. */
export interface RecheckStory {
  readonly kind: "recheck";
  readonly trigger: string;
  readonly name: string;
  readonly state: "open" | "closed" | "not planned yet";
  readonly issue?: number;
  readonly opened?: Instant;
  readonly closed?: Instant;
  /** Of it as a whole. */
  readonly verdict?: { readonly kind: "keep" | "dismiss"; readonly because: string; readonly by?: string };
  readonly ratings: readonly string[];
  /** Newest first. */
  readonly firings: readonly StoredFiring[];
}

/** Without a recheck: what is still to be asked. */
export function recheckStory(trigger: string, { config, firings }: Known, recheck?: StoredRecheck): RecheckStory {
  const fed = firings.filter((firing) => firing.trigger === trigger && firing.recheck === recheck?.id);
  const ratings = new Set(fed.flatMap((firing) => [...touches(firing, config)]));
  return {
    kind: "recheck",
    trigger,
    name: triggerName(trigger, config),
    state: recheck?.state ?? "not planned yet",
    ...(recheck?.issue !== undefined && { issue: recheck.issue }),
    ...(recheck && { opened: recheck.opened }),
    ...(recheck?.closed !== undefined && { closed: recheck.closed }),
    ...(recheck && verdictOf(recheck)),
    ratings: [...config.ratings.keys()].filter((id) => ratings.has(id)),
    firings: fed.toReversed(),
  };
}

function verdictOf({ state, dismissed, by, because }: StoredRecheck): Pick<RecheckStory, "verdict"> {
  const reason = dismissed ?? because;
  if (state === "open" || reason === undefined) return {};
  const kind = dismissed === undefined ? "keep" : "dismiss";
  return { verdict: { kind, because: reason, ...(by !== undefined && { by }) } };
}
