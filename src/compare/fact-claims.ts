import type { Change, Claim, ClaimState, Instant } from "../model.ts";
import type { ClaimChange, FactClaim, Proved, TextClaim } from "./claims.ts";

type FactChange = Extract<Change, { kind: "fact" }>;

/** Whether a fact proves it. */
export function isByFact(claim: Claim): claim is FactClaim {
  return "fact" in claim.proof;
}

export function isByText(claim: Claim): claim is TextClaim {
  return !isByFact(claim);
}

/**
 * As `proveClaims`, of claims that are proved by a fact: supported while it is what the claim says, altered while it is
 * anything else, gone with it.
 *
 * @param facts as they are accepted: one that disappeared stays until a second look
 * @param changed what of them changed at this look
 */
export function proveByFacts(
  claims: readonly FactClaim[],
  facts: ReadonlyMap<string, string>,
  changed: readonly FactChange[],
  known: ReadonlyMap<string, ClaimState>,
  at: Instant,
): Proved {
  const states: ClaimState[] = [];
  const changes: ClaimChange[] = [];
  for (const claim of claims) {
    const { fact } = claim.proof;
    const again = changed.find(({ name }) => name === fact)?.again;
    const { state, change } = step(claim, facts.get(fact), known.get(`${claim.source}/${claim.id}`), at);
    states.push(state);
    if (change) changes.push(again === undefined ? change : { ...change, again });
  }
  return { states, changes };
}

function step(
  { source, id, proof }: FactClaim,
  value: string | undefined,
  before: ClaimState | undefined,
  at: Instant,
): { state: ClaimState; change?: ClaimChange } {
  const claim = `${source}/${id}`;
  const says = `${proof.fact}: ${proof.is}`;
  const found = value === undefined ? undefined : `${proof.fact}: ${value}`;
  const status = found === undefined ? "gone" : found === says ? "supported" : "altered";
  const state: ClaimState = { claim, status, since: at, ...(found !== undefined && { found }) };
  if (before === undefined || before.status === "unverified") {
    return { state: status === "supported" ? state : { ...state, status: "unverified", since: before?.since ?? at } };
  }
  if (status === before.status && found === (status === "gone" ? undefined : before.found)) return { state: before };
  const said = before.status === "altered" ? before.found : before.status === "gone" ? undefined : says;
  return {
    state: status === "supported" ? state : { ...state, before: says },
    change: {
      ...{ kind: "claim", claim, from: before.status, to: status },
      ...(said !== undefined && { before: said }),
      ...(found !== undefined && { after: found }),
    },
  };
}

/** What ends a claim and is so now, of all that its own source tells. */
export function endedBy(facts: ReadonlyMap<string, string>): (claim: FactClaim) => FactChange[] {
  return ({ source, until }) =>
    until.flatMap((condition) => {
      if (condition.kind !== "fact" || condition.source !== source || condition.becomes === undefined) return [];
      const { name, becomes } = condition;
      return facts.get(name) === becomes ? [{ kind: "fact", name, after: becomes }] : [];
    });
}

/**
 * Whether a claim that its own `until` has overturned is to be proved again: its fact is another one by now, or all
 * that can end it are states of this very source, none of which lasts.
 */
export function isOpenAgain(claim: FactClaim, facts: ReadonlyMap<string, string>): boolean {
  const { source, proof, until } = claim;
  if (facts.get(proof.fact) !== proof.is) return true;
  const isState = until.every(
    (condition) => condition.kind === "fact" && condition.source === source && condition.becomes !== undefined,
  );
  return isState && endedBy(facts)(claim).length === 0;
}
