import { quantities, sameQuantity } from "../language/quantity.ts";
import { keysIn, type Words, wordsOfBlocks, wordsOfText } from "../language/words.ts";
import type { Change, ClaimChange } from "../model/change.ts";
import type { Claim, ClaimState, ClaimStatus } from "../model/claim.ts";
import { claimKey } from "../model/dependencies.ts";
import type { Block } from "../model/reading.ts";
import type { Instant } from "../model/time.ts";
import { fileGone } from "../read/shared/line-links.ts";
import { findPresence } from "./find/absence.ts";
import { denialOfPassage } from "./find/denial.ts";
import { hasOtherFigure, isTurned, withOtherSigns } from "./find/figures.ts";
import { textAtOldPlace } from "./find/moved-passages.ts";
import { findQuote, isInContext, isOnPage, type QuoteMatch, underOtherHeading } from "./find/quote.ts";
import { nearestPassage } from "./find/similar-passages.ts";
import { findValue, type ValueMatch } from "./find/value.ts";

type Of<C, P> = C & { readonly proof: P };
export type FactClaim = Of<Claim, Extract<Claim["proof"], { readonly fact: string }>>;
/** A claim by a fact: `is` is the value that the fact must have, and `describe` puts a value in words. */
interface ClaimOfValue extends Claim {
  readonly is: string;
  describe(value: string): string;
}
export type TextClaim = Of<Claim, Exclude<Claim["proof"], { readonly fact: string }>>;

/** The current states of a source's claims, and the changes since the last proof. */
export interface ProofResult {
  readonly states: ClaimState[];
  readonly changes: ClaimChange[];
  /** Claims whose proof was never found and whose source contradicts them. */
  readonly otherwise: ReadonlySet<string>;
}

interface Outcome {
  readonly status: Exclude<ClaimStatus, "not found">;
  readonly text?: string;
  /** For an absence that is no longer proved: a heading that identifies the old page, in case it returns. */
  readonly landmark?: string;
}

interface Evidence {
  readonly claim: TextClaim;
  readonly page: Words;
  readonly before: ClaimState | undefined;
  old(): Words;
  fresh(): Words;
  /** The first heading of the earlier page, if another page has replaced it. */
  readonly lostLandmark: string | undefined;
}

/** How similar a lost passage must be to count as back in other words: texts that come and go are noise. */
const minReturnSimilarity = 0.7;

/**
 * Proves each claim by the current reading. A claim whose proof was never found is *not found*, and *supported* once it
 * is found; neither is a change (see `notFound`). After that, every transition is a change. The standard is always the
 * report's words: an altered passage is followed through later edits, and is supported again if its words return.
 *
 * @param stored states by `source/claim`
 * @param earlier the accepted reading: a passage that it has too cannot have replaced another one
 */
export function proveClaims(
  claims: readonly TextClaim[],
  blocks: readonly Block[],
  stored: ReadonlyMap<string, ClaimState>,
  at: Instant,
  earlier: readonly Block[] = [],
): ProofResult {
  const states: ClaimState[] = [];
  const changes: ClaimChange[] = [];
  const otherwise = new Set<string>();
  if (claims.length === 0) return { states, changes, otherwise };
  const reading = evidenceIn(blocks, earlier);
  for (const claim of claims) {
    const key = claimKey(claim);
    const before = stored.get(key);
    const outcome = judge({ ...reading, claim, before });
    if (before === undefined && contradictsClaim(claim, outcome)) otherwise.add(key);
    const isUnproved = before === undefined && outcome.status !== "supported" && outcome.text === undefined;
    const text = isUnproved ? nearestPassage(reading.page, searchWords(claim)) : outcome.text;
    const { state, change } = step(claim, before, { ...outcome, text }, at);
    states.push(state);
    if (change !== undefined) changes.push(change);
  }
  return { states, changes, otherwise };
}

