import { daysSeen } from "./days-seen.ts";
import { day } from "./describe.ts";
import { digest } from "./digest.ts";
import { Failure, type FailureKind } from "./failure.ts";
import { goneness } from "./link.ts";
import type { Config, Holds, Instant, Look, Source } from "./model.ts";
import type { Fetched, Watch } from "./ports.ts";
import { nextLook, nextTry } from "./schedule.ts";

/** How a watch goes on after a look. Pure. */

const anHour = 3_600_000;

/** The watch a look begins with: at another address the source starts anew, with other options it is read anew. */
export function current(before: Watch | undefined, source: Source, at: Instant): Watch {
  const subject = digest([source.kind, source.address, source.options]);
  const address = digest([source.kind, source.address]);
  if (before?.subject === subject) return { ...before, address };
  if (before?.address === address) {
    const { validators: _, hash: __, proved: ___, ...rest } = before;
    return { ...rest, subject };
  }
  const empty = { looks: 0, unknown: 0, goneAt: [], gone: false, pending: false };
  return { source: source.id, subject, address, next: at, ...empty };
}

/** After a look that saw the source. */
export function seen(watch: Watch, fetched: Fetched, at: Instant): Watch {
  const { trouble: _, ...rest } = watch;
  const response = fetched.kind === "response" ? { validators: fetched.validators, hash: fetched.hash } : {};
  const times = { firstSeen: watch.firstSeen ?? at, lastLook: at, lastSeen: at };
  const seenDays = daysSeen(watch.seenDays, watch.lastSeen, at);
  return { ...rest, ...response, ...times, seenDays, looks: watch.looks + 1, goneAt: [], gone: false };
}

export interface After {
  readonly look: Look;
  readonly watch: Watch;
}

/** After a look that saw the very same response. */
export function unchanged(source: Source, watch: Watch, fetched: Fetched, at: Instant, config: Config): After {
  const next = nextLook(source, config, at);
  const look: Look = { source: source.id, at, outcome: "unchanged", sightings: [], noise: [], firings: [], next };
  return { look, watch: { ...seen(watch, fetched, at), next } };
}

/** After a look that failed: validators, memory and firings stay as they were, and the next look tries again. */
export function unknown(source: Source, watch: Watch, failure: Failure, at: Instant, config: Config): After {
  const deferred = failure.kind === "deferred";
  const count = (watch.trouble?.count ?? 0) + 1;
  const trouble = { kind: failure.kind, says: failure.message, since: watch.trouble?.since ?? at, count };
  const next = deferred ? at + anHour : nextTry(source, config, at, failure, count);
  const look: Look = {
    source: source.id,
    at,
    outcome: "unknown",
    failure: trouble,
    sightings: [],
    noise: [],
    firings: [],
    next,
  };
  if (deferred) return { look, watch: { ...watch, next } };
  const { goneAt, gone } = goneness(watch, failure, at);
  return {
    look,
    watch: { ...watch, lastLook: at, looks: watch.looks + 1, unknown: watch.unknown + 1, trouble, next, goneAt, gone },
  };
}

/** @throws Failure `stopped` where a source that looks at others itself should have looked again by now */
export function mustHold(holds: Holds | undefined, at: Instant): void {
  if (holds && holds.until <= at) throw new Failure("stopped", { last: day(holds.since) });
}

const lasting = 48 * anHour;

/** Whether a trouble of this kind has met three looks at least, over two days. */
export function hasLasted(kind: FailureKind, { trouble }: Watch, at: Instant): boolean {
  return trouble?.kind === kind && trouble.count >= 3 && at - trouble.since >= lasting;
}
