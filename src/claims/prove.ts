import { quantities, sameQuantity } from "../language/quantity.ts";
import { type Words, wordsIn, wordsOfBlocks } from "../language/words.ts";
import type { Change } from "../model/change.ts";
import type { Claim, ClaimState, ClaimStatus } from "../model/claim.ts";
import type { Block } from "../model/reading.ts";
import { claimKey } from "../model/rests.ts";
import type { Instant } from "../model/time.ts";
import { findPresence } from "./find/absence.ts";
import { takenBack } from "./find/denial.ts";
import { hasOtherFigure, isTurned } from "./find/figures.ts";
import { movedOn } from "./find/moved.ts";
import {
  type Found,
  findQuote,
  nearestPassage,
  type Quote,
  standsInPlace,
  standsOn,
  underAnother,
} from "./find/quote.ts";
import { withOtherSigns } from "./find/signs.ts";
import { findValue, type Value } from "./find/value.ts";

export type ClaimChange = Change & { readonly kind: "claim" };

type Of<C, P> = C & { readonly proof: P };
/** A claim whose proof is a fact. */
export type FactClaim = Of<Claim, Extract<Claim["proof"], { readonly fact: string }>>;
/** A claim whose proof is in a text. */
export type TextClaim = Of<Claim, Exclude<Claim["proof"], { readonly fact: string }>>;

/** The present states of a source's claims, and what changed since they were last proved. */
export interface Proved {
  readonly states: ClaimState[];
  readonly changes: ClaimChange[];
  /** Claims whose proof was never found, and whose source says something else in its place. */
  readonly otherwise: ReadonlySet<string>;
}

/** The outcome of looking for a proof. */
interface Outcome {
  readonly status: Exclude<ClaimStatus, "not found">;
  readonly text?: string;
  /** For an absence that proves nothing any more: a heading that identifies the page, should it come back. */
  readonly landmark?: string;
}

/** How similar a passage that was gone must be to count as back in other words: texts that come and go are noise. */
const sure = 0.7;

/**
 * Proves each claim against what its source says now. A claim whose proof was never found is *not found*, and supported
 * once it is found, both silently (see `notFound`). From then on every transition is a change. The report's words stay
 * the standard: an altered passage is followed through later edits, and supported again when the words return.
 *
 * @param known states by `source/claim`, as last stored
 * @param earlier what was accepted before: a passage that was there already has not replaced another one
 */
export function proveClaims(
  claims: readonly TextClaim[],
  blocks: readonly Block[],
  known: ReadonlyMap<string, ClaimState>,
  at: Instant,
  earlier: readonly Block[] = [],
): Proved {
  const states: ClaimState[] = [];
  const changes: ClaimChange[] = [];
  const otherwise = new Set<string>();
  if (claims.length === 0) return { states, changes, otherwise };
  const page = wordsOfBlocks(blocks);
  let earlierWords: Words | undefined;
  const old = () => (earlierWords ??= wordsOfBlocks(earlier));
  const stood = neighbours(earlier, old);
  const lost = landmarkLost(earlier, blocks);
  let fresh: Words | undefined;
  for (const claim of claims) {
    const before = known.get(claimKey(claim));
    let now = prove(page, claim, before);
    if ("absent" in claim.proof && now.status === "supported") now = provenAbsence(now, page, before, lost);
    if (before !== undefined && now.status === "altered" && stood(now, before)) {
      const known = new Set(earlier.map((block) => block.text));
      fresh ??= wordsOfBlocks(blocks.filter((block) => !known.has(block.text)));
      now = prove(fresh, claim, before);
      if (now.status === "altered" && stood(now, before)) now = { status: "gone" };
    }
    if ("quote" in claim.proof && claim.proof.prefix !== undefined && now.status === "supported")
      now = unlessMoved(now, { exact: claim.proof.quote, ...claim.proof }, { page, old, before });
    if ("quote" in claim.proof && now.status === "supported")
      now = unlessTakenBack(unlessOtherSigns(now, claim.proof.quote, page, before), claim.proof.quote, {
        ...{ page, old, before },
      });
    if ("value" in claim.proof && now.status === "supported")
      now = unlessTurned(now, claim.proof, { page, old, before });
    if (before === undefined && speaksAgainst(claim, now)) otherwise.add(claimKey(claim));
    if (before === undefined && now.status !== "supported" && now.text === undefined) {
      now = { ...now, text: nearestPassage(page, soughtBy(claim)) };
    }
    const { state, change } = step(claim, before, now, at);
    states.push(state);
    if (change !== undefined) changes.push(change);
  }
  return { states, changes, otherwise };
}

