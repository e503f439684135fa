import type { ClaimStory } from "../explain/claims.ts";
import type { Config } from "../model.ts";
import type { StoredFiring } from "../ports.ts";

/** The reference numbers that a claim stands under: its own, else all of its source's. */
export function citesOf(claim: ClaimStory, config: Config): number[] {
  const source = config.sources.get(claim.claim.slice(0, claim.claim.indexOf("/")));
  return [...new Set(claim.cites.length > 0 ? claim.cites : (source?.standsFor ?? []))];
}

const against: readonly ClaimStory["status"][] = ["altered", "gone", "contradicted"];

/**
 * What nobody has answered and what speaks against a claim: that its own passage became another one and still is, or
 * that something came that ends it while its page still says it.
 */
export function endedBy({ claim, status }: ClaimStory, open: readonly StoredFiring[]): StoredFiring[] {
  return open.filter(({ evidence }) =>
    evidence.some((piece) => piece.claim === claim && (piece.part === "until" || isAltered(piece.part, status))),
  );
}

function isAltered(part: string, status: ClaimStory["status"]): boolean {
  return part === "claim" && against.includes(status);
}
