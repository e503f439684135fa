import { type Change, isMove, isOfFirstCheck, type Seen, type Sighting } from "../model/change.ts";
import { changedTexts } from "../model/change-words.ts";
import type { ForeseenFiring, PendingSighting } from "../model/check.ts";
import { type Claim, type ClaimState, proofKey } from "../model/claim.ts";
import { type Condition, conditionsOf, listensTo } from "../model/condition.ts";
import type { Config } from "../model/config.ts";
import { claimKey } from "../model/dependencies.ts";
import {
  builtIn,
  type Evidence,
  type Firing,
  type Happening,
  isOfClaim,
  isOfTrigger,
  type MatchResult,
  maxEvidence,
  mergeFirings,
  type Occurrence,
  weightOf,
} from "../model/firing.ts";
import type { EventSighting, StoredFiring } from "../model/ports/index.ts";
import type { Origin } from "../model/source.ts";
import { aDay, type Instant } from "../model/time.ts";
import { isBelow, type Version, versionCalled } from "../model/version.ts";
import { notesOn } from "./announced-version.ts";
import { duesOf, isMet, type Moment, type Subject, type TestResult } from "./conditions.ts";
import { isCalledPre, occurrencesOf, publicationOf, releaseOf, sightingOf } from "./events.ts";
import { type EventRules, eventRulesOf, isCovered, isNotFound, type Rule } from "./rules.ts";

/** Everything that evaluation needs besides the events of a source. */
export interface Context {
  readonly source: Origin;
  readonly config: Config;
  readonly remembered: Remembered;
  readonly at: Instant;
}

/** Earlier sightings and firings of the present events, read in the transaction that stores the outcome. */
export interface Remembered {
  /** Sightings of these events, and of every event of their products. */
  readonly sightings: readonly EventSighting[];
  readonly firings: readonly StoredFiring[];
}

export interface Evaluation {
  readonly happenings: readonly Happening[];
  readonly firings: readonly Firing[];
  readonly events: readonly EventSighting[];
  /** Claims that are overturned because their own `until` was met. */
  readonly overturned: readonly ClaimState[];
}

/** Matches the events of one source with every trigger, and with every claim's `until`. Pure. */
export function evaluate(occurrences: readonly Occurrence[], context: Context): Evaluation {
  const together = occurrences.flatMap((occurrence) => sightingOf(occurrence, context.source));
  const matchedEvents = matchEvents(occurrences, context, together);
  const results = matchedEvents.flatMap((match) => match.results);
  return {
    happenings: matchedEvents.map(({ occurrence, results }) => ({ ...occurrence, results: matchResultsOf(results) })),
    firings: merge(results.flatMap(({ outcomes }) => outcomes.flatMap(({ firing }) => firing ?? []))),
    events: matchedEvents.flatMap(({ occurrence }) => sightingOf(occurrence, context.source)),
    overturned: matchedEvents.flatMap(({ occurrence, results }) =>
      results
        .filter(({ rule: { part }, verdict }) => part === "until" && verdict.met)
        .flatMap(({ rule: { claim } }) => (claim ? [overturn(claim, occurrence, context)] : [])),
    ),
  };
}

export function evaluateTime(present: Moment): Firing[] {
  return [...present.config.triggers.values()].flatMap((trigger) =>
    conditionsOf(trigger).flatMap(({ condition, part }) =>
      duesOf(condition, trigger, present)
        .filter(({ at, seen }) => at <= seen)
        .map(({ source, key, change }): Firing => {
          const evidence: Evidence = { source, seen: present.at, change, part, condition };
          const weight = condition.awaited ? "contrary" : "routine";
          return {
            trigger: trigger.id,
            event: { key },
            weight,
            evidence: [evidence],
            seen: present.at,
            fired: present.at,
          };
        }),
    ),
  );
}

/** Waiting sightings of one check that are evaluated in advance, at most. */
const maxForeseen = 50;

/** The conditions that waiting sightings will meet if they last, with the `claims` that they would change. Pure. */
export function foresee(sightings: readonly Sighting[], claims: readonly Seen[], context: Context): PendingSighting[] {
  const holderOf = ({ change }: Seen) => sightings.find((one) => holds(one.change, change)) ?? sightings[0];
  const movedClaims = Map.groupBy(claims, holderOf);
  return sightings.map((sighting, i) => {
    const claimChanges = movedClaims.get(sighting) ?? [];
    const changes = claimChanges.flatMap(({ change }) => (change.kind === "claim" ? [change] : []));
    const asks = i < maxForeseen ? asksOf([sighting, ...claimChanges], context) : [];
    return { ...sighting, asks, ...(changes.length > 0 && { claims: changes }) };
  });
}

