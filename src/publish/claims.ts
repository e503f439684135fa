import type { ClaimStory } from "../explain/claims.ts";
import type { Config, Source } from "../model.ts";
import type { StoredFiring } from "../ports.ts";

/** The source that a claim is made on; undefined where config no longer has it. */
export function sourceOf({ claim }: ClaimStory, { sources }: Config): Source | undefined {
  return sources.get(claim.slice(0, claim.indexOf("/")));
}

/** The reference numbers that a claim stands under: its own, else all of its source's. */
export function citesOf(claim: ClaimStory, config: Config): number[] {
  const source = sourceOf(claim, config);
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
