import { type CompareOptions, type Comparison, compare, type Memory } from "../compare/index.ts";
import type { ClaimState } from "../model/claim.ts";
import type { Config } from "../model/config.ts";
import type { Reading } from "../model/reading.ts";
import type { JudgedPast, PastToJudge } from "./past.ts";
import { prove, unprovedClaims } from "./prove.ts";

/** Compares a page with its copy, and proves its claims by both. Pure. */
export function judgePast({ source, memory, reading, known, as, at }: PastToJudge, config: Config): JudgedPast {
  const options = { at, confirmAfter: 0, structured: true, audited: config.report.audited, atAudit: source.atAudit };
  const comparison = compareWithCopy(JSON.parse(memory ?? "{}"), reading, options);
  const states = statesBefore(known, reading !== undefined);
  const earlier = reading?.blocks ?? comparison.accepted;
  const isFirst = as === "past";
  const judged = isFirst ? source : { ...source, claims: unprovedClaims(source, known) };
  const proof = prove(judged, { comparison, reading: undefined, states, at, earlier });
  const changes = isFirst ? [...comparison.changes, ...proof.changes] : proof.changes;
  return { changes, states: proof.states, noise: isFirst ? comparison.noise : [] };
}

/**
 * The earlier states of claims. If there is a copy, claims that were never found are left out, as the copy may contain them.
 */
function statesBefore(known: readonly ClaimState[], hasCopy: boolean): Map<string, ClaimState> {
  const kept = known.filter(({ status }) => !hasCopy || status !== "not found");
  return new Map(kept.map((state) => [state.claim, state]));
}

/** Compares the page with its copy, or with itself if there is no copy. */
function compareWithCopy(memory: Memory, then: Reading | undefined, options: CompareOptions): Comparison {
  const { page, language } = memory;
  const now = { blocks: page?.accepted ?? [], region: page?.region, language };
  const baseline = { blocks: then?.blocks ?? now.blocks, region: then ? then.region : now.region, language };
  return compare(compare(undefined, baseline, options).memory, now, options);
}