function asksOf(lasting: readonly Seen[], context: Context): ForeseenFiring[] {
  return matchEvents(occurrencesOf(lasting, context.source, context.config), context)
    .flatMap(({ occurrence, results }) => results.map((one) => ({ ...one, change: occurrence.changes[0]?.change })))
    .filter(({ verdict }) => verdict.met)
    .flatMap(({ rule, outcomes, change }) =>
      outcomes
        .filter(({ covered }) => !covered)
        .map(({ trigger }) => ({
          trigger,
          condition: rule.condition,
          weight: weightFor(trigger, rule, change),
          claim: rule.claim ? claimKey(rule.claim) : change?.kind === "claim" ? change.claim : undefined,
        })),
    );
}

/** Whether a difference contains the old or new words of a claim. */
function holds(difference: Change, claim: Change): boolean {
  if (claim.kind !== "claim") return false;
  const texts = (changedTexts(difference) ?? []).flatMap((text) => text ?? []);
  return [claim.before, claim.after].some((words) => words && texts.some((text) => text.includes(words)));
}

// ── Matching ───────────────────────────────────────────────────────────────────────────────────

/** A rule's result for an event, and its outcome for each trigger. */
interface RuleResult {
  readonly rule: Rule;
  readonly verdict: TestResult;
  readonly outcomes: readonly Outcome[];
}

interface Outcome {
  readonly trigger: string;
  readonly outcome: MatchResult["outcome"];
  readonly firing?: Firing;
  readonly knownFrom?: MatchResult["knownFrom"];
  /** The claims of the source already report all of it to the same trigger. */
  readonly covered?: true;
}

interface MatchedEvent {
  readonly occurrence: Occurrence;
  readonly results: readonly RuleResult[];
}

/** Matches the events of one check with their rules, and drops from each trigger's evidence what its claims report. */
function matchEvents(
  occurrences: readonly Occurrence[],
  context: Context,
  together: readonly EventSighting[] = [],
): MatchedEvent[] {
  const matchedEvents = occurrences
    .flatMap((occurrence) => eventRulesOf(occurrence, context))
    .map((candidates) => ({ occurrence: candidates.occurrence, results: match(candidates, context, together) }));
  const ofClaims = matchedEvents.flatMap(({ results }) =>
    results.flatMap(({ outcomes }) => outcomes.flatMap(claimsIn)),
  );
  if (ofClaims.length === 0) return matchedEvents;
  const byTrigger = Map.groupBy(ofClaims, ({ trigger }) => trigger);
  const deaths = ofClaims.filter(({ change }) => change.kind === "link");
  const withoutCovered = (outcome: Outcome): Outcome => {
    const { trigger, firing } = outcome;
    // If a page is gone, the triggers of its claims ask already: a trigger without ratings has nothing to add.
    const isBare = context.config.triggers.get(trigger)?.ratings.length === 0;
    const claims = [...(byTrigger.get(trigger) ?? []), ...(isBare ? deaths : [])].map(({ change }) => change);
    if (!firing || claims.length === 0) return outcome;
    const isKept = (piece: Evidence) =>
      !isOfTrigger(piece) || piece.condition?.awaited || piece.condition?.means !== undefined;
    const evidence = firing.evidence.filter((one) => isKept(one) || !isCovered(one.change, claims, context.config));
    if (evidence.length === 0) return { trigger, outcome: "known", covered: true };
    return { ...outcome, firing: { ...firing, evidence } };
  };
  return matchedEvents.map(({ occurrence, results }) => ({
    occurrence,
    results: results.map((one) => ({ ...one, outcomes: one.outcomes.map(withoutCovered) })),
  }));
}

/** What a firing says of claims: their changes, and the deaths of their pages. */
function claimsIn({ trigger, firing }: Outcome): { readonly trigger: string; readonly change: Change }[] {
  const evidence = firing?.evidence.filter(({ change, part }) => change.kind === "claim" || part === "claim") ?? [];
  return evidence.map(({ change }) => ({ trigger, change }));
}

function match(
  { occurrence, rules }: EventRules,
  context: Context,
  together: readonly EventSighting[] = [],
): RuleResult[] {
  const subject = subjectOf(occurrence, context, together);
  return rules.map((rule) => {
    const { verdict, evidence } = judge(rule, occurrence, subject, context.at);
    const late = verdict.met && verdict.late === true;
    const outcomes = rule.triggers.map((trigger): Outcome => {
      if (!verdict.met) return { trigger, outcome: "unmet" };
      return { trigger, ...outcomeFor(trigger, rule, { occurrence, evidence, late }, context) };
    });
    return { rule, verdict, outcomes };
  });
}

