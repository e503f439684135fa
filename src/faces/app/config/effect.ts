import { isDeepStrictEqual } from "node:util";
import type { Claim } from "../../../model/claim.ts";
import type { Config } from "../../../model/config.ts";
import { claimKey } from "../../../model/rests.ts";
import type { Instant } from "../../../model/time.ts";

/** The effect of another config on sources, claims, triggers and ratings. */
export interface Effect {
  readonly sources: IdChanges;
  /** By `source/claim`. */
  readonly claims: IdChanges;
  readonly triggers: IdChanges;
  readonly ratings: IdChanges;
  /** How the day of the audit changed, if it did. */
  readonly audited?: { readonly before: Instant; readonly after: Instant };
  /** Keys of `sources.yaml` under which something else changed. */
  readonly others: readonly string[];
}

export interface IdChanges {
  readonly added: readonly string[];
  readonly dropped: readonly string[];
  readonly changed: readonly string[];
}

/** Compares two valid configs; a different order does not count. Pure. */
export function effectOf(before: Config, after: Config): Effect {
  const moved = before.report.audited !== after.report.audited;
  return {
    sources: between(withoutClaims(before), withoutClaims(after)),
    claims: between(claimsOf(before), claimsOf(after)),
    triggers: between(before.triggers, after.triggers),
    ratings: between(before.ratings, after.ratings),
    ...(moved && { audited: { before: before.report.audited, after: after.report.audited } }),
    others: others(before, after),
  };
}

/** Whether the change could have altered past questions. */
export function isReplayed({ sources, claims, triggers, others }: Effect): boolean {
  const moved = [sources, claims, triggers].some(
    ({ added, dropped, changed }) => added.length + dropped.length + changed.length > 0,
  );
  return moved || others.includes("products");
}

/** Whether nothing at all changes. */
export function isNone({ sources, claims, triggers, ratings, audited, others }: Effect): boolean {
  const quiet = [sources, claims, triggers, ratings].every((one) => countOf(one) === 0);
  return quiet && audited === undefined && others.length === 0;
}

/** How many ids were added, dropped or changed. */
export function countOf({ added, dropped, changed }: IdChanges): number {
  return added.length + dropped.length + changed.length;
}

function between(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): IdChanges {
  const kept = [...after.keys()].filter((id) => before.has(id));
  return {
    added: [...after.keys()].filter((id) => !before.has(id)),
    dropped: [...before.keys()].filter((id) => !after.has(id)),
    changed: kept.filter((id) => !isDeepStrictEqual(before.get(id), after.get(id))),
  };
}

function withoutClaims({ sources }: Config): Map<string, unknown> {
  return new Map([...sources].map(([id, { claims: _, ...source }]) => [id, source]));
}

function claimsOf({ sources }: Config): Map<string, Claim> {
  const claims = [...sources.values()].flatMap((source) => source.claims);
  return new Map(claims.map((claim) => [claimKey(claim), claim]));
}

function others(before: Config, after: Config): string[] {
  const { audited: _, ...old } = before.report;
  const { audited: __, ...now } = after.report;
  const keys = [
    "documents",
    "levels",
    "volatility",
    "axes",
    "names",
    "rubric",
    "conclusions",
    "products",
    "schedule",
    "unwatchable",
    "baseline",
    "overview",
    "limits",
  ] as const;
  const report = isDeepStrictEqual(old, now) ? [] : ["report"];
  return [...report, ...keys.filter((key) => !isDeepStrictEqual(before[key], after[key]))];
}
