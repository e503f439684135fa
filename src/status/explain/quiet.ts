import type { Change, Instant, Noise, PendingSighting, Source } from "../../model/model.ts";
import { describeBlock, quoted } from "../../model/words.ts";
import type { Records } from "./records.ts";

/** Something seen once: what it is, when it is looked at again, and whom it asks if it lasts. */
export interface WaitingStory extends PendingSighting {
  readonly what: string;
  readonly secondLook: Instant;
}

/** Tells what waits for a second look at a source. */
export function waitingStories(source: Source, { watches, looks }: Records): WaitingStory[] {
  const watch = watches.get(source.id);
  if (!watch?.pending) return [];
  const look = looks.get(source.id)?.find(({ outcome }) => outcome !== "unknown");
  return (look?.sightings ?? []).map((sighting) => ({
    ...sighting,
    what: changeWords(sighting.change),
    secondLook: watch.next,
  }));
}

/** A difference that was taken for noise, by reason and place. */
export interface NoiseStory {
  readonly reason: Noise["reason"];
  readonly what: string;
  readonly change: Change;
  readonly count: number;
  readonly first: Instant;
  readonly last: Instant;
}

/** Newest first. */
export function noiseStories(source: Source, { looks }: Records): NoiseStory[] {
  const found = new Map<string, NoiseStory>();
  for (const { at, noise } of looks.get(source.id) ?? []) {
    for (const { change, reason } of noise) {
      const key = JSON.stringify([reason, placeOf(change)]);
      const before = found.get(key);
      if (before) found.set(key, { ...before, count: before.count + 1, first: at });
      else found.set(key, { reason, change, what: changeWords(change), count: 1, first: at, last: at });
    }
  }
  return [...found.values()];
}

/** Where it happened: what comes there again is the same noise. */
function placeOf(change: Change): string {
  if (change.kind === "block") return ((change.after ?? change.before)?.path ?? []).join(" › ");
  if (change.kind === "fact") return change.name;
  return "item" in change ? change.item.id : change.kind;
}

/** Says a change without the name of its source: it stands under it. */
export function changeWords(change: Change, count = 1): string {
  switch (change.kind) {
    case "item-added":
      return `new entry "${quoted(change.item.title)}"`;
    case "item-edited":
      return `entry "${quoted(change.item.title)}" ${editWords(change)}`;
    case "item-withdrawn":
      return `entry "${quoted(change.item.title)}" withdrawn`;
    case "fact":
      return `"${change.name}": ${value(change.before, "not given")} → ${value(change.after, "no longer given")}`;
    case "block":
      return describeBlock(change, count);
    case "claim":
      return claimWords(change);
    case "link":
      return change.to === "moved" ? `moved for good to ${change.address ?? "elsewhere"}` : `is ${change.to}`;
  }
}

function value(text: string | undefined, none: string): string {
  return text === undefined ? none : quoted(text, 60);
}

function editWords({ before, item }: Extract<Change, { kind: "item-edited" }>): string {
  if (before.pre === true && item.pre !== true) return "is a pre-release no more";
  if (before.version !== item.version) return `edited: ${before.version ?? "no version"} → ${item.version ?? "none"}`;
  return before.title === item.title ? "edited" : `renamed, before "${quoted(before.title)}"`;
}

function claimWords(change: Extract<Change, { kind: "claim" }>): string {
  const name = change.claim.split("/")[1] ?? change.claim;
  if (change.from === "not found" && change.to === "not found") return `claim "${name}" not found`;
  const texts = [change.before, change.after].map((text) => (text === undefined ? undefined : `"${quoted(text, 60)}"`));
  const said = texts[0] && texts[1] ? `: ${texts[0]} → ${texts[1]}` : texts[0] ? `: ${texts[0]}` : "";
  return `claim "${name}" ${change.to}${said}`;
}
