import type { Claim } from "../../model/claim.ts";
import { conditionsOf, conditionWords, listensTo } from "../../model/condition.ts";
import { claimKey } from "../../model/dependencies.ts";
import type { Source } from "../../model/source.ts";
import { type ClaimReason, claimReason } from "../../model/states.ts";
import type { Instant } from "../../model/time.ts";
import { describeProof } from "../../model/words.ts";
import { isUntrue } from "../status.ts";
import { type EventStory, eventStories } from "./events.ts";
import { healthOf, type SourceHealth } from "./health.ts";
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
  /** Whether it cannot be checked because its source fails. */
  readonly unseen: boolean;
}

export function claimStory(claim: Claim, { claims, config, watches, firingsFrom }: Records): ClaimStory {
  const key = claimKey(claim);
  const state = claims.get(key);
  const isContradicted = (firingsFrom.get(claim.source) ?? []).some(({ evidence }) =>
    evidence.some((piece) => piece.claim === key && state?.status === "not found" && isUntrue(piece, state.status)),
  );
  const { proof, says, ratings } = claim;
  return {
    id: key,
    says,
    ratings,
    proof: describeProof(proof),
    state: claimReason(state?.status, isContradicted),
    cites: claim.cites.length > 0 ? claim.cites : (config.sources.get(claim.source)?.cites ?? []),
    unseen: watches.get(claim.source)?.trouble !== undefined,
    since: state?.since,
    found: state?.found,
    before: state?.before,
  };
}