/**
 * Whether a source without the proof says something else in its place: what must not be there, another value, or the
 * passage with another figure. A passage in other words may be a mistyped proof.
 */
function speaksAgainst({ proof }: TextClaim, { status, text }: Outcome): boolean {
  if ("absent" in proof) return status === "contradicted";
  if (status !== "altered") return false;
  return "value" in proof || hasOtherFigure(proof.quote, text ?? "");
}

/** The words by which a person would look for the proof. */
function soughtBy({ proof }: TextClaim): string {
  if ("quote" in proof) return proof.quote;
  if ("value" in proof) return `${proof.of ?? ""} ${proof.value}`;
  return proof.under ?? proof.absent;
}

/** Whether an altered passage was there before, next to the one that was meant. */
function neighbours(
  earlier: readonly Block[],
  old: () => Words,
): (now: Outcome, before: ClaimState | undefined) => boolean {
  return ({ text }, before) => {
    if (earlier.length === 0 || text === undefined || text === before?.found) return false;
    return findQuote(old(), { exact: text }).status === "exact";
  };
}

/**
 * Half a sentence is found word for word even if the other half now negates it (`no longer supports …`) or restricts it
 * (`… except on Windows`). Such a passage is altered, unless the report itself quotes from such a sentence.
 */
function unlessTakenBack(
  now: Outcome,
  quote: string,
  { page, old, before }: { readonly page: Words; readonly old: () => Words; readonly before: ClaimState | undefined },
): Outcome {
  const text = takenBack(page, quote);
  if (text === undefined) return now;
  const isOwn = (of: Words) => !standsOn(of, quote) || takenBack(of, quote) !== undefined;
  const isTurned =
    before?.status === "supported" ? !isOwn(old()) : before?.before !== undefined && !isOwn(asPage(before.before));
  return isTurned ? { status: "altered", text } : { ...now, text };
}

/** A passage that stood under the heading that its prefix names may stand under another one now. */
function unlessMoved(
  now: Outcome,
  quote: Quote,
  { page, old, before }: { readonly page: Words; readonly old: () => Words; readonly before: ClaimState | undefined },
): Outcome {
  const text = before === undefined || before.status === "not found" ? undefined : underAnother(page, quote);
  const isMoved = text !== undefined && (before?.status !== "supported" || standsInPlace(old(), quote));
  return isMoved ? { status: "altered", text } : now;
}

/** Words that are still there may be parted by other signs: `sail==1.20` was `sail~=1.20`. */
function unlessOtherSigns(now: Outcome, quote: string, page: Words, before: ClaimState | undefined): Outcome {
  const said = saidOf(before);
  const text = said === undefined ? undefined : withOtherSigns(page, quote, asPage(said));
  return text === undefined ? now : { status: "altered", text };
}

function asPage(text: string): Words {
  return wordsOfBlocks([{ path: [], kind: "paragraph", text }]);
}

/** A figure that is still there may be said of something else by now, or the opposite may be said of it. */
function unlessTurned(
  now: Outcome,
  proof: Value,
  { page, old, before }: { readonly page: Words; readonly old: () => Words; readonly before: ClaimState | undefined },
): Outcome {
  const [said, says = ""] = [saidOf(before), now.text];
  if (isTurned(proof.value, said, says)) return { status: "altered", text: says };
  const found = before?.status === "altered" ? before.found : undefined;
  const moved = movedOn(proof, { said, says, ...(found !== undefined && { found }) }, { page, old });
  return moved === undefined ? now : { status: "altered", text: moved };
}

/** Of a text, the share that must stay for it to be the same page under another heading. */
const sameShare = 0.1;

/** Characters of a text that may be rewritten completely, at most. */
const minPageCharacters = 400;

/**
 * The first heading of a page that another one has replaced: the heading is gone, and so is most of the text below it.
 */