function evidenceIn(blocks: readonly Block[], earlier: readonly Block[]): Omit<Evidence, "claim" | "before"> {
  let oldWords: Words | undefined;
  let freshWords: Words | undefined;
  const freshBlocks = () => {
    const texts = new Set(earlier.map(({ text }) => text));
    return blocks.filter(({ text }) => !texts.has(text));
  };
  return {
    page: wordsOfBlocks(blocks),
    old: () => (oldWords ??= wordsOfBlocks(earlier)),
    fresh: () => (freshWords ??= wordsOfBlocks(freshBlocks())),
    lostLandmark: landmarkLost(earlier, blocks),
  };
}

/** Finds the proof of a claim. A proof that is found may still be in doubt: the first doubt that applies decides. */
function judge(evidence: Evidence): Outcome {
  const outcome = search(evidence);
  if (outcome.status !== "supported") return outcome;
  for (const { decide } of doubts) {
    const decision = decide(outcome, evidence);
    if (decision !== undefined) return decision;
  }
  return outcome;
}

/** An altered passage that the earlier reading had too is another passage: only new blocks count. */
function search(evidence: Evidence): Outcome {
  const { claim, before, page, fresh } = evidence;
  const onPage = prove(page, claim, before);
  if (!isNeighbour(onPage, evidence)) return onPage;
  const inNew = prove(fresh(), claim, before);
  return isNeighbour(inNew, evidence) ? { status: "gone" } : inNew;
}

function isNeighbour({ status, text }: Outcome, { before, old }: Evidence): boolean {
  if (before === undefined || status !== "altered") return false;
  return text !== undefined && text !== before.found && findQuote(old(), { exact: text }).status === "exact";
}

/** A reason why a proof that is still found may no longer support its claim. */
interface Doubt {
  readonly name: string;
  readonly reason: string;
  decide(supported: Outcome, evidence: Evidence): Outcome | undefined;
}

const doubts: readonly Doubt[] = [
  {
    name: "another page",
    reason: "An absence holds only for the page on which it was seen. If another page replaced it, nothing is proved.",
    decide: (_, { claim: { proof }, page, before, lostLandmark }) => {
      if (!("absent" in proof)) return undefined;
      if (before?.status === "gone" && before.found !== undefined)
        return page.blocks.some(({ text }) => text === before.found) ? undefined : { status: "gone" };
      const isLost = before?.status === "supported" && lostLandmark !== undefined;
      return isLost ? { status: "gone", landmark: lostLandmark } : undefined;
    },
  },
  {
    name: "another heading",
    reason: "A passage may have moved from the heading that its prefix names to another one.",
    decide: (_, { claim: { proof }, page, old, before }) => {
      if (!("quote" in proof) || proof.prefix === undefined) return undefined;
      if (before === undefined || before.status === "not found") return undefined;
      const quote = { exact: proof.quote, ...proof };
      const text = underOtherHeading(page, quote);
      const isMoved = text !== undefined && (before.status !== "supported" || isInContext(old(), quote));
      return isMoved ? { status: "altered", text } : undefined;
    },
  },
  {
    name: "other signs",
    reason: "The words may be the same with other signs between them: `sail==1.20` was `sail~=1.20`.",
    decide: (_, { claim: { proof }, page, before }) => {
      const original = originalText(before);
      if (!("quote" in proof) || original === undefined) return undefined;
      const text = withOtherSigns(page, proof.quote, wordsOfText(original));
      return text === undefined ? undefined : { status: "altered", text: denialOfPassage(page, proof.quote) ?? text };
    },
  },
  {
    name: "taken back",
    reason:
      "The rest of the sentence may deny the passage (`no longer supports …`) or restrict it (`… except on Windows`). " +
      "If it did so from the beginning, the report quotes such a sentence, and the claim is supported.",
    decide: (supported, { claim: { proof }, page, old, before }) => {
      const text = "quote" in proof ? denialOfPassage(page, proof.quote) : undefined;
      if (!("quote" in proof) || text === undefined) return undefined;
      const isAsQuoted = (words: Words) =>
        !isOnPage(words, proof.quote) || denialOfPassage(words, proof.quote) !== undefined;
      const original =
        before?.status === "supported" ? old() : before?.before === undefined ? undefined : wordsOfText(before.before);
      return original && !isAsQuoted(original) ? { status: "altered", text } : { ...supported, text };
    },
  },
  {
    name: "opposite",
    reason: "The figure may be bounded from the other side now.",
    decide: ({ text = "" }, { claim: { proof }, before }) =>
      "value" in proof && isTurned(proof.value, originalText(before), text) ? { status: "altered", text } : undefined,
  },
  {
    name: "another subject",
    reason: "The same figure may be about something else now.",
    decide: ({ text: now = "" }, { claim: { proof }, page, old, before }) => {
      if (!("value" in proof)) return undefined;
      const altered = before?.status === "altered" ? before.found : undefined;
      const texts = { original: originalText(before), now, altered };
      const text = textAtOldPlace(proof, texts, { page, old });
      return text === undefined ? undefined : { status: "altered", text };
    },
  },
];

