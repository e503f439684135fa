import type { Instant } from "./time.ts";

/** The states of ratings, claims, sources and references: one name and one sign for each, used everywhere. Pure. */

/** States of ratings, most pressing first. */
export const freshnessLevels = ["in doubt", "blind", "to review", "due", "fresh"] as const;

export type FreshnessLevel = (typeof freshnessLevels)[number];

/** How fresh a rating is: the first level that applies, and why. */
export interface Freshness {
  readonly rating: string;
  readonly level: FreshnessLevel;
  /** Since when; for *fresh*, when it will be due. */
  readonly at: Instant;
  /** The triggers or sources that make it so. */
  readonly because: readonly string[];
}

/** A sign for each, so that they do not depend on colour. */
export const freshnessSigns: Readonly<Record<FreshnessLevel, string>> = {
  "in doubt": "✗",
  blind: "○",
  "to review": "⟳",
  due: "◑",
  fresh: "·",
};

/**
 * States of references; the first that applies. As for ratings, but a reference may be unseen before ratings turn blind, or
 * unwatched.
 */
export const referenceStates = ["in doubt", "to review", "unwatched", "unseen", "fresh"] as const;

/**
 * States of sources, most pressing first. *unseen*: the last check failed; *blind*: it has failed for so long that ratings
 * cannot rest on it.
 */
export const sourceStates = ["gone", "blind", "unseen", "not seen yet", "seen"] as const;
export type SourceState = (typeof sourceStates)[number];

/** States of claims: by the last check of their proof, or not checked yet because their source was never seen. */
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

/** The state of a claim. `isEnded`: the event that ends it has happened, even if its own source still says it. */
export function claimStanding(proved: ClaimStanding | undefined, isEnded: boolean): ClaimStanding {
  if (isEnded && proved !== "altered" && proved !== "gone") return "contradicted";
  return proved ?? "not looked for yet";
}
