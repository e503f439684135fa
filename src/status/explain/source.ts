import type { Claim, Instant, Source } from "../../model/model.ts";
import { type ClaimStanding, claimStanding } from "../../model/states.ts";
import { describeProof } from "../../model/words.ts";
import { conditionsOf, conditionWords, listensTo } from "./condition.ts";
import { type Happening, happeningsOf } from "./happening.ts";
import { type Health, healthOf } from "./health.ts";
import type { Known } from "./known.ts";
import { type Hush, noiseOf, type Waiting, waitingOf } from "./quiet.ts";

/** A source: what it told, what came of it, and why the rest did not. */
export interface SourceStory {
  readonly kind: "source";
  readonly source: Source;
  readonly health: Health;
  readonly happenings: readonly Happening[];
  readonly waiting: readonly Waiting[];
  readonly noise: readonly Hush[];
  readonly claims: readonly ClaimStory[];
  readonly listeners: readonly { readonly trigger: string; readonly part: "on" | "also"; readonly words: string }[];
}

export async function sourceStory(source: Source, known: Known): Promise<SourceStory> {
  return {
    kind: "source",
    source,
    health: healthOf(source, known),
    happenings: await happeningsOf(source, known),
    waiting: waitingOf(source, known),
    noise: noiseOf(source, known),
    claims: source.claims.map((claim) => claimStory(claim, known)),
    listeners: [...known.config.triggers.values()].flatMap(({ id }) =>
      conditionsOf(id, known.config)
        .filter(({ condition }) => listensTo(condition, known.config).includes(source))
        .map(({ condition, part }) => ({ trigger: id, part, words: conditionWords(condition, known.config) })),
    ),
  };
}

/** How a claim stands. */
export interface ClaimStory {
  readonly claim: string;
  readonly says: string;
  /** What proves it, in words. */
  readonly proof: string;
  readonly status: ClaimStanding;
  readonly since?: Instant;
  readonly found?: string;
  readonly before?: string;
  readonly cites: readonly number[];
  readonly ratings: readonly string[];
  /** It cannot be looked up: its source is not seen. */
  readonly unseen: boolean;
}

export function claimStory(claim: Claim, { claims, config, watches }: Known): ClaimStory {
  const key = `${claim.source}/${claim.id}`;
  const state = claims.get(key);
  const { proof, says, ratings } = claim;
  return {
    claim: key,
    ...{ says, ratings },
    proof: describeProof(proof),
    status: claimStanding(state?.status, false),
    cites: claim.cites.length > 0 ? claim.cites : (config.sources.get(claim.source)?.cites ?? []),
    unseen: watches.get(claim.source)?.trouble !== undefined,
    ...(state && { since: state.since }),
    ...(state?.found !== undefined && { found: state.found }),
    ...(state?.before !== undefined && { before: state.before }),
  };
}
