import { flap, remember } from "../compare/facts.ts";
import type { Memory } from "../compare/index.ts";
import type { Loss } from "../compare/losses.ts";
import type { Change } from "../model/change.ts";
import type { Check, Trouble } from "../model/check.ts";
import type { Config } from "../model/config.ts";
import { digest } from "../model/digest.ts";
import { Failure, type FailureKind, saysGone } from "../model/failure.ts";
import type { Fetched, Watch } from "../model/ports/index.ts";
import type { Holds } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { aDay, anHour, type Duration, day, dayNumber, type Instant } from "../model/time.ts";
import { nextCheck, nextTry } from "./schedule.ts";

/** The state of a source from one check to the next (`Watch`), and the rules for gone, returned and moved sources. Pure. */

/** The watch that a check begins with. A new address starts a new one; new options only cause another parse. */
export function currentWatch(before: Watch | undefined, source: Source, at: Instant): Watch {
  const subject = subjectOf(source);
  if (before?.address !== undefined && before.subject === subject) return before;
  const address = digest([source.kind, source.address]);
  if (before?.subject === subject) return { ...before, address };
  if (before?.address === address) {
    const { validators: _, hash: __, proved: ___, lastRead: ____, unread: _____, ...rest } = before;
    return { ...rest, subject };
  }
  const empty = { checks: 0, unknown: 0, goneAt: [], gone: false, pending: false };
  return { source: source.id, subject, address, next: at, ...empty };
}

export function subjectOf({ kind, address, options }: Source): string {
  return digest([kind, address, options]);
}

/** Whether the same address is read with other options than before. */
export function isReselected(before: Watch | undefined, watch: Watch): boolean {
  return before !== undefined && before.subject !== watch.subject && watch.firstSeen !== undefined;
}

/** Failures of checks that saw another version of the source at its address. */
const versions: ReadonlySet<string> = new Set<FailureKind>(["language", "another-page", "lost"]);

const maxFlips = 8;

function recentFlips({ flips = [] }: Watch, at: Instant): readonly Instant[] {
  return flips.filter((time) => at - time < remember);
}

/** Whether a source may have several versions of itself: it flipped, or was recently accepted with another content. */
export function mayFlip(watch: Watch, at: Instant): boolean {
  return recentFlips(watch, at).length > 0 || (watch.turned !== undefined && at - watch.turned < remember);
}

/** The watch after a successful check. `isOther`: the source is accepted with another content. */
export function watchAfterSeen(watch: Watch, fetched: Fetched, at: Instant, isOther = false): Watch {
  const { trouble, unread: _, ...rest } = watch;
  const isFlip = !isOther && trouble !== undefined && versions.has(trouble.kind);
  const flips = [...recentFlips(watch, at), ...(isFlip ? [at] : [])].slice(-maxFlips);
  const response = fetched.kind === "response" ? { validators: fetched.validators, hash: fetched.hash } : {};
  // A response that was fetched for another check was seen when it arrived.
  const lastSeen = fetched.at ?? at;
  const times = { firstSeen: watch.firstSeen ?? lastSeen, lastCheck: at, lastSeen };
  const seenDays = daysSeen(watch.seenDays, watch.lastSeen, lastSeen);
  const back = watch.gone ? { at, times: (watch.back?.times ?? 0) + 1 } : watch.back;
  return {
    ...rest,
    ...response,
    ...times,
    seenDays,
    checks: watch.checks + 1,
    goneAt: [],
    gone: false,
    ...(watch.firstSeen === undefined && { audit: at }),
    ...(back && { back }),
    flips: flips.length > 0 ? flips : undefined,
    ...(isOther && { turned: at }),
  };
}

export interface Update {
  readonly check: Check;
  readonly watch: Watch;
}

const noNews = { sightings: [], noise: [], firings: [] };

export function unchangedAfter(source: Source, watch: Watch, fetched: Fetched, at: Instant, config: Config): Update {
  const next = nextCheck(source, config, at, watch.next);
  const check: Check = { source: source.id, at, outcome: "unchanged", ...noNews, next };
  return { check, watch: { ...watchAfterSeen(watch, fetched, at), next } };
}

/** A failed check: validators, memory and firings stay unchanged, and the next check tries again. */
export function failedAfter(source: Source, watch: Watch, failure: Failure, at: Instant, config: Config): Update {
  const deferred = failure.kind === "deferred";
  const count = (watch.trouble?.count ?? 0) + 1;
  const trouble = {
    kind: failure.kind,
    says: failure.message,
    since: watch.trouble?.since ?? at,
    count,
    alike: repetitionAfter(watch.trouble, failure, at),
    unasked: failure.facts.unasked === undefined ? undefined : (true as const),
  };
  const next = deferred ? at + anHour : nextTry(source, config, at, failure, count);
  const check: Check = { source: source.id, at, outcome: "unknown", failure: trouble, ...noNews, next };
  if (deferred) return { check, watch: { ...watch, next } };
  const { goneAt, gone } = goneAfter(watch, failure, at);
  const { unread: _, ...rest } = watch;
  const counts = { checks: watch.checks + 1, unknown: watch.unknown + 1 };
  const audit = watch.checks === 0 && { audit: at };
  return { check, watch: { ...rest, ...counts, lastCheck: at, trouble, next, goneAt, gone, ...audit } };
}

/** @throws Failure `stopped` if a source that itself checks others has missed its time */
export function mustHold(holds: Holds | undefined, at: Instant): void {
  if (holds && holds.until <= at) throw new Failure("stopped", { last: day(holds.since) });
}