/**
 * Whether a source without the proof contradicts the claim: by the words that must be absent, by another value, or by
 * the passage with another figure. A passage in other words may be a mistyped proof.
 */
function contradictsClaim({ proof }: TextClaim, { status, text }: Outcome): boolean {
  if ("absent" in proof) return status === "contradicted";
  if (status !== "altered") return false;
  return "value" in proof || hasOtherFigure(proof.quote, text ?? "");
}

/** The words by which a person would search for the proof. */
function searchWords({ proof }: TextClaim): string {
  if ("quote" in proof) return proof.quote;
  if ("value" in proof) return `${proof.of ?? ""} ${proof.value}`;
  return proof.under ?? proof.absent;
}

/** It is the same page under another heading if at least this part of its text remains. */
const minSharedPart = 0.1;

/** A shorter page, in characters, may be rewritten completely and is still the same page. */
const minPageCharacters = 400;

/** The first heading of the earlier page, if it is gone together with most of the text: another page has replaced it. */
function landmarkLost(earlier: readonly Block[], blocks: readonly Block[]): string | undefined {
  const landmark = earlier.find(({ kind }) => kind === "heading")?.text;
  const texts = new Set(blocks.map(({ text }) => text));
  if (landmark === undefined || texts.has(landmark)) return undefined;
  const letters = (all: readonly Block[]) => all.reduce((sum, { text }) => sum + text.length, 0);
  const whole = letters(earlier);
  const kept = letters(earlier.filter(({ text }) => texts.has(text)));
  return whole >= minPageCharacters && kept < minSharedPart * whole ? landmark : undefined;
}

function prove(page: Words, { proof }: TextClaim, before: ClaimState | undefined): Outcome {
  const hint = before?.status === "not found" ? undefined : before?.found;
  if ("absent" in proof) {
    const presence = findPresence(page, proof);
    if (presence.there) return { status: "contradicted", text: presence.text };
    // An absence below a heading that was never seen proves nothing.
    const isProved = presence.sought || (before !== undefined && before.status !== "not found");
    return { status: isProved ? "supported" : "gone" };
  }
  if ("value" in proof) return outcomeOf(findValue(page, proof, hint));
  const around = { prefix: proof.prefix, suffix: proof.suffix };
  const original = findQuote(page, { exact: proof.quote, ...around });
  if (original.status === "exact" || hint === undefined) return outcomeOf(original);
  const followed = findQuote(page, { exact: hint, ...around });
  const best = followed.similarity < original.similarity ? original : followed;
  if (best.status === "absent" || (before?.status === "gone" && best.similarity < minReturnSimilarity))
    return { status: "gone" };
  return { status: "altered", text: best.text };
}

