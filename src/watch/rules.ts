import { withEdits } from "../model/apart.ts";
import { makeOnce } from "../model/cache.ts";
import { type Change, isOfFirstCheck, type Seen } from "../model/change.ts";
import type { Claim } from "../model/claim.ts";
import { type Condition, conditionsOf, listensTo } from "../model/condition.ts";
import type { Config } from "../model/config.ts";
import { claimKey, claimOf } from "../model/dependencies.ts";
import { builtIn, type Event, type Evidence, type Occurrence, triggersToAsk } from "../model/firing.ts";
import type { Origin } from "../model/source.ts";
import type { Context } from "./evaluate.ts";
import { entryOf } from "./events.ts";

/** A condition of an event, its part of the trigger, and the triggers that it fires. */
export interface Rule {
  readonly condition: Condition;
  readonly part: Evidence["part"];
  readonly triggers: readonly string[];
  readonly claim?: Claim;
}

export interface EventRules {
  readonly occurrence: Occurrence;
  readonly rules: readonly Rule[];
}

/** The source of an event, with the earlier sightings of its events. */
type Place = Pick<Context, "source" | "config" | "remembered">;

/**
 * Finds the rules for an event: conditions of triggers and `until` conditions of claims that listen to its source, and
 * the claims that it changes. A later entry about a known version is a separate event for conditions on entries, and
 * another mention of the version for all others. So no rule gets an entry twice. Pure.
 */
export function eventRulesOf(occurrence: Occurrence, place: Place): EventRules[] {
  if (isOfFirstCheck(occurrence.changes[0]?.change)) return [{ occurrence, rules: firstCheckRules(occurrence, place) }];
  const rules = [...rulesFor(place), ...claimRules(occurrence, place)];
  const entry = entryOf(occurrence, place.source);
  const ofEntries = entry && isFurther(entry, occurrence, place) ? rules.filter(asksForEntries) : [];
  if (!entry || ofEntries.length === 0) return [{ occurrence, rules }];
  const others = rules.filter((rule) => !asksForEntries(rule));
  const apart = { occurrence: { ...occurrence, event: entry }, rules: ofEntries };
  return others.length > 0 ? [{ occurrence, rules: others }, apart] : [apart];
}

/** Whether the source already had another entry about the version. One from its first check may be this very entry. */
function isFurther(entry: Event, { event, changes }: Occurrence, { source, remembered }: Place): boolean {
  const isNew = changes[0]?.change.kind === "item-added" && changes[0].absent !== undefined;
  const key = isNew ? event.key : entry.key;
  return remembered.sightings.some((sighting) => sighting.source === source.id && sighting.key === key);
}

function asksForEntries({ condition }: Rule): boolean {
  return condition.kind === "item" || condition.kind === "commit";
}

function rulesFor({ source, config }: Place): readonly Rule[] {
  const { all, to } = makeOnce(rulesOfConfig, config, () => ({
    all: [...triggerRules(config), ...untilRules(config)],
    to: new WeakMap<Origin, readonly Rule[]>(),
  }));
  return makeOnce(to, source, () => all.filter(({ condition }) => listensTo(condition, source)));
}

/** The rules of each config, and those for each source. A config never changes, so they are computed once. */
const rulesOfConfig = new WeakMap<
  Config,
  { readonly all: readonly Rule[]; readonly to: WeakMap<Origin, readonly Rule[]> }
>();

function triggerRules({ triggers }: Config): Rule[] {
  return [...triggers.values()].flatMap((trigger) =>
    conditionsOf(trigger).map((one): Rule => ({ ...one, triggers: [trigger.id] })),
  );
}

/** The `until` conditions of claims, which fire the triggers that name their ratings. */
function untilRules(config: Config): Rule[] {
  const claims = [...config.sources.values()].flatMap((source) => source.claims);
  return claims.flatMap((claim) => {
    const triggers = triggersToAsk(claim.ratings, config);
    return claim.until.map((condition): Rule => ({ condition, part: "until", triggers, claim }));
  });
}

/** The claims that an event changes. A claim needs no trigger file: it fires the trigger that names its rating. */
function claimRules({ changes }: Occurrence, { source, config }: Place): Rule[] {
  const change = changes[0]?.change;
  const rule = (claim: Claim, condition: Condition): Rule => ({
    condition,
    part: "claim",
    claim,
    triggers: isNotFound(changes[0]) ? [builtIn.notFound] : triggersToAsk(claim.ratings, config),
  });
  if (change?.kind === "link" && change.to === "gone") {
    return source.claims.map((claim) => rule(claim, { kind: "link", source: source.id, when: ["gone"] }));
  }
  if (change?.kind !== "claim") return [];
  return source.claims
    .filter((claim) => claimKey(claim) === change.claim)
    .map((claim) => rule(claim, { ...ofClaim, source: source.id, claim: claim.id }));
}

/** Asks about facts from before the first check. On a page that is gone, nothing proves a claim. */
function firstCheckRules({ changes }: Occurrence, { source }: Place): Rule[] {
  const change = changes[0]?.change;
  const isGone = change?.kind === "link" && change.to === "gone";
  const rule = {
    condition: { kind: "link", source: source.id, when: ["gone"] },
    triggers: [builtIn.notFound],
  } as const;
  const claims = isGone ? source.claims : [];
  return claims.length > 0 ? claims.map((claim) => ({ ...rule, part: "claim", claim })) : [{ ...rule, part: "also" }];
}

const ofClaim = { kind: "claim", when: ["altered", "gone", "contradicted", "moved"] } as const;

export function isNotFound(seen: Seen | undefined): boolean {
  return seen?.change.kind === "claim" && seen.change.to === "not found";
}

/** Whether what is reported of the source's claims already shows all of a change: one edit is reported once. Pure. */
export function isCovered(change: Change, reported: readonly Change[], config: Config): boolean {
  if (change.kind === "link") return reported.includes(change);
  const claims = reported.filter((one) => one.kind === "claim");
  if (change.kind === "fact") {
    return claims.some((claim) => {
      const proof = claimOf(claim.claim, config)?.proof;
      if (proof === undefined || !("fact" in proof) || proof.fact !== change.name) return false;
      // A claim that names its value is reported with the fact's name.
      return claim.after === change.after || claim.after === `${change.name}: ${change.after}`;
    });
  }
  if (change.kind !== "block" || change.before === undefined) return false;
  const { before } = change;
  const after = change.after?.text ?? "";
  const within = claims.filter((claim) => claim.before && before.text.includes(claim.before));
  if (within.length === 0) return false;
  const edited = withEdits(before.text, within);
  // A missing passage is shown with the whole text that replaced it.
  return (
    withoutSigns(edited) === withoutSigns(after) || within.some((claim) => claim.to === "gone" && claim.after === after)
  );
}

function withoutSigns(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{Sc}]/gu, "");
}
