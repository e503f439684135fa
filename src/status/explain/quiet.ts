import type { Change, Noise } from "../../model/change.ts";
import { changeLine } from "../../model/change-words.ts";
import type { Foreseen, PendingSighting } from "../../model/check.ts";
import type { Source } from "../../model/source.ts";
import type { Instant } from "../../model/time.ts";
import type { Records } from "./records.ts";

/** A change that waits for confirmation: when the second check is due, and what follows if it lasts. */
export interface WaitingStory extends PendingSighting {
  readonly what: string;
  readonly secondCheck: Instant;
  readonly consequences: readonly Consequence[];
}

/** The triggers that fire if the difference lasts: by itself, or by a claim that it changes or ends. */
export interface Consequence {
  readonly claim?: string;
  /** The change of that claim; undefined if its `until` matched. */
  readonly change?: Extract<Change, { kind: "claim" }>;
  readonly askers: readonly Pick<Foreseen, "trigger" | "weight">[];
  readonly means: readonly string[];
}

export function waitingStories(source: Source, { watches, checks }: Records): WaitingStory[] {
  const watch = watches.get(source.id);
  if (!watch?.pending) return [];
  const check = checks.get(source.id)?.find(({ outcome }) => outcome !== "unknown");
  return (check?.sightings ?? []).map((sighting) => ({
    ...sighting,
    what: changeLine(sighting.change),
    secondCheck: watch.next,
    consequences: consequencesOf(sighting),
  }));
}

function consequencesOf({ asks, claims = [] }: PendingSighting): Consequence[] {
  const silent = claims.filter(({ claim }) => !asks.some((one) => one.claim === claim)).map(({ claim }) => claim);
  const byClaim = Map.groupBy(asks, ({ claim }) => claim);
  for (const claim of silent) byClaim.set(claim, []);
  const ownFirst = [...byClaim].sort(([a], [b]) => Number(a !== undefined) - Number(b !== undefined));
  return ownFirst.map(([claim, its]) => ({
    ...(claim !== undefined && { claim, change: claims.find((one) => one.claim === claim) }),
    askers: [...Map.groupBy(its, ({ trigger }) => trigger)].map(([trigger, own]) => ({
      trigger,
      weight: own.some(({ weight }) => weight === "contrary") ? ("contrary" as const) : own[0]?.weight,
    })),
    means: [...new Set(its.flatMap(({ condition: { means } }) => means ?? []))],
  }));
}

export interface NoiseStory {
  readonly reason: Noise["reason"];
  readonly site?: Noise["site"];
  readonly what: string;
  readonly change: Change;
  readonly count: number;
  readonly first: Instant;
  readonly last: Instant;
}

/** Newest first. */
export function noiseStories(source: Source, { checks }: Records): NoiseStory[] {
  const stories = new Map<string, NoiseStory>();
  for (const { at, noise } of checks.get(source.id) ?? []) {
    for (const { change, reason, site } of noise) {
      const key = JSON.stringify([reason, placeOf(change)]);
      const before = stories.get(key);
      if (before) stories.set(key, { ...before, count: before.count + 1, first: at });
      else stories.set(key, { reason, site, change, what: changeLine(change), count: 1, first: at, last: at });
    }
  }
  return [...stories.values()];
}

/** The place of a change: later changes at the same place are the same noise. */
function placeOf(change: Change): string {
  if (change.kind === "block") return ((change.after ?? change.before)?.path ?? []).join(" › ");
  if (change.kind === "fact") return change.name;
  return "item" in change ? change.item.id : change.kind;
}