function outcomeOf(found: QuoteMatch | ValueMatch): Outcome {
  if (found.status === "absent") return { status: "gone" };
  return { status: found.status === "exact" ? "supported" : "altered", text: found.text };
}

function step(
  claim: Claim,
  before: ClaimState | undefined,
  now: Outcome,
  at: Instant,
): { state: ClaimState; change?: ClaimChange } {
  const key = claimKey(claim);
  if (before === undefined || before.status === "not found") {
    if (now.status === "supported") return { state: stateOf(key, now, at) };
    return { state: { claim: key, status: "not found", since: before?.since ?? at, found: now.text } };
  }
  if (now.status === before.status && !isAlteredAgain(claim, before, now))
    return { state: now.text === undefined || now.status === "altered" ? before : { ...before, found: now.text } };
  const texts = { before: before.status === "gone" ? undefined : before.found, after: now.text };
  const change: ClaimChange = { kind: "claim", claim: key, from: before.status, to: now.status, ...texts };
  return { state: { ...stateOf(key, now, at), ...history(before, now) }, change };
}

function stateOf(claim: string, now: Outcome, at: Instant): ClaimState {
  return { claim, status: now.status, since: at, found: now.text };
}

/** For a passage that changed: the text last found, to follow it, and the text that matched the report. */
function history(before: ClaimState, now: Outcome): { found?: string; before?: string } {
  if (now.status !== "altered" && now.status !== "gone") return {};
  return { found: now.text ?? now.landmark ?? before.found, before: originalText(before) };
}

/** The text of a passage when it last matched the report. */
function originalText(state: ClaimState | undefined): string | undefined {
  return state?.status === "supported" ? state.found : state?.before;
}

/** Whether an altered passage was altered again. For a value, only figures of its dimension count. */
function isAlteredAgain(claim: Claim, before: ClaimState, now: Outcome): boolean {
  if (now.status !== "altered") return false;
  const [oldText, newText] = [before.found ?? "", now.text ?? ""];
  if ("value" in claim.proof) {
    const dimensions = new Set(quantities(claim.proof.value).map((quantity) => quantity.dimension));
    const of = (text: string) => quantities(text).filter((quantity) => dimensions.has(quantity.dimension));
    if (dimensions.size > 0) {
      const [a, b] = [of(oldText), of(newText)];
      if (a.length + b.length > 0)
        return a.length !== b.length || a.some((quantity, i) => !sameQuantity(quantity, b[i] ?? quantity));
    }
  }
  return keysIn(oldText) !== keysIn(newText);
}

type FactChange = Extract<Change, { kind: "fact" }>;

export function isByFact(claim: Claim): claim is FactClaim {
  return "fact" in claim.proof;
}

export function isAsAtFirst({ proof }: Claim): boolean {
  return "fact" in proof && proof.is === undefined;
}

export function isByText(claim: Claim): claim is TextClaim {
  return !isByFact(claim);
}

/**
 * Proves claims whose proof is a fact. Supported: the fact is as claimed; altered: it differs; gone: it is gone. The
 * state follows the fact at once, even if its value may flap. The change is reported together with the fact's, once
 * that has lasted.
 *
 * @param facts the accepted ones: a fact that disappeared stays until a second check
 * @param changed the facts that changed at this check
 * @param unreported names of facts whose change is not reported until it has lasted
 */
