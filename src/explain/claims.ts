import { describeProof } from "../describe.ts";
import type { Claim, ClaimStatus, Instant } from "../model.ts";
import type { Known } from "./known.ts";

/** How a claim stands. */
export interface ClaimStory {
  readonly claim: string;
  readonly says: string;
  /** What proves it, in words. */
  readonly proof: string;
  readonly status: ClaimStatus | "not looked for yet";
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
    status: state?.status ?? "not looked for yet",
    cites: claim.cites.length > 0 ? claim.cites : (config.sources.get(claim.source)?.cites ?? []),
    unseen: watches.get(claim.source)?.trouble !== undefined,
    ...(state && { since: state.since }),
    ...(state?.found !== undefined && { found: state.found }),
    ...(state?.before !== undefined && { before: state.before }),
  };
}