function landmarkLost(earlier: readonly Block[], blocks: readonly Block[]): string | undefined {
  const landmark = earlier.find(({ kind }) => kind === "heading")?.text;
  const texts = new Set(blocks.map(({ text }) => text));
  if (landmark === undefined || texts.has(landmark)) return undefined;
  const letters = (all: readonly Block[]) => all.reduce((sum, { text }) => sum + text.length, 0);
  const whole = letters(earlier);
  const stayed = letters(earlier.filter(({ text }) => texts.has(text)));
  return whole >= minPageCharacters && stayed < sameShare * whole ? landmark : undefined;
}

/** Keeps an absence to the page that it was seen on: on another page it proves nothing. */
function provenAbsence(now: Outcome, page: Words, before: ClaimState | undefined, lost: string | undefined): Outcome {
  if (before?.status === "gone" && before.found !== undefined) {
    return page.blocks.some(({ text }) => text === before.found) ? now : { status: "gone" };
  }
  return before?.status === "supported" && lost !== undefined ? { status: "gone", landmark: lost } : now;
}

/** Claims whose proof was never found: mistyped, or changed before the first look. */
export function notFound(states: readonly ClaimState[]): ClaimState[] {
  return states.filter((state) => state.status === "not found");
}

function prove(page: Words, claim: TextClaim, before: ClaimState | undefined): Outcome {
  const { proof } = claim;
  const hint = before?.status === "not found" ? undefined : before?.found;
  if ("absent" in proof) {
    const presence = findPresence(page, proof);
    if (presence.there) return { status: "contradicted", text: presence.text };
    // Under a heading that nobody has seen, an absence proves nothing.
    const isProved = presence.sought || (before !== undefined && before.status !== "not found");
    return { status: isProved ? "supported" : "gone" };
  }
  if ("value" in proof) return outcomeOf(findValue(page, proof, hint));
  const around = { prefix: proof.prefix, suffix: proof.suffix };
  const own = findQuote(page, { exact: proof.quote, ...around });
  if (own.status === "exact" || hint === undefined) return outcomeOf(own);
  const followed = findQuote(page, { exact: hint, ...around });
  const best = followed.similarity < own.similarity ? own : followed;
  if (best.status === "absent" || (before?.status === "gone" && best.similarity < sure)) return { status: "gone" };
  return { status: "altered", text: best.text };
}

function outcomeOf(found: Found): Outcome {
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
    const since = before?.since ?? at;
    return {
      state: { claim: key, status: "not found", since, ...(now.text === undefined ? {} : { found: now.text }) },
    };
  }
  if (now.status === before.status && !saysElse(claim, before, now))
    return { state: now.text === undefined || now.status === "altered" ? before : { ...before, found: now.text } };
  const change: ClaimChange = { kind: "claim", claim: key, from: before.status, to: now.status, ...texts(before, now) };
  return { state: { ...stateOf(key, now, at), ...remembered(before, now) }, change };
}

function stateOf(claim: string, now: Outcome, at: Instant): ClaimState {
  return { claim, status: now.status, since: at, ...(now.text === undefined ? {} : { found: now.text }) };
}

/** For a passage that changed: what was last found, as an anchor, and its text from when it matched the report. */
function remembered(before: ClaimState, now: Outcome): { found?: string; before?: string } {
  if (now.status !== "altered" && now.status !== "gone") return {};
  const found = now.text ?? now.landmark ?? before.found;
  const said = saidOf(before);
  return { ...(found === undefined ? {} : { found }), ...(said === undefined ? {} : { before: said }) };
}

/** The text of a passage from when it matched the report. */
function saidOf(state: ClaimState | undefined): string | undefined {
  return state?.status === "supported" ? state.found : state?.before;
}

function texts(before: ClaimState, now: Outcome): { before?: string; after?: string } {
  const said = before.status === "gone" ? undefined : before.found;
  return { ...(said === undefined ? {} : { before: said }), ...(now.text === undefined ? {} : { after: now.text }) };
}

/** Whether an altered passage was altered again; for a value, only its own figure counts. */
function saysElse(claim: Claim, before: ClaimState, now: Outcome): boolean {
  if (now.status !== "altered") return false;
  const [said, says] = [before.found ?? "", now.text ?? ""];
  if ("value" in claim.proof) {
    const dimensions = new Set(quantities(claim.proof.value).map((quantity) => quantity.dimension));
    const of = (text: string) => quantities(text).filter((quantity) => dimensions.has(quantity.dimension));
    if (dimensions.size > 0) {
      const [a, b] = [of(said), of(says)];
      if (a.length + b.length > 0)
        return a.length !== b.length || a.some((quantity, i) => !sameQuantity(quantity, b[i] ?? quantity));
    }
  }
  const keys = (text: string) => wordsIn(text).map((word) => word.term.key);
  return keys(said).join(" ") !== keys(says).join(" ");
}

