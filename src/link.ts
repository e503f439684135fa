import type { Failure } from "./failure.ts";
import type { Change, Duration, Instant } from "./model.ts";
import type { Watch } from "./ports.ts";

type Link = Extract<Change, { kind: "link" }>;

/** From the first to the third answer that says "gone". */
const patience: Duration = 72 * 3_600_000;

/** Whether a failed look, with those before it, means that a source is gone. Never seen is never gone. */
export function goneness(
  watch: Watch,
  failure: Failure,
  at: Instant,
): { goneAt: Instant[]; gone: boolean; change?: Link } {
  // A resolver that is out of reach is not a name that does not exist.
  const unresolved = failure.kind === "dns" && failure.facts.code !== "EAI_AGAIN";
  const saysGone = failure.kind === "not-found" || unresolved;
  if (!saysGone || watch.lastSeen === undefined) return { goneAt: [], gone: watch.gone && saysGone };
  const goneAt = [...watch.goneAt.filter((before) => before <= at).slice(0, 2), at];
  const first = goneAt[0] ?? at;
  const gone = watch.gone || (goneAt.length >= 3 && at - first >= patience);
  return { goneAt, gone, ...(gone && !watch.gone ? { change: { kind: "link", to: "gone" } as const } : {}) };
}

export interface Moved {
  readonly address: string;
  readonly since: Instant;
  readonly told: boolean;
}

/** A permanent redirect is told once a second look still follows it. */
export function movedness(
  before: Moved | undefined,
  address: string | undefined,
  at: Instant,
  confirmAfter: Duration,
): { moved?: Moved; change?: Link; waits: boolean } {
  if (address === undefined) return { waits: false };
  if (before?.address !== address) return { moved: { address, since: at, told: false }, waits: true };
  if (before.told) return { moved: before, waits: false };
  if (at - before.since < confirmAfter) return { moved: before, waits: true };
  return { moved: { ...before, told: true }, change: { kind: "link", to: "moved", address }, waits: false };
}