function subjectOf(
  { event, changes }: Occurrence,
  { source, config, remembered, at }: Context,
  together: readonly EventSighting[],
): Subject {
  const versionIn = (text: string | undefined): Version | undefined =>
    text === undefined || event.product === undefined ? undefined : versionCalled(text);
  const version = versionIn(event.version);
  // If all earlier versions of a release line were pre-releases, a final one is its first.
  const isFinal = !isCalledPre(event) && version?.pre === false;
  const versionsIn = (sightings: readonly EventSighting[]) =>
    sightings
      .filter((sighting) => sighting.event.product === event.product && sighting.key !== publicationOf(event))
      .filter((sighting) => !isFinal || !isCalledPre(sighting.event))
      .map((sighting) => versionIn(sighting.event.version))
      .filter((version) => version !== undefined);
  // If one check found several versions, the lower ones came first.
  const lower = versionsIn(together).filter((other) => version !== undefined && isBelow(other, version));
  const knownVersions = [...versionsIn(remembered.sightings), ...lower];
  const change = changes[0]?.change ?? { kind: "link", to: "back" };
  // A version stays the same when its pre-release mark changes.
  const retitled =
    change.kind === "item-edited" &&
    event.product !== undefined &&
    releaseOf({ ...change.before, pre: change.item.pre }, source, config)?.key !== event.key;
  const isYoung = remembered.sightings.some(
    ({ key, source: of, baseline, seen }) => key === event.key && of === source.id && !baseline && at - seen <= youth,
  );
  return { source, change, event, version, knownVersions, retitled, isYoung };
}

/** An entry's text may still be written: people often add notes to a release that a machine published. */
const youth = 7 * aDay;

/** An event meets a condition if one of its changes does. Those changes are the evidence. */
function judge(
  { condition, part, claim }: Rule,
  { changes }: Occurrence,
  subject: Subject,
  at: Instant,
): { verdict: TestResult; evidence: Evidence[] } {
  const evidence: Evidence[] = [];
  let late = true;
  let unmet: TestResult = { met: false, because: "nothing changed", apart: true };
  for (const sighting of changes) {
    if (evidence.length >= maxEvidence) break;
    const { change, since } = sighting;
    // The replacement of a source does not end a claim.
    if (part === "until" && change.kind === "turned") continue;
    const judged: TestResult =
      isOfFirstCheck(change) || (part === "claim" && isNotFound(sighting))
        ? { met: true }
        : isMet(condition, { ...subject, change });
    if (judged.met) {
      const { excerpt } = judged;
      late &&= judged.late === true;
      const [source, seen, of] = [subject.source.id, Math.min(since, at), claim && claimKey(claim)];
      evidence.push({ source, seen, change, part, condition, claim: of, excerpt });
    } else if (!unmet.met && unmet.apart) unmet = judged;
  }
  return { verdict: evidence.length > 0 ? { met: true, ...(late && { late }) } : unmet, evidence };
}

// ── Outcome ────────────────────────────────────────────────────────────────────────────────────

/** The firing, unless this trigger has already asked about the event or it was known before. */
function outcomeFor(
  trigger: string,
  { condition, part }: Rule,
  { occurrence, evidence, late }: { occurrence: Occurrence; evidence: readonly Evidence[]; late: boolean },
  context: Context,
): Omit<Outcome, "trigger"> {
  const { event } = occurrence;
  const { remembered, at } = context;
  const before = remembered.firings.find((firing) => firing.trigger === trigger && firing.event.key === event.key);
  const isKept = ({ source, part }: Evidence) =>
    before?.evidence.some((old) => old.source === source && old.part === part) ?? false;
  if (before && evidence.every(isKept)) return { outcome: "known" };
  // The first check asked about it already.
  if (remembered.firings.some((firing) => firing.trigger === builtIn.notFound && firing.event.key === event.key))
    return { outcome: "known" };
  const earlier = before || late ? undefined : earlierSighting(occurrence, condition, context);
  if (earlier) return { outcome: "known", knownFrom: { source: earlier.source, baseline: earlier.baseline } };
  const firstSeen = evidence.reduce((first, piece) => Math.min(first, piece.seen), at);
  const weight = weightFor(trigger, { condition, part }, occurrence.changes[0]?.change);
  const annotated = evidence.map((piece) => {
    const notes =
      condition.kind === "release"
        ? notesOn(piece.change, context.config.triggers.get(trigger), context.config)
        : undefined;
    return notes ? { ...piece, notes } : piece;
  });
  return {
    outcome: before ? "evidence" : "fired",
    firing: { trigger, event, weight, seen: firstSeen, fired: at, evidence: annotated },
  };
}

/** A proof that was never found may be mistyped: routine, unless the source has another text in its place. */
function weightFor(
  trigger: string,
  { condition, part }: Pick<Rule, "condition" | "part">,
  change: Change | undefined,
): Firing["weight"] {
  if (change?.kind === "turned" || isMove(change)) return "routine";
  if (trigger === builtIn.notFound) {
    const isAgainst = change?.kind === "claim" ? change.otherwise === true : part === "claim";
    return isAgainst ? "contrary" : "routine";
  }
  return isOfClaim({ part, condition }) || condition.awaited || isTakenBack(change) ? "contrary" : "routine";
}

