import { replacementOf } from "../claims/find/moved-passages.ts";
import {
  endingsBy,
  isAsAtFirst,
  isByFact,
  isByText,
  isOpenAgain,
  type ProofResult,
  proveByFacts,
  proveClaims,
} from "../claims/prove.ts";
import { factsGiven, remember, unreportedFacts, withLeft } from "../compare/facts.ts";
import { type CompareOptions, type Comparison, compareAgain, type Memory } from "../compare/index.ts";
import type { Change, ClaimChange, Seen } from "../model/change.ts";
import { type Claim, type ClaimState, proofKey } from "../model/claim.ts";
import { claimKey } from "../model/dependencies.ts";
import { digest } from "../model/digest.ts";
import type { Block, Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { anHour, type Instant } from "../model/time.ts";

interface Ground {
  readonly comparison: Comparison;
  readonly reading: Reading | undefined;
  /** The earlier states of all claims. */
  readonly states: States;
  readonly at: Instant;
  /** The accepted text before this check. */
  readonly earlier: readonly Block[];
  /** Claims that are not found are not reported yet, as the archive may still be asked. */
  readonly held?: boolean;
}

type States = ReadonlyMap<string, ClaimState>;

interface ProvedSource {
  readonly states: readonly ClaimState[];
  readonly changes: readonly Seen[];
  readonly holds: boolean;
}

/**
 * Proves a source's claims against its accepted content. A claim that its `until` has overturned stays so, unless a fact
 * overturned it and has changed back. A claim whose proof was edited in config is another claim. A claim whose proof is missing
 * at its first check is reported once, as not found → not found.
 */
export function prove(source: Source, ground: Ground): ProvedSource {
  const { comparison, at } = ground;
  const proofs = proofsOf(source);
  const states = new Map([...ground.states].filter(([, state]) => isOfProof(state, proofs)));
  const byFact = proveByFactsOf(source, comparison, states, at);
  const byText = proveByTextOf(source, { ...ground, states });
  const isAtFirst = new Set(source.claims.filter(isAsAtFirst).map(claimKey));
  const proved = [...byFact.states, ...byText.states].map(({ place: _, ...state }): ClaimState => {
    if (state.status !== "supported" || !isAtFirst.has(state.claim)) return state;
    const place = placeOf(source, comparison.memory, states.get(state.claim));
    return place === undefined ? state : { ...state, place };
  });
  const since = comparison.changes.reduce((first, seen) => Math.min(first, seen.since), at);
  const moved = [...byFact.changes, ...byText.changes.map((change) => withReplacement(change, ground))];
  const falls = new Map(moved.map(({ claim, to }) => [claim, fallsAfter(states.get(claim), to, since)]));
  const countedChanges = moved.map((change) => {
    const before = Math.max((falls.get(change.claim) ?? 0) - 1, timesBefore(states.get(change.claim), change, since));
    return withReturns(change, before, byFact);
  });
  const times = new Map(countedChanges.map(({ claim, again }) => [claim, again === undefined ? again : again + 1]));
  // Mistyped, or changed before the first check.
  const missing = proved.filter(({ claim, status }) => status === "not found" && !states.has(claim));
  const ofText = new Set(byText.states.map(({ claim }) => claim));
  const heldBack = new Set(missing.flatMap(({ claim }) => (ground.held && ofText.has(claim) ? [claim] : [])));
  const settled = proved.filter(({ claim }) => !heldBack.has(claim));
  const otherwise = byFact.otherwise.union(byText.otherwise);
  const unfound = missing.filter(({ claim }) => !heldBack.has(claim));
  const reported = unfound.map(({ claim, found }): ClaimChange => {
    const change = { kind: "claim", claim, from: "not found", to: "not found", after: found } as const;
    return otherwise.has(claim) ? { ...change, otherwise: true } : change;
  });
  return {
    holds: heldBack.size > 0,
    states: settled.map((state) => {
      const before = states.get(state.claim);
      const isChanged = times.has(state.claim);
      return {
        ...state,
        ...(isChanged && { since }),
        proved: proofs.get(state.claim),
        falls: (falls.get(state.claim) ?? before?.falls) || undefined,
        times: isChanged ? times.get(state.claim) : before?.times,
        earlier: isChanged ? earlierAfter(before, since) : before?.earlier,
      };
    }),
    changes: [
      ...countedChanges.map((change) => ({ change, since })),
      ...movesOf(source, { ...ground, states }, proved).map((change) => ({ change, since })),
      ...endedFacts(source, comparison, states).map((change) => ({ change, since: at })),
      ...reported.map((change) => ({ change, since: at })),
    ],
  };
}

/** How often a claim lost its support. A loss is not counted again while a page would call its return a flap. */
function fallsAfter(before: ClaimState | undefined, to: ClaimState["status"], at: Instant): number {
  const falls = before?.falls ?? (before?.status === "supported" ? 0 : 1);
  if (before?.status !== "supported" || to === "supported") return falls;
  return falls === 0 || at - before.since >= remember ? falls + 1 : falls;
}

function stateName(status: ClaimState["status"], text: string | undefined): string {
  return status === "gone" ? status : `${status} ${digest(text ?? "")}`;
}

/** How often a claim was in this state before, if that was too long ago to be a flap. */
function timesBefore(before: ClaimState | undefined, { to, after }: ClaimChange, at: Instant): number {
  const name = stateName(to, after);
  const last = before?.earlier?.[name];
  return last !== undefined && at - last.left >= remember ? last.times : 0;
}

/** The earlier states of a claim that changes, with the one that ends now. */
function earlierAfter(before: ClaimState | undefined, at: Instant): ClaimState["earlier"] {
  const { status = "not found", found, times = 1, earlier } = before ?? {};
  if (status === "supported" || status === "not found") return earlier;
  const name = stateName(status, found);
  return withLeft(earlier ?? {}, name, { left: at, times: Math.max(times, earlier?.[name]?.times ?? 0) });
}

/** The change of a claim with the count of its returns. If a fact proves the claim, the fact's own count is used. */
function withReturns(change: ClaimChange, times: number, { changes: byFact }: ProofResult): ClaimChange {
  const isCounted = change.to === "supported" || (change.to === "altered" && byFact.includes(change));
  return isCounted || times < 1 ? change : { ...change, again: times };
}

/** The claims of a source that a text may still prove: those never found with their present proof. */
export function unprovedClaims(source: Source, states: readonly ClaimState[]): Claim[] {
  const proofs = proofsOf(source);
  const proved = states.filter((state) => state.status !== "not found" && isOfProof(state, proofs));
  const provedClaims = new Set(proved.map(({ claim }) => claim));
  return source.claims.filter((claim) => isByText(claim) && !provedClaims.has(claimKey(claim)));
}

function proofsOf({ claims, address }: Source): ReadonlyMap<string, string> {
  return new Map(claims.map((claim) => [claimKey(claim), proofKey(claim, { address })]));
}

/** Whether a state belongs to the proof in config. With another proof it is another claim. */
function isOfProof({ claim, proved }: ClaimState, proofs: ReadonlyMap<string, string>): boolean {
  return proved === undefined || proved === proofs.get(claim);
}

/** How claims change if all waiting changes are confirmed. `states`: the states after this check. */
export function foreseeClaims(
  source: Source,
  { comparison, reading, states }: Pick<Ground, "comparison" | "reading" | "states">,
  options: CompareOptions,
): readonly Seen[] {
  if (source.claims.length === 0 || comparison.sightings.length === 0) return [];
  const at = options.at + Math.max(anHour, options.confirmAfter);
  const lasting = compareAgain(comparison.memory, { ...options, at });
  const earlier = comparison.memory.page?.accepted ?? [];
  const { changes } = prove(source, { comparison: lasting, reading, states, at, earlier });
  return changes.filter(({ change }) => change.kind === "claim");
}

function withReplacement(change: ClaimChange, { earlier, comparison }: Ground): ClaimChange {
  if (change.to !== "gone" || change.before === undefined) return change;
  const replacement = replacementOf(change.before, earlier, comparison.accepted);
  return replacement ? { ...change, after: replacement.text } : change;
}

function proveByFactsOf({ claims }: Source, { memory, changes }: Comparison, states: States, at: Instant): ProofResult {
  const factClaims = memory.facts ? claims.filter(isByFact) : [];
  const facts = factsOf(memory);
  const open = factClaims.filter(
    (claim) => claim.until.length === 0 || !isOverturned(claim, states) || isOpenAgain(claim, facts),
  );
  const unreported = memory.facts ? unreportedFacts(memory.facts) : new Set<string>();
  return proveByFacts(open, facts, { changed: factChangesIn(changes), unreported }, states, at);
}

/** Facts that already end a claim when it is first proved, reported as if they changed then. */
function endedFacts({ id, claims }: Source, { memory, changes }: Comparison, states: States): Change[] {
  const facts = factsOf(memory);
  const seen = new Set(factChangesIn(changes).map(({ name }) => name));
  const newClaims = claims.filter(isByFact).filter((claim) => !states.has(`${id}/${claim.id}`));
  return newClaims.flatMap(endingsBy(facts)).filter(({ name }) => !seen.has(name) && seen.add(name));
}

/** The link to a claim's proof, if it is not at the source's address. A change that may be a flap has to last. */
function placeOf({ address }: Source, { facts }: Memory, before: ClaimState | undefined): string | undefined {
  if (facts && unreportedFacts(facts).has("place")) return before?.place;
  const place = facts && factsGiven(facts).place;
  return place === address ? undefined : place;
}

/** The claims that hold, and whose proof is at another place than at the last check. */
function movesOf(
  source: Source,
  { comparison: { changes }, states }: Ground,
  proved: readonly ClaimState[],
): ClaimChange[] {
  const again = factChangesIn(changes).find(({ name }) => name === "place")?.again;
  return proved.flatMap(({ claim, status, place }): ClaimChange[] => {
    if (status !== "supported" || place === undefined || place === states.get(claim)?.place) return [];
    return [{ kind: "claim", claim, from: status, to: status, before: source.address, after: place, again }];
  });
}

function factsOf({ facts }: Memory): Map<string, string> {
  return new Map(Object.entries(facts ? factsGiven(facts) : {}));
}

function proveByTextOf(source: Source, { comparison, reading, states, at, earlier }: Ground): ProofResult {
  const open = source.claims
    .filter(isByText)
    .filter((claim) => "absent" in claim.proof || claim.until.length === 0 || !isOverturned(claim, states));
  if (open.length === 0 || (!reading && !comparison.memory.page)) return { states: [], changes: [], otherwise: none };
  const current = new Map(states);
  // A claim that is new in config was already true or false before this check.
  const newClaims = open.filter((claim) => earlier.length > 0 && !current.has(claimKey(claim)));
  for (const state of proveClaims(newClaims, earlier, current, at).states) {
    if (state.status === "supported") current.set(state.claim, state);
  }
  const proved = proveClaims(open, textOf(comparison, reading), current, at, earlier);
  const gone = proved.states.flatMap(({ claim, status }) => (status === "gone" && current.has(claim) ? [claim] : []));
  // A list shows only its newest entries: a passage that left together with its entry means nothing.
  const slid = new Set(reading?.items === undefined ? [] : gone);
  const leftClaims = open.filter((claim) => slid.has(claimKey(claim)));
  // Passages in the page's own text, or in a fact, do not leave that way.
  for (const { claim, status } of proveClaims(leftClaims, [...earlier, ...factsBefore(comparison)], current, at).states)
    if (status !== "gone") slid.delete(claim);
  return {
    states: proved.states.filter(({ claim }) => !slid.has(claim)),
    changes: proved.changes.filter(({ claim }) => !slid.has(claim)),
    otherwise: proved.otherwise,
  };
}

function factsBefore({ changes }: Comparison): Block[] {
  return factChangesIn(changes).flatMap(({ name, before }) =>
    before === undefined ? [] : [blockOfFact([name, before])],
  );
}

function factChangesIn(changes: readonly Seen[]) {
  return changes.flatMap(({ change }) => (change.kind === "fact" ? [change] : []));
}

function blockOfFact([name, value]: readonly [string, string]): Block {
  return { path: [], kind: "paragraph", text: `${name}: ${value}` };
}

const none: ReadonlySet<string> = new Set();

function isOverturned(claim: Claim, states: States): boolean {
  return states.get(claimKey(claim))?.status === "contradicted";
}

/** Everything accepted of a source, as blocks: a page's content, facts, and entries with their texts. */
function textOf({ accepted, memory }: Comparison, { items = [] }: Reading = {}): Block[] {
  return [
    ...accepted,
    ...[...factsOf(memory)].map(blockOfFact),
    ...items.flatMap((item): Block[] => [{ path: [], kind: "heading", text: item.title }, ...(item.blocks ?? [])]),
  ];
}