export function proveByFacts(
  claims: readonly FactClaim[],
  facts: ReadonlyMap<string, string>,
  { changed, unreported }: { readonly changed: readonly FactChange[]; readonly unreported: ReadonlySet<string> },
  stored: ReadonlyMap<string, ClaimState>,
  at: Instant,
): ProofResult {
  const states: ClaimState[] = [];
  const changes: ClaimChange[] = [];
  const otherwise = new Set<string>();
  for (const claim of claims) {
    const { fact } = claim.proof;
    const factChange = changed.find(({ name }) => name === fact);
    const again = factChange?.again;
    const value = facts.get(fact);
    const isOfFirst = isAsAtFirst(claim);
    const key = claimKey(claim);
    const last = stored.get(key);
    const is = claim.proof.is ?? valueAtFirst(last) ?? factChange?.before ?? value ?? "";
    const isSeen = isOfFirst && last === undefined && factChange?.before !== undefined;
    const before = isSeen ? ({ claim: key, status: "supported", since: at, found: is } as const) : last;
    const describe = (text: string) => (isOfFirst ? text : `${fact}: ${text}`);
    const claimed: ClaimOfValue = { ...claim, is, describe };
    // An empty value means that the fact is gone.
    const now = isOfFirst && value === "" ? undefined : value;
    const { state, change = factChange && lastingChange(claimed, factChange, before) } = factClaimsStep(
      claimed,
      now,
      before,
      at,
    );
    if (before === undefined && state.status === "not found" && now !== undefined) otherwise.add(state.claim);
    states.push(state);
    const more = {
      again,
      ...(change?.to === "gone" && facts.get("place") === fileGone && ({ isFileGone: true } as const)),
    };
    if (change && !(change.to === "altered" && unreported.has(fact))) changes.push({ ...change, ...more });
  }
  return { states, changes, otherwise };
}

function valueAtFirst(state: ClaimState | undefined): string | undefined {
  return state?.status === "not found" ? undefined : originalText(state);
}

/** The change of a claim that stays altered: a value that returned has lasted, and is reported now. */
function lastingChange(
  { source, id, is, describe }: ClaimOfValue,
  { before, after, again }: FactChange,
  state: ClaimState | undefined,
): ClaimChange | undefined {
  if (again === undefined || before === undefined || state?.status !== "altered") return undefined;
  const from = before === is ? "supported" : "altered";
  const texts = { before: describe(before), after: describe(after ?? "") };
  return { kind: "claim", claim: `${source}/${id}`, from, to: "altered", ...texts };
}

function factClaimsStep(
  { source, id, is, describe }: ClaimOfValue,
  value: string | undefined,
  before: ClaimState | undefined,
  at: Instant,
): { state: ClaimState; change?: ClaimChange } {
  const claim = `${source}/${id}`;
  const says = describe(is);
  const current = value === undefined ? undefined : describe(value);
  const status = current === undefined ? "gone" : current === says ? "supported" : "altered";
  const state: ClaimState = { claim, status, since: at, found: current };
  if (before === undefined || before.status === "not found") {
    return { state: status === "supported" ? state : { ...state, status: "not found", since: before?.since ?? at } };
  }
  if (status === before.status && current === (status === "gone" ? undefined : before.found)) return { state: before };
  const last = before.status === "altered" ? before.found : before.status === "gone" ? undefined : says;
  return {
    state: status === "supported" ? state : { ...state, before: says },
    change: { kind: "claim", claim, from: before.status, to: status, before: last, after: current },
  };
}

/** The changes that end a claim: conditions of its `until` on facts of its own source that are met now. */
export function endingsBy(facts: ReadonlyMap<string, string>): (claim: FactClaim) => FactChange[] {
  return ({ source, until }) =>
    until.flatMap((condition) => {
      if (condition.kind !== "fact" || condition.source !== source || condition.becomes === undefined) return [];
      const { name, becomes } = condition;
      return facts.get(name) === becomes ? [{ kind: "fact", name, after: becomes }] : [];
    });
}

/**
 * Whether to prove an overturned claim again: its fact has changed since, or its `until` names only states of this
 * source, and none of these states holds.
 */
export function isOpenAgain(claim: FactClaim, facts: ReadonlyMap<string, string>): boolean {
  const { source, proof, until } = claim;
  if (proof.is !== undefined && facts.get(proof.fact) !== proof.is) return true;
  const isState = until.every(
    (condition) => condition.kind === "fact" && condition.source === source && condition.becomes !== undefined,
  );
  return isState && endingsBy(facts)(claim).length === 0;
}
