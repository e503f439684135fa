import type { Change, Seen } from "./change.ts";
import type { Condition } from "./condition.ts";
import type { Config } from "./config.ts";
import type { StoredFiring } from "./ports/index.ts";
import type { Instant } from "./time.ts";

/** One trigger met by one event. */
export interface Firing {
  /** Unique in a repository together with the event's key. */
  readonly trigger: string;
  readonly event: Event;
  readonly weight: "routine" | "contrary";
  readonly seen: Instant;
  /** When it became a firing: later than `seen` if it needed confirmation. */
  readonly fired: Instant;
  readonly evidence: readonly Evidence[];
}

/** The pieces of evidence that a firing keeps, at most. */
export const maxEvidence = 500;

/** One sighting of a firing's event in one source. */
export interface Evidence {
  readonly source: string;
  readonly seen: Instant;
  readonly change: Change;
  /**
   * The origin of the condition: `on` is in the report, `also` was added to it, `until` ends a claim, `claim` is the
   * claim itself.
   */
  readonly part: "on" | "also" | "until" | "claim";
  /** @internal The condition that it met. */
  readonly condition?: Condition;
  readonly claim?: string;
  /** The text of a section that matched. */
  readonly excerpt?: string;
  /** @internal For a release: the parts of its notes about the trigger's subject. */
  readonly notes?: Notes;
}

/** Whether a condition of the trigger's file matched, rather than one of a claim. */
export function isOfTrigger({ part }: Pick<Evidence, "part">): boolean {
  return part === "on" || part === "also";
}

/** Whether a claim's condition matched, or one of the trigger's file that is about a claim. */
export function isOfClaim({ part, condition }: Pick<Evidence, "part" | "condition">): boolean {
  return !isOfTrigger({ part }) || condition?.kind === "claim";
}

/** Paragraphs of release notes that name what a trigger asks about. */
export interface Notes {
  /** The names that were searched for. */
  readonly about: readonly string[];
  /** Each below its heading; empty if the notes have none of the names. */
  readonly paragraphs: readonly string[];
  /** Paragraphs that were left out. */
  readonly more: number;
  /** If no paragraph has one of the names: the first headings of the notes. */
  readonly headings?: readonly string[];
}

/** Each firing once, with all its evidence. Several checks may have added to it, and one may have made it contrary. */
export function mergeFirings(firings: readonly Firing[], merge = mergePair): Firing[] {
  const byId = new Map<string, Firing>();
  for (const firing of firings) {
    const key = JSON.stringify([firing.trigger, firing.event.key]);
    const before = byId.get(key);
    byId.set(key, before ? merge(before, firing) : firing);
  }
  return [...byId.values()];
}

function mergePair(first: Firing, second: Firing): Firing {
  return { ...first, weight: weightOf([first, second]), evidence: [...first.evidence, ...second.evidence] };
}

/** The weight of several firings together: contrary if one of them is. */
export function weightOf(firings: readonly Pick<Firing, "weight">[]): Firing["weight"] {
  return firings.some(({ weight }) => weight === "contrary") ? "contrary" : "routine";
}

/** Triggers without a file: claims that no trigger asks about, proofs never found, events before the watch began. */
export const builtIn = { claims: "claims", notFound: "not-found", catchUp: "catch-up" } as const;

/** Ids that no trigger's file may have. */
export const reservedTriggers: ReadonlySet<string> = new Set(Object.values(builtIn));

/** The fewest triggers that together name these ratings, broadest first; otherwise the built-in one. */
export function triggersToAsk(ratings: readonly string[], config: Config): string[] {
  const uncovered = new Set(ratings);
  const chosen: string[] = [];
  while (uncovered.size > 0) {
    let best: { id: string; covers: string[] } | undefined;
    for (const { id, ratings: named } of config.triggers.values()) {
      const covers = named.filter((rating) => uncovered.has(rating));
      if (covers.length > (best?.covers.length ?? 0)) best = { id, covers };
    }
    if (!best) break;
    chosen.push(best.id);
    for (const rating of best.covers) uncovered.delete(rating);
  }
  return chosen.length > 0 ? chosen : [builtIn.claims];
}

/** Whether it became contrary after people were asked about it. */
export function isNews({ weight, reported }: StoredFiring): boolean {
  return weight === "contrary" && reported === "routine";
}

/** The meaning of a change, with a key that is the same in all sources that announce it. */
export interface Event {
  /** `pytorch 2.13.0`, `torchtpu public yes`; source and item if there is no product. */
  readonly key: string;
  readonly product?: string;
  readonly version?: string;
  /** When it happened, if a source says so. */
  readonly at?: Instant;
}

/** Changes of one check that are one event: one entry, one fact, or all blocks of a page together. */
export interface Occurrence {
  readonly event: Event;
  readonly changes: readonly Seen[];
}

/** An event that a check found, and the result of each trigger that listens to it. */
export interface Happening extends Occurrence {
  readonly results: readonly MatchResult[];
  /** How many changes and match results were left out because there were too many. */
  readonly left?: number;
}

export interface MatchResult {
  readonly trigger: string;
  /**
   * `fired`: it asks. `evidence`: it had asked already, and this is further evidence. `known`: a condition is met, but the
   * event was known before. `unmet`: no condition is met.
   */
  readonly outcome: "fired" | "evidence" | "known" | "unmet";
  /** For `known`: where it was seen before. Missing if the trigger has already asked about this very sighting. */
  readonly knownFrom?: { readonly source: string; readonly baseline: boolean };
  readonly verdicts: readonly Verdict[];
}

/** Whether a change of an event meets one condition, or why not. */
export interface Verdict {
  readonly part: Evidence["part"];
  /** @internal */
  readonly condition: Condition;
  readonly met: boolean;
  readonly because?: string;
}

/** The keys of claims whose proof was never there, and whose source contradicted them at the first check. */
export function firstContradicted(firings: readonly Firing[] = []): ReadonlySet<string> {
  const all = firings.flatMap(({ evidence }) => evidence);
  return new Set(all.flatMap(({ claim = [], change }) => (change.kind === "claim" && change.otherwise ? claim : [])));
}