type FactChange = Extract<Change, { kind: "fact" }>;

/** Whether a fact proves it. */
export function isByFact(claim: Claim): claim is FactClaim {
  return "fact" in claim.proof;
}

export function isByText(claim: Claim): claim is TextClaim {
  return !isByFact(claim);
}

/**
 * Does the same for claims whose proof is a fact: supported while the fact is as claimed, altered while it differs,
 * gone with it. The claim follows at once even a value that came back and may be a flap; the change is told together
 * with the fact's, once that has lasted.
 *
 * @param facts as accepted: one that disappeared stays until a second look
 * @param changed the facts that changed at this look, and those that wait until they have lasted
 */
export function proveByFacts(
  claims: readonly FactClaim[],
  facts: ReadonlyMap<string, string>,
  { changed, untold }: { readonly changed: readonly FactChange[]; readonly untold: ReadonlySet<string> },
  known: ReadonlyMap<string, ClaimState>,
  at: Instant,
): Proved {
  const states: ClaimState[] = [];
  const changes: ClaimChange[] = [];
  const otherwise = new Set<string>();
  for (const claim of claims) {
    const { fact } = claim.proof;
    const told = changed.find(({ name }) => name === fact);
    const again = told?.again;
    const before = known.get(claimKey(claim));
    const { state, change = told && stayed(claim, told, before) } = factClaimsStep(claim, facts.get(fact), before, at);
    if (before === undefined && state.status === "not found" && facts.has(fact)) otherwise.add(state.claim);
    states.push(state);
    if (change && !(change.to === "altered" && untold.has(fact)))
      changes.push(again === undefined ? change : { ...change, again });
  }
  return { states, changes, otherwise };
}

/** Tells that a value which came back, and is told now that it has lasted, alters a claim that it altered before. */
function stayed(
  { source, id, proof: { is } }: FactClaim,
  { name, before, after, again }: FactChange,
  state: ClaimState | undefined,
): ClaimChange | undefined {
  if (again === undefined || before === undefined || state?.status !== "altered") return undefined;
  const from = before === is ? "supported" : "altered";
  const said = { before: `${name}: ${before}`, after: `${name}: ${after}` };
  return { kind: "claim", claim: `${source}/${id}`, from, to: "altered", ...said };
}

function factClaimsStep(
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
  if (before === undefined || before.status === "not found") {
    return { state: status === "supported" ? state : { ...state, status: "not found", since: before?.since ?? at } };
  }
  if (status === before.status && found === (status === "gone" ? undefined : before.found)) return { state: before };
  const said = before.status === "altered" ? before.found : before.status === "gone" ? undefined : says;
  return {
    state: status === "supported" ? state : { ...state, before: says },
    change: {
      kind: "claim",
      claim,
      from: before.status,
      to: status,
      ...(said !== undefined && { before: said }),
      ...(found !== undefined && { after: found }),
    },
  };
}

/** The conditions that end a claim and hold now, among those about its own source. */
export function endedBy(facts: ReadonlyMap<string, string>): (claim: FactClaim) => FactChange[] {
  return ({ source, until }) =>
    until.flatMap((condition) => {
      if (condition.kind !== "fact" || condition.source !== source || condition.becomes === undefined) return [];
      const { name, becomes } = condition;
      return facts.get(name) === becomes ? [{ kind: "fact", name, after: becomes }] : [];
    });
}

/**
 * Whether to prove a claim again that its `until` has overturned: its fact has changed since, or everything that can
 * end it is a state of this source, and none of these states holds.
 */
export function isOpenAgain(claim: FactClaim, facts: ReadonlyMap<string, string>): boolean {
  const { source, proof, until } = claim;
  if (facts.get(proof.fact) !== proof.is) return true;
  const isState = until.every(
    (condition) => condition.kind === "fact" && condition.source === source && condition.becomes !== undefined,
  );
  return isState && endedBy(facts)(claim).length === 0;
}
