import { quantities, sameQuantity } from "../../language/quantity.ts";
import { keysIn } from "../../language/words.ts";
import { makeOnce } from "../../model/cache.ts";
import type { Claim, Proof } from "../../model/claim.ts";
import type { Config } from "../../model/config.ts";
import type { Source } from "../../model/source.ts";
import { type FindRatings, ratingFinder, type SentenceRatings } from "./rating-finder.ts";
import type { CitedSentence } from "./sentences.ts";
import type { ProvedStatement } from "./statements.ts";

/** All that one source proves: plain data. */
export interface ProofsOfSource {
  readonly source: string;
  readonly found: readonly FoundProof[];
}

/** A statement that a source proves or contradicts. `ofAudit`: by its state at the audit, not by the current one. */
interface FoundProof extends ProvedStatement {
  readonly sentence: CitedSentence;
  readonly says: string;
  readonly ofAudit: boolean;
  readonly isContrary: boolean;
}

/** A possible claim. `isKnown`: config already has it. */
export interface Proposal extends Omit<Claim, "id" | "until"> {
  readonly ofAudit: boolean;
  readonly isContrary: boolean;
  readonly isKnown: boolean;
}

type FoundClaim = Omit<Proposal, "isKnown"> & SentenceRatings;

/** Turns proofs into claims: one for each place, and none for a place within another one. Pure. */
export function siftProofs({ source: id, found }: ProofsOfSource, config: Config): Proposal[] {
  const source = config.sources.get(id);
  if (!source) return [];
  const resting = makeOnce(findersByConfig, config, () => ratingFinder(config));
  const all = new Map<string, FoundClaim>();
  for (const one of found) add(all, JSON.stringify([one.ofAudit, one.place]), foundOf(one, source, resting));
  return withoutParts([...all.values()]).map(({ isNamed: _, ...one }) => ({
    ...one,
    isKnown: source.claims.some(({ proof }) => isSame(one.proof, proof)),
  }));
}

const findersByConfig = new WeakMap<Config, FindRatings>();

function foundOf(
  { sentence, says, proof, ofAudit, isContrary }: FoundProof,
  source: Source,
  resting: FindRatings,
): FoundClaim {
  const numbers = sentence.marks.flatMap(({ number }) => number ?? []);
  return {
    source: source.id,
    says,
    proof,
    ofAudit,
    isContrary,
    ...resting(sentence, wordsOf(proof), source),
    cites: [...new Set(numbers)].filter((number) => source.cites.includes(number)),
  };
}

function wordsOf(proof: Proof): string {
  if ("quote" in proof) return proof.quote;
  return "value" in proof ? (proof.of ?? "") : "";
}

/** Adds a claim. A place of a source proves one claim, however often the report makes it. */
function add(proposals: Map<string, FoundClaim>, key: string, proposal: FoundClaim): void {
  const before = proposals.get(key);
  const merged = before && {
    ...before,
    ...mergeRatings(before, proposal),
    cites: [...new Set([...before.cites, ...proposal.cites])].sort((a, b) => a - b),
  };
  proposals.set(key, merged ?? proposal);
}

/** The ratings of two places: of one that names them rather than of one that does not. */
function mergeRatings(one: SentenceRatings, other: SentenceRatings): SentenceRatings {
  if (one.isNamed !== other.isNamed) {
    const { ratings, isNamed } = one.isNamed ? one : other;
    return { ratings, isNamed };
  }
  return { ratings: [...new Set([...one.ratings, ...other.ratings])], isNamed: one.isNamed };
}

/** A passage within another one, or the figure of a sentence within its passage, is proved by that. */
function withoutParts(all: readonly FoundClaim[]): FoundClaim[] {
  const quotes = all.flatMap(({ proof, ...one }) =>
    "quote" in proof ? { ...one, length: proof.quote.length, keys: padKeys(proof.quote) } : [],
  );
  const isPart = ({ proof, says, ofAudit }: FoundClaim) => {
    const text = "quote" in proof ? proof.quote : "value" in proof ? proof.value : undefined;
    if (text === undefined) return false;
    const keys = padKeys(text);
    const isAround = (one: (typeof quotes)[number]) =>
      "quote" in proof ? one.length > text.length : one.says === says && one.ofAudit === ofAudit;
    return quotes.some((one) => isAround(one) && one.keys.includes(keys));
  };
  return all.filter((one) => !isPart(one));
}

function isSame(proof: Proof, known: Proof): boolean {
  if ("fact" in proof || "fact" in known) return "fact" in proof && "fact" in known && proof.fact === known.fact;
  if ("absent" in proof || "absent" in known)
    return "absent" in proof && "absent" in known && proof.absent === known.absent;
  const [own, other] = [proof, known].map((one) => ("quote" in one ? one.quote : one.value));
  return says(other ?? "", own ?? "") || says(own ?? "", other ?? "");
}

function says(whole: string, part: string): boolean {
  if (padKeys(whole).includes(padKeys(part))) return true;
  const figures = quantities(part);
  return figures.length > 0 && figures.every((one) => quantities(whole).some((other) => sameQuantity(one, other)));
}

function padKeys(text: string): string {
  return ` ${keysIn(text)} `;
}
