import type { Instant } from "./time.ts";

/**
 * How ratings, claims, sources and references stand: one name and one sign for each state, wherever it is shown. Pure.
 */

/** Of ratings, the most pressing first. */
export const freshnessLevels = ["in doubt", "blind", "to review", "due", "fresh"] as const;

export type FreshnessLevel = (typeof freshnessLevels)[number];

/** How fresh a rating is, by the first level that holds, and why. */
export interface Freshness {
  readonly rating: string;
  readonly level: FreshnessLevel;
  /** Since when; for *fresh*, when it will be due. */
  readonly at: Instant;
  /** The triggers or sources that make it so. */
  readonly because: readonly string[];
}

/** A sign for each, so that colour is not needed to tell them apart. */
export const freshnessSigns: Readonly<Record<FreshnessLevel, string>> = {
  "in doubt": "✗",
  blind: "○",
  "to review": "⟳",
  due: "◑",
  fresh: "·",
};

/**
 * Of references, the first that holds; as for ratings, except that a reference may be unseen before ratings turn blind,
 * or unwatched.
 */
export const referenceStates = ["in doubt", "to review", "unwatched", "unseen", "fresh"] as const;

/**
 * Of sources, the most pressing first. *unseen*: the last look failed; *blind*: it failed for so long that ratings
 * cannot rest on it.
 */
export const sourceStates = ["gone", "blind", "unseen", "not seen yet", "seen"] as const;
export type SourceState = (typeof sourceStates)[number];

/** Of claims: as their proof was found last, or not looked for yet because their source was never seen. */
export const claimStates = ["supported", "altered", "gone", "contradicted", "not found", "not looked for yet"] as const;
export type ClaimStanding = (typeof claimStates)[number];

export const claimSigns: Readonly<Record<ClaimStanding, string>> = {
  supported: "✔",
  altered: "✗",
  gone: "✗",
  contradicted: "✗",
  "not found": "?",
  "not looked for yet": "?",
};

/** How a claim stands. `isEnded`: what it named as its end has come, whatever its own source still says. */
export function claimStanding(proved: ClaimStanding | undefined, isEnded: boolean): ClaimStanding {
  if (isEnded && proved !== "altered" && proved !== "gone") return "contradicted";
  return proved ?? "not looked for yet";
}
