import type { Change, Noise, Sighting } from "../model/change.ts";
import type { Facts, Reading } from "../model/reading.ts";
import { aDay, type Duration, type Instant } from "../model/time.ts";
import type { CompareOptions, PartComparison } from "./index.ts";

type FactChange = Extract<Change, { kind: "fact" }>;

/** Earlier states, by name: when each ended, and how often it had occurred. */
type Earlier = Readonly<Record<string, { readonly left: Instant; readonly times: number }>>;

interface KnownFact {
  /** Absent if the source no longer gives it. */
  readonly value?: string;
  readonly since: Instant;
  /** Its earlier values; `notGiven` for an absent one. */
  readonly earlier: Earlier;
  /** Set for a value that returned and may be a flap: the value that was reported last. */
  readonly untold?: { readonly told?: string; readonly since: Instant };
}

/** The key of an absent value: a character that no text has. */
const notGiven = "\u0001";

/** The accepted facts, and differences that wait for a second check. */
export interface FactMemory {
  readonly known: Readonly<Record<string, KnownFact>>;
  readonly waiting: Readonly<Record<string, Instant>>;
  /** Whether the last reading may lack facts. */
  readonly partial?: true;
}

type FactCheck = Pick<CompareOptions, "at" | "confirmAfter" | "structured" | "atAudit"> & Pick<Reading, "partial">;

/** A value that returns within this time is a flap until it has lasted as long. */
export const flap = 7 * aDay;
/** How long a text that disappeared is remembered, to recognise its return. */
export const remember: Duration = 60 * aDay;

/**
 * Compares facts by name. A second check is needed if a fact disappears or becomes empty, for everything that changes
 * with it, and for each change in a partial reading: one bad answer must not be news.
 */
export function compareFacts(
  memory: FactMemory | undefined,
  facts: Facts,
  check: FactCheck,
): PartComparison<FactMemory, FactChange> {
  const knownFacts = memory?.known ?? factsAtAudit(check);
  const names = new Set([...Object.keys(knownFacts), ...Object.keys(facts)]);
  const isEmptied = ([name, { value = "" }]: [string, KnownFact]) => value !== "" && (facts[name] ?? "") === "";
  const vanished = memory !== undefined && !check.partial && Object.entries(knownFacts).some(isEmptied);
  const mustLast = vanished || check.partial === true || (memory !== undefined && !check.structured);
  const next: Record<string, KnownFact> = Object.create(null);
  const waiting: Record<string, Instant> = {};
  const changes: { change: FactChange; since: Instant }[] = [];
  const sightings: Sighting[] = [];
  const noise: Noise[] = [];

  for (const name of names) {
    const before = Object.hasOwn(knownFacts, name) ? knownFacts[name] : undefined;
    const after = Object.hasOwn(facts, name) ? facts[name] : undefined;
    const earlier = before?.earlier[after ?? notGiven];
    const changeFrom = (value: string | undefined): FactChange => ({
      kind: "fact",
      name,
      before: value,
      after,
      again: earlier?.times,
    });
    if (before && before.value === after) {
      const { untold: unreported, ...stayed } = before;
      const isTold = unreported !== undefined && check.at - unreported.since >= flap;
      next[name] = isTold ? stayed : before;
      if (!isTold) continue;
      changes.push({ change: changeFrom(unreported.told), since: unreported.since });
      continue;
    }
    if (before && after === undefined && check.partial) {
      next[name] = before;
      continue;
    }
    if (!before && (memory === undefined || memory.partial)) {
      if (after !== undefined) next[name] = { value: after, since: check.at, earlier: {} };
      continue;
    }
    if (before && after === undefined && memory === undefined) continue;
    const change = changeFrom(before?.value);
    const since = Math.min(check.at, memory?.waiting[waitingKey(change)] ?? check.at);
    if (mustLast && check.at - since < check.confirmAfter) {
      waiting[waitingKey(change)] = since;
      sightings.push({ change, since });
      if (before) next[name] = before;
      continue;
    }
    const flaps = earlier !== undefined && check.at - earlier.left < flap;
    if (flaps) noise.push({ change, reason: "returned to an earlier text" });
    else changes.push({ change, since });
    const reported = before?.untold ? before.untold.told : before?.value;
    next[name] = {
      value: after,
      since: check.at,
      earlier: recordEnd(before, check.at),
      ...(flaps && reported !== after && { untold: { told: reported, since } }),
    };
  }
  return {
    memory: { known: limitAbsent(next), waiting, ...(check.partial && { partial: true }) },
    changes,
    sightings,
    noise,
  };
}

/** The facts whose values returned and are not reported yet. */
export function unreportedFacts({ known }: FactMemory): Set<string> {
  return new Set(Object.keys(known).filter((name) => known[name]?.untold !== undefined));
}

/** When each of these can be reported. */
export function returnReports({ known }: FactMemory): Instant[] {
  return Object.values(known).flatMap(({ untold }) => (untold ? [untold.since + flap] : []));
}

/** The accepted facts that the source still gives. */
export function factsGiven({ known }: Pick<FactMemory, "known">): Facts {
  const given = Object.entries(known).flatMap(([name, { value }]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(given);
}

/** Facts that the source no longer gives but that are still remembered, at most. */
const mostAway = 100;

function limitAbsent(known: Readonly<Record<string, KnownFact>>): Record<string, KnownFact> {
  const away = Object.entries(known).filter(([, { value }]) => value === undefined);
  const forgotten = away.sort(([, a], [, b]) => b.since - a.since).slice(mostAway);
  const names = new Set(forgotten.map(([name]) => name));
  return Object.fromEntries(Object.entries(known).filter(([name]) => !names.has(name)));
}

function factsAtAudit(check: FactCheck): Record<string, KnownFact> {
  return Object.fromEntries(
    Object.entries(check.atAudit ?? {}).map(([name, value]) => [name, { value, since: check.at, earlier: {} }]),
  );
}

function waitingKey(change: FactChange): string {
  return JSON.stringify([change.name, change.after ?? null]);
}

/** Remembers the value that ended. */
function recordEnd(before: KnownFact | undefined, at: Instant): Earlier {
  if (!before) return {};
  const name = before.value ?? notGiven;
  return withLeft(before.earlier, name, { left: at, times: (before.earlier[name]?.times ?? 0) + 1 });
}

/** Adds the state that ended, and keeps the newest ten. */
export function withLeft(earlier: Earlier, name: string, left: Earlier[string]): Earlier {
  const entries = Object.entries({ ...earlier, [name]: left });
  return Object.fromEntries(entries.sort(([, a], [, b]) => b.left - a.left).slice(0, 10));
}
