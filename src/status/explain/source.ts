import type { Claim } from "../../model/claim.ts";
import { conditionsOf, conditionWords, listensTo } from "../../model/condition.ts";
import { claimKey } from "../../model/dependencies.ts";
import { firstContradicted } from "../../model/firing.ts";
import type { CheckRecord, Watch } from "../../model/ports/index.ts";
import type { Source } from "../../model/source.ts";
import { type ClaimReason, claimReason, type SourceState } from "../../model/states.ts";
import type { Instant } from "../../model/time.ts";
import { describeProof } from "../../model/words.ts";
import { goneSince } from "../../watch/watch.ts";
import { type Baseline, baselineOf, blindFrom, coveredBy, linesBaseline, supports } from "../freshness.ts";
import { type EventStory, eventStories } from "./events.ts";
import { type NearMiss, type NoiseStory, nearMiss, noiseStories, type WaitingStory, waitingStories } from "./quiet.ts";
import type { Records } from "./records.ts";

export interface SourceStory {
  readonly kind: "source";
  readonly source: Source;
  readonly health: SourceHealth;
  readonly nearest?: NearMiss;
  readonly happenings: readonly EventStory[];
  readonly waiting: readonly WaitingStory[];
  readonly noise: readonly NoiseStory[];
  readonly claims: readonly ClaimStory[];
  readonly listeners: readonly { readonly trigger: string; readonly part: "on" | "also"; readonly words: string }[];
}

export function sourceStory(source: Source, records: Records): SourceStory {
  const { config } = records;
  const nearest = nearMiss(source, records);
  return {
    kind: "source",
    source,
    health: healthOf(source, records),
    nearest,
    happenings: eventStories(source, records),
    waiting: waitingStories(source, records),
    noise: noiseStories(source, records),
    claims: source.claims.map((claim) => claimStory(claim, records)),
    listeners: [...config.triggers.values()].flatMap((trigger) =>
      conditionsOf(trigger)
        .filter(({ condition }) => listensTo(condition, source))
        .map(({ condition, part }) => ({ trigger: trigger.id, part, words: conditionWords(condition, config) })),
    ),
  };
}

export interface ClaimStory {
  readonly id: string;
  readonly says: string;
  readonly proof: string;
  readonly state: ClaimReason;
  readonly since?: Instant;
  readonly found?: string;
  readonly before?: string;
  readonly cites: readonly number[];
  readonly ratings: readonly string[];
  /** The last check of its source failed, which its state does not say. */
  readonly unseen?: boolean;
}

export function claimStory(claim: Claim, records: Records): ClaimStory {
  const { claims, config, watches, blind, firingsFrom } = records;
  const key = claimKey(claim);
  const state = claims.get(key);
  const watch = watches.get(claim.source);
  const isContradicted = state?.status === "not found" && firstContradicted(firingsFrom.get(claim.source)).has(key);
  const { proof, says, ratings } = claim;
  const proved = claimReason(state?.status, isContradicted);
  const unread = watch?.trouble ? "source not readable" : "source not checked";
  const lost = watch?.gone ? "source gone" : blind.has(claim.source) ? unread : undefined;
  const isLost = proved === "supported" && lost !== undefined;
  return {
    id: key,
    says,
    ratings,
    proof: describeProof(proof),
    state: isLost ? lost : proved,
    cites: claim.cites.length > 0 ? claim.cites : (config.sources.get(claim.source)?.cites ?? []),
    unseen: !isLost && watch?.trouble !== undefined,
    since: isLost ? ((watch && goneSince(watch)) ?? watch?.trouble?.since ?? watch?.lastSeen) : state?.since,
    found: state?.found,
    before: state?.before,
  };
}

/** Whether the checks of a source succeed, else since when they fail. */
export interface SourceHealth
  extends Pick<Watch, "checks" | "unknown" | "firstSeen" | "lastSeen" | "lastCheck" | "gave" | "trouble"> {
  /** The id of the source. */
  readonly id: string;
  readonly state: SourceState;
  /** The outcome of the last check. */
  readonly last?: "first check" | "unchanged" | "changed" | "seen once" | "unknown";
  readonly next?: Instant;
  readonly goneSince?: Instant;
  /** When it turned blind, or will turn blind without a successful check. */
  readonly blindFrom?: Instant;
  /** Other sources that announce the same products, so that this one does not turn blind. */
  readonly covered: readonly string[];
  /** The earlier state that it is compared with. */
  readonly baseline?: Baseline;
  readonly ratings: readonly string[];
  /** Periods of failed checks, oldest first. */
  readonly failures: readonly Failures[];
}

export interface Failures {
  readonly says: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly count: number;
}

export function healthOf(source: Source, records: Records): SourceHealth {
  const watch = records.watches.get(source.id);
  const blind = records.blind.has(source.id);
  const checks = records.checks.get(source.id) ?? [];
  const { checks: count = 0, unknown = 0, firstSeen, lastSeen, lastCheck, trouble, next, gave } = watch ?? {};
  const isSeen = (other: Source) => supports(other, records.config, records.watches.get(other.id), records.at);
  const latest = checks[0]?.at === lastCheck ? checks[0] : undefined;
  const first = latest?.outcome === "first" ? "first check" : latest?.outcome;
  const once = latest?.outcome === "unchanged" && latest.sightings.length > 0;
  return {
    id: source.id,
    state: stateOf(watch, blind),
    checks: count,
    unknown,
    firstSeen,
    lastSeen,
    lastCheck,
    next,
    trouble,
    gave,
    last: trouble ? "unknown" : once ? "seen once" : (first ?? (lastCheck === undefined ? undefined : "unchanged")),
    blindFrom: trouble || blind ? blindFrom(source, records.config, watch) : undefined,
    goneSince: watch && goneSince(watch),
    covered: trouble && !blind ? coveredBy(source, records.config, isSeen) : [],
    baseline: watch && (linesBaseline(source, watch) ?? baselineOf(watch, records.config)),
    ratings: records.resting.get(source.id) ?? [],
    failures: failuresOf(checks),
  };
}

function stateOf(watch: Watch | undefined, blind: boolean): SourceState {
  if (watch?.gone) return "gone";
  if (blind) return "blind";
  if (watch?.lastSeen === undefined) return "not read yet";
  return watch.trouble ? "unseen" : "seen";
}

/** Joins consecutive failures with the same sentence. */
function failuresOf(checks: readonly CheckRecord[]): Failures[] {
  const runs: Failures[] = [];
  let open = false;
  for (const { outcome, failure, at } of checks.toReversed()) {
    const says = outcome === "unknown" ? failure?.says : undefined;
    const last = runs.at(-1);
    if (says !== undefined && open && last?.says === says && failure?.count !== 1) {
      runs[runs.length - 1] = { ...last, to: at, count: last.count + 1 };
    } else if (says !== undefined) runs.push({ says, from: at, to: at, count: 1 });
    open = says !== undefined;
  }
  return runs;
}
