import { notFound, proveClaims } from "./compare/claims.ts";
import type { Comparison } from "./compare/index.ts";
import { digest } from "./digest.ts";
import type { Block, ClaimState, Instant, Reading, Seen, Source } from "./model.ts";

export interface Proof {
  /** States to keep. */
  readonly states: readonly ClaimState[];
  readonly changes: readonly Seen[];
}

/**
 * Proves a source's claims against what is accepted of it. A claim that its own `until` has overturned stays so; one
 * whose proof was edited in config is another claim.
 * A claim whose proof is not there at its first look is told as unverified → unverified, once.
 */
export function prove(
  source: Source,
  comparison: Comparison,
  reading: Reading | undefined,
  states: ReadonlyMap<string, ClaimState>,
  at: Instant,
  earlier: readonly Block[] = [],
): Proof {
  const proofs = new Map(source.claims.map(({ id, proof }) => [`${source.id}/${id}`, digest(proof)]));
  const isSame = ({ claim, proved }: ClaimState) => proved === undefined || proved === proofs.get(claim);
  const known = new Map([...states].filter(([, state]) => isSame(state)));
  const open = source.claims.filter(
    ({ id, proof, until }) =>
      "absent" in proof || until.length === 0 || known.get(`${source.id}/${id}`)?.status !== "contradicted",
  );
  if (open.length === 0 || (!reading && comparison.accepted.length === 0)) return { states: [], changes: [] };
  // A claim that is new in config was true, or not, before this look already.
  const anew = open.filter(({ id }) => earlier.length > 0 && !known.has(`${source.id}/${id}`));
  for (const state of proveClaims(anew, earlier, known, at).states) {
    if (state.status === "supported") known.set(state.claim, state);
  }
  const proved = proveClaims(open, textOf(comparison, reading), known, at, earlier);
  // A list is a window: an entry that slid out of it took its passage along, and says nothing.
  const slid = (claim: string, status: string) => reading?.items !== undefined && status === "gone" && known.has(claim);
  const since = comparison.changes.reduce((first, seen) => Math.min(first, seen.since), at);
  const missing = notFound(proved.states).filter(({ claim }) => !known.has(claim));
  return {
    states: proved.states
      .filter(({ claim, status }) => !slid(claim, status))
      .map((state) => ({ ...state, proved: proofs.get(state.claim) })),
    changes: [
      ...proved.changes.filter(({ claim, to }) => !slid(claim, to)).map((change) => ({ change, since })),
      ...missing.map(
        ({ claim }): Seen => ({ change: { kind: "claim", claim, from: "unverified", to: "unverified" }, since: at }),
      ),
    ],
  };
}

/** Everything that is accepted of a source, as blocks: a page's content, facts, entries with their texts. */
function textOf({ accepted }: Comparison, { facts = {}, items = [] }: Reading = {}): Block[] {
  return [
    ...accepted,
    ...Object.entries(facts).map(
      ([name, value]): Block => ({ path: [], kind: "paragraph", text: `${name}: ${value}` }),
    ),
    ...items.flatMap((item): Block[] => [{ path: [], kind: "heading", text: item.title }, ...(item.blocks ?? [])]),
  ];
}