type Alike = NonNullable<Trouble["alike"]>;

function repetitionAfter(before: Trouble | undefined, { message }: Failure, at: Instant): Alike {
  const { since = at, count = 0 } = (before?.says === message && before.alike) || {};
  return { since, count: count + 1 };
}

/** After this many equal checks, over at least this time, their content is accepted as the source's present state. */
const agreeing = 3;
const patience: Duration = 72 * anHour;
/** The time if a lost text was not replaced. */
const patienceWithNothing: Duration = 7 * aDay;

/** Since when earlier checks missed the same text, if that is long enough to accept it. */
export function missingSince(
  { failure, bare }: Pick<Loss, "failure" | "bare">,
  { trouble }: Watch,
  at: Instant,
  confirmAfter?: Duration,
): Instant | undefined {
  if (trouble?.says !== failure.message || trouble.alike === undefined) return undefined;
  const { since, count } = trouble.alike;
  const least = confirmAfter ?? (bare ? patienceWithNothing : patience);
  return count >= (confirmAfter === undefined ? agreeing : 1) && at - since >= least ? since : undefined;
}

type Link = Extract<Change, { kind: "link" }>;

/** Counted from the second time on. */
export function goneChange({ back, trouble }: Watch): Link {
  return { kind: "link", to: "gone", again: back?.times, says: trouble?.says };
}

/**
 * Whether a failed check, with the earlier ones, means that a source is gone, even if it was never seen. After a return
 * of only a few days, it must be missing as long as a flapping source. A check without a request says nothing.
 */
export function goneAfter(watch: Watch, failure: Failure, at: Instant): Pick<Watch, "goneAt" | "gone"> {
  if (!saysGone(failure)) return failure.facts.unasked ? watch : { goneAt: [], gone: false };
  const goneAt = [...watch.goneAt.filter((before) => before <= at).slice(0, 2), at];
  const first = goneAt[0] ?? at;
  const least = watch.back !== undefined && first - watch.back.at < flap ? flap : patience;
  return { goneAt, gone: watch.gone || (goneAt.length >= agreeing && at - first >= least) };
}

/** Since when a source is gone: the first of the consecutive checks that missed it; undefined if it is not gone. */
export function goneSince({ gone, goneAt }: Pick<Watch, "gone" | "goneAt">): Instant | undefined {
  return gone ? goneAt[0] : undefined;
}

type Moved = NonNullable<Memory["moved"]>;

/** Earlier permanent redirects by target: when each ended, and how often it was reported. */
type MovedBefore = NonNullable<Memory["movedBefore"]>;

/** A permanent redirect is reported when a second check still follows it; after an interruption, later. */
export function redirectAfter(
  before: Moved | undefined,
  address: string | undefined,
  at: Instant,
  confirmAfter: Duration,
  over: MovedBefore = {},
): { moved?: Moved; change?: Link; waits: boolean } {
  if (address === undefined) return { waits: false };
  const redirect = before?.address === address ? before : { address, since: at, told: false };
  if (redirect.told) return { moved: redirect, waits: false };
  const last = Object.hasOwn(over, address) ? over[address] : undefined;
  const flaps = last !== undefined && redirect.since - last.until < flap;
  if (redirect !== before || at - redirect.since < (flaps ? flap : confirmAfter))
    return { moved: redirect, waits: !flaps };
  const change: Link = { kind: "link", to: "moved", address, again: last?.times };
  return { moved: { ...redirect, told: true }, change, waits: false };
}

/** Remembers a reported redirect that has ended: the newest ten. */
export function withEndedRedirect(
  before: Moved | undefined,
  address: string | undefined,
  at: Instant,
  over: MovedBefore = {},
): MovedBefore {
  if (!before?.told || before.address === address) return over;
  const times = (over[before.address]?.times ?? 0) + 1;
  const entries = Object.entries({ ...over, [before.address]: { until: at, times } });
  return Object.fromEntries(entries.sort(([, a], [, b]) => b.until - a.until).slice(0, 10));
}

const maxDays = 128;

/**
 * The days on which a source was seen, including now: hexadecimal digits, with the lowest bit for the day it was last seen and
 * the next for the day before. Days begin at 00:00 UTC. `before`: the stored digits; `last`: when it was last seen, if ever.
 */
export function daysSeen(before: string | undefined, last: Instant | undefined, at: Instant): string {
  if (last === undefined) return "1";
  const passed = dayNumber(at) - dayNumber(last);
  if (passed === 0) return before ?? "1";
  // If the clock was ahead and was corrected, the future days were never seen.
  const moved = passed < 0 ? bits(before) >> BigInt(-passed) : passed < maxDays ? bits(before) << BigInt(passed) : 0n;
  return (BigInt.asUintN(maxDays, moved) | 1n).toString(16);
}

/** Whether the source was seen on the day of that instant, within the days that are remembered. */
export function wasSeenOn(days: string | undefined, last: Instant | undefined, at: Instant): boolean {
  if (last === undefined) return false;
  const ago = dayNumber(last) - dayNumber(at);
  return ago >= 0 && ago < maxDays && ((bits(days) >> BigInt(ago)) & 1n) === 1n;
}

function bits(days: string | undefined): bigint {
  return days !== undefined && /^[0-9a-f]{1,32}$/.test(days) ? BigInt(`0x${days}`) : 1n;
}
