import type { Condition } from "./condition.ts";
import { digest } from "./digest.ts";
import type { Instant } from "./time.ts";

/** One statement of the report that relies on a source, with its proof. */
export interface Claim {
  readonly id: string;
  readonly source: string;
  readonly says: string;
  readonly proof: Proof;
  /** Ids of the ratings that rest on it. */
  readonly ratings: readonly string[];
  /** Reference numbers in the report. */
  readonly cites: readonly number[];
  /** Conditions that end it, even if its own source still confirms it. */
  readonly until: readonly Condition[];
}

/**
 * `quote`: this passage must be there (W3C Web Annotation TextQuoteSelector: exact, prefix, suffix). `value`: this figure with
 * its unit must be there, near the words of `of` if given. `absent`: this must not be there. `fact`: this fact must have this
 * value; without `is`, the one that it had at first.
 */
export type Proof =
  | { readonly quote: string; readonly prefix?: string; readonly suffix?: string }
  | { readonly value: string; readonly of?: string }
  | { readonly absent: string; readonly under?: string }
  | { readonly fact: string; readonly is?: string };

/** Identifies a proof. Another proof makes another claim, as does another address without a value. */
export function proofKey({ proof }: Pick<Claim, "proof">, { address }: { readonly address: string }): string {
  return digest("fact" in proof && proof.is === undefined ? [proof, address] : proof);
}

export type ClaimStatus = "supported" | "altered" | "gone" | "contradicted" | "not found";

/** The state of a claim when it was last proved. */
export interface ClaimState {
  readonly claim: string;
  readonly status: ClaimStatus;
  readonly since: Instant;
  /** The last passage that was found. */
  readonly found?: string;
  /** The link to its proof, if that is not at its source's address. */
  readonly place?: string;
  /** For *altered*: the passage before. */
  readonly before?: string;
  /** Digest of its proof. With another proof in config it is another claim. */
  readonly proved?: string;
  /** How often it was supported for a while and then no longer. */
  readonly falls?: number;
  /** How often it reached its present state, if that was reported more than once. */
  readonly times?: number;
  /** Its other states, by name: when each ended, and how often it had occurred. */
  readonly earlier?: Readonly<Record<string, { readonly left: Instant; readonly times: number }>>;
}

/**
 * The subject of an answer that accepts a correction: of a claim's sentence, by the claim's key, or of a source's address,
 * by the source's id. Other answers are about a rating's id.
 */
export function correctionOf(key: string): string {
  return `${isKeyOfClaim(key) ? "claim" : "address"} ${key}`;
}

/** The key of the claim, or the id of the source, whose correction an answer accepts; undefined for a rating. */
export function correctedKey(subject: string): string | undefined {
  return /^(?:claim|address) (.+)$/s.exec(subject)?.[1];
}

/** Whether it is the key of a claim, and not the id of a source. */
export function isKeyOfClaim(key: string): boolean {
  return key.includes("/");
}

/** A figure that a source has replaced: the old and the new one, as the source writes them. */
export interface MovedFigure {
  readonly old: string;
  readonly now: string;
}

/** A source with its address in config, and the one that it permanently redirects to. */
export interface MovedSource extends MovedFigure {
  readonly source: string;
}