/** A work that its publisher or its authors took back supports nothing any more. */
function isTakenBack(change: Change | undefined): boolean {
  if (change?.kind !== "fact" || !["retracted", "withdrawn"].includes(change.name)) return false;
  return change.after !== undefined && change.after !== "no";
}

/**
 * Finds the first sighting that makes an event known to a condition, in a source that the condition listens to, even if config
 * no longer has that source. The first check of another source gives an undated version no date. Such an event is news if this
 * source dates it after the audit, or did not have it yet at that check.
 */
function earlierSighting(
  { event, changes }: Occurrence,
  condition: Condition,
  { source, config, remembered }: Context,
): EventSighting | undefined {
  const isNews = event.at !== undefined && event.at > config.report.audited;
  const absent = changes[0]?.absent ?? Infinity;
  const saysNothing = ({ source: of, baseline, seen, event: { at } }: EventSighting) =>
    baseline && at === undefined && (isNews || (of !== source.id && seen > absent));
  return remembered.sightings
    .filter(({ key }) => key === event.key)
    .filter(({ source: of }) => listensTo(condition, { id: of, announces: event.product ? [event.product] : [] }))
    .filter((sighting) => !saysNothing(sighting))
    .reduce<EventSighting | undefined>((first, one) => (first && first.seen <= one.seen ? first : one), undefined);
}

function overturn(claim: Claim, { event, changes }: Occurrence, { at, config }: Context): ClaimState {
  const since = changes[0]?.since ?? at;
  const proved = proofKey(claim, config.sources.get(claim.source) ?? { address: claim.source });
  return { claim: claimKey(claim), status: "contradicted", since, found: event.key, proved };
}

/** Merges the conditions of one trigger that one event meets into one firing, with the heavier weight. */
function merge(firings: readonly Firing[]): Firing[] {
  return mergeFirings(firings, mergeTwo).map((firing) => ({
    ...firing,
    evidence: withoutRepeats(mostDistinctiveFirst(firing.evidence)),
  }));
}

function mergeTwo(first: Firing, second: Firing): Firing {
  const evidence = [
    ...first.evidence,
    ...second.evidence.filter((piece) => piece.part !== "also" || !isSaid(first, piece)),
  ];
  return { ...first, weight: weightOf([first, second]), evidence, seen: Math.min(first.seen, second.seen) };
}

/** Whether the trigger's `on` reports the change already, and this condition adds no meaning of its own. */
function isSaid(firing: Firing, piece: Evidence): boolean {
  return firing.evidence.some((old) => old.source === piece.source && old.part === "on" && !piece.condition?.means);
}

/** Puts a condition that awaits a change first, then one with its own meaning, as a change is reported once. */
function mostDistinctiveFirst(evidence: readonly Evidence[]): Evidence[] {
  const rank = ({ condition }: Evidence) => (condition?.awaited ? 0 : condition?.means ? 1 : 2);
  return evidence.toSorted((a, b) => rank(a) - rank(b));
}

/** The same words added twice to a page are one piece of evidence, as in the store. */
function withoutRepeats(evidence: readonly Evidence[]): readonly Evidence[] {
  if (evidence.length < 2) return evidence;
  const keyOf = ({ source, part, change }: Evidence) => JSON.stringify([source, part, change]);
  return [...Map.groupBy(evidence, keyOf).values()].flatMap(([first]) => first ?? []);
}

// ── Record ─────────────────────────────────────────────────────────────────────────────────────

const strongestFirst: readonly MatchResult["outcome"][] = ["fired", "evidence", "known", "unmet"];

/** Makes one match result for each trigger: its conditions' verdicts, and the strongest outcome. */
function matchResultsOf(results: readonly RuleResult[]): MatchResult[] {
  const each = results
    .filter(({ rule, verdict }) => verdict.met || (!verdict.apart && isOfTrigger(rule)))
    .flatMap(({ rule, verdict, outcomes }) => outcomes.map((outcome) => ({ ...outcome, rule, verdict })));
  return [...Map.groupBy(each, ({ trigger }) => trigger)].map(([trigger, ofTrigger]) => {
    const place = ({ outcome }: Outcome) => strongestFirst.indexOf(outcome);
    const [strongest] = ofTrigger.toSorted((a, b) => place(a) - place(b));
    return {
      trigger,
      outcome: strongest?.outcome ?? "unmet",
      knownFrom: strongest?.knownFrom,
      verdicts: ofTrigger.map(({ rule: { part, condition }, verdict }) => ({
        part,
        condition,
        met: verdict.met,
        ...(!verdict.met && { because: verdict.because }),
      })),
    };
  });
}
